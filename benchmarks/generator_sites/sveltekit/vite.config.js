import adapter from "@sveltejs/adapter-static"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

const entries = ["*", "/sitemap.xml", "/robots.txt"]

export default defineConfig({ plugins: [sveltekit({ adapter: adapter({ fallback: "200.html" }), prerender: { entries } })] })
