import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import shard_of, site

from waypost.core.errors import RenderError
from waypost.core.model import Document, Page, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_names import MARK, output_names
from waypost.sitemaps.llms_format import LlmsFormat
from waypost.sitemaps.output_format import OutputContext
from waypost.sitemaps.render import Renderer

LLMS = LlmsFormat()
BASE = "https://www.waypost.dev/"
ID = "0123456789abcdef"
ONLY_SHARD = shard_of("", None, "", 0)
LINK = re.compile(r"- \[([^\]]+)\]\(([^)\s]+)\)(?:: (.+))?")
"""How simple readers parse an entry of a list."""


def context(template: str = "", **settings: Any) -> OutputContext:
    the_site = site(**{"base_url": BASE, "formats": ["xml", "llms"], **settings})
    overrides = {LLMS.template: (template, LLMS.template)} if template else None
    return OutputContext(the_site, output_names(the_site), Renderer(overrides))


def documents(pages: Sequence[Page], shard: Shard = ONLY_SHARD, **settings: Any) -> list[Document]:
    in_context = context(**settings)
    found = list(LLMS.documents(shard, SitemapRows(pages), in_context))
    for each in found:
        LLMS.check(each, SitemapRows(pages), in_context)
    return found


def text(pages: Sequence[Page], **settings: Any) -> str:
    (document,) = documents(pages, **settings)
    return document.body.decode()


def page(key: str, title: str = "", description: str = "", markdown: str = "") -> Page:
    loc = BASE + key.removesuffix("index.html")
    return Page(key, loc, title=title, description=description, markdown=markdown)


def links(document: Document) -> list[tuple[str, str, str]]:
    lines = [line for line in document.body.decode().splitlines() if line.startswith("- ")]
    matches = [LINK.fullmatch(line) for line in lines]
    return [(match[1], match[2], match[3] or "") for match in matches if match]


def test_pages_are_listed_by_section_with_titles_and_descriptions() -> None:
    pages = [
        page("about.html", "About us | Waypost", "Who makes it"),
        page("guide/index.html", "The guide | Waypost"),
        page("guide/start.html", "First steps | Waypost", "How to begin", f"{BASE}guide/start.md"),
        page("index.html", "Sitemaps | Waypost", "Generates sitemaps."),
        page("news/a.pdf"),
    ]
    assert text(pages) == (
        "# Sitemaps | Waypost\n\n"
        "> Generates sitemaps.\n\n"
        f"{MARK}\n\n"
        "## Pages\n\n"
        "- [About us](https://www.waypost.dev/about.html): Who makes it\n"
        "- [Sitemaps](https://www.waypost.dev/): Generates sitemaps.\n\n"
        "## The guide\n\n"
        "- [The guide](https://www.waypost.dev/guide/)\n"
        "- [First steps](https://www.waypost.dev/guide/start.md): How to begin\n\n"
        "## News\n\n"
        "- [news/a.pdf](https://www.waypost.dev/news/a.pdf)\n"
    )


def test_a_site_without_a_home_page_has_the_name_of_its_host_and_no_summary() -> None:
    assert text([page("a.html", "A", "Of a page")]).startswith(f"# www.waypost.dev\n\n{MARK}\n\n## Pages\n")
    home = Page("index.html", f"{BASE}docs/")
    assert "# www.waypost.dev/docs\n" in text([home], base_url=f"{BASE}docs/")
    assert "- [www.waypost.dev/docs](https://www.waypost.dev/docs/)\n" in text([home], base_url=f"{BASE}docs/")


def test_folders_of_a_section_are_below_its_heading() -> None:
    pages = [page(f"api/{folder}/{n:02}.html", f"{folder} {n}") for folder in ("x", "y") for n in range(20)]
    (document,) = documents(pages)
    assert [line for line in document.body.decode().splitlines() if line.startswith("#")] == [
        "# www.waypost.dev",
        "## Api",
    ]
    assert len(links(document)) == 40


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("A](javascript:x) [b", "A)(javascript:x) (b"),
        ("`code` and <b>", "\\`code\\` and \\<b>"),
        ("a\\", "a\\\\"),
        ("two\n\n## lines", "two ## lines"),
        ("a\u202eb\u2028c\x00d", "a b c d"),
        ("\u0645\u06cc\u200c\u0634\u0648\u062f", "\u0645\u06cc\u200c\u0634\u0648\u062f"),
        (MARK, f"\\{MARK}"),
        ("word " * 100, f"{'word ' * 39}word\u2026"),
        ("x" * 1_000, f"{'x' * 199}\u2026"),
    ],
)
def test_no_title_is_more_than_a_line_of_text(title: str, shown: str) -> None:
    (document,) = documents([page("a.html", title)])
    assert links(document) == [(shown, f"{BASE}a.html", "")]
    assert document.body.decode().count(f"\n{MARK}\n") == 1


