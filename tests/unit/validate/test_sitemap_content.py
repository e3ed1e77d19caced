import pytest
from unit.validate.given import BASE, atom, index, loc, shown, url, urlset

from waypost.validate import sitemap_content

MANY = [f"{n}" for n in range(9_000)]


def pages(name: str, body: bytes) -> list[tuple[str | None, str | None]]:
    """The loc and lastmod of each page in a file; none for an index."""
    kind, entries = sitemap_content.read_entries(name, body)
    return [] if kind == "sitemapindex" else [(entry.loc, entry.lastmod) for entry in entries]


@pytest.mark.parametrize(
    ("name", "body", "locs"),
    [
        (
            "sitemap.xml",
            urlset(url() + url("<lastmod>2026-03-01</lastmod>", "b")),
            [(BASE, None), (f"{BASE}b", "2026-03-01")],
        ),
        ("sitemap.txt", f"{BASE}\n\n{BASE}a\n".encode(), [(BASE, None), (f"{BASE}a", None)]),
        ("sitemap.txt.gz", f"{BASE}\n".encode(), [(BASE, None)]),
        ("a.txt.xml", urlset(url()), [(BASE, None)]),
        ("sitemap", b"\xef\xbb\xbf\n" + urlset(url()).partition(b"\n")[2], [(BASE, None)]),
        ("sitemap.xml", index(loc("a.xml")), []),
        ("sitemap.xml", urlset(url("<title/>", "a b")), [(f"{BASE}a b", None)]),
        ("feed.xml", atom(f'<link href="{BASE}a"/>'), [(f"{BASE}a", None)]),
        (
            "sitemap.xml",
            urlset("".join(url(path=f"{n}") for n in range(9_000))),
            [(f"{BASE}{n}", None) for n in range(9_000)],
        ),
    ],
    ids=shown,
)
def test_the_pages_of_a_sitemap_are_read_with_their_dates(
    name: str, body: bytes, locs: list[tuple[str, str | None]]
) -> None:
    assert pages(name, body) == locs


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("sitemap.xml", b""),
        ("sitemap.xml", b"<urlset"),
        ("sitemap.xml", b"\xff\xfe"),
        ("sitemap.xml", b"<html/>"),
        ("sitemap.xml", urlset("<sitemap/>")),
        ("sitemap.xml", b"\x00"),
        ("sitemap.xml", urlset(url())[:-3]),
        ("sitemap.txt", f"{BASE}\n{BASE}\xff".encode("latin-1")),
    ],
    ids=shown,
)
def test_nothing_is_read_from_a_file_that_is_not_a_whole_sitemap(name: str, body: bytes) -> None:
    assert pages(name, body) == []
    assert list(sitemap_content.listed_sitemaps(name, body)) == []
    assert sitemap_content.read_whole_entries(name, body)[1:] == ([], {})


def test_all_extensions_are_read_and_what_cannot_be_kept_is_counted() -> None:
    known, unknown = "<loc>a</loc><lastmod>b</lastmod>", '<x:a xmlns:x="urn:x">1<x:b>2</x:b></x:a><title/>'
    kind, (entry,), lost = sitemap_content.read_whole_entries("a.xml", urlset(f"<url>{known}{unknown}</url>"))
    assert (kind, [node.content for node in entry.extensions or ()]) == (
        "urlset",
        [("urn:x", "a", (), "", (("urn:x", "b", (), "2", ()),))],
    )
    assert lost == {"text beside elements": 1, "element title": 1}
    assert sitemap_content.read_whole_entries("a.txt", b"https://e.org/")[2] == {}


@pytest.mark.parametrize(
    ("inside", "lost"),
    [
        ("<x:a>1<x:b/></x:a>", {"text beside elements": 1}),
        ("<x:a><x:b/>1</x:a>", {"text beside elements": 1}),
        (f"<x:a>{'1' * 65_536}</x:a>", {"end of a long text": 1}),
        (f"{'<x:a>' * 33}{'</x:a>' * 33}", {"element a": 1}),
        ("<loc>https://e.org/<x:b/></loc>", {"element b": 1}),
    ],
    ids=shown,
)
def test_what_cannot_be_kept_of_an_entry_is_counted(inside: str, lost: dict[str, int]) -> None:
    body = urlset(f'<url xmlns:x="urn:x">{inside}</url>')
    assert sitemap_content.read_whole_entries("a.xml", body)[2] == lost


@pytest.mark.parametrize(
    ("name", "is_xml"), [("a.xml", True), ("a.xml.gz", True), ("a.txt", False), ("a.txt.gz", False), ("a.gz", False)]
)
def test_a_name_says_whether_a_file_is_xml(name: str, is_xml: bool) -> None:
    assert sitemap_content.is_xml(name) is is_xml
