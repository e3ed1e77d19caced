import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import log2
from typing import Any

import pytest
import quick
from chosen_keys import DEEPEST, keys_of_falling_hashes, keys_of_rising_hashes
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import numbered, pages, site, small_site

from waypost.core.errors import RenderError
from waypost.core.model import Document, IndexChild, News, Page, Shard
from waypost.settings import output_names
from waypost.settings.output_names import MARK
from waypost.settings.schema import Site
from waypost.sitemaps.documents import ShardMemory, documents, root_sitemaps, sitemap_in_format_of
from waypost.sitemaps.render import Renderer
from waypost.sitemaps.sharding import key_hash, segments
from waypost.validate import sitemap_content

RENDERER = Renderer()


def build(listed: Sequence[Page], the_site: Site, renderer: Renderer = RENDERER) -> list[Document]:
    return documents(listed, the_site, renderer, lambda shard, document: None)


def names(made: Sequence[Document]) -> list[str]:
    return [document.name for document in made]


def listed(document: Document) -> list[str]:
    return [entry.loc or "" for entry in sitemap_content.read_entries(document.name, document.body)[1]]


def test_a_site_that_fits_has_one_sitemap_and_no_index() -> None:
    (document,) = build(pages(["index.html", "a&b.html"]), site())
    assert (document.name, document.kind, document.url_count) == ("sitemap.xml", "sitemap", 2)
    assert document.loc == "https://example.org/sitemap.xml"
    assert MARK.encode() in document.body


def test_as_many_pages_as_the_limit_still_fit_in_one_sitemap() -> None:
    assert names(build(pages(numbered(10)), small_site(urls=10))) == ["sitemap.xml"]


def test_one_page_more_than_the_limit_makes_an_index_and_shards_named_by_hashes() -> None:
    made = build(pages(numbered(11)), small_site(urls=10))
    *sitemaps, index = made
    assert (index.name, index.kind) == ("sitemap.xml", "index")
    assert len(sitemaps) >= 2
    assert all(re.fullmatch(r"sitemap-[0-9a-f]{16}\.xml", document.name) for document in sitemaps)
    assert [loc for document in sitemaps for loc in listed(document)] == [page.loc for page in pages(numbered(11))]
    for document in sitemaps:
        assert f"<loc>{document.loc}</loc>".encode() in index.body


def test_each_group_has_a_sitemap_and_the_rest_is_called_pages() -> None:
    the_site = site(groups={"blog": ["/blog/"], "docs": ["/docs/"]})
    mixed = [*pages(["a.html"]), *pages(["blog/a.html", "blog/b.html"], group="blog")]
    made = build(mixed, the_site)
    assert names(made) == ["sitemap-pages.xml", "sitemap-blog.xml", "sitemap.xml"]
    assert [document.url_count for document in made] == [1, 2, 2]
    assert listed(made[1]) == ["https://example.org/blog/a.html", "https://example.org/blog/b.html"]


def test_a_group_over_the_limit_is_cut_and_the_others_are_not() -> None:
    the_site = small_site(urls=10, groups={"blog": ["/blog/"]})
    blog = [f"blog/{n}.html" for n in range(40)]
    made = build([*pages(["a.html"]), *pages(blog, group="blog")], the_site)
    assert names(made)[0] == "sitemap-pages.xml"
    assert len(made) >= 6
    assert all(re.fullmatch(r"sitemap-blog-[0-9a-f]{16}\.xml", name) for name in names(made)[1:-1])


def test_a_sitemap_over_the_byte_limit_is_split_until_all_fit() -> None:
    the_site = small_site(urls=1_000, size=1_500)
    made = build(pages(numbered(100)), the_site)
    sitemaps = [document for document in made if document.kind == "sitemap"]
    assert len(sitemaps) >= 5
    assert max(len(document.body) for document in sitemaps) <= 1_500
    assert [loc for document in sitemaps for loc in listed(document)] == [page.loc for page in pages(numbered(100))]


class CountingRenderer(Renderer):
    """Counts the pages that it renders."""

    count = 0

    def text(self, name: str, /, **values: Any) -> bytes:
        self.count += len(values["urls"].locs) if name == "sitemap.xml.j2" else 0
        return super().text(name, **values)


