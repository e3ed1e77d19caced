import pytest
from sites import MakeSite

from waypost import validate
from waypost.config import Limits
from waypost.errors import RenderError
from waypost.model import Document, Page
from waypost.render import Renderer

LOCS = ["https://example.org/", "https://example.org/a&b.html"]
LIMITS = Limits(urls=5, sitemaps=3, size=1_000)
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def urls(*locs: str) -> str:
    return "".join(f"<url><loc>{loc.replace('&', '&amp;')}</loc></url>" for loc in locs)


def document(body: str, kind: str = "sitemap", name: str = "sitemap.xml") -> Document:
    return Document(name, kind, body.encode(), f"https://example.org/{name}")


def urlset(inside: str, root: str = "urlset", namespace: str = NAMESPACE) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{namespace}">{inside}</{root}>\n'


@pytest.mark.parametrize(
    "body",
    [
        urlset(urls(*LOCS)),
        urlset("\n  ".join(f"<url><loc>\n{urls(loc)[10:-12]}\n</loc></url>" for loc in LOCS)),
        f'<s:urlset xmlns:s="{NAMESPACE}">'
        + "".join(f"<s:url><s:loc>{loc.replace('&', '&#38;')}</s:loc></s:url>" for loc in LOCS)
        + "</s:urlset>",
        urlset(f"<!-- a comment -->{urls(*LOCS)}"),
        urlset(
            urls(*LOCS).replace("</url>", '<i:image xmlns:i="urn:i"><i:loc>https://e.org/i.png</i:loc></i:image></url>')
        ),
    ],
)
def test_a_sitemap_that_lists_exactly_its_pages_passes(body: str) -> None:
    validate.check(document(body), LOCS, LIMITS)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (urlset("<url><loc>https://example.org/?a&b</loc></url>"), "not well-formed XML"),
        (urlset(urls(*LOCS))[:-12], "not well-formed XML"),
        ("", "not well-formed XML"),
        ("\n" + urlset(urls(*LOCS)), "not well-formed XML"),
        (urlset(urls(*LOCS), "sitemapindex"), "its root is"),
        (urlset(urls(*LOCS), namespace="http://www.google.com/schemas/sitemap/0.84"), "its root is"),
        (f"<urlset>{urls(*LOCS)}</urlset>", "its root is urlset"),
        (urlset(urls(*LOCS) + "<page/>"), "its root holds"),
        (urlset(urls(LOCS[0])), "https://example.org/a&b.html is missing"),
        (urlset(""), "https://example.org/ is missing"),
        (urlset(urls(LOCS[0]) + "<url/>"), "https://example.org/a&b.html is missing"),
        (urlset(urls(*LOCS, "https://example.org/new")), "'https://example.org/new', which is no page"),
        (urlset(urls(*LOCS) + "<url/>"), "'', which is no page"),
        (urlset(urls(*LOCS, *LOCS)), "repeated or out of order"),
        (urlset(urls(*reversed(LOCS))), "repeated or out of order"),
        (urlset(urls(LOCS[0], LOCS[1].replace("&", "&amp;"))), "https://example.org/a&b.html is missing"),
        (urlset(urls(*LOCS) + "<!--" + "x" * 1_000 + "-->"), "and may have 1,000"),
        (urlset(urls(*LOCS, "x:1", "x:2", "x:3", "x:4")), "it lists 6 entries and may list 5"),
    ],
)
def test_a_sitemap_that_breaks_the_protocol_is_refused(body: str, problem: str) -> None:
    with pytest.raises(RenderError, match=r"^sitemap\.xml as rendered breaks the protocol: ") as caught:
        validate.check(document(body), LOCS, LIMITS)
    assert problem in str(caught.value)
    assert "nothing was replaced" in str(caught.value)


def test_a_file_of_just_the_limit_passes_and_of_one_byte_more_does_not() -> None:
    body = urlset(urls(*LOCS))
    size = len(body.encode())
    validate.check(document(body), LOCS, Limits(urls=2, sitemaps=1, size=size))
    with pytest.raises(RenderError, match=f"has {size:,} bytes and may have {size - 1:,}"):
        validate.check(document(body), LOCS, Limits(urls=2, sitemaps=1, size=size - 1))
    with pytest.raises(RenderError, match="lists 2 entries and may list 1"):
        validate.check(document(body), LOCS, Limits(urls=1, sitemaps=1, size=size))


