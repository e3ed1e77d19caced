import { texts } from "../lib/texts.mjs"

export const dynamic = "force-static"

export default function sitemap() {
  const names = ["", "imprint", ...Object.keys(texts)]
  return names.map((name) => ({ url: encodeURI(`https://site.example/${name}`) }))
}