@pytest.mark.slow
@pytest.mark.parametrize("chosen", quick.every(2, [keys_of_rising_hashes, keys_of_falling_hashes]))
def test_pages_that_are_split_off_one_by_one_are_each_rendered_a_few_times(
    chosen: Callable[[], Sequence[str]],
) -> None:
    renderer = CountingRenderer()
    made = build(pages(chosen()), small_site(urls=100_000, sitemaps=10_000, size=5_000), renderer)
    sitemaps = [document for document in made if document.kind == "sitemap"]
    assert max(len(document.body) for document in sitemaps) <= 5_000
    assert sorted(document.url_count for document in sitemaps)[-2] == 1
    assert renderer.count <= DEEPEST * 2 * log2(DEEPEST)


def test_a_page_that_alone_is_over_the_byte_limit_is_an_error_that_names_it() -> None:
    long = Page("long.html", "https://example.org/" + "a" * 600)
    with pytest.raises(RenderError, match=r"the entry of long\.html alone has .* and a file may have 500"):
        build([long], small_site(size=500))


def test_text_sitemaps_stand_beside_the_xml_and_the_index_names_the_xml() -> None:
    made = build(pages(["a.html", "b.html"]), site(formats=["xml", "text"]))
    assert [(document.name, document.kind) for document in made] == [
        ("sitemap.xml", "sitemap"),
        ("sitemap.txt", "text"),
    ]
    assert made[1].body == b"https://example.org/a.html\nhttps://example.org/b.html\n"
    many = build(pages(numbered(30)), small_site(formats=["xml", "text"]))
    assert b".txt" not in many[-1].body
    assert sum(document.kind == "text" for document in many) == sum(document.kind == "sitemap" for document in many)


def test_text_alone_needs_no_xml_but_for_its_index() -> None:
    assert names(build(pages(["a.html"]), site(formats=["text"]))) == ["sitemap.txt"]
    made = build(pages(numbered(30)), small_site(formats=["text"]))
    assert {document.kind for document in made} == {"text", "index"}
    assert made[-1].body.count(b".txt</loc>") == len(made) - 1


def test_compressed_outputs_are_named_so_everywhere() -> None:
    made = build(pages(numbered(30)), small_site(gzip=True))
    assert all(name.endswith(".xml.gz") for name in names(made))
    assert made[-1].body.count(b".xml.gz</loc>") == len(made) - 1
    assert made[0].body.startswith(b"<?xml")


def test_more_sitemaps_than_an_index_holds_go_to_further_indexes() -> None:
    made = build(pages(numbered(400)), small_site(urls=10, sitemaps=20))
    indexes = [document for document in made if document.kind == "index"]
    assert indexes[0].name == "sitemap.xml"
    assert len(indexes) >= 3
    assert all(re.fullmatch(r"sitemap-index-[0-9a-f]{16}\.xml", index.name) for index in indexes[1:])
    assert max(index.url_count for index in indexes) <= 20
    named = re.findall(rb"<loc>([^<]+)</loc>", b"".join(index.body for index in indexes))
    assert named == [document.loc.encode() for document in made if document.kind == "sitemap"]
    assert root_sitemaps(made) == [index.loc for index in indexes]


@pytest.mark.parametrize("name", ["map0", "map1"])
def test_the_first_index_has_its_plain_name_however_many_there_are(name: str) -> None:
    made = build(pages(numbered(60)), small_site(urls=4, sitemaps=8, name=name))
    assert f"{name}.xml" in names(made)


def test_an_index_over_the_byte_limit_is_split_too() -> None:
    made = build(pages(numbered(300)), small_site(urls=10, sitemaps=1_000, size=1_200))
    indexes = [document for document in made if document.kind == "index"]
    assert len(indexes) > 1
    assert max(len(index.body) for index in indexes) <= 1_200


def test_an_output_lies_directly_below_the_base_url() -> None:
    (document,) = build([Page("a.html", "https://example.org/docs/a.html")], site("https://example.org/docs/"))
    assert document.loc == "https://example.org/docs/sitemap.xml"


def test_the_index_gives_each_sitemap_the_date_of_its_file() -> None:
    asked: list[Shard] = []

    def dated(shard: Shard, document: Document) -> str | None:
        asked.append(shard)
        assert document.name.startswith("sitemap-")
        assert document.body.startswith(b"<?xml")
        return "2026-03-01T12:00:00Z" if shard.first_key == "" else None

    made = documents(pages(numbered(30)), small_site(), RENDERER, dated)
    assert made[0].lastmod == "2026-03-01T12:00:00Z"
    assert made[-1].body.count(b"<lastmod>") == 1
    assert f"<loc>{made[0].loc}</loc><lastmod>2026-03-01T12:00:00Z</lastmod>".encode() in made[-1].body
    assert asked[0].first_key == ""
    assert asked[-1].end_key is None
    for before, behind in pairwise(asked):
        assert before.end_key == behind.first_key == behind.pages[0].key


