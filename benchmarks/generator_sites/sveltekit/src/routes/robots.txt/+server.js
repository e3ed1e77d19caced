export const prerender = true

export const GET = () => new Response("User-agent: *\nAllow: /\nSitemap: https://site.example/sitemap.xml\n")
