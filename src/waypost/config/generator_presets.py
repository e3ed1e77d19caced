"""Where well-known generators keep the sources of the pages they write.

Each row is a page's path in the built site and the tracked files it may come from, below the
project's folder. `{name}` stands for a part of one path segment, `{**name}` for any depth.
"""

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class SourceMapping:
    """Pages whose path matches `page` are made of the tracked files that `files` name."""

    page: str
    files: tuple[str, ...]


def _origin(page: str, stems: tuple[str, ...], *suffixes: str) -> SourceMapping:
    return SourceMapping(page, tuple(map("".join, product(stems, suffixes or ("",)))))


_MARKDOWN = (".md", ".markdown")
_MDX = (".md", ".mdx")
_REACT = (".js", ".jsx", ".ts", ".tsx", ".md", ".mdx")
_ASTRO = (".astro", ".md", ".mdx", ".html")
_ELEVENTY = (".md", ".njk", ".liquid", ".html", ".hbs", ".11ty.js", ".webc")

PRESETS: dict[str, tuple[SourceMapping, ...]] = {
    "hugo": (
        _origin("index.html", ("content/_index",), ".md", ".html"),
        _origin(
            "{**path}/index.html",
            ("content/{**path}", "content/{**path}/index", "content/{**path}/_index"),
            ".md",
            ".html",
        ),
        _origin("{**path}.html", ("content/{**path}",), ".md", ".html"),
        _origin("{**path}", ("static/{**path}", "content/{**path}")),
    ),
    "jekyll": (
        _origin("index.html", ("index", "README"), *_MARKDOWN, ".html"),
        _origin("{y}/{m}/{d}/{slug}.html", ("_posts/{y}-{m}-{d}-{slug}",), *_MARKDOWN, ".html"),
        _origin("{y}/{m}/{d}/{slug}/index.html", ("_posts/{y}-{m}-{d}-{slug}",), *_MARKDOWN, ".html"),
        _origin(
            "{**kind}/{y}/{m}/{d}/{slug}.html",
            ("_posts/{y}-{m}-{d}-{slug}", "{**kind}/_posts/{y}-{m}-{d}-{slug}"),
            *_MARKDOWN,
            ".html",
        ),
        _origin(
            "{**path}/index.html", ("{**path}", "{**path}/index", "{**path}/README", "_{**path}"), *_MARKDOWN, ".html"
        ),
        _origin("{**path}.html", ("{**path}", "_{**path}"), *_MARKDOWN, ".html"),
        _origin("{**path}", ("{**path}",)),
    ),
    "mkdocs": (
        _origin("index.html", ("docs/index", "docs/README"), *_MARKDOWN),
        _origin("{**path}/index.html", ("docs/{**path}", "docs/{**path}/index", "docs/{**path}/README"), *_MARKDOWN),
        _origin("{**path}.html", ("docs/{**path}",), *_MARKDOWN),
        _origin("{**path}", ("docs/{**path}",)),
    ),
    "docusaurus": (
        _origin("index.html", ("src/pages/index",), *_REACT),
        _origin("{**path}/index.html", ("src/pages/{**path}", "src/pages/{**path}/index"), *_REACT),
        _origin("{**path}/index.html", ("{**path}", "{**path}/index", "{**path}/README"), *_MDX),
        _origin("{**path}.html", ("{**path}", "src/pages/{**path}"), *_MDX),
        _origin(
            "blog/{y}/{m}/{d}/{slug}/index.html", ("blog/{y}-{m}-{d}-{slug}", "blog/{y}-{m}-{d}-{slug}/index"), *_MDX
        ),
        _origin("{**path}", ("static/{**path}",)),
    ),
    "astro": (
        _origin("index.html", ("src/pages/index",), *_ASTRO),
        _origin(
            "{**path}/index.html", ("src/pages/{**path}", "src/pages/{**path}/index", "src/content/{**path}"), *_ASTRO
        ),
        _origin("{**path}.html", ("src/pages/{**path}", "src/content/{**path}"), *_ASTRO),
        _origin("{**path}", ("public/{**path}",)),
    ),
    "eleventy": (
        _origin("index.html", ("index", "src/index"), *_ELEVENTY),
        _origin(
            "{**path}/index.html", ("{**path}", "{**path}/index", "src/{**path}", "src/{**path}/index"), *_ELEVENTY
        ),
        _origin("{**path}.html", ("{**path}", "src/{**path}"), *_ELEVENTY),
        _origin("{**path}", ("{**path}", "src/{**path}")),
    ),
}
