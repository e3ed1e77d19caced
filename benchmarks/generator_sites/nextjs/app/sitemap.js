import { texts } from "../lib/texts.mjs"

export const dynamic = "force-static"

export default function sitemap() {
  const names = ["", ...Object.keys(texts)]
  return names.map((name) => ({ url: encodeURI(`https://site.example/${name}`) }))
}
