"""What holds of every file of a site whatever it holds: it is read without an error of ours, in bounds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from waypost.core.data_files import DataError, load_json, load_toml
from waypost.dates.page_evidence import read_page_text
from waypost.dates.source_text import read_blocks
from waypost.pages import html_bounds, html_head, html_tree, media
from waypost.pages.frontmatter import read_front_matter as read_markdown
from waypost.pages.jekyll_front_matter import load_yaml, read_front_matter
from waypost.pages.robots import rules_for

_EVERYTHING = frozenset({"images", "videos", "news", "title"})


def _read_page(data: bytes) -> None:
    html_head.read_head(data, is_whole=True, is_dated=True, has_alternates=True)
    html_head.visible_text(data)
    media.read_media(data, _EVERYTHING)
    read_page_text(data)


def _require_bounded_tree(data: bytes) -> None:
    """A tree has no more elements than were counted, as far as one cell may need three elements around it."""
    page = data.decode("utf-8", "replace").encode() * 50
    length = html_bounds.bounded_length(page)
    root = html_tree.parse(page).root
    elements = len(list(root.traverse())) if root is not None else 0
    assert elements <= 4 * (page[:length].count(b"<") + html_bounds.MOST_REOPENED) + 9


def _read_data(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    for load in (load_json, load_toml, load_yaml):
        with suppress(DataError):
            load(text)


def _read_sources(data: bytes) -> None:
    for ending in (".md", ".rst", ".html", ".yml", ".py", ".js", ".csv"):
        read_blocks(f"a{ending}", data)
    read_front_matter(data)
    read_markdown(data)


def _read_robots(data: bytes) -> None:
    rules_for(data)["*"].allow("https://example.org/a/b.html")


_TRIALS: tuple[Callable[[bytes], object], ...] = (
    *(_read_page, _require_bounded_tree, _read_data, _read_sources, _read_robots),
)


def trial(data: bytes) -> None:
    """Read a file whose first byte names its kind; raises whatever ought not to be."""
    _TRIALS[data[0] % len(_TRIALS) if data else 0](data[1:])


_PARTS = (
    *("<!doctype html><title>a</title><meta name=robots content=noindex><p>x", "<div></x>" * 9, "<svg><td><g x=a/>"),
    *(
        "<p><b><i>" + "<p>x" * 9,
        "<table><tr><font c=1>x",
        "<script><!--<script></script>",
        "<select><title></select><p>",
    ),
    *("---\ntitle: a\ncategories: &a [*a]\n---\nx", "a: 1:1:1\nb: {<<: *a}\n", "[" * 99, "a = 1\n[a.b.c]\n"),
    *("# A\n\n[b](c) ![d](e) https://x[y]\n", "User-agent: *\nDisallow: /*a*b$\nAllow: /\n", '{"a": [1e999]}'),
)


def seeds() -> Iterator[bytes]:
    """Files to begin with, of each kind."""
    for kind in range(len(_TRIALS)):
        for part in _PARTS:
            yield bytes([kind]) + part.encode()


def write(folder: Path) -> None:
    """Write the seeds as files."""
    for number, seed in enumerate(seeds()):
        (folder / f"seed-{number:03}").write_bytes(seed)
