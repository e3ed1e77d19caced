import sitemap from "@astrojs/sitemap"
import { defineConfig } from "astro/config"

export default defineConfig({
  site: "https://site.example",
  integrations: [sitemap({ filter: (page) => !page.includes("/thanks") })],
  redirects: { "/workshops": "/courses" },
})
