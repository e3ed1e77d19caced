export default {
  title: "Community radio",
  url: "https://site.example",
  baseUrl: "/handbook/",
  onBrokenLinks: "warn",
  i18n: { defaultLocale: "en", locales: ["en", "de"] },
  presets: [["classic", {
    docs: { sidebarPath: "./sidebars.mjs", sidebarCollapsible: false },
    blog: { postsPerPage: 2, onInlineAuthors: "ignore", onUntruncatedBlogPosts: "ignore" },
    sitemap: { lastmod: null, ignorePatterns: ["/handbook/blog/tags/**"] },
  }]],
  plugins: [["@docusaurus/plugin-client-redirects", { redirects: [{ from: "/docs/start", to: "/docs/intro" }] }]],
  themeConfig: {
    navbar: {
      title: "Community radio",
      items: [
        { type: "docSidebar", sidebarId: "docs", label: "Docs" },
        { to: "/blog", label: "Blog" },
        { type: "docsVersionDropdown" },
        { type: "localeDropdown" },
      ],
    },
  },
}