def test_a_template_without_the_mark_gets_it_behind_the_root() -> None:
    template = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "{% for u in urls %}<url><loc>{{ u.loc }}</loc></url>{% endfor %}</urlset>\n\n"
    )
    (document,) = build(pages(["a.html"]), site(), Renderer({"sitemap.xml.j2": (template, "my.j2")}))
    assert document.body.endswith(b"</urlset>\n" + MARK.encode() + b"\n")


def test_a_template_that_drops_a_page_is_refused() -> None:
    template = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>'
    with pytest.raises(RenderError, match=r"sitemap\.xml as rendered breaks .*https://example\.org/a\.html is missing"):
        build(pages(["a.html"]), site(), Renderer({"sitemap.xml.j2": (template, "my.j2")}))


def test_an_index_template_that_drops_a_child_is_refused() -> None:
    template = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>'
    with pytest.raises(RenderError, match="is missing"):
        build(pages(numbered(30)), small_site(), Renderer({"sitemap-index.xml.j2": (template, "my.j2")}))


@given(st.sets(st.integers(0, 300), min_size=15, max_size=80), st.integers(0, 300))
def test_one_page_more_or_less_changes_only_its_own_segment_s_files(chosen: set[int], changed: int) -> None:
    the_site = small_site(urls=10)
    keys = {f"page-{n:03}.html" for n in chosen}
    key = f"page-{changed:03}.html"
    before = {d.name: d.body for d in build(pages(keys - {key}), the_site) if d.kind == "sitemap"}
    after = {d.name: d.body for d in build(pages(keys | {key}), the_site) if d.kind == "sitemap"}
    if len(before) == 1 or len(after) == 1:
        return
    differing = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    ordered = sorted(keys | {key})
    spans = {frozenset(ordered[s.start : s.stop]) for s in segments(ordered, 10)} ^ {
        frozenset(sorted(keys - {key})[s.start : s.stop]) for s in segments(sorted(keys - {key}), 10)
    }
    touched = {loc.encode() for span in spans for loc in (f"https://example.org/{k}" for k in span)}
    for name in differing:
        found = set(re.findall(rb"<loc>([^<]+)</loc>", before.get(name, b"") + after.get(name, b"")))
        assert found <= touched


OTHERS = [IndexChild(f"https://example.org/other-{key_hash(str(n)):016x}.xml") for n in range(2_501)]


def names_by_index(others: Sequence[IndexChild]) -> dict[str, list[str]]:
    """The names of the sitemaps in each index, which also lists the site's only sitemap of its own."""
    the_site = site(sitemaps=[{"from": "https://example.org/other.xml", "as": "child"}])
    made = documents(pages(["a.html"]), the_site, RENDERER, lambda shard, document: None, others)
    indexes = [each for each in made if each.kind == "index"]
    return {each.name: re.findall(r"<loc>https://example.org/(.*?)</loc>", each.body.decode()) for each in indexes}


def test_indexes_hold_as_many_sitemaps_as_the_limits_allow_and_list_each_once() -> None:
    found = names_by_index(OTHERS)
    assert len(found) > 1
    assert all(0 < len(names) <= 1_000 for names in found.values())
    listed_names = [name for names in found.values() for name in names]
    assert listed_names == ["sitemap-pages.xml", *(other.loc.removeprefix("https://example.org/") for other in OTHERS)]


@pytest.mark.parametrize(("others", "is_split"), [(999, False), (1_000, True)])
def test_an_index_is_split_as_soon_as_it_is_over_the_limit(others: int, is_split: bool) -> None:
    assert (len(names_by_index(OTHERS[:others])) > 1) is is_split


def test_a_new_sitemap_changes_only_its_own_index_and_the_name_of_none() -> None:
    before, after = names_by_index([*OTHERS[:1_234], *OTHERS[1_235:]]), names_by_index(OTHERS)
    assert after.keys() == before.keys()
    (changed,) = [name for name in after if after[name] != before[name]]
    assert set(after[changed]) - set(before[changed]) == {OTHERS[1_234].loc.rpartition("/")[2]}


# What an earlier run knows

KEYS = [f"{n:03}.html" for n in range(30)]


def made_with(memory: ShardMemory | None, made_of: Sequence[Page], **settings: Any) -> list[Document]:
    return documents(made_of, small_site(**settings), RENDERER, lambda shard, document: "2026-03-01", (), memory)


def remembered(made_of: Sequence[Page], **settings: Any) -> ShardMemory:
    memory = ShardMemory({})
    made_with(memory, made_of, **settings)
    return ShardMemory(memory.kept)