@pytest.mark.parametrize(
    ("description", "shown"),
    [
        ("# Not a heading", "\\# Not a heading"),
        ("- item", "\\- item"),
        ("A # b", "A # b"),
        ("w " * 500, "w " * 149 + "w\u2026"),
    ],
)
def test_a_summary_is_one_quoted_line(description: str, shown: str) -> None:
    assert f"\n> {shown}\n\n{MARK}\n" in text([page("index.html", "Home", description)])


def test_nothing_in_a_url_ends_the_link() -> None:
    (document,) = documents([Page("a.html", f"{BASE}a_(b)<c>[d].html?x=1&y=2")])
    assert [url for _, url, _ in links(document)] == [f"{BASE}a_%28b%29%3Cc%3E%5Bd%5D.html?x=1&y=2"]


@given(st.text(max_size=300), st.text(max_size=400))
def test_whatever_a_page_says_it_is_one_entry_that_readers_understand(title: str, description: str) -> None:
    (document,) = documents([page("guide/a.html", title, description)])
    assert len(links(document)) == 1
    assert [line[:3] for line in document.body.decode().splitlines() if line.startswith("#")] == ["# w", "## "]


def many(count: int, folders: int = 4) -> list[Page]:
    keys = sorted(f"part-{n % folders}/p{n:05}.html" for n in range(count))
    return [page(key, f"Page {key} | The site", "d" * 500) for key in keys]


def test_a_large_site_has_several_files_of_bounded_size_and_one_that_lists_them() -> None:
    contents, *parts = documents([*many(1_100), page("zz.html", "Last")])
    assert contents.name == "llms.txt"
    assert all(re.fullmatch("llms-[0-9a-f]{16}[.]txt", part.name) for part in parts)
    assert all(0 < part.url_count <= 500 and len(part.body) < 250_000 for part in parts)
    assert [url for _, url, _ in links(contents)] == [part.loc for part in parts]
    assert links(contents)[0][0] == "Pages to Part 0"
    assert re.fullmatch("[0-9]+ pages, from /zz.html to /part-0/p[0-9]+.html", links(contents)[0][2])
    listed = [url for part in parts for _, url, _ in links(part)]
    assert sorted(listed) == sorted(each.loc for each in [*many(1_100), page("zz.html")])
    titles = [part.body.decode().partition("\n")[0] for part in parts]
    assert titles == [f"# www.waypost.dev: {text}" for text, _, _ in links(contents)]


SHARDS = [shard_of("", None, "", 1_234), shard_of("blog", ID, "a[1].html", 1)]


def test_several_shards_have_a_file_each_and_one_that_lists_them() -> None:
    in_context = context(groups={"blog": ["/blog/"]})
    (document,) = LLMS.overview(SHARDS, in_context)
    assert (document.name, document.kind, document.loc) == ("llms.txt", "llms", f"{BASE}llms.txt")
    assert document.body.startswith(f"# www.waypost.dev\n\n{MARK}\n\n## Lists of pages\n".encode())
    assert links(document) == [
        ("pages", f"{BASE}llms-pages.txt", "1,234 pages"),
        ("blog from a(1).html", f"{BASE}llms-blog-{ID}.txt", "1 page"),
    ]
    (blog,) = documents([page("blog/a.html", "A")], SHARDS[1], groups={"blog": ["/blog/"]})
    assert blog.name == f"llms-blog-{ID}.txt"
    assert blog.body.startswith(b"# www.waypost.dev: blog from a(1).html\n")


@pytest.mark.parametrize("settings", [{}, {"news": {"name": "The Times", "language": "en"}, "gzip": True}])
def test_a_site_with_one_shard_has_one_file(settings: dict[str, Any]) -> None:
    assert list(LLMS.overview([ONLY_SHARD], context(**settings))) == []
    (document,) = documents([page("a.html")], **settings)
    assert (document.name, document.loc) == ("llms.txt", f"{BASE}llms.txt")


def test_it_is_recognised_by_its_mark_and_lists_nothing_for_crawlers() -> None:
    body = documents([page("a.html")])[0].body
    assert LLMS.is_own_file("llms.txt", body, context().names)
    assert not LLMS.is_own_file("llms.txt", b"# By hand\n", context().names)
    assert LLMS.entries("llms.txt", body) is None


@pytest.mark.parametrize(("template", "is_right"), [("# {{ title }}\n", True), ("{{ title }}\n", False)])
def test_a_template_begins_with_the_title(template: str, is_right: bool) -> None:
    in_context, urls = context(template), SitemapRows([page("a.html")])
    (document,) = LLMS.documents(ONLY_SHARD, urls, in_context)
    assert document.body.count(MARK.encode()) == 1
    if is_right:
        LLMS.check(document, urls, in_context)
    else:
        with pytest.raises(RenderError, match=r"llms\.txt does not begin with a title"):
            LLMS.check(document, urls, in_context)
