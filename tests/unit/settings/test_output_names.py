import pytest
from sites import MakeSite

from waypost.settings import output_names
from waypost.settings.output_formats import HTML, LLMS, TEXT, XML, FileFormat

ID = "0123456789abcdef"


def test_a_site_without_groups_has_plain_names(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site())
    assert names.sitemap("", None) == "sitemap.xml"
    assert names.sitemap("", ID) == f"sitemap-{ID}.xml"
    assert names.sitemap("", None, TEXT) == "sitemap.txt"
    assert names.index() == "sitemap.xml"
    assert names.index(ID) == f"sitemap-index-{ID}.xml"


def test_groups_are_named_and_the_rest_is_called_pages(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(groups={"blog": ["/blog/"]}))
    assert names.sitemap("blog", None) == "sitemap-blog.xml"
    assert names.sitemap("blog", ID) == f"sitemap-blog-{ID}.xml"
    assert names.sitemap("", None) == "sitemap-pages.xml"


def test_compressed_outputs_say_so(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(gzip=True, name="map"))
    assert names.sitemap("", None) == "map.xml.gz"
    assert names.sitemap("", None, TEXT) == "map.txt.gz"
    assert names.index() == "map.xml.gz"


@pytest.mark.parametrize("gzip", [False, True])
@pytest.mark.parametrize("groups", [{}, {"blog": ["/blog/"]}])
@pytest.mark.parametrize("file_format", [XML, TEXT, LLMS])
@pytest.mark.parametrize("shard", [None, ID])
def test_every_name_that_is_given_is_known_again(
    make_site: MakeSite, gzip: bool, groups: dict[str, list[str]], file_format: FileFormat, shard: str | None
) -> None:
    names = output_names.output_names(make_site(gzip=gzip, groups=groups, formats=["xml", "text", "llms"]))
    for group in ("", *groups):
        assert names.is_configured(names.sitemap(group, shard, file_format))
    assert names.is_configured(names.index(shard))
    assert names.could_be_ours(names.index(shard))


@pytest.mark.parametrize(
    "name",
    [
        "sitemap.html",
        "sitemap-news.xml",
        "sitemap-blog.xml",
        "my-sitemap.xml",
        "sitemap.xml.bak",
        "sitemap.xml.gz.gz",
        "sitemap-0123.xml",
        "sitemap-0123456789ABCDEF.xml",
        "sitemapx.xml",
        "docs/sitemap.xml",
        "sitemap.xml\n",
    ],
)
def test_other_names_are_not_configured(make_site: MakeSite, name: str) -> None:
    assert not output_names.output_names(make_site()).is_configured(name)


def test_a_dot_in_the_name_is_a_dot(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(name="my.map"))
    assert names.is_configured("my.map.xml")
    assert not names.is_configured("myxmap.xml")
    assert not names.could_be_ours("myxmap.xml")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sitemap.xml", True),
        ("sitemap-formergroup.xml", True),
        (f"sitemap-formergroup-{ID}.xml.gz", True),
        ("sitemap.txt", True),
        ("sitemaps.xml", False),
        ("sitemap_news.xml", False),
        ("other.xml", False),
    ],
)
def test_a_file_of_former_settings_may_be_ours(make_site: MakeSite, name: str, expected: bool) -> None:
    assert output_names.output_names(make_site()).could_be_ours(name) is expected


NEWS = {"name": "The Times", "language": "en"}


def test_pages_for_people_and_the_stylesheet_are_named_where_they_are_asked_for(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(formats=["xml", "html"], stylesheet=True, name="map", gzip=True))
    assert names.stylesheet == "map.css"
    assert names.sitemap("", None, HTML) == "map.html"
    assert names.sitemap("", ID, HTML) == f"map-{ID}.html"
    assert output_names.output_names(make_site()).stylesheet == ""


