const pages = ["start", "install", "guide/trails", "guide/huts", "guide/weather", "guide/équipement", "safety"]
const pagesDe = ["start", "guide/huts"]
const items = (names, prefix) => names.map((name) => ({ text: name, link: `${prefix}${name}` }))

export default {
  title: "Mountain trails",
  base: "/hiking/",
  lastUpdated: false,
  srcExclude: ["drafts/**"],
  sitemap: { hostname: "https://site.example/hiking/" },
  locales: {
    root: { label: "English", lang: "en", themeConfig: { sidebar: items(pages, "/") } },
    de: { label: "Deutsch", lang: "de", themeConfig: { sidebar: items(pagesDe, "/de/") } },
  },
}
