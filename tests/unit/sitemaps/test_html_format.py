import re
from collections.abc import Sequence

import pytest
from selectolax.lexbor import LexborHTMLParser
from unit.sample_sites import shard_of, site

from waypost.core.model import Document, Page, Shard
from waypost.core.sitemap_rows import SitemapRows
from waypost.settings.output_names import MARK, output_names
from waypost.sitemaps.html_format import HtmlFormat
from waypost.sitemaps.output_format import OutputContext
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import key_hash

HTML = HtmlFormat()
ID = "0123456789abcdef"
URLS = SitemapRows(
    [
        Page("a.html", "https://example.org/docs/a.html?x=1&y=2", lastmod="2026-01-01T00:00:00Z", title="A <b> & C"),
        Page("b.html", "https://example.org/docs/b.html"),
    ]
)


def context(base_url: str = "https://example.org/docs/", *groups: str) -> OutputContext:
    the_site = site(base_url, formats=["xml", "html"], gzip=True, groups={name: [f"/{name}/"] for name in groups})
    return OutputContext(the_site, output_names(the_site), Renderer())


def rendered(shard: Shard, in_context: OutputContext) -> LexborHTMLParser:
    body = next(HTML.documents(shard, URLS, in_context)).body
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
    page = rendered(shard_of("", None, "", 2), context())
    assert heading(page) == "Pages of example.org/docs"
    assert links(page) == [
        ("https://example.org/docs/a.html?x=1&y=2", "A <b> & C"),
        ("https://example.org/docs/b.html", "/docs/b.html"),
    ]
    assert [node.attributes["datetime"] for node in page.css("time")] == ["2026-01-01T00:00:00Z"]


@pytest.mark.parametrize(
    ("shard", "title"),
    [
        (shard_of("blog", None, "", 2), "blog"),
        (shard_of("", None, "", 2), "pages"),
        (shard_of("", ID, "a<b>.html", 2), "pages, from a<b>"),
        (shard_of("", ID, "getting-started/first/a.html", 2), "Getting started, from a"),
    ],
)
def test_one_of_several_pages_links_to_the_page_that_lists_them(shard: Shard, title: str) -> None:
    page = rendered(shard, context("https://example.org/", "blog"))
    assert heading(page) == f"Pages of example.org: {title}"
    assert links(page)[0] == ("sitemap.html", "All pages")
    assert len(links(page)) == 3


def test_several_pages_are_listed_by_another() -> None:
    shards = [
        shard_of("", ID, "", 1),
        shard_of("", "f" * 16, "x<y>.html", 1_200),
        shard_of("blog", None, "", 3),
    ]
    in_context = context("https://example.org/", "blog")
    (document,) = HTML.overview(shards, in_context)
    assert (document.name, document.kind, document.url_count) == ("sitemap.html", "html", 3)
    assert document.loc == "https://example.org/sitemap.html"
    assert HTML.is_own_file(document.name, document.body, in_context.names)
    page = LexborHTMLParser(document.body)
    assert links(page) == [
        (f"sitemap-pages-{ID}.html", "pages"),
        (f"sitemap-pages-{'f' * 16}.html", "pages, from x<y>"),
        ("sitemap-blog.html", "blog"),
    ]
    assert [node.text() for node in page.css("small")] == ["1 page", "1,200 pages", "3 pages"]


@pytest.mark.parametrize(
    ("shards", "groups", "count"),
    [
        ([shard_of("", None, "", 1)], [], 0),
        ([shard_of("", None, "", 1)], ["blog"], 1),
        ([shard_of("", ID, "", 1), shard_of("", "f" * 16, "m", 1)], [], 1),
    ],
)
def test_there_is_an_overview_only_where_it_is_another_file_than_the_shard_s(
    shards: Sequence[Shard], groups: list[str], count: int
) -> None:
    assert len(list(HTML.overview(shards, context("https://example.org/", *groups)))) == count


def test_a_list_is_in_the_language_of_the_settings_and_is_indexed_if_they_say_so() -> None:
    in_context = context("https://example.org/", "blog")
    german = in_context._replace(site=site("https://example.org/", html_language="de", html_indexed=True))
    for made in (in_context, german):
        shards = [shard_of("", ID, "", 1), shard_of("", "f" * 16, "m/x.html", 2)]
        bodies = [next(each).body for each in (HTML.documents(shards[0], URLS, made), HTML.overview(shards, made))]
        assert all((b'content="noindex, follow"' in body) == (made is in_context) for body in bodies)
        pages = [LexborHTMLParser(body) for body in bodies]
        assert all(f'<html lang="{made.site.html_language}">'.encode() in body for body in bodies)
    assert heading(pages[1]) == "Seiten von example.org"
    assert links(pages[1])[1][1] == "m, ab x"
    assert links(pages[0])[0] == ("sitemap.html", "Alle Seiten")


