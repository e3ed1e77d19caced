from collections.abc import Iterable
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
from waypost.validate import own_outputs

BASE = "https://example.org/"
LOCS = [BASE, f"{BASE}a&b.html"]
LIMITS_OF_FEW = FileLimits(urls=5, sitemaps=3, bytes=1_000)
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
RENDERER = Renderer()


def of(*locs: str) -> SitemapRows:
    return SitemapRows([Page(loc, loc) for loc in locs])


def urls(*locs: str) -> str:
    return "".join(f"<url><loc>{loc.replace('&', '&amp;')}</loc></url>" for loc in locs)


def document(body: str | bytes, kind: str = "sitemap", name: str = "sitemap.xml") -> Document:
    return Document(name, kind, body if isinstance(body, bytes) else body.encode(), BASE + name)


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
    ids=shown,
)
def test_a_sitemap_that_lists_exactly_its_pages_passes(body: str) -> None:
    own_outputs.check_document(document(body), of(*LOCS), LIMITS_OF_FEW)


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
        (
            urlset(urls(LOCS[0], "https://example.net/")),
            "the host of the URL, example.net, differs from that of the sitemap",
        ),
        (urlset(urls(LOCS[0], "x")), "'x' is not an absolute URL"),
        ("# pages", "'# pages' is not a URL"),
        ("\n".join(LOCS), "it is not of the kind urlset"),
    ],
    ids=shown,
)
def test_a_sitemap_that_breaks_the_protocol_is_refused(body: str, problem: str) -> None:
    with pytest.raises(RenderError, match=r"^sitemap\.xml as rendered breaks the protocol: ") as caught:
        own_outputs.check_document(document(body), of(*LOCS), LIMITS_OF_FEW)
    assert problem in str(caught.value)
    assert "no file was replaced" in str(caught.value)


def test_a_file_of_just_the_limit_passes_and_of_one_byte_more_does_not() -> None:
    body = urlset(urls(*LOCS))
    size = len(body.encode())
    own_outputs.check_document(document(body), of(*LOCS), FileLimits(urls=2, sitemaps=1, bytes=size))
    with pytest.raises(RenderError, match=f"has {size:,} bytes and may have {size - 1:,}"):
        own_outputs.check_document(document(body), of(*LOCS), FileLimits(urls=2, sitemaps=1, bytes=size - 1))
    with pytest.raises(RenderError, match="lists 2 entries and may list 1"):
        own_outputs.check_document(document(body), of(*LOCS), FileLimits(urls=1, sitemaps=1, bytes=size))


def test_an_index_is_counted_by_its_own_limit() -> None:
    children = [f"{BASE}sitemap-{n}.xml" for n in range(4)]
    inside = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in children)
    index = document(urlset(inside, "sitemapindex"), "index")
    own_outputs.check_document(index, of(*children), FileLimits(urls=1, sitemaps=4, bytes=1_000))
    with pytest.raises(RenderError, match="lists 4 entries and may list 3"):
        own_outputs.check_document(index, of(*children), LIMITS_OF_FEW)


def test_an_index_never_lists_pages_as_such() -> None:
    with pytest.raises(RenderError, match="a url is not allowed in a sitemapindex"):
        own_outputs.check_document(document(urlset(urls(*LOCS), "sitemapindex"), "index"), of(*LOCS), LIMITS_OF_FEW)
    with pytest.raises(RenderError, match="it is not of the kind sitemapindex"):
        own_outputs.check_document(document(urlset(urls(*LOCS)), "index"), of(*LOCS), LIMITS_OF_FEW)


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
    own_outputs.check_document(document("\n".join(LOCS) + "\n", "text", "sitemap.txt"), of(*LOCS), LIMITS_OF_FEW)
    with pytest.raises(RenderError, match=r"^sitemap\.txt as rendered") as caught:
        own_outputs.check_document(document(body, "text", "sitemap.txt"), of(*LOCS), LIMITS_OF_FEW)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        (
            "<urlset>{% for u in urls %}<url><loc>{{ u.loc }}</loc></url>{% endfor %}</urlset>",
            "the namespace of urlset",
        ),
        (
            '<urlset xmlns="' + NAMESPACE + '">{% for u in urls[1:] %}<url><loc>{{ u.loc }}</loc></url>{% endfor %}'
            "</urlset>",
            "https://example.org/ is missing",
        ),
        (
            '<urlset xmlns="' + NAMESPACE + '">{% for u in urls %}<url>{% endfor %}</urlset>',
            "url is not allowed in url",
        ),
        ('<urlset xmlns="' + NAMESPACE + '">{% for u in urls %}<url>{{ u.loc }}</loc>{% endfor %}', "not well-formed"),
        ('<urlset xmlns="' + NAMESPACE + '">{{ "x" * 20000000 }}</urlset>', "bytes and may have 10,485,760"),
        (
            '<urlset xmlns="' + NAMESPACE + '">{% for u in urls %}<url><lastmod>2026</lastmod><loc>{{ u.loc }}</loc>'
            "</url>{% endfor %}</urlset>",
            "loc comes after lastmod",
        ),
    ],
    ids=shown,
)
def test_a_user_s_template_that_breaks_the_protocol_is_refused(template: str, problem: str) -> None:
    body = Renderer({"sitemap.xml.j2": (template, "my.j2")}).text("sitemap.xml.j2", urls=of(*LOCS))
    with pytest.raises(RenderError) as caught:
        own_outputs.check_document(document(body), of(*LOCS), site(limits="strict").file_limits)
    assert problem in str(caught.value)


