import pytest
from sites import MakeSite

from waypost import naming

ID = "0123456789abcdef"


def test_a_site_without_groups_has_plain_names(make_site: MakeSite) -> None:
    names = naming.names(make_site())
    assert names.sitemap("", None) == "sitemap.xml"
    assert names.sitemap("", ID) == f"sitemap-{ID}.xml"
    assert names.sitemap("", None, "txt") == "sitemap.txt"
    assert names.index() == "sitemap.xml"
    assert names.index(ID) == f"sitemap-index-{ID}.xml"


def test_groups_are_named_and_the_rest_is_called_pages(make_site: MakeSite) -> None:
    names = naming.names(make_site(groups={"blog": ["/blog/"]}))
    assert names.sitemap("blog", None) == "sitemap-blog.xml"
    assert names.sitemap("blog", ID) == f"sitemap-blog-{ID}.xml"
    assert names.sitemap("", None) == "sitemap-pages.xml"


def test_compressed_outputs_say_so(make_site: MakeSite) -> None:
    names = naming.names(make_site(gzip=True, name="map"))
    assert names.sitemap("", None) == "map.xml.gz"
    assert names.sitemap("", None, "txt") == "map.txt.gz"
    assert names.index() == "map.xml.gz"


@pytest.mark.parametrize("gzip", [False, True])
@pytest.mark.parametrize("groups", [{}, {"blog": ["/blog/"]}])
@pytest.mark.parametrize("ending", ["xml", "txt"])
@pytest.mark.parametrize("shard", [None, ID])
def test_every_name_that_is_given_is_known_again(
    make_site: MakeSite, gzip: bool, groups: dict[str, list[str]], ending: str, shard: str | None
) -> None:
    names = naming.names(make_site(gzip=gzip, groups=groups))
    for group in ("", *groups):
        assert names.are_configured(names.sitemap(group, shard, ending))
    assert names.are_configured(names.index(shard))
    assert names.may_be_ours(names.index(shard))


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
    assert not naming.names(make_site()).are_configured(name)


def test_a_dot_in_the_name_is_a_dot(make_site: MakeSite) -> None:
    names = naming.names(make_site(name="my.map"))
    assert names.are_configured("my.map.xml")
    assert not names.are_configured("myxmap.xml")
    assert not names.may_be_ours("myxmap.xml")


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
    assert naming.names(make_site()).may_be_ours(name) is expected
