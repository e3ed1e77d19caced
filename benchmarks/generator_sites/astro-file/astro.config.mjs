import sitemap from "@astrojs/sitemap"
import { defineConfig } from "astro/config"

export default defineConfig({
  site: "https://site.example",
  base: "/league",
  build: { format: "file" },
  trailingSlash: "never",
  integrations: [sitemap()],
})
