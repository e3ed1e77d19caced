import pytest
from unit.sample_sites import site, small_site

from waypost.core.errors import RenderError
from waypost.core.model import Document, Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_names import MARK, output_names
from waypost.settings.schema import Site
from waypost.sitemaps.output_format import OutputContext, ShardSummary
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.xml_format import XmlFormat
from waypost.validate import SitemapEntry

XML = XmlFormat()
SHARD = ShardSummary("", None, "", 2)
PAGES = [
    Page("a.html", "https://example.org/a.html?x=1&y=2", lastmod="2026-01-01", changefreq="daily", priority="0.5"),
    Page("b.html", "https://example.org/b.html"),
]
URLS = SitemapRows(PAGES)


def context(the_site: Site | None = None, template: str = "") -> OutputContext:
    the_site = the_site or site()
    overrides = {"sitemap.xml.j2": (template, "sitemap.xml.j2")} if template else None
    return OutputContext(the_site, output_names(the_site), Renderer(overrides))


def document(in_context: OutputContext) -> Document:
    return XML.document(SHARD, XML.render(URLS, in_context), in_context)


def test_what_is_rendered_passes_the_check_and_is_read_back() -> None:
    made = document(context())
    XML.check(made, URLS, context())
    found = XML.entries(made.name, made.body)
    assert found is not None
    described = [(each.loc, each.lastmod, each.changefreq, each.priority) for each in found]
    assert described == [(page.loc, page.lastmod, page.changefreq, page.priority) for page in PAGES]


@pytest.mark.parametrize("template", ["", "<urlset>{% for url in urls %}{{ url.loc }}{% endfor %}</urlset>"])
def test_a_file_is_marked_whatever_the_template(template: str) -> None:
    body = XML.render(URLS, context(template=template))
    assert body.count(MARK.encode()) == 1
    assert XML.is_own_file("sitemap.xml", body, context().names)


@pytest.mark.parametrize(("the_site", "is_named"), [(site(), False), (site(stylesheet=True, name="map"), True)])
def test_the_stylesheet_of_the_site_is_named(the_site: Site, is_named: bool) -> None:
    assert (b'href="map.css"' in XML.render(URLS, context(the_site))) is is_named


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<urlset",
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>',
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/b.html</loc></url>'
        b"</urlset>",
    ],
)
@pytest.mark.parametrize("template", ["", "any"])
def test_a_file_that_does_not_list_its_urls_is_refused(body: bytes, template: str) -> None:
    in_context = context(template=template)
    with pytest.raises(RenderError, match=r"sitemap\.xml"):
        XML.check(XML.document(SHARD, body, in_context), URLS, in_context)


def test_a_file_over_the_limits_of_the_site_is_refused() -> None:
    in_context = context(small_site(urls=1))
    with pytest.raises(RenderError, match="may list 1"):
        XML.check(document(in_context), URLS, in_context)


def test_an_index_lists_no_pages() -> None:
    namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    loc = "<loc>https://example.org/a.xml</loc>"
    index = f"<sitemapindex {namespace}><sitemap>{loc}</sitemap></sitemapindex>".encode()
    urlset = f"<urlset {namespace}><url>{loc}</url></urlset>".encode()
    assert XML.entries("sitemap.xml", index) is None
    assert XML.entries("sitemap.xml", urlset) == [SitemapEntry(1, "https://example.org/a.xml")]