def test_llms_txt_has_its_own_name_whatever_the_sitemaps_are_called(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(formats=["text", "llms"], name="map", gzip=True))
    assert names.sitemap("", None, LLMS) == "llms.txt"
    assert names.sitemap("", ID, LLMS) == f"llms-{ID}.txt"
    assert names.stems == ("map", "llms")
    assert all(map(names.is_configured, ["llms.txt", f"llms-{ID}.txt", "map.txt.gz"]))
    assert not any(map(names.is_configured, ["llms.txt.gz", "llms.xml", "llms-full.txt", "map-llms.txt"]))
    assert not names.is_ours_by_name("llms.txt")
    assert not names.lists_pages("llms.txt")


@pytest.mark.parametrize(("name", "could_be"), [("llms.txt", True), ("llms-full.txt", True), ("llmstxt.txt", False)])
def test_a_site_without_llms_txt_may_have_had_one(make_site: MakeSite, name: str, could_be: bool) -> None:
    names = output_names.output_names(make_site())
    assert names.could_be_ours(name) is could_be
    assert not names.is_configured(name)


@pytest.mark.parametrize("name", ["sitemap.html", "sitemap-pages.html", f"sitemap-news-{ID}.html", "sitemap.css"])
def test_names_for_people_are_configured_by_their_settings_and_may_be_ours_without(
    make_site: MakeSite, name: str
) -> None:
    asked = make_site(formats=["xml", "html"], stylesheet=True, news=NEWS)
    assert output_names.output_names(asked).is_configured(name)
    assert not output_names.output_names(make_site(news=NEWS)).is_configured(name)
    assert output_names.output_names(make_site()).could_be_ours(name)


@pytest.mark.parametrize("name", ["sitemap.html.gz", "sitemap-pages.css", "sitemap.css.gz", "sitemap.htm"])
def test_no_page_for_people_is_packed_and_there_is_one_stylesheet(make_site: MakeSite, name: str) -> None:
    names = output_names.output_names(make_site(formats=["xml", "html"], stylesheet=True, news=NEWS))
    assert not names.is_configured(name)
    assert not names.could_be_ours(name) or name == "sitemap-pages.css"


def test_news_have_the_names_of_a_group_and_the_rest_is_called_pages(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(news=NEWS))
    assert names.sitemap(output_names.NEWS, None) == "sitemap-news.xml"
    assert names.sitemap(output_names.NEWS, ID) == f"sitemap-news-{ID}.xml"
    assert names.sitemap("", None) == "sitemap-pages.xml"
    assert names.is_configured(f"sitemap-news-{ID}.xml")


@pytest.mark.parametrize(
    ("name", "lists"),
    [
        ("sitemap.xml", True),
        ("sitemap-pages.xml.gz", True),
        ("sitemap.txt", True),
        ("sitemap-newsletter.xml", True),
        (f"sitemap-newsletter-{ID}.xml.gz", True),
        ("sitemap-news-room.xml", True),
        ("sitemap-news.xml", False),
        ("sitemap-news.xml.gz", False),
        (f"sitemap-news-{ID}.xml", False),
        ("sitemap.html", False),
        ("sitemap.css", False),
        ("robots.txt", False),
    ],
)
def test_what_lists_pages_is_neither_news_nor_for_people(make_site: MakeSite, name: str, lists: bool) -> None:
    assert output_names.output_names(make_site(news=NEWS)).lists_pages(name) is lists


def test_a_group_may_be_called_news_where_there_are_none(make_site: MakeSite) -> None:
    names = output_names.output_names(make_site(groups={"news": ["/news/"]}))
    assert names.lists_pages("sitemap-news.xml")
    assert names.lists_pages(f"sitemap-news-{ID}.xml")


@pytest.mark.parametrize(
    ("body", "marked"),
    [
        (b"<a/>", b"<a/>\n" + output_names.MARK.encode() + b"\n"),
        (b"<a/>\n\n", b"<a/>\n" + output_names.MARK.encode() + b"\n"),
        (b"<a>" + output_names.MARK.encode() + b"</a>", b"<a>" + output_names.MARK.encode() + b"</a>"),
    ],
)
def test_the_mark_goes_behind_all_where_nothing_has_placed_it(body: bytes, marked: bytes) -> None:
    assert output_names.with_mark(body) == marked
    assert output_names.with_mark(marked) == marked
