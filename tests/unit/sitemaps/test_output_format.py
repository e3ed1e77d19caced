from typing import Any

import pytest
from unit.sample_sites import pages, site

from waypost.core.errors import RenderError
from waypost.core.model import Document, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_formats import FileFormat
from waypost.settings.output_names import MARK, output_names
from waypost.sitemaps.output_format import CrawledFormat, OutputContext, ShardSummary, is_marked
from waypost.sitemaps.render import Renderer

ID = "0123456789abcdef"


class Lines(CrawledFormat):
    """A URL a line; everything else is as the base class has it."""

    file = FileFormat("lines", "lines", "line list")
    template = "none"

    def render(self, urls: SitemapRows, context: OutputContext) -> bytes:
        del context
        return "\n".join(urls.locs).encode()

    def check(self, document: Document, urls: SitemapRows, context: OutputContext) -> None:
        if document.body != self.render(urls, context):
            raise RenderError(document.name)


LINES = Lines()


def context(**values: Any) -> OutputContext:
    the_site = site(**values)
    return OutputContext(the_site, output_names(the_site), Renderer())


def test_the_summary_of_a_shard_has_all_but_its_pages() -> None:
    shard = Shard("blog", pages(["b.html", "c.html"]), ID, "b.html", "d.html")
    assert ShardSummary.of(shard) == ShardSummary("blog", ID, "b.html", 2)


@pytest.mark.parametrize(
    ("shard", "title"),
    [
        (ShardSummary("", None, "", 7), "pages"),
        (ShardSummary("blog", None, "", 7), "blog"),
        (ShardSummary("blog", ID, "a.html", 7), "blog from a.html"),
    ],
)
def test_people_call_a_shard_by_its_group_and_its_first_key(shard: ShardSummary, title: str) -> None:
    assert shard.title == title


@pytest.mark.parametrize(
    ("base_url", "name"),
    [("https://www.waypost.dev/", "www.waypost.dev"), ("https://www.waypost.dev/docs/", "www.waypost.dev/docs")],
)
def test_people_call_a_site_by_its_host_and_folder(base_url: str, name: str) -> None:
    assert context(base_url=base_url).site_name == name


def test_a_file_that_crawlers_read_depends_on_its_urls_alone() -> None:
    urls = SitemapRows(pages(["a.html", "b.html"]))
    shards = [ShardSummary("", None, "", 2), ShardSummary("blog", ID, "a.html", 2)]
    bodies = {LINES.render_shard(shard, urls, context()) for shard in shards}
    assert bodies == {b"https://example.org/a.html\nhttps://example.org/b.html"}


@pytest.mark.parametrize(
    ("shard", "name"),
    [
        (ShardSummary("", None, "", 7), "sitemap-pages.lines.gz"),
        (ShardSummary("blog", None, "", 7), "sitemap-blog.lines.gz"),
        (ShardSummary("blog", ID, "a.html", 7), f"sitemap-blog-{ID}.lines.gz"),
    ],
)
def test_a_document_is_named_by_its_shard_and_its_format(shard: ShardSummary, name: str) -> None:
    found = LINES.document(shard, b"body", context(groups={"blog": ["/blog/"]}, gzip=True))
    assert found == Document(name, "line list", b"body", f"https://example.org/{name}", 7)


def test_a_format_has_no_overview_and_lists_no_entries_unless_it_says_so() -> None:
    assert list(LINES.overview([ShardSummary("", None, "", 1)], context())) == []
    assert LINES.entries("sitemap.lines", b"https://example.org/") is None


@pytest.mark.parametrize(
    ("body", "marked"), [(None, False), (b"", False), (f"a{MARK}b".encode(), True), (b"<!--", False)]
)
def test_a_file_is_waypost_s_by_its_mark(body: bytes | None, marked: bool) -> None:
    assert is_marked(body) is marked
    assert LINES.is_own_file("anything", body, context().names) is marked
