"""Documents before they are published: a valid one passes, and whatever breaks the protocol is refused."""

from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.sample_sites import site
from unit.validate.given import examine, shown

from waypost.core.errors import RenderError
from waypost.core.finding_types import Severity
from waypost.core.model import Document, Page, Video
from waypost.core.sitemap_rows import SitemapRows
from waypost.core.urls import LOC_LIMIT, encode_path
from waypost.settings.output_names import MARK
from waypost.settings.schema import LIMITS, FileLimits
from waypost.settings.values import CHANGEFREQS
from waypost.sitemaps.render import Renderer
from waypost.validate import SITEMAP_NAMESPACE, check_document

BASE = "https://example.org/"
LOCS = [BASE, f"{BASE}a&b.html"]
LIMITS_OF_FEW = FileLimits(urls=5, sitemaps=3, bytes=1_000)
RENDERER = Renderer()


def of(*locs: str) -> SitemapRows:
    return SitemapRows([Page(loc, loc) for loc in locs])


def urls(*locs: str) -> str:
    return "".join(f"<url><loc>{loc.replace('&', '&amp;')}</loc></url>" for loc in locs)


def document(body: str | bytes, kind: str = "sitemap", name: str = "sitemap.xml") -> Document:
    return Document(name, kind, body if isinstance(body, bytes) else body.encode(), BASE + name)


def urlset(inside: str, root: str = "urlset", namespace: str = SITEMAP_NAMESPACE) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{namespace}">{inside}</{root}>\n'


def index(*locs: str) -> Document:
    return document(urlset("".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs), "sitemapindex"), "index")


IMAGE = '<i:image xmlns:i="urn:i"><i:loc>https://e.org/i.png</i:loc></i:image></url>'
PREFIXED = urls(*LOCS).replace("<", "<s:").replace("<s:/", "</s:").replace("&amp;", "&#38;")


@pytest.mark.parametrize(
    "body",
    [
        urlset(urls(*LOCS)),
        urlset(urls(*LOCS).replace("<loc>", "\n<loc>\n").replace("</loc>", "\n</loc>")),
        f'<s:urlset xmlns:s="{SITEMAP_NAMESPACE}">{PREFIXED}</s:urlset>',
        urlset(f"<!-- a comment -->{urls(*LOCS)}"),
        urlset(urls(*LOCS).replace("</url>", IMAGE)),
        urlset(urls(*LOCS).replace("</url>", "<lastmod>2999-01-01</lastmod></url>")),
    ],
    ids=shown,
)
def test_a_sitemap_that_lists_exactly_its_pages_passes(body: str) -> None:
    check_document(document(body), of(*LOCS), LIMITS_OF_FEW)


NO_CLOSE = urls(*LOCS).replace("</url>", "")
WITH_LASTMOD = urls(*LOCS).replace("<url>", "<url><lastmod>2026</lastmod>")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (urlset("<url><loc>https://example.org/?a&b</loc></url>"), "not well-formed XML"),
        (urlset(urls(*LOCS))[:-12], "not well-formed XML"),
        ("", "it is not of the kind urlset"),
        ("\n" + urlset(urls(*LOCS)), "white space before the XML declaration"),
        (urlset(urls(*LOCS), "sitemapindex"), "a url is not allowed in a sitemapindex"),
        (urlset(urls(*LOCS), namespace="http://www.google.com/schemas/sitemap/0.84"), "the namespace of urlset is"),
        (f"<urlset>{urls(*LOCS)}</urlset>", "the namespace of urlset is ''"),
        (urlset(urls(*LOCS) + "<page/>"), "page is not allowed in urlset"),
        (urlset(NO_CLOSE + "</url></url>"), "url is not allowed in url"),
        (urlset(WITH_LASTMOD), "loc comes after lastmod"),
        (urlset(urls(*LOCS).replace("<loc>", "<loc/><loc>")), "the entry has more than one loc"),
        (urlset(urls(*LOCS).replace("<url>", "<url>Home")), "there is text between the elements: 'Home'"),
        (urlset(urls(LOCS[0])), "https://example.org/a&b.html is missing"),
        (urlset(""), "https://example.org/ is missing"),
        (urlset(urls(LOCS[0]) + "<url/>"), "an entry has no loc"),
        (urlset(urls(*LOCS, "https://example.org/new")), "'https://example.org/new', which is not a page"),
        (urlset(urls(*LOCS, *LOCS)), "repeated or out of order"),
        (urlset(urls(*reversed(LOCS))), "repeated or out of order"),
        (urlset(urls(LOCS[0], LOCS[1].replace("&", "&amp;"))), "https://example.org/a&b.html is missing"),
        (urlset(urls(*LOCS) + "<!--" + "x" * 1_000 + "-->"), "and may have 1,000"),
        (urlset(urls(LOCS[0], "https://example.net/")), "the host of the URL, example.net, differs from that of the"),
        (urlset(urls(LOCS[0], "x")), "line 2: 'x' is not an absolute URL (x); begin with http:// or https:// and"),
        ("# pages", "'# pages' is not a URL"),
        ("\n".join(LOCS), "it is not of the kind urlset"),
    ],
    ids=shown,
)
def test_a_sitemap_that_breaks_the_protocol_is_refused(body: str, problem: str) -> None:
    with pytest.raises(RenderError, match=r"^sitemap\.xml as rendered breaks the protocol: ") as caught:
        check_document(document(body), of(*LOCS), LIMITS_OF_FEW)
    assert problem in str(caught.value)
    assert "no file was replaced" in str(caught.value)