def described(made: Sequence[Document]) -> list[tuple[object, ...]]:
    return [(each.name, each.kind, each.digest, each.loc, each.url_count, each.lastmod) for each in made]


@pytest.mark.parametrize("settings", [{}, {"formats": ["xml", "text", "html"]}, {"gzip": True}])
def test_a_shard_with_the_same_pages_is_not_rendered_and_its_documents_are_as_before(settings: dict[str, Any]) -> None:
    before = made_with(None, pages(KEYS), **settings)
    after = made_with(remembered(pages(KEYS), **settings), pages(KEYS), **settings)
    assert described(after) == described(before)
    assert {each.kind for each in after if each.body} <= {"index", "html"}
    assert not any(each.body for each in after if each.kind in ("sitemap", "text"))


def test_only_the_shard_of_a_changed_page_is_rendered() -> None:
    changed = [*pages(KEYS[:-1]), *pages([KEYS[-1]], lastmod="2026-05-05")]
    sitemaps = [each for each in made_with(remembered(pages(KEYS)), changed) if each.kind == "sitemap"]
    assert [bool(each.body) for each in sitemaps] == [False] * (len(sitemaps) - 1) + [True]
    assert b"2026-05-05" in sitemaps[-1].body


def test_pages_whose_file_has_another_name_are_rendered_again() -> None:
    memory = remembered(pages(KEYS[:5]), urls=5)
    (whole,) = made_with(memory, pages(KEYS[:5]), urls=5)
    assert (whole.name, whole.body) == ("sitemap.xml", b"")
    split = made_with(None, pages(KEYS))
    alone = remembered(pages(KEYS)[: split[0].url_count])
    assert described(made_with(alone, pages(KEYS))) == described(split)


def test_what_is_too_large_is_split_as_it_was_without_rendering_it() -> None:
    memory, renderer = remembered(pages(KEYS), urls=30, size=1_000), CountingRenderer()
    the_site = small_site(urls=30, size=1_000)
    after = documents(pages(KEYS), the_site, renderer, lambda shard, document: None, (), memory)
    assert (renderer.count, sum(each.kind == "sitemap" for each in after) > 4) == (0, True)
    assert names(after) == names(made_with(None, pages(KEYS), urls=30, size=1_000))


def test_a_file_for_visitors_has_no_sitemap_of_some_pages_in_its_format() -> None:
    made = {name: sitemap_in_format_of(name, pages(["a.html"]), site(), RENDERER) for name in ("x.txt", "x.html")}
    assert made == {"x.txt": b"https://example.org/a.html\n", "x.html": None}


ID = "[0-9a-f]{16}"
WITH_NEWS: dict[str, Any] = {"news": {"name": "The Times & Co", "language": "en"}}
ARTICLE = News("It happened", "2026-11-21")


def built(listed: Sequence[Page], the_site: Site, renderer: Renderer = RENDERER) -> dict[str, Document]:
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
    made = built(pages(["a.html"]) + pages(["b.html"], news=ARTICLE), site(**WITH_NEWS))
    assert list(made) == ["sitemap-pages.xml", "sitemap-news.xml", "sitemap.xml"]
    news = made["sitemap-news.xml"]
    assert (news.kind, news.url_count, news.loc) == ("news", 1, "https://example.org/sitemap-news.xml")
    assert b"<news:name>The Times &amp; Co</news:name><news:language>en</news:language>" in news.body
    assert children(made["sitemap.xml"]) == ["sitemap-pages.xml", "sitemap-news.xml"]
    assert made["sitemap-pages.xml"].url_count == 2


def test_without_an_article_the_news_sitemap_stays_and_is_empty() -> None:
    made = built(pages(["a.html"]), site(**WITH_NEWS))
    assert list(made) == ["sitemap-pages.xml", "sitemap-news.xml", "sitemap.xml"]
    assert (made["sitemap-news.xml"].url_count, b"<url>" in made["sitemap-news.xml"].body) == (0, False)
    assert children(made["sitemap.xml"]) == ["sitemap-pages.xml", "sitemap-news.xml"]


def test_the_language_of_an_article_is_its_own_and_else_that_of_the_publication() -> None:
    german = News("Es geschah", "2026-11-21", "de")
    made = built(pages(["a.html"], news=german) + pages(["b.html"], news=ARTICLE), site(**WITH_NEWS))
    assert re.findall("<news:language>(.*?)<", made["sitemap-news.xml"].body.decode()) == ["de", "en"]


def test_without_the_setting_an_article_is_a_page() -> None:
    assert list(built(pages(["a.html"], news=ARTICLE), site())) == ["sitemap.xml"]