SEGMENT = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=12)
KEY = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join)
LASTMOD = st.one_of(
    st.none(),
    st.dates().map(str),
    st.datetimes(timezones=st.timezones()).map(lambda time: time.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")),
)
PRIORITY = st.one_of(st.none(), st.integers(0, 10).map(lambda n: f"{n / 10:.1f}"))
PAGES = st.lists(
    st.builds(
        lambda key, lastmod, changefreq, priority: Page(
            key, BASE + encode_path(key), "", lastmod, changefreq, priority
        ),
        KEY,
        LASTMOD,
        st.sampled_from([None, *CHANGEFREQS]),
        PRIORITY,
    ),
    min_size=1,
    max_size=40,
    unique_by=lambda page: page.loc,
)


def rendered(pages: Iterable[Page], *, are_plain: bool = True) -> tuple[Document, SitemapRows]:
    made = SitemapRows(list(pages), are_plain=are_plain)
    return document(RENDERER.text("sitemap.xml.j2", urls=made, mark=MARK, stylesheet="")), made


@given(PAGES)
@example([Page("a", f"{BASE}a'b&c;d", "", "2026-03-01", "daily", "0.5")])
@example([Page("..", f"{BASE}a/../b/%2e/c"), Page("a%20b", f"{BASE}a%2520b")])
def test_what_the_own_template_makes_of_pages_passes_the_short_way_and_the_long_one(pages: list[Page]) -> None:
    made, listed = rendered(pages)
    assert own_outputs._are_plain(made, listed)
    assert own_outputs._is_framed(made, listed)
    own_outputs.check_document(made, listed, LIMITS["strict"], is_own=True)
    own_outputs.check_document(made, listed, LIMITS["strict"])
    result = examine(made.body, made.name, made.loc)
    assert [each.loc for each in result.entries] == [page.loc for page in pages]
    assert [(each.lastmod, each.changefreq, each.priority) for each in result.entries] == [
        (page.lastmod, page.changefreq, page.priority) for page in pages
    ]
    assert result.report.count(Severity.ERROR) == 0


WRONG = st.one_of(
    st.sampled_from([*" \\{}<>^`|\t#ü\x7f\x80\ufffe", "%", "%2", "%zz"]).map(lambda found: {"loc": f"{BASE}a{found}"}),
    st.sampled_from(
        ["https://example.net/", "http://example.org/", "https://example.org", "/a", "", f"{BASE}{'a' * LOC_LIMIT}"]
    ).map(lambda loc: {"loc": loc}),
    st.sampled_from(["2026-02-30", "2026-13", "20260301", "yesterday", "", "2026-03-01T25:00Z", "<", "0000-01-01"]).map(
        lambda lastmod: {"lastmod": lastmod}
    ),
    st.sampled_from(["often", "Daily", "", "daily ", "&"]).map(lambda hint: {"changefreq": hint}),
    st.sampled_from(["2", "-0.1", "1.01", "high", "", "0,5", "1e-1", "nan"]).map(lambda hint: {"priority": hint}),
)


@given(PAGES, WRONG, st.integers(0, 40))
def test_no_wrong_value_passes_the_short_way_wherever_it_stands(
    pages: list[Page], wrong: dict[str, str], at: int
) -> None:
    hints = wrong.get("lastmod"), wrong.get("changefreq"), wrong.get("priority")
    made, listed = rendered([*pages[:at], Page("wrong", wrong.get("loc", f"{BASE}wrong"), "", *hints), *pages[at:]])
    assert not own_outputs._are_plain(made, listed)


@pytest.mark.parametrize(
    "wrong",
    ["a b", "a\\", "{a}", "a%", "a%2", "\x01", "<>"],
)
def test_no_illegal_character_passes_either_way(wrong: str) -> None:
    made, listed = rendered([Page("a", f"{BASE}a"), Page("b", f"{BASE}{wrong}")])
    for is_own in (True, False):
        with pytest.raises(RenderError):
            own_outputs.check_document(made, listed, LIMITS["strict"], is_own=is_own)


@pytest.mark.parametrize(
    "loc", ["https://example.net/a", "http://example.org/a", "/a", f"{BASE}{'a' * 2_048}"], ids=shown
)
def test_no_loc_of_elsewhere_passes_either_way(loc: str) -> None:
    made, listed = rendered([Page("a", f"{BASE}a"), Page("b", loc)])
    for is_own in (True, False):
        with pytest.raises(RenderError):
            own_outputs.check_document(made, listed, LIMITS["strict"], is_own=is_own)


ROWS = [Page(f"{n}", f"{BASE}{n:05}.html") for n in range(5_000)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</urlset>", b""),
        (b"<url><loc>https://example.org/00000.html</loc></url>\n", b""),
        (b"<url><loc>https://example.org/02500.html</loc></url>\n", b""),
        (b"<url><loc>https://example.org/04999.html</loc></url>\n", b""),
        (b"00000.html", b"00001.html"),
        (b"04999.html", b"00001.html"),
        (b"00000.html</loc>", b"00000.html"),
        (b"<urlset", b"<urlset <"),
    ],
)
def test_a_long_document_that_lost_anything_at_its_ends_or_a_row_is_refused(old: bytes, new: bytes) -> None:
    made, listed = rendered(ROWS)
    assert made.body.count(old) == 1
    with pytest.raises(RenderError):
        own_outputs.check_document(document(made.body.replace(old, new)), listed, LIMITS["strict"], is_own=True)


