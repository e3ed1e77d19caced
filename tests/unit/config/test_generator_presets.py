import re

import pytest

from waypost.config.generator_presets import PRESETS
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
        ("jekyll", "news/2024/01/31/hello.html", "news/_posts/2024-01-31-hello.md"),
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
        ("eleventy", "index.html", "index.njk"),
        ("eleventy", "about/index.html", "src/about.11ty.js"),
        ("eleventy", "blog/index.html", "blog/index.md"),
    ],
)
def test_a_generator_s_page_is_traced_to_its_source_and_back(preset: str, page: str, file: str) -> None:
    provenance = SourceMapper(PRESETS[preset])
    assert file in set(provenance.files(page, [file]))
    assert page in set(provenance.pages(file))


def test_a_jekyll_post_with_categories_of_its_front_matter_is_dated_though_its_url_cannot_be_told() -> None:
    provenance = SourceMapper(PRESETS["jekyll"])
    file = "_posts/2024-01-31-hello.md"
    assert file in set(provenance.files("news/2024/01/31/hello.html", [file]))
    assert not any(page.startswith("news/") for page in provenance.pages(file))


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_no_preset_dates_a_page_by_another_page_s_source(preset: str) -> None:
    templates = [file for origin in PRESETS[preset] for file in origin.files if "{" in file]
    others = sorted(re.sub(r"\{(\*\*)?\w+\}", "other", file) for file in templates)
    assert others
    assert list(SourceMapper(PRESETS[preset]).files("a/b/index.html", others)) == []