def test_a_file_of_just_the_limit_passes_and_of_one_byte_more_does_not() -> None:
    body = urlset(urls(*LOCS))
    size = len(body.encode())
    check_document(document(body), of(*LOCS), FileLimits(urls=2, sitemaps=1, bytes=size))
    with pytest.raises(RenderError, match=f"has {size:,} bytes and may have {size - 1:,}"):
        check_document(document(body), of(*LOCS), FileLimits(urls=2, sitemaps=1, bytes=size - 1))
    with pytest.raises(RenderError, match="lists 2 entries and may list 1"):
        check_document(document(body), of(*LOCS), FileLimits(urls=1, sitemaps=1, bytes=size))


def test_an_index_has_a_limit_of_its_own_and_lists_no_pages() -> None:
    children = [f"{BASE}sitemap-{n}.xml" for n in range(4)]
    check_document(index(*children), of(*children), FileLimits(urls=1, sitemaps=4, bytes=1_000))
    with pytest.raises(RenderError, match="lists 4 entries and may list 3"):
        check_document(index(*children), of(*children), LIMITS_OF_FEW)
    with pytest.raises(RenderError, match=r"https://example\.org/sitemap-1\.xml is missing"):
        check_document(index(children[0]), of(*children[:2]), LIMITS_OF_FEW)
    with pytest.raises(RenderError, match="it is not of the kind sitemapindex"):
        check_document(document(urlset(urls(*LOCS)), "index"), of(*LOCS), LIMITS_OF_FEW)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (f"{BASE}\n", "https://example.org/a&b.html is missing"),
        (f"{BASE}\n{BASE}a&amp;b.html\n", "https://example.org/a&b.html is missing"),
        (f"# pages\n{BASE}\n{BASE}a&b.html\n", "'# pages' is not a URL"),
        (f"{BASE}\n{BASE}a&b.html\n{BASE}\n", "repeated or out of order"),
        (urlset(urls(*LOCS)), "it is not of the kind text"),
    ],
    ids=shown,
)
def test_a_text_sitemap_holds_its_locs_and_nothing_else(body: str, problem: str) -> None:
    check_document(document("\n".join(LOCS) + "\n", "text", "sitemap.txt"), of(*LOCS), LIMITS_OF_FEW)
    with pytest.raises(RenderError, match=r"^sitemap\.txt as rendered") as caught:
        check_document(document(body, "text", "sitemap.txt"), of(*LOCS), LIMITS_OF_FEW)
    assert problem in str(caught.value)


def test_a_user_s_template_that_renders_far_too_much_is_refused() -> None:
    template = urlset('{{ "x" * 20000000 }}')
    body = Renderer({"sitemap.xml.j2": (template, "my.j2")}).text("sitemap.xml.j2", urls=of(*LOCS))
    with pytest.raises(RenderError, match="bytes and may have 10,485,760"):
        check_document(document(body), of(*LOCS), site(limits="strict").file_limits)


def rendered(pages: Iterable[Page], *, are_plain: bool = True) -> tuple[Document, SitemapRows]:
    made = SitemapRows(list(pages), are_plain=are_plain)
    return document(RENDERER.text("sitemap.xml.j2", urls=made, mark=MARK, stylesheet="")), made


