import starlight from "@astrojs/starlight"
import { defineConfig } from "astro/config"

export default defineConfig({
  site: "https://site.example",
  base: "/manual",
  redirects: { "/first-steps": "/manual/start/installation" },
  integrations: [
    starlight({
      title: "Irrigation controller",
      pagefind: false,
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, es: { label: "Español", lang: "es" } },
    }),
  ],
})
