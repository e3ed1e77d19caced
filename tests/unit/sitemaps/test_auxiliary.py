"""The documents besides shards and indexes: news sitemaps, HTML sitemaps, and the stylesheet."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from unit.sample_sites import numbered, pages, site, small_site

from waypost.core.errors import RenderError
from waypost.core.model import Document, News, Page
from waypost.settings import output_names
from waypost.settings.output_names import MARK
from waypost.settings.schema import Site
from waypost.sitemaps.documents import documents, root_sitemaps
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
ID = "[0-9a-f]{16}"
NEWS: dict[str, Any] = {"news": {"name": "The Times & Co", "language": "en"}}
ARTICLE = News("It happened", "2026-11-21")


def build(listed: Sequence[Page], the_site: Site, renderer: Renderer = RENDERER) -> dict[str, Document]:
    made = documents(listed, the_site, renderer, lambda shard, document: f"2026-11-{10 + len(shard.pages) % 20}")
    assert all(output_names.output_names(the_site).is_configured(document.name) for document in made)
    assert len({document.name for document in made}) == len(made)
    return {document.name: document for document in made}


def links(document: Document) -> list[str]:
    return re.findall('<a href="(.*?)">', document.body.decode())


def children(document: Document) -> list[str]:
    return re.findall("<loc>https://example.org/(.*?)</loc>", document.body.decode())


# News


def test_articles_have_a_sitemap_of_their_own_and_stand_in_the_pages_too() -> None:
    made = build(pages(["a.html"]) + pages(["b.html"], news=ARTICLE), site(**NEWS))
    assert list(made) == ["sitemap-pages.xml", "sitemap-news.xml", "sitemap.xml"]
    news = made["sitemap-news.xml"]
    assert (news.kind, news.url_count, news.loc) == ("news", 1, "https://example.org/sitemap-news.xml")
    assert b"<news:name>The Times &amp; Co</news:name><news:language>en</news:language>" in news.body
    assert children(made["sitemap.xml"]) == ["sitemap-pages.xml", "sitemap-news.xml"]
    assert made["sitemap-pages.xml"].url_count == 2


def test_without_an_article_the_news_sitemap_stays_and_is_empty() -> None:
    made = build(pages(["a.html"]), site(**NEWS))
    assert list(made) == ["sitemap-pages.xml", "sitemap-news.xml", "sitemap.xml"]
    assert (made["sitemap-news.xml"].url_count, b"<url>" in made["sitemap-news.xml"].body) == (0, False)
    assert children(made["sitemap.xml"]) == ["sitemap-pages.xml", "sitemap-news.xml"]


def test_the_language_of_an_article_is_its_own_and_else_that_of_the_publication() -> None:
    german = News("Es geschah", "2026-11-21", "de")
    made = build(pages(["a.html"], news=german) + pages(["b.html"], news=ARTICLE), site(**NEWS))
    assert re.findall("<news:language>(.*?)<", made["sitemap-news.xml"].body.decode()) == ["de", "en"]


def test_without_the_setting_an_article_is_a_page() -> None:
    assert list(build(pages(["a.html"], news=ARTICLE), site())) == ["sitemap.xml"]


@pytest.mark.parametrize(("lastmod", "is_dated"), [({"lastmod": "content", "state": "x"}, True), ({}, False)])
def test_a_news_sitemap_is_dated_by_what_was_seen_and_never_by_git(lastmod: dict[str, Any], is_dated: bool) -> None:
    made = build(pages(["b.html"], news=ARTICLE), site(**NEWS, **lastmod))
    assert made["sitemap-news.xml"].lastmod == ("2026-11-11" if is_dated else None)
    assert made["sitemap-pages.xml"].lastmod == "2026-11-11"


@pytest.mark.parametrize(("count", "is_split"), [(1_000, False), (1_001, True)])
def test_a_news_sitemap_has_a_thousand_articles_at_most(count: int, is_split: bool) -> None:
    made = build(pages(numbered(count), news=ARTICLE), small_site(urls=5_000, **NEWS))
    news = {name: document for name, document in made.items() if document.kind == "news"}
    assert (len(news) > 1, "sitemap-news.xml" not in news) == (is_split, is_split)
    assert sum(document.url_count for document in news.values()) == count
    assert all(document.url_count <= 1_000 for document in news.values())
    assert set(news) <= set(children(made["sitemap.xml"]))


# Pages for people

PEOPLE: dict[str, Any] = {"formats": ["xml", "html"]}


def test_a_large_site_has_a_page_a_shard_named_by_where_it_begins() -> None:
    made = build(pages(numbered(40)), small_site(urls=10, **PEOPLE))
    shards = [name for name in made if re.fullmatch(rf"sitemap-{ID}\.html", name)]
    assert len(shards) > 4
    assert links(made["sitemap.html"]) == shards
    assert made["sitemap.html"].url_count == len(shards)
    assert b"pages, from page-000" in made["sitemap.html"].body
    listed = [link for name in shards for link in links(made[name])]
    assert [link for link in listed if link != "sitemap.html"] == [page.loc for page in pages(numbered(40))]


def test_pages_for_people_are_no_crawler_s_and_never_packed() -> None:
    made = build(pages(numbered(40)), small_site(urls=10, gzip=True, **PEOPLE))
    assert "sitemap.html" in made
    assert not any(".html.gz" in name for name in made)
    assert not any(".html" in child for child in children(made["sitemap.xml.gz"]))
    assert root_sitemaps(list(made.values())) == ["https://example.org/sitemap.xml.gz"]


# The stylesheet


def test_the_xml_names_its_stylesheet_which_stands_beside_it() -> None:
    listed = pages(numbered(40), news=ARTICLE)
    made = build(listed, small_site(urls=10, stylesheet=True, **NEWS))
    assert made["sitemap.css"].kind == "stylesheet"
    assert MARK.encode() in made["sitemap.css"].body
    xml = [document for name, document in made.items() if name.endswith(".xml")]
    assert {document.kind for document in xml} == {"sitemap", "news", "index"}
    assert all(b'<?xml-stylesheet type="text/css" href="sitemap.css"?>' in document.body for document in xml)


def test_every_output_but_text_has_the_mark() -> None:
    the_site = small_site(urls=10, stylesheet=True, formats=["xml", "text", "html"], **NEWS)
    made = build(pages(numbered(40), news=ARTICLE), the_site)
    assert {document.kind for document in made.values()} == {"sitemap", "text", "news", "html", "index", "stylesheet"}
    assert all((MARK.encode() in document.body) is (document.kind != "text") for document in made.values())


def test_a_stylesheet_of_the_user_s_that_drops_the_mark_is_told() -> None:
    renderer = Renderer({"sitemap.css.j2": ("url { display: block }", "mine/sitemap.css.j2")})
    with pytest.raises(RenderError, match=r"sitemap\.css\.j2 leaves the mark out"):
        build(pages(["a.html"]), site(stylesheet=True), renderer)


@pytest.mark.parametrize("kind", ["html", "news"])
def test_another_template_of_the_user_s_that_drops_the_mark_has_it_put_behind_all(kind: str) -> None:
    news = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for url in urls %}'
    news += "<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"
    overrides = {"sitemap.html.j2": ("<p>{{ title }}", "x"), "sitemap-news.xml.j2": (news, "y")}
    made = build(pages(["a.html"], news=ARTICLE), site(**PEOPLE, **NEWS), Renderer(overrides))
    (document,) = (each for each in made.values() if each.kind == kind and each.name != "sitemap.html")
    assert document.body.endswith(b"\n" + MARK.encode() + b"\n")


def test_a_news_template_that_lists_other_pages_is_refused() -> None:
    news = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>'
    with pytest.raises(RenderError, match=r"sitemap-news\.xml as rendered breaks the protocol"):
        build(pages(["a.html"], news=ARTICLE), site(**NEWS), Renderer({"sitemap-news.xml.j2": (news, "y")}))
