"""Folders that hold sites and the sources of sites, with what each should be recognised as."""

from __future__ import annotations

import json

PAGE = "<!doctype html><html><head><title>Home</title></head><body>Text</body></html>"
TEMPLATE = "---\nlayout: default\n---\n<p>{{ site.title }}</p>"
SPHINX = 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n'
NIKOLA = 'BLOG_TITLE = "B"\nPOSTS = (("posts/*.md", "posts", "post.tmpl"),)\n'


def package(*names: str, **scripts: str) -> str:
    """A package.json with these dependencies and scripts."""
    return json.dumps({"devDependencies": dict.fromkeys(names, "*"), "scripts": scripts})


Files = dict[str, str]
VITE = f"{PAGE}<div id=root></div><script type=module src=/src/main.tsx></script>"
NUXT_2 = {
    "nuxt.config.js": "export default { target: 'static' }",
    "package.json": '{"dependencies": {"nuxt": "^2.15.8"}}',
}
GENERATORS: list[tuple[str, str, Files]] = [
    *(
        (name, config, {config: ""})
        for name, configs in {
            "Hugo": "hugo.toml hugo.yaml hugo.json config/_default/hugo.toml",
            "Docusaurus": "docusaurus.config.js docusaurus.config.ts docusaurus.config.mjs docusaurus.config.cjs",
            "VitePress": ".vitepress/config.mts docs/.vitepress/config.js .vitepress/config/index.ts",
            "VuePress": ".vuepress/config.js docs/.vuepress/config.ts",
            "Astro": "astro.config.mjs astro.config.ts",
            "Eleventy": ".eleventy.js eleventy.config.mjs",
            "Gatsby": "gatsby-config.js gatsby-config.ts",
            "Next.js": "next.config.js next.config.mjs",
            "Nuxt": "nuxt.config.ts",
            "Pelican": "pelicanconf.py",
            "Zensical": "zensical.toml",
            "React Router": "react-router.config.ts",
            "Remix": "remix.config.js",
            "Angular": "angular.json",
            "bookdown": "_bookdown.yml",
            "pkgdown": "_pkgdown.yml pkgdown/_pkgdown.yml",
            "Doxygen": "Doxyfile",
        }.items()
        for config in configs.split()
    ),
    ("Hugo", "config.toml", {"config.toml": 'baseURL = "https://example.org/"\nlanguageCode = "en"\n'}),
    ("Hugo", "config.yaml", {"config.yaml": "baseurl: https://example.org/\ntheme: ananke\n"}),
    ("Hugo", "config.json", {"config.json": "{}", "content/a.md": "", "layouts/a.html": ""}),
    ("Zola", "config.toml", {"config.toml": 'base_url = "https://example.org"\n[markdown]\n'}),
    ("Zola", "zola.toml", {"zola.toml": 'base_url = "https://example.org"\n', "content/_index.md": ""}),
    ("MkDocs", "mkdocs.yml", {"mkdocs.yml": "site_name: Manual\n"}),
    ("SvelteKit", "svelte.config.js", {"svelte.config.js": "export default { kit: {} }"}),
    ("SvelteKit", "svelte.config.js", {"svelte.config.js": "", "package.json": package("@sveltejs/kit")}),
    ("Antora", "antora-playbook.yml", {"antora-playbook.yml": "content:\n  sources: []\nui:\n  bundle: x\n"}),
    ("mdBook", "book.toml", {"book.toml": '[book]\ntitle = "B"\n'}),
    ("HonKit", "book.json", {"book.json": "{}", "SUMMARY.md": ""}),
    ("Nikola", "conf.py", {"conf.py": NIKOLA}),
    ("Sphinx", "conf.py", {"conf.py": SPHINX, "index.rst": ""}),
    ("Sphinx", "conf.py", {"conf.py": 'html_theme = "furo"\n', "index.md": ""}),
    ("Sphinx", "source/conf.py", {"source/conf.py": SPHINX, "source/index.rst": ""}),
    ("Hexo", "_config.yml", {"_config.yml": "title: B\n", "package.json": package("hexo")}),
    ("Hexo", "_config.yml", {"_config.yml": "", "source/_posts/a.md": "", "scaffolds/post.md": ""}),
    ("Jupyter Book", "_config.yml", {"_config.yml": "title: B\n", "_toc.yml": "format: jb-book\n"}),
    ("Jupyter Book 2", "myst.yml", {"myst.yml": "version: 1\nproject:\n  title: B\n"}),
    ("Vite", "vite.config.ts", {"vite.config.ts": "", "index.html": VITE}),
    ("Vite", "vite.config.js", {"vite.config.js": "", "index.html": VITE.replace(".tsx", ".js")}),
    ("Nuxt 2", "nuxt.config.js", {**NUXT_2}),
    ("Documenter", "docs/make.jl", {"docs/make.jl": "using Documenter\nmakedocs(sitename = 'B')\n"}),
    ("DocFX", "docfx.json", {"docfx.json": '{\n  "build": {"content": []}\n}'}),
    ("Quarto", "_quarto.yml", {"_quarto.yml": "project:\n  type: website\n"}),
    *(
        (name, "package.json", {"package.json": package(dependency)})
        for name, dependency in {
            "Docusaurus": "@docusaurus/core",
            "VitePress": "vitepress",
            "VuePress": "vuepress",
            "Astro": "astro",
            "Eleventy": "@11ty/eleventy",
            "Gatsby": "gatsby",
            "Next.js": "next",
            "Nuxt": "nuxt",
            "SvelteKit": "@sveltejs/kit",
            "Antora": "antora",
            "HonKit": "honkit",
            "Hexo": "hexo",
            "SolidStart": "@solidjs/start",
            "Qwik": "@builder.io/qwik-city",
            "Create React App": "react-scripts",
            "Parcel": "parcel",
        }.items()
    ),
]
"""The sources of sites that generators build: the generator, the file by which it is recognised, and the files."""
JEKYLL: list[tuple[str, str, Files]] = [
    ("github-pages", "_config.yml", {"_config.yml": "theme: minima\n", "index.md": TEMPLATE}),
    ("github-pages", "_config.yml", {"_config.yml": "", "index.html": PAGE}),
    ("github-pages", "_config.toml", {"_config.toml": ""}),
    ("github-pages", "_posts", {"_posts/2026-01-01-a.md": TEMPLATE, "_layouts/default.html": "{{ content }}"}),
    ("github-pages", "_config.yml", {"_config.yml": "", "package.json": package("gulp", "vitepress")}),
    ("github-pages", "_config.yml", {"_config.yml": "", "Gemfile": 'gem "github-pages", group: :jekyll_plugins\n'}),
    ("jekyll", "_config.yml", {"_config.yml": "", "Gemfile": 'gem "jekyll", "~> 4.3"\n'}),
    ("jekyll", "Gemfile", {"Gemfile": "source 'https://gems.example'\ngem 'jekyll'\n", "index.html": TEMPLATE}),
    ("jekyll", "_config.yml", {"_config.yml": "", ".github/workflows/a.yml": "- run: bundle exec jekyll build\n"}),
    ("github-pages", "_config.yml", {"_config.yml": "", ".github/workflows/a.yml": "# - run: jekyll build\n"}),
    (
        "github-pages",
        "_config.yml",
        {"_config.yml": "", ".github/workflows/a.yml": "- uses: actions/jekyll-build-pages@v1"},
    ),
]
"""Sources of Jekyll: the profile, the file by which they are recognised, and the files."""
SITES: list[tuple[str, Files]] = [
    ("", {}),
    ("", {"a.html": PAGE, "README.md": "# A"}),
    ("", {"package.json": package("gulp", "tailwindcss"), "src/index.html": PAGE}),
    ("", {"package.json": package("vite", "svelte"), "svelte.config.js": "export default { preprocess: [] }"}),
    ("", {"package.json": "not JSON"}),
    ("", {"conf.py": "import os\nDEBUG = True\n", "index.rst": ""}),
    ("", {"conf.py": SPHINX}),
    ("", {"config.toml": 'baseURL = "/api"\n', "config.json": '{"baseURL": "/api"}', "content/a.html": PAGE}),
    ("", {"config.toml": 'base_url = "/api"\n'}),
    ("", {"mkdocs.yml": "notes: none\n", "book.toml": "", "book.json": "{}"}),
    ("", {"_quarto.yml": "project:\n  type: default\n"}),
    ("", {"_posts/a.html": PAGE, "Gemfile": 'gem "rake"\n'}),
    ("index.html", {"index.html": PAGE, "package.json": package("next", "astro"), "hugo.toml": ""}),
    ("index.htm", {"index.htm": PAGE}),
    ("index.html", {"index.html": PAGE.replace("Text", "<pre>{{ page.title }}</pre><script>`{{`</script>")}),
    (".nojekyll", {".nojekyll": "", "_config.yml": "", "a.html": PAGE}),
    (".nojekyll", {".nojekyll": "", "mkdocs.yml": "site_name: A\n", "index.html": PAGE}),
]
"""Sites that are published as they are: the file by which that is recognised, if there is one, and the files."""
