from collections.abc import Sequence

import pytest
from selectolax.lexbor import LexborHTMLParser
from unit.sample_sites import site

from waypost.config.output_names import MARK, output_names
from waypost.core.model import Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.formats.base import OutputContext, ShardSummary
from waypost.sitemaps.formats.html import HtmlFormat
from waypost.sitemaps.render import Renderer

HTML = HtmlFormat()
ID = "0123456789abcdef"
URLS = SitemapRows(
    [
        Page("a.html", "https://example.org/a.html?x=1&y=2", lastmod="2026-01-01T00:00:00Z", title="A <b> & C"),
        Page("b.html", "https://example.org/b.html"),
    ]
)


def context(base_url: str = "https://example.org/docs/", *groups: str) -> OutputContext:
    the_site = site(base_url, formats=["xml", "html"], gzip=True, groups={name: [f"/{name}/"] for name in groups})
    return OutputContext(the_site, output_names(the_site), Renderer())


def rendered(shard: ShardSummary, in_context: OutputContext) -> LexborHTMLParser:
    body = HTML.render_shard(shard, URLS, in_context)
    assert body.count(MARK.encode()) == 1
    assert HTML.is_own_file("sitemap.html", body, in_context.names)
    return LexborHTMLParser(body)


def links(page: LexborHTMLParser) -> list[tuple[str | None, str]]:
    return [(link.attributes["href"], link.text()) for link in page.css("a")]


def heading(page: LexborHTMLParser) -> str:
    titles = {node.text() for node in page.css("title, h1")}
    assert len(titles) == 1
    return titles.pop()


def test_the_only_page_links_to_the_pages_of_the_site_by_their_titles() -> None:
    page = rendered(ShardSummary("", None, "", 2), context())
    assert heading(page) == "Pages of example.org/docs"
    assert links(page) == [
        ("https://example.org/a.html?x=1&y=2", "A <b> & C"),
        ("https://example.org/b.html", "https://example.org/b.html"),
    ]
    assert [node.attributes["datetime"] for node in page.css("time")] == ["2026-01-01T00:00:00Z"]


@pytest.mark.parametrize(
    ("shard", "title"),
    [
        (ShardSummary("blog", None, "", 2), "blog"),
        (ShardSummary("", None, "", 2), "pages"),
        (ShardSummary("", ID, "a<b>.html", 2), "pages from a<b>.html"),
    ],
)
def test_one_of_several_pages_links_to_the_page_that_lists_them(shard: ShardSummary, title: str) -> None:
    page = rendered(shard, context("https://example.org/", "blog"))
    assert heading(page) == f"Pages of example.org: {title}"
    assert links(page)[0] == ("sitemap.html", "All pages")
    assert len(links(page)) == 3


def test_several_pages_are_listed_by_another() -> None:
    shards = [
        ShardSummary("", ID, "", 1),
        ShardSummary("", "f" * 16, "x<y>.html", 1_200),
        ShardSummary("blog", None, "", 3),
    ]
    in_context = context("https://example.org/", "blog")
    (document,) = HTML.overview(shards, in_context)
    assert (document.name, document.kind, document.url_count) == ("sitemap.html", "html", 3)
    assert document.loc == "https://example.org/sitemap.html"
    assert HTML.is_own_file(document.name, document.body, in_context.names)
    page = LexborHTMLParser(document.body)
    assert links(page) == [
        (f"sitemap-pages-{ID}.html", "pages"),
        (f"sitemap-pages-{'f' * 16}.html", "pages from x<y>.html"),
        ("sitemap-blog.html", "blog"),
    ]
    assert [node.text() for node in page.css("small")] == ["1 page", "1,200 pages", "3 pages"]


@pytest.mark.parametrize(
    ("shards", "groups", "count"),
    [
        ([ShardSummary("", None, "", 1)], [], 0),
        ([ShardSummary("", None, "", 1)], ["blog"], 1),
        ([ShardSummary("", ID, "", 1), ShardSummary("", "f" * 16, "m", 1)], [], 1),
    ],
)
def test_there_is_an_overview_only_where_it_is_another_file_than_the_shard_s(
    shards: Sequence[ShardSummary], groups: list[str], count: int
) -> None:
    assert len(list(HTML.overview(shards, context("https://example.org/", *groups)))) == count


def test_a_page_for_visitors_is_never_compressed_and_lists_nothing_for_crawlers() -> None:
    in_context = context()
    document = HTML.document(ShardSummary("", None, "", 2), b"any", in_context)
    assert (document.name, document.loc) == ("sitemap.html", "https://example.org/docs/sitemap.html")
    assert HTML.entries(document.name, HTML.render_shard(ShardSummary("", None, "", 2), URLS, in_context)) is None
