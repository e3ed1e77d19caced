from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from waypost.core.list_texts import LIST_TEXTS
from waypost.core.model import News, Page, Video
from waypost.core.sitemap_rows import SitemapRow, SitemapRows
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
WHOLE = Page(
    "a.html",
    "https://example.org/it's?a&b",
    lastmod="2026-03-01",
    changefreq="daily",
    priority="0.5",
    alternates=(("de", "https://example.org/de?a&b"), ("x-default", "https://example.org/")),
    images=("https://example.org/<1>.png?a&b", "https://example.org/2.png"),
    videos=(Video("t?a&b", "A <film>", 'It "shows"', "c?a&b", "p?a&b", 5, "2026-03-01"),),
    news=News("Up & <down>", "2026-03-01"),
    title="It's <here>",
)


HAS = ("has_alternates", "has_images", "has_videos", "has_extensions")
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), min_size=1)
VIDEOS = st.builds(Video, TEXT, TEXT, TEXT, TEXT, TEXT, st.none() | st.integers(1, 99), st.none() | TEXT)
PAGES = st.lists(
    st.builds(
        Page,
        st.just("key"),
        TEXT,
        title=TEXT,
        alternates=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple),
        images=st.lists(TEXT, max_size=3).map(tuple),
        videos=st.lists(VIDEOS, max_size=2).map(tuple),
        news=st.builds(News, TEXT, TEXT),
    ),
    min_size=1,
    max_size=4,
)
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
NEWS = "{http://www.google.com/schemas/sitemap-news/0.9}"


def test_a_url_has_all_that_a_template_may_show_escaped() -> None:
    (url,) = SitemapRows([WHOLE], are_plain=False)
    assert url == SitemapRow(
        "https://example.org/it&apos;s?a&amp;b",
        "2026-03-01",
        "daily",
        "0.5",
        "It&#x27;s &lt;here&gt;",
        (("de", "https://example.org/de?a&amp;b"), ("x-default", "https://example.org/")),
        ("https://example.org/&lt;1&gt;.png?a&amp;b", "https://example.org/2.png"),
        (Video("t?a&amp;b", "A &lt;film&gt;", "It &quot;shows&quot;", "c?a&amp;b", "p?a&amp;b", 5, "2026-03-01"),),
        News("Up &amp; &lt;down&gt;", "2026-03-01"),
        "",
    )


def test_what_is_not_known_of_a_page_is_none() -> None:
    (url,) = SitemapRows([Page("a", "https://example.org/a")])
    assert url == SitemapRow("https://example.org/a", None, None, None, "", (), (), (), None, "")


@pytest.mark.parametrize(
    ("values", "has"),
    [
        ({}, ""),
        ({"news": News("x", "2026-03-01")}, ""),
        ({"alternates": (("de", "x"),)}, "has_alternates"),
        ({"images": ("x",)}, "has_images"),
        ({"extensions": "<x/>"}, "has_extensions"),
    ],
)
def test_pages_are_plain_unless_a_sitemap_says_more_of_one(values: dict[str, Any], has: str) -> None:
    pages = [Page("a", "https://example.org/a"), Page("b", "https://example.org/b", **values)]
    urls = SitemapRows(pages, are_plain=False)
    assert urls.are_plain is (has == "")
    assert [name for name in HAS if getattr(urls, name)] == [has] * bool(has)
    assert SitemapRows(pages).are_plain


def test_the_namespaces_are_those_of_what_the_pages_have() -> None:
    pages = [
        Page("a", "https://example.org/a", images=("x",)),
        Page("b", "https://example.org/b", extensions="<video:video/><ns1:a xmlns:ns1='urn:x' mobile:b='1'/>"),
    ]
    found = [prefix for prefix, _ in SitemapRows(pages, are_plain=False).namespaces]
    assert found == ["image", "video", "mobile"]
    assert SitemapRows(pages).namespaces == []


def test_urls_are_counted_cut_and_taken_by_place_as_a_template_may_do() -> None:
    urls = SitemapRows([Page(name, f"https://example.org/{name}") for name in "abc"])
    assert len(urls) == 3
    assert urls[0] == next(iter(urls))
    assert urls[1:] == list(urls)[1:]
    assert [row[0] for row in urls.rows()] == [url.loc for url in urls] == urls.locs
    assert urls.text == "\n".join(urls.locs)
    assert list(SitemapRows([])) == []


def texts(element: ElementTree.Element, *names: str) -> list[str]:
    return [each.text or "" for name in names for each in element.iter(name)]


@given(PAGES)
def test_whatever_a_page_says_a_parser_reads_it_from_the_sitemap(pages: list[Page]) -> None:
    root = ElementTree.fromstring(
        RENDERER.text("sitemap.xml.j2", urls=SitemapRows(pages, are_plain=False), mark="", stylesheet="")
    )
    for element, page in zip(root, pages, strict=True):
        assert element.findtext(f"{SITEMAP}loc") == page.loc
        links = [
            (each.get("hreflang"), each.get("href")) for each in element.iter("{http://www.w3.org/1999/xhtml}link")
        ]
        assert links == list(page.alternates)
        assert texts(element, f"{IMAGE}loc") == list(page.images)
        for video, facts in zip(element.iter(f"{VIDEO}video"), page.videos, strict=True):
            fields = [facts.thumbnail, facts.title, facts.description, facts.content, facts.player]
            fields += [str(each) for each in (facts.duration, facts.published) if each is not None]
            assert [each.text for each in video] == fields


@given(PAGES, TEXT)
def test_whatever_an_article_says_a_parser_reads_it_from_the_news(pages: list[Page], name: str) -> None:
    root = ElementTree.fromstring(RENDERER.news(SitemapRows(pages), name, "en", ""))
    assert set(texts(root, f"{NEWS}name")) == {name}
    assert texts(root, f"{NEWS}title") == [page.news.title for page in pages if page.news]
    assert texts(root, f"{NEWS}publication_date") == [page.news.published for page in pages if page.news]


@given(PAGES)
def test_whatever_a_page_is_called_people_read_it_from_the_page_for_them(pages: list[Page]) -> None:
    rows = SitemapRows(pages)
    section = {"id": "section-0", "heading": "Pages", "level": 1, "rows": [(row, "") for row in rows]}
    values = {"title": "Pages", "up": "", "previous": "", "next": "", "mark": ""}
    text = RENDERER.text(
        "sitemap.html.j2",
        urls=rows,
        sections=[section],
        is_searched=False,
        lang="en",
        is_indexed=True,
        texts=LIST_TEXTS["en"],
        **values,
    )
    root = LexborHTMLParser(text).root
    assert root is not None
    assert [(link.attributes["href"], link.text()) for link in root.css("a")] == [
        (page.loc, page.title) for page in pages
    ]
    known = "html head meta title style body main section h1 ul li a small time"
    assert {node.tag for node in root.traverse()} <= {*known.split()}
