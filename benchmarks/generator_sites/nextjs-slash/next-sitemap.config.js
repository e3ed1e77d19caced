module.exports = { siteUrl: "https://site.example/clinic", outDir: "out", trailingSlash: true, generateIndexSitemap: false, autoLastmod: false }
