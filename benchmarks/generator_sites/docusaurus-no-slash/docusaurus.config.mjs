export default {
  title: "Sewing machine",
  url: "https://site.example",
  baseUrl: "/",
  trailingSlash: false,
  onBrokenLinks: "warn",
  presets: [["classic", { docs: { routeBasePath: "/", sidebarPath: "./sidebars.mjs" }, blog: false }]],
}
