const names = ["brew/water", "brew/grind", "brew/filter", "brew/espresso", "beans/origins", "beans/roasting", "faq"]

export default {
  title: "Coffee notes",
  cleanUrls: true,
  lastUpdated: false,
  sitemap: { hostname: "https://site.example" },
  rewrites: { "packages/:name/readme.md": "tools/:name.md" },
  themeConfig: { sidebar: names.map((name) => ({ text: name, link: `/${name}` })) },
}