SEGMENT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=12)
URL = st.builds(
    lambda scheme, path: f"{scheme}://cdn.example.org/{encode_path(path)}",
    st.sampled_from(["http", "https"]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
ALTERNATES = st.dictionaries(st.sampled_from(["de", "en-GB", "zh-Hant", "fil", "x-default"]), URL, max_size=3)
VIDEO = Video("https://example.org/t.jpg", "Title", "About", "https://example.org/v.mp4", published="2026-01-01")
PAGES = st.lists(
    st.builds(
        lambda key, *fields, **more: Page(key, BASE + encode_path(key), "", *fields, **more),
        st.lists(SEGMENT, min_size=1, max_size=4).map("/".join),
        st.sampled_from([None, "2026-03-01", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00.5+01:00", "2026"]),
        st.sampled_from([None, *CHANGEFREQS]),
        st.one_of(st.none(), st.integers(0, 10).map(lambda n: f"{n / 10:.1f}")),
        alternates=ALTERNATES.map(lambda alternates: tuple(sorted(alternates.items()))),
        images=st.lists(URL, max_size=3).map(tuple),
        videos=st.sampled_from([(), (), (), (VIDEO,)]),
    ),
    min_size=1,
    max_size=20,
    unique_by=lambda page: page.loc,
)


@given(PAGES, st.booleans())
@example([Page("a", f"{BASE}a'b&c;d", "", "2026-03-01", "daily", "0.5")], True)
@example([Page("..", f"{BASE}a/../b/%2e/c"), Page("a%20b", f"{BASE}a%2520b")], True)
def test_what_the_own_template_makes_of_pages_passes_the_short_way_and_the_long_one(
    pages: list[Page], are_plain: bool
) -> None:
    made, listed = rendered(pages, are_plain=are_plain)
    for is_own in (True, False):
        check_document(made, listed, LIMITS["strict"], is_own=is_own)
    result = examine(made.body, made.name, made.loc)
    assert [(each.loc, each.lastmod, each.changefreq, each.priority) for each in result.entries] == [
        (page.loc, page.lastmod, page.changefreq, page.priority) for page in pages
    ]
    assert result.report.count(Severity.ERROR) == 0


REFUSED = [
    *({"loc": f"{BASE}a{character}"} for character in [*" \\{}<>^`|\t\x01\x7f\ufffe[", "%", "%2", "%zz"]),
    {"loc": "https://example.net/"},
    {"loc": "http://example.org/"},
    {"loc": "/a"},
    {"loc": f"{BASE}{'a' * LOC_LIMIT}"},
    {"lastmod": "2026-02-30"},
    {"lastmod": "yesterday"},
    {"lastmod": "2026-03-01T25:00Z"},
    {"changefreq": "&"},
    {"priority": "<"},
    {"images": (f"{BASE}a\x01.png",)},
    {"alternates": (("de", f"{BASE}\x01"),)},
    {"alternates": (("d\x01", f"{BASE}a"),)},
    {"videos": (Video(f"{BASE}t.jpg", "Title\x01", "About", f"{BASE}a.mp4"),)},
    {"videos": (Video("", "Title", "About", f"{BASE}a.mp4"),)},
]
ACCEPTED = [
    {"loc": f"{BASE}\u00fc"},
    {"changefreq": "Daily"},
    {"priority": "2"},
    {"images": ("ftp://example.org/a.png",)},
    {"alternates": (("en-UK", "/relative"),)},
    {"videos": (Video(f"{BASE}t.jpg", "a" * 101, "About", f"{BASE}a.mp4", duration=28_801, published="soon"),)},
]
"""What search engines may ignore, and accept the sitemap with it."""


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("wrong", [*REFUSED, *ACCEPTED], ids=shown)
def test_a_wrong_value_has_the_same_verdict_either_way_wherever_it_stands(wrong: dict[str, Any], at: int) -> None:
    pages = [Page(f"{n}", f"{BASE}{n}", "", "2026-03-01", "daily", "0.5") for n in range(2)]
    pages.insert(at, Page("wrong", **{"loc": f"{BASE}wrong", **wrong}))
    made, listed = rendered(pages, are_plain=not {"images", "alternates", "videos"} & wrong.keys())
    for is_own in (True, False):
        with nullcontext() if wrong in ACCEPTED else pytest.raises(RenderError):
            check_document(made, listed, LIMITS["strict"], is_own=is_own)


ROWS = [Page(f"{n}", f"{BASE}{n:05}.html") for n in range(5_000)]


@pytest.mark.parametrize(
    ("old", "new", "is_accepted"),
    [
        (b"</urlset>", b"", False),
        (b"<url><loc>https://example.org/00000.html</loc></url>\n", b"", False),
        (b"<url><loc>https://example.org/02500.html</loc></url>\n", b"", False),
        (b"<url><loc>https://example.org/04999.html</loc></url>\n", b"", False),
        (b"00000.html", b"00001.html", False),
        (b"04999.html", b"00001.html", False),
        (b"00000.html</loc>", b"00000.html", False),
        (b"<urlset", b"<urlset <", False),
        (b"02500.html", b"02501.html", True),
    ],
    ids=shown,
)
def test_of_a_long_document_the_ends_some_rows_and_the_number_of_rows_are_checked(
    old: bytes, new: bytes, *, is_accepted: bool
) -> None:
    made, listed = rendered(ROWS)
    assert made.body.count(old) == 1
    changed = document(made.body.replace(old, new))
    with pytest.raises(RenderError):
        check_document(changed, listed, LIMITS["strict"])
    with nullcontext() if is_accepted else pytest.raises(RenderError):
        check_document(changed, listed, LIMITS["strict"], is_own=True)
