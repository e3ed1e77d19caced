"""The source files of the pages that well-known site generators build.

Each row is the path of a page in the built site, and the paths in the project of the tracked files from which it
may be made. `{name}` matches within one path segment, `{**name}` matches any number of segments.
"""

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class SourceMapping:
    """Pages whose path matches `page` are made from the tracked files that `files` name."""

    page: str
    files: tuple[str, ...]


def _mapping(page: str, stems: tuple[str, ...], *suffixes: str) -> SourceMapping:
    return SourceMapping(page, tuple(map("".join, product(stems, suffixes or ("",)))))


_MARKDOWN = (".md", ".markdown")
_MDX = (".md", ".mdx")
_REACT = (".js", ".jsx", ".ts", ".tsx", ".md", ".mdx")
_ASTRO = (".astro", ".md", ".mdx", ".html")
_ELEVENTY = (".md", ".njk", ".liquid", ".html", ".hbs", ".11ty.js", ".webc")

PRESETS: dict[str, tuple[SourceMapping, ...]] = {
    "hugo": (
        _mapping("index.html", ("content/_index",), ".md", ".html"),
        _mapping(
            "{**path}/index.html",
            ("content/{**path}", "content/{**path}/index", "content/{**path}/_index"),
            ".md",
            ".html",
        ),
        _mapping("{**path}.html", ("content/{**path}",), ".md", ".html"),
        _mapping("{**path}", ("static/{**path}", "content/{**path}")),
    ),
    "jekyll": (
        _mapping("index.html", ("index", "README"), *_MARKDOWN, ".html"),
        _mapping("{y}/{m}/{d}/{slug}.html", ("_posts/{y}-{m}-{d}-{slug}",), *_MARKDOWN, ".html"),
        _mapping("{y}/{m}/{d}/{slug}/index.html", ("_posts/{y}-{m}-{d}-{slug}",), *_MARKDOWN, ".html"),
        _mapping(
            "{**kind}/{y}/{m}/{d}/{slug}.html",
            ("_posts/{y}-{m}-{d}-{slug}", "{**kind}/_posts/{y}-{m}-{d}-{slug}"),
            *_MARKDOWN,
            ".html",
        ),
        _mapping(
            "{**path}/index.html", ("{**path}", "{**path}/index", "{**path}/README", "_{**path}"), *_MARKDOWN, ".html"
        ),
        _mapping("{**path}.html", ("{**path}", "_{**path}"), *_MARKDOWN, ".html"),
        _mapping("{**path}", ("{**path}",)),
    ),
    "mkdocs": (
        _mapping("index.html", ("docs/index", "docs/README"), *_MARKDOWN),
        _mapping("{**path}/index.html", ("docs/{**path}", "docs/{**path}/index", "docs/{**path}/README"), *_MARKDOWN),
        _mapping("{**path}.html", ("docs/{**path}",), *_MARKDOWN),
        _mapping("{**path}", ("docs/{**path}",)),
    ),
    "docusaurus": (
        _mapping("index.html", ("src/pages/index",), *_REACT),
        _mapping("{**path}/index.html", ("src/pages/{**path}", "src/pages/{**path}/index"), *_REACT),
        _mapping("{**path}/index.html", ("{**path}", "{**path}/index", "{**path}/README"), *_MDX),
        _mapping("{**path}.html", ("{**path}", "src/pages/{**path}"), *_MDX),
        _mapping(
            "blog/{y}/{m}/{d}/{slug}/index.html", ("blog/{y}-{m}-{d}-{slug}", "blog/{y}-{m}-{d}-{slug}/index"), *_MDX
        ),
        _mapping("{**path}", ("static/{**path}",)),
    ),
    "astro": (
        _mapping("index.html", ("src/pages/index",), *_ASTRO),
        _mapping(
            "{**path}/index.html", ("src/pages/{**path}", "src/pages/{**path}/index", "src/content/{**path}"), *_ASTRO
        ),
        _mapping("{**path}.html", ("src/pages/{**path}", "src/content/{**path}"), *_ASTRO),
        _mapping("{**path}", ("public/{**path}",)),
    ),
    "eleventy": (
        _mapping("index.html", ("index", "src/index"), *_ELEVENTY),
        _mapping(
            "{**path}/index.html", ("{**path}", "{**path}/index", "src/{**path}", "src/{**path}/index"), *_ELEVENTY
        ),
        _mapping("{**path}.html", ("{**path}", "src/{**path}"), *_ELEVENTY),
        _mapping("{**path}", ("{**path}", "src/{**path}")),
    ),
}
