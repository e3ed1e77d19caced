import adapter from "@sveltejs/adapter-static"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

const kit = {
  adapter: adapter({ fallback: "200.html" }),
  prerender: { entries: ["*", "/sitemap.xml", "/robots.txt"] },
  version: { name: "1" },
}

export default defineConfig({ plugins: [sveltekit(kit)] })