@pytest.mark.parametrize(("lastmod", "is_dated"), [({"lastmod": "content", "state": "x"}, True), ({}, False)])
def test_a_news_sitemap_is_dated_by_what_was_seen_and_never_by_git(lastmod: dict[str, Any], is_dated: bool) -> None:
    made = built(pages(["b.html"], news=ARTICLE), site(**WITH_NEWS, **lastmod))
    assert made["sitemap-news.xml"].lastmod == ("2026-11-11" if is_dated else None)
    assert made["sitemap-pages.xml"].lastmod == "2026-11-11"


@pytest.mark.parametrize(("count", "is_split"), [(1_000, False), (1_001, True)])
def test_a_news_sitemap_has_a_thousand_articles_at_most(count: int, is_split: bool) -> None:
    made = built(pages(numbered(count), news=ARTICLE), small_site(urls=5_000, **WITH_NEWS))
    news = {name: document for name, document in made.items() if document.kind == "news"}
    assert (len(news) > 1, "sitemap-news.xml" not in news) == (is_split, is_split)
    assert sum(document.url_count for document in news.values()) == count
    assert all(document.url_count <= 1_000 for document in news.values())
    assert set(news) <= set(children(made["sitemap.xml"]))


# Pages for people

PEOPLE: dict[str, Any] = {"formats": ["xml", "html"]}


def test_a_large_site_has_a_page_a_shard_named_by_where_it_begins() -> None:
    made = built(pages(numbered(40)), small_site(urls=10, **PEOPLE))
    shards = [name for name in made if re.fullmatch(rf"sitemap-{ID}\.html", name)]
    assert len(shards) > 4
    assert links(made["sitemap.html"]) == shards
    assert made["sitemap.html"].url_count == len(shards)
    assert b"pages, from page-000" in made["sitemap.html"].body
    listed = [link for name in shards for link in links(made[name])]
    assert [link for link in listed if link != "sitemap.html"] == [page.loc for page in pages(numbered(40))]


def test_pages_for_people_are_no_crawler_s_and_never_packed() -> None:
    made = built(pages(numbered(40)), small_site(urls=10, gzip=True, **PEOPLE))
    assert "sitemap.html" in made
    assert not any(".html.gz" in name for name in made)
    assert not any(".html" in child for child in children(made["sitemap.xml.gz"]))
    assert root_sitemaps(list(made.values())) == ["https://example.org/sitemap.xml.gz"]


# The stylesheet


def test_the_xml_names_its_stylesheet_which_stands_beside_it() -> None:
    listed = pages(numbered(40), news=ARTICLE)
    made = built(listed, small_site(urls=10, stylesheet=True, **WITH_NEWS))
    assert made["sitemap.css"].kind == "stylesheet"
    assert MARK.encode() in made["sitemap.css"].body
    xml = [document for name, document in made.items() if name.endswith(".xml")]
    assert {document.kind for document in xml} == {"sitemap", "news", "index"}
    assert all(b'<?xml-stylesheet type="text/css" href="sitemap.css"?>' in document.body for document in xml)


def test_a_stylesheet_of_the_user_s_that_drops_the_mark_is_told() -> None:
    renderer = Renderer({"sitemap.css.j2": ("url { display: block }", "mine/sitemap.css.j2")})
    with pytest.raises(RenderError, match=r"sitemap\.css\.j2 leaves the mark out"):
        built(pages(["a.html"]), site(stylesheet=True), renderer)


@pytest.mark.parametrize("kind", ["html", "news"])
def test_another_template_of_the_user_s_that_drops_the_mark_has_it_put_behind_all(kind: str) -> None:
    news = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{% for url in urls %}'
    news += "<url><loc>{{ url.loc }}</loc></url>{% endfor %}</urlset>"
    overrides = {"sitemap.html.j2": ("<p>{{ title }}", "x"), "sitemap-news.xml.j2": (news, "y")}
    made = built(pages(["a.html"], news=ARTICLE), site(**PEOPLE, **WITH_NEWS), Renderer(overrides))
    (document,) = (each for each in made.values() if each.kind == kind and each.name != "sitemap.html")
    assert document.body.endswith(b"\n" + MARK.encode() + b"\n")


def test_a_news_template_that_lists_other_pages_is_refused() -> None:
    news = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.org/</loc></url></urlset>'
    with pytest.raises(RenderError, match=r"sitemap-news\.xml as rendered breaks the protocol"):
        built(pages(["a.html"], news=ARTICLE), site(**WITH_NEWS), Renderer({"sitemap-news.xml.j2": (news, "y")}))
