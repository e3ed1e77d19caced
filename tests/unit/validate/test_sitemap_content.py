import pytest
from unit.validate.given import BASE, atom, index, loc, shown, url, urlset

from waypost.validate import sitemap_content


def pages(name: str, body: bytes) -> list[tuple[str | None, str | None]]:
    """The loc and lastmod of each page in a file; none for an index."""
    kind, entries = sitemap_content.read_entries(name, body)
    return [] if kind == "sitemapindex" else [(entry.loc, entry.lastmod) for entry in entries]


def test_the_pages_of_a_sitemap_are_read_with_their_dates() -> None:
    body = urlset(url() + url("<lastmod>2026-03-01</lastmod>", "b"))
    assert pages("sitemap.xml", body) == [(BASE, None), (f"{BASE}b", "2026-03-01")]


@pytest.mark.parametrize("name", ["sitemap.txt", "sitemap-0123456789abcdef.txt", "sitemap.txt.gz"])
def test_a_text_sitemap_is_read_by_lines(name: str) -> None:
    assert pages(name, f"{BASE}\n\n{BASE}a\n".encode()) == [(BASE, None), (f"{BASE}a", None)]


def test_a_dotted_name_makes_no_text_of_an_xml_file() -> None:
    assert pages("a.txt.xml", urlset(url())) == [(BASE, None)]


@pytest.mark.parametrize("body", [b"", b"<urlset", b"\xff\xfe", b"<html/>", urlset("<sitemap/>"), b"\x00"], ids=shown)
def test_nothing_is_read_from_a_file_that_is_not_a_sitemap(body: bytes) -> None:
    assert pages("sitemap.xml", body) == []
    assert list(sitemap_content.listed_sitemaps("sitemap.xml", body)) == []


def test_nothing_is_read_from_half_a_file() -> None:
    assert pages("sitemap.xml", urlset(url())[:-3]) == []
    assert pages("sitemap.txt", f"{BASE}\n{BASE}\xff".encode("latin-1")) == []


def test_an_index_lists_sitemaps_and_no_pages() -> None:
    body = index(loc("a.xml"), f"{loc('b.xml')}<lastmod>2026-03-01</lastmod>")
    assert pages("sitemap.xml", body) == []
    assert list(sitemap_content.listed_sitemaps("sitemap.xml", body)) == [f"{BASE}a.xml", f"{BASE}b.xml"]
    assert list(sitemap_content.listed_sitemaps("sitemap.xml", urlset(url()))) == []


def test_a_file_that_breaks_rules_is_read_all_the_same() -> None:
    assert pages("sitemap.xml", urlset(url("<title/>", "a b"))) == [(f"{BASE}a b", None)]
    kind, entries = sitemap_content.read_entries("feed.xml", atom(f'<link href="{BASE}a"/>'))
    assert (kind, [entry.loc for entry in entries]) == ("feed", [f"{BASE}a"])


@pytest.mark.parametrize(
    ("name", "is_xml"), [("a.xml", True), ("a.xml.gz", True), ("a.txt", False), ("a.txt.gz", False), ("a.gz", False)]
)
def test_a_name_says_whether_a_file_is_xml(name: str, is_xml: bool) -> None:
    assert sitemap_content.is_xml(name) is is_xml


def test_a_file_with_too_many_names_is_not_read_to_its_end() -> None:
    names = "".join(f"<x{n}/>" for n in range(2_000_000))
    assert sitemap_content.read_entries("sitemap.xml", urlset(names)) == ("", [])


def test_a_large_file_is_read_in_parts() -> None:
    body = urlset("".join(url(path=f"a{n}") for n in range(20_000)))
    assert [loc for loc, _ in pages("sitemap.xml", body)] == [f"{BASE}a{n}" for n in range(20_000)]
