"""The formats that crawlers read, and what every format has."""

from typing import Any

import pytest
from unit.sample_sites import shard_of, site, small_site

from waypost.core.errors import RenderError
from waypost.core.model import Document, Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_names import MARK, output_names
from waypost.sitemaps.format_registry import FORMATS
from waypost.sitemaps.output_format import CrawledFormat, OutputContext, is_marked
from waypost.sitemaps.render import Renderer
from waypost.validate.sitemap_entry import SitemapEntry

ID = "0123456789abcdef"
XML, TEXT = (each for each in FORMATS.values() if isinstance(each, CrawledFormat))
SHARD = shard_of("", None, "", 2)
URLS = SitemapRows(
    [
        Page("a.html", "https://example.org/a.html?x=1&y=2", lastmod="2026-01-01", changefreq="daily", priority="0.5"),
        Page("b.html", "https://example.org/b.html"),
    ]
)
XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ONE_URL = f"<urlset {XMLNS}><url><loc>https://example.org/b.html</loc></url></urlset>".encode()


def context(template: str = "", **settings: Any) -> OutputContext:
    the_site = small_site(**settings)
    overrides = {XML.template: (template, XML.template)} if template else None
    return OutputContext(the_site, output_names(the_site), Renderer(overrides))


def checked(made_by: CrawledFormat, in_context: OutputContext) -> Document:
    """The only document of the two URLs, which may be published."""
    (document,) = made_by.documents(SHARD, URLS, in_context)
    made_by.check(document, URLS, in_context)
    return document


OWN = "<urlset XMLNS>{% for url in urls %}<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"


@pytest.mark.parametrize("template", ["", OWN.replace("XMLNS", XMLNS)])
def test_xml_passes_its_check_and_is_read_back(template: str) -> None:
    document = checked(XML, context(template))
    assert document.body.count(MARK.encode()) == 1
    assert XML.is_own_file("sitemap.xml", document.body, context().names)
    entries = XML.entries(document.name, document.body) or []
    assert [each.loc for each in entries] == [page.loc for page in URLS.pages]
    dates = [(each.lastmod, each.changefreq, each.priority) for each in entries]
    assert template or dates == [(page.lastmod, page.changefreq, page.priority) for page in URLS.pages]


def test_text_has_a_url_a_line_unescaped_and_nothing_else() -> None:
    document = checked(TEXT, context(formats=["text"]))
    assert document.body == b"https://example.org/a.html?x=1&y=2\nhttps://example.org/b.html\n"
    entries = TEXT.entries("sitemap.txt", document.body) or []
    assert [(each.line, each.loc) for each in entries] == list(enumerate(URLS.locs, 1))


@pytest.mark.parametrize(
    ("refusing", "template", "body"),
    [
        *((XML, own, body) for own in ("", "any") for body in (b"", b"<urlset", ONE_URL)),
        (TEXT, "", b""),
        (TEXT, "", b"https://example.org/b.html\n"),
        (TEXT, "", b"https://example.org/b.html\nhttps://example.org/a.html?x=1&y=2\n"),
        (TEXT, "", b"https://example.org/a.html?x=1&amp;y=2\nhttps://example.org/b.html\n"),
        (TEXT, "", b"https://example.org/a.html?x=1&y=2\nhttps://example.org/b.html\n" + MARK.encode() + b"\n"),
    ],
)
def test_a_file_that_is_not_the_list_of_its_urls_is_refused(
    refusing: CrawledFormat, template: str, body: bytes
) -> None:
    in_context = context(template)
    document = refusing.document(SHARD, body, in_context)
    with pytest.raises(RenderError, match=rf"sitemap\.{refusing.file.ending}"):
        refusing.check(document, URLS, in_context)


@pytest.mark.parametrize("refusing", [XML, TEXT])
def test_the_limits_of_the_site_are_those_of_the_file(refusing: CrawledFormat) -> None:
    with pytest.raises(RenderError, match="may list 1"):
        checked(refusing, context(urls=1))


def test_an_index_lists_no_pages() -> None:
    loc = "<loc>https://example.org/a.xml</loc>"
    index = f"<sitemapindex {XMLNS}><sitemap>{loc}</sitemap></sitemapindex>".encode()
    urlset = f"<urlset {XMLNS}><url>{loc}</url></urlset>".encode()
    assert XML.entries("sitemap.xml", index) is None
    assert XML.entries("sitemap.xml", urlset) == [SitemapEntry(1, "https://example.org/a.xml")]


@pytest.mark.parametrize(
    ("body", "marked"), [(None, False), (b"", False), (f"a{MARK}b".encode(), True), (b"<!--", False)]
)
def test_a_file_is_waypost_s_by_its_mark(body: bytes | None, marked: bool) -> None:
    assert is_marked(body) is marked
    assert XML.is_own_file("anything", body, context().names) is marked


@pytest.mark.parametrize(
    ("name", "formats", "is_own"),
    [
        ("sitemap.txt", ["text"], True),
        ("sitemap.txt", ["xml"], False),
        (f"sitemap-{ID}.txt", ["xml"], True),
        ("sitemap-former.txt", ["text"], False),
    ],
)
def test_a_text_file_is_known_by_its_name_whatever_it_holds(name: str, formats: list[str], is_own: bool) -> None:
    for body in (b"", MARK.encode()):
        assert TEXT.is_own_file(name, body, output_names(site(formats=formats))) is is_own