def test_a_long_document_passes_the_short_way() -> None:
    made, listed = rendered(ROWS)
    assert own_outputs._are_plain(made, listed)
    assert own_outputs._is_framed(made, listed)
    own_outputs.check_document(made, listed, LIMITS["strict"], is_own=True)


def test_a_date_that_lies_ahead_is_judged_where_it_comes_from() -> None:
    made, listed = rendered([Page("a", f"{BASE}a", lastmod="2999-01-01")])
    own_outputs.check_document(made, listed, LIMITS["strict"])
    own_outputs.check_document(made, listed, LIMITS["strict"], is_own=True)


URL = st.builds(
    lambda scheme, path: f"{scheme}://cdn.example.org/{encode_path(path)}",
    st.sampled_from(["http", "https"]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)
TEXT = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=20).filter(
    str.strip
)
VIDEOS = st.builds(
    Video,
    thumbnail=URL,
    title=TEXT,
    description=TEXT,
    content=URL,
    player=st.one_of(st.just(""), URL),
    duration=st.one_of(st.none(), st.integers(1, 28_800)),
    published=st.sampled_from([None, "2026-01-01"]),
    is_family_friendly=st.booleans(),
)
SETS = st.dictionaries(st.sampled_from(["de", "en-GB", "zh-Hant", "fil", "x-default"]), URL, max_size=3)
DESCRIBED = st.lists(st.tuples(SETS, st.lists(URL, max_size=3), st.lists(VIDEOS, max_size=2)), min_size=1, max_size=6)
Described = list[tuple[dict[str, str], list[str], list[Video]]]


def described(found: Described) -> list[Page]:
    return [
        Page(str(n), f"{BASE}{n}", alternates=tuple(sorted(named.items())), images=tuple(images), videos=tuple(videos))
        for n, (named, images, videos) in enumerate(found)
    ]


@given(DESCRIBED)
def test_what_is_said_of_pages_passes_the_short_way_and_the_long_one(found: Described) -> None:
    made, listed = rendered(described(found), are_plain=False)
    assert own_outputs._are_plain(made, listed)
    assert own_outputs._is_framed(made, listed)
    if own_outputs._are_described(listed):
        own_outputs.check_document(made, listed, LIMITS["strict"])
    result = examine(made.body, made.name, made.loc)
    assert result.report.count(Severity.ERROR) == 0
    assert [sorted(dict(entry.alternates)) for entry in result.entries] == [sorted(named) for named, _, _ in found]


@pytest.mark.parametrize(
    "wrong",
    [
        {"alternates": (("de", "/relative"),)},
        {"alternates": (("en-UK", f"{BASE}a"),)},
        {"alternates": (("de", f"{BASE}ä"),)},
        {"images": (f"{BASE}a b.png",)},
        {"images": ("ftp://example.org/a.png",)},
        {"images": (f"{BASE}{'a' * LOC_LIMIT}",)},
        {"videos": (Video("", "Title", "About", f"{BASE}a.mp4"),)},
        {"videos": (Video(f"{BASE}t.jpg", "Title", "a" * 2_049, f"{BASE}a.mp4"),)},
        {"videos": (Video(f"{BASE}t.jpg", "Title\x01", "About", f"{BASE}a.mp4"),)},
        {"videos": (Video(f"{BASE}t.jpg", "Title", "About", f"{BASE}a.mp4", duration=28_801),)},
        {"videos": (Video(f"{BASE}t.jpg", "Title", "About", f"{BASE}a.mp4", published="soon"),)},
    ],
    ids=shown,
)
def test_nothing_wrong_that_is_said_of_a_page_passes_the_short_way(wrong: dict[str, Any]) -> None:
    _, listed = rendered([Page("a", f"{BASE}a"), Page("b", f"{BASE}b", **wrong)], are_plain=False)
    assert not own_outputs._are_described(listed)
