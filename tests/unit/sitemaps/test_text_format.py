import pytest
from unit.sample_sites import pages, site, small_site

from waypost.core.errors import RenderError
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_names import MARK, output_names
from waypost.settings.schema import Site
from waypost.sitemaps.output_format import OutputContext, ShardSummary
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.text_format import TextFormat

TEXT = TextFormat()
SHARD = ShardSummary("", None, "", 2)
URLS = SitemapRows(pages(["a&b.html", "c.html"]))


def context(the_site: Site | None = None) -> OutputContext:
    the_site = the_site or site(formats=["text"])
    return OutputContext(the_site, output_names(the_site), Renderer())


def test_a_file_has_a_url_a_line_unescaped_and_nothing_else() -> None:
    body = TEXT.render(URLS, context())
    assert body == b"https://example.org/a&b.html\nhttps://example.org/c.html\n"
    TEXT.check(TEXT.document(SHARD, body, context()), URLS, context())


def test_each_line_is_an_entry() -> None:
    found = TEXT.entries("sitemap.txt", TEXT.render(URLS, context()))
    assert found is not None
    assert [(each.line, each.loc) for each in found] == list(enumerate(URLS.locs, 1))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"https://example.org/c.html\n",
        b"https://example.org/c.html\nhttps://example.org/a&b.html\n",
        b"https://example.org/a&amp;b.html\nhttps://example.org/c.html\n",
        b"https://example.org/a&b.html\nhttps://example.org/c.html\n" + MARK.encode() + b"\n",
    ],
)
def test_a_file_that_is_not_the_list_of_its_urls_is_refused(body: bytes) -> None:
    with pytest.raises(RenderError, match=r"sitemap\.txt"):
        TEXT.check(TEXT.document(SHARD, body, context()), URLS, context())


def test_the_limits_of_the_site_are_those_of_the_file() -> None:
    in_context = context(small_site(urls=1, formats=["text"]))
    document = TEXT.document(SHARD, TEXT.render(URLS, in_context), in_context)
    with pytest.raises(RenderError, match="may list 1"):
        TEXT.check(document, URLS, in_context)


@pytest.mark.parametrize(
    ("name", "formats", "is_own"),
    [
        ("sitemap.txt", ["text"], True),
        ("sitemap.txt", ["xml"], False),
        ("sitemap-0123456789abcdef.txt", ["xml"], True),
        ("sitemap-former.txt", ["text"], False),
    ],
)
def test_a_file_is_known_by_its_name_whatever_it_holds(name: str, formats: list[str], is_own: bool) -> None:
    for body in (b"", MARK.encode()):
        assert TEXT.is_own_file(name, body, output_names(site(formats=formats))) is is_own