def many(count: int, folders: int = 4) -> list[Page]:
    keys = sorted(f"part-{n % folders}/{'deep/' if n % 3 else ''}p{n:05}.html" for n in range(count))
    return [Page(key, f"https://example.org/{key}", title=f"Page {key} | The site") for key in keys]


def documents(pages: Sequence[Page], shard: Shard | None = None) -> list[Document]:
    return list(HTML.documents(shard or shard_of("", None, "", 0), SitemapRows(pages), context("https://example.org/")))


def test_a_long_list_becomes_pages_of_readable_length_and_one_that_leads_to_their_sections() -> None:
    contents, *parts = documents(many(1_400))
    assert contents.name == "sitemap.html"
    assert all(re.fullmatch("sitemap-[0-9a-f]{16}[.]html", part.name) for part in parts)
    assert all(0 < part.url_count <= 500 for part in parts)
    targets = [href or "" for href, _ in links(LexborHTMLParser(contents.body))]
    assert {target.partition("#")[0] for target in targets} == {part.name for part in parts}
    by_name = {part.name: LexborHTMLParser(part.body) for part in parts}
    assert all(by_name[name].css_first(f"#{at}") for name, _, at in (t.partition("#") for t in targets) if at)
    found = [href for part in parts for href, _ in links(by_name[part.name]) if href and "://" in href]
    assert sorted(found) == [page.loc for page in many(1_400)]


def test_a_new_page_changes_one_list_and_no_name() -> None:
    pages = many(1_400)
    new = Page("part-2/deep/p00502a.html", "https://example.org/part-2/deep/p00502a.html", title="New | The site")
    before = {each.name: each.body for each in documents(pages)}
    after = {each.name: each.body for each in documents(sorted([*pages, new], key=lambda page: page.key))}
    assert before.keys() == after.keys()
    assert len([name for name in after if after[name] != before[name]]) == 2  # the list, and the count in the contents


def test_no_list_has_the_name_of_a_shard() -> None:
    pages = many(1_400)
    shards = {f"{key_hash(page.key):016x}" for page in pages} | {"0" * 16}
    made = documents(pages, shard_of("", "0" * 16, "", 0))
    assert not {document.name[8:24] for document in made[1:]} & shards


def test_lists_lead_to_each_other_and_to_their_contents() -> None:
    contents, *parts = documents(many(1_400))
    for before, part, after in zip([None, *parts], parts, [*parts[1:], None], strict=False):
        nav = [(link.attributes["href"], link.text()) for link in LexborHTMLParser(part.body).css("nav a")]
        expected = [(contents.name, "All pages")]
        expected += [(before.name, "Previous")] if before else []
        assert nav == [*expected, *([(after.name, "Next")] if after else [])]


def test_pages_have_headings_by_section_and_titles_without_the_name_of_the_site() -> None:
    keys = ["about.html", "blog/index.html", "blog/one.html", "docs/getting-started/a.html", "zoo.html"]
    titles = ["About us — Acme", "The blog — Acme", "One — a story — Acme", "", "Zoo — Acme"]
    listed = [
        Page(key, f"https://example.org/{key.removesuffix('index.html')}", title=title)
        for key, title in zip(keys, titles, strict=True)
    ]
    (made,) = documents(listed)
    page = LexborHTMLParser(made.body)
    assert [node.text() for node in page.css("h2")] == ["example.org", "The blog", "Docs"]
    assert [text for _, text in links(page)] == [
        "About us",
        "Zoo",
        "The blog",
        "One — a story",
        "/docs/getting-started/a.html",
    ]


@pytest.mark.parametrize(("count", "is_searched"), [(39, False), (40, True)])
def test_a_long_list_can_be_searched(count: int, is_searched: bool) -> None:
    (made,) = documents(many(count))
    assert (b'id="query"' in made.body) == is_searched


def test_a_section_in_several_lists_is_named_with_what_it_begins_with_in_each() -> None:
    contents = LexborHTMLParser(documents(many(1_400, folders=1))[0].body)
    names = [text for _, text in links(contents)]
    assert len(names) == len(set(names)) > 2
    assert all(name.startswith("Part 0, from ") for name in names)
