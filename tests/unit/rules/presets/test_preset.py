import re
from pathlib import Path

import pytest
from preset_rows import project

from waypost.config.generator_presets import PRESETS
from waypost.rules.presets.preset import preset_mappings
from waypost.rules.source_mapping import SourceMapper


@pytest.mark.parametrize(
    ("preset", "page", "file"),
    [
        ("hugo", "index.html", "content/_index.md"),
        ("hugo", "posts/first/index.html", "content/posts/first.md"),
        ("hugo", "posts/first/index.html", "content/posts/first/index.md"),
        ("hugo", "posts/index.html", "content/posts/_index.md"),
        ("hugo", "posts/first.html", "content/posts/first.md"),
        ("hugo", "paper.pdf", "static/paper.pdf"),
        ("hugo", "posts/first/paper.pdf", "content/posts/first/paper.pdf"),
        ("jekyll", "index.html", "index.md"),
        ("jekyll", "index.html", "README.md"),
        ("jekyll", "about.html", "about.md"),
        ("jekyll", "about/index.html", "about.markdown"),
        ("jekyll", "2024/01/31/hello-world.html", "_posts/2024-01-31-hello-world.md"),
        ("jekyll", "2024/01/31/hello-world/index.html", "_posts/2024-01-31-hello-world.md"),
        ("jekyll", "recipes/soup.html", "_recipes/soup.md"),
        ("jekyll", "paper.pdf", "paper.pdf"),
        ("mkdocs", "index.html", "docs/index.md"),
        ("mkdocs", "guide/install/index.html", "docs/guide/install.md"),
        ("mkdocs", "guide/index.html", "docs/guide/index.md"),
        ("mkdocs", "guide/install.html", "docs/guide/install.md"),
        ("docusaurus", "index.html", "src/pages/index.tsx"),
        ("docusaurus", "docs/intro/index.html", "docs/intro.mdx"),
        ("docusaurus", "docs/intro.html", "docs/intro.md"),
        ("docusaurus", "blog/2024/01/31/hello/index.html", "blog/2024-01-31-hello.md"),
        ("docusaurus", "blog/2024/01/31/hello/index.html", "blog/2024-01-31-hello/index.md"),
        ("docusaurus", "blog/2024/01/31/hello-world/index.html", "blog/2024-01-31-hello-world.md"),
        ("docusaurus", "help/index.html", "src/pages/help.js"),
        ("astro", "index.html", "src/pages/index.astro"),
        ("astro", "blog/post/index.html", "src/content/blog/post.mdx"),
        ("astro", "about.html", "src/pages/about.astro"),
        ("astro", "paper.pdf", "public/paper.pdf"),
        ("starlight", "guides/start/index.html", "src/content/docs/guides/start.mdx"),
        ("eleventy", "index.html", "index.njk"),
        ("eleventy", "about/index.html", "about.11ty.js"),
        ("eleventy", "blog/index.html", "blog/index.md"),
        ("sphinx", "guide/install.html", "guide/install.rst"),
        ("sphinx", "guide/install/index.html", "guide/install.rst"),
        ("sphinx", "index.html", "index.md"),
        ("vitepress", "guide/start.html", "docs/guide/start.md"),
        ("mdbook", "chapter/part.html", "src/chapter/part.md"),
        ("mdbook", "chapter/index.html", "src/chapter/README.md"),
        ("hexo", "2024/01/31/hello-world/index.html", "source/_posts/hello-world.md"),
        ("hexo", "about/index.html", "source/about/index.md"),
        ("nextjs", "about.html", "app/about/page.tsx"),
        ("nextjs", "about/index.html", "src/pages/about.jsx"),
        ("sveltekit", "about.html", "src/routes/about/+page.svelte"),
        ("pelican", "hello.html", "content/news/hello.md"),
        ("pelican", "pages/about.html", "content/pages/about.rst"),
    ],
)
def test_a_page_of_a_project_without_settings_is_traced_to_its_source(
    preset: str, page: str, file: str, tmp_path: Path
) -> None:
    mapper = SourceMapper(preset_mappings(preset, project(tmp_path, {})))
    assert list(mapper.files(page, [file])) == [file]


def test_every_preset_that_the_settings_name_has_rows_or_needs_the_project_s_own(tmp_path: Path) -> None:
    without = {name for name in PRESETS if not preset_mappings(name, project(tmp_path, {}))}
    assert without == {"antora"}


@pytest.mark.parametrize("preset", sorted(set(PRESETS) - {"antora"}))
def test_no_preset_dates_a_page_by_another_page_s_source(preset: str, tmp_path: Path) -> None:
    rows = preset_mappings(preset, project(tmp_path, {}))
    templates = [file for row in rows for file in row.files if "{" in file]
    others = sorted({re.sub(r"\{(\*\*|#)?\w+\}", "other", file).replace("*", "x") for file in templates})
    assert others
    assert list(SourceMapper(rows).files("a/b/index.html", others)) == []
