export default function (config) {
  config.addPassthroughCopy("robots.txt")
  config.addCollection("indexable", (api) =>
    api.getAll().filter((page) => page.url && page.url.endsWith(".html") | page.url.endsWith("/") && !page.data.robots),
  )
  config.addPreprocessor("drafts", "*", (data) => (data.draft ? false : undefined))
  return { dir: { input: ".", includes: "_includes", output: "_site" }, markdownTemplateEngine: "njk" }
}