def test_an_index_is_counted_by_its_own_limit() -> None:
    children = [f"https://example.org/sitemap-{n}.xml" for n in range(4)]
    inside = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in children)
    index = document(urlset(inside, "sitemapindex"), "index")
    validate.check(index, children, Limits(urls=1, sitemaps=4, size=1_000))
    with pytest.raises(RenderError, match="lists 4 entries and may list 3"):
        validate.check(index, children, LIMITS)


def test_an_index_never_lists_pages_as_such() -> None:
    with pytest.raises(RenderError, match="its root holds"):
        validate.check(document(urlset(urls(*LOCS), "sitemapindex"), "index"), LOCS, LIMITS)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("https://example.org/\n", "https://example.org/a&b.html is missing"),
        ("https://example.org/\nhttps://example.org/a&amp;b.html\n", "https://example.org/a&b.html is missing"),
        ("# pages\nhttps://example.org/\nhttps://example.org/a&b.html\n", "'# pages', which is no page"),
        ("https://example.org/\n\nhttps://example.org/a&b.html\n", "'', which is no page"),
    ],
)
def test_a_text_sitemap_holds_its_locs_and_nothing_else(body: str, problem: str) -> None:
    validate.check(document("\n".join(LOCS) + "\n", "text", "sitemap.txt"), LOCS, LIMITS)
    with pytest.raises(RenderError, match=r"^sitemap\.txt as rendered") as caught:
        validate.check(document(body, "text", "sitemap.txt"), LOCS, LIMITS)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("<urlset>{% for u in urls %}<url><loc>{{ u.loc }}</loc></url>{% endfor %}</urlset>", "its root is urlset"),
        (
            '<urlset xmlns="' + NAMESPACE + '">{% for u in urls[1:] %}<url><loc>{{ u.loc }}</loc></url>{% endfor %}'
            "</urlset>",
            "https://example.org/ is missing",
        ),
        ('<urlset xmlns="' + NAMESPACE + '">{% for u in urls %}<url>{% endfor %}</urlset>', "not well-formed"),
        ('<urlset xmlns="' + NAMESPACE + '">{{ "x" * 20000000 }}</urlset>', "bytes and may have 10,485,760"),
    ],
)
def test_a_user_s_template_that_breaks_the_protocol_is_refused(
    make_site: MakeSite, template: str, problem: str
) -> None:
    body = Renderer({"sitemap.xml.j2": (template, "my.j2")}).sitemap([Page(loc, loc) for loc in LOCS])
    with pytest.raises(RenderError) as caught:
        validate.check(Document("sitemap.xml", "sitemap", body, ""), LOCS, make_site().limit)
    assert problem in str(caught.value)


def test_what_stands_is_read_with_its_dates() -> None:
    body = urlset(f"{urls(LOCS[0])}<url><loc>{LOCS[0]}b</loc><lastmod>2026-03-01</lastmod></url>").encode()
    assert list(validate.listed("sitemap.xml", body)) == [(LOCS[0], ""), (f"{LOCS[0]}b", "2026-03-01")]


@pytest.mark.parametrize("name", ["sitemap.txt", "sitemap-0123456789abcdef.txt", "sitemap.txt.gz"])
def test_a_standing_text_sitemap_is_read_by_lines(name: str) -> None:
    assert list(validate.listed(name, b"https://example.org/\n\nhttps://example.org/a\n")) == [
        ("https://example.org/", ""),
        ("https://example.org/a", ""),
    ]


def test_a_dotted_name_makes_no_text_of_an_xml_file() -> None:
    assert list(validate.listed("a.txt.xml", urlset(urls(LOCS[0])).encode())) == [(LOCS[0], "")]


@pytest.mark.parametrize("body", [b"", b"<urlset", b"\xff\xfe", b"<html/>", urlset("<sitemap/>").encode()])
def test_nothing_is_read_from_a_standing_file_that_is_no_sitemap(body: bytes) -> None:
    assert list(validate.listed("sitemap.xml", body)) == []


def test_an_index_lists_no_pages() -> None:
    body = urlset(f"<sitemap><loc>{LOCS[0]}</loc></sitemap>", "sitemapindex").encode()
    assert list(validate.listed("sitemap.xml", body)) == []
