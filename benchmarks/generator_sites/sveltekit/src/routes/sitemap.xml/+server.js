import { texts } from "../../lib/texts.js"

export const prerender = true

export function GET() {
  const urls = ["", "feedback", "contact", ...Object.keys(texts)].map((name) => encodeURI(`https://site.example/${name}`))
  const entries = urls.map((url) => `<url><loc>${url}</loc></url>`).join("\n")
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</urlset>\n`
  return new Response(text, { headers: { "content-type": "application/xml" } })
}
