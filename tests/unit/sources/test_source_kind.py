"""What a folder is recognised as, and by which file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from waypost.sources.source_kind import is_complete_page, recognize

if TYPE_CHECKING:
    from sites import Write

PAGE = "<!doctype html><html><head><title>Home</title></head><body>Text</body></html>"
TEMPLATE = "---\nlayout: default\n---\n<p>{{ site.title }}</p>"
SPHINX = 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n'
NIKOLA = 'BLOG_TITLE = "B"\nPOSTS = (("posts/*.md", "posts", "post.tmpl"),)\n'


def package(*names: str, **scripts: str) -> str:
    """A package.json with these dependencies and scripts."""
    return json.dumps({"devDependencies": dict.fromkeys(names, "*"), "scripts": scripts})


GENERATORS: list[tuple[str, str, dict[str, str]]] = [
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
        }.items()
    ),
]
JEKYLL: list[tuple[str, str, dict[str, str]]] = [
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
SITES: list[tuple[str, dict[str, str]]] = [
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
    (".nojekyll", {".nojekyll": "", "mkdocs.yml": "site_name: A\n"}),
]


@pytest.mark.parametrize(("name", "file", "files"), GENERATORS)
def test_a_source_is_recognised_by_its_generator_s_own_file_or_package(
    write: Write, name: str, file: str, files: dict[str, str]
) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file) == ("generator", name, file)
    assert name in kind.reason or "dependency" in kind.reason
    assert kind.command
    assert kind.output


@pytest.mark.parametrize(("profile", "file", "files"), JEKYLL)
def test_a_jekyll_source_is_built_by_github_pages_unless_it_has_gems_or_a_workflow_of_its_own(
    write: Write, profile: str, file: str, files: dict[str, str]
) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file) == (profile, "Jekyll", file)


@pytest.mark.parametrize(("file", "files"), SITES)
def test_any_other_folder_is_a_site_as_it_is(write: Write, file: str, files: dict[str, str]) -> None:
    kind = recognize(write(files))
    assert (kind.kind, kind.generator, kind.file, kind.output) == ("static", "", file, "")
    assert kind.reason


@pytest.mark.parametrize("setting", ["static", "jekyll", "github-pages"])
def test_the_setting_decides_without_regard_to_the_files(write: Write, setting: str) -> None:
    kind = recognize(write({"hugo.toml": "", "_config.yml": "", ".nojekyll": ""}), setting)
    assert (kind.kind, kind.file) == (setting, "source_kind")


def test_the_result_says_how_the_site_is_built_and_whether_its_folder_exists(write: Write) -> None:
    files = {"hugo.toml": "publishDir = 'html'\n"}
    kind = recognize(write(files))
    assert (kind.command, kind.output, kind.output_exists) == ("hugo", "html", False)
    assert recognize(write({**files, "html/index.html": PAGE})).output_exists


@pytest.mark.parametrize(
    ("gemfile", "command"), [({}, "jekyll build"), ({"Gemfile": 'gem "jekyll"\n'}, "bundle exec jekyll build")]
)
def test_jekyll_builds_with_the_gems_of_the_project_if_it_has_any(
    write: Write, gemfile: dict[str, str], command: str
) -> None:
    kind = recognize(write({"_config.yml": "", "_site/index.html": PAGE, **gemfile}))
    assert (kind.command, kind.output, kind.output_exists) == (command, "_site", True)


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        (PAGE, True),
        ("<HTML><TITLE>A</TITLE>", True),
        ("<!DOCTYPE html><title>A</title>", True),
        ("<title>A</title>", False),
        ("<!doctype html><p>A</p>", False),
        (f"---\n---\n{PAGE}", False),
        (PAGE.replace("Home", "{{ page.title }}"), False),
        (PAGE.replace("Text", "{% include nav.html %}"), False),
        (PAGE.replace("Text", "<!-- {% comment %} --><textarea>{{ a }}</textarea>"), True),
        ("", False),
    ],
)
def test_a_complete_page_has_a_title_and_neither_front_matter_nor_template_tags(
    text: str, *, is_complete: bool
) -> None:
    assert is_complete_page(text) is is_complete
