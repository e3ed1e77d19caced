import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.validate.given import (
    BASE,
    DECLARATION,
    IMAGE_NAMESPACE,
    NEWS_NAMESPACE,
    PREFIXES,
    XHTML_NAMESPACE,
    Given,
    atom,
    cut,
    examine,
    feed,
    index,
    link,
    loc,
    news,
    seen,
    shown,
    url,
    urlset,
    video,
)

from waypost.validate import SITEMAP_NAMESPACE, sitemap_content

PLAIN = f'xmlns="{SITEMAP_NAMESPACE}"'


@pytest.mark.parametrize(
    ("body", "kind", "locs"),
    [
        (urlset(url() + url(path="a")), "urlset", [BASE, f"{BASE}a"]),
        (feed(f"<link>{BASE}a</link>", f"<link>{BASE}b</link>"), "rss", [f"{BASE}a", f"{BASE}b"]),
        (atom(f'<link href="{BASE}a"/>'), "feed", [f"{BASE}a"]),
        (atom(f'<link rel="self" href="{BASE}b"/><link rel="alternate" href="{BASE}a"/>'), "feed", [f"{BASE}a"]),
        (
            f'<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
            f"<channel><link>{BASE}</link></channel><item><link>{BASE}a</link></item></r:RDF>".encode(),
            "rss",
            [f"{BASE}a"],
        ),
        (f"{BASE}\n".encode(), "text", [BASE]),
    ],
    ids=shown,
)
def test_each_kind_of_sitemap_is_known_by_its_root(body: bytes, kind: str, locs: list[str]) -> None:
    result = examine(body)
    assert (result.examined.kind, [entry.loc for entry in result.entries]) == (kind, locs)
    assert result.codes == []


def test_an_index_has_children_and_no_entries_of_pages() -> None:
    result = examine(index(loc("a.xml"), f"{loc('b.xml')}<lastmod>2026-03-01</lastmod>"))
    assert result.entries == []
    assert [(child.loc, child.lastmod) for child in result.examined.children] == [
        (f"{BASE}a.xml", None),
        (f"{BASE}b.xml", "2026-03-01"),
    ]
    assert result.examined.entries == 2


def test_all_of_an_entry_is_read() -> None:
    inside = "<lastmod>2026-03-01</lastmod><changefreq>daily</changefreq><priority>0.5</priority>"
    (entry,) = examine(urlset(f"\n\n{url(inside + link('en', ''))}")).entries
    assert (entry.line, entry.loc, entry.lastmod) == (4, BASE, "2026-03-01")
    assert (entry.changefreq, entry.priority) == ("daily", "0.5")
    assert entry.alternates == [("en", BASE)]


def test_extensions_are_read_with_all_that_is_below_them() -> None:
    (entry,) = examine(urlset(url(news() + video()))).entries
    (article,), (film,) = entry.elements("news"), entry.elements("video")
    publication = article.find("publication")
    assert publication
    assert (publication.value("name"), publication.value("language")) == ("N", "en")
    assert (article.value("title"), film.value("title"), film.value("none")) == ("Today", "V", "")
    assert list(entry.elements("image")) == []


@pytest.mark.parametrize(
    "written",
    [
        "https://www.example.org/?a=1&amp;b=2",
        "https://www.example.org/?a=1&#38;b=2",
        "https://www.example.org/?a=1&#x26;b=2",
        "<![CDATA[https://www.example.org/?a=1&b=2]]>",
        "https://www.example.org/<!-- -->?a=1<![CDATA[&]]>b=2",
        "\n    https://www.example.org/?a=1&amp;b=2\n  ",
    ],
)
def test_a_loc_is_read_as_xml_means_it(written: str) -> None:
    result = examine(urlset(f"<url><loc>{written}</loc></url>"))
    assert [entry.loc for entry in result.entries] == [f"{BASE}?a=1&b=2"]
    assert result.codes == []


@pytest.mark.parametrize("space", [" ", "\t", "\u00a0"])
def test_white_space_around_a_loc_is_noted_where_no_line_ends(space: str) -> None:
    result = examine(urlset(f"<url><loc>{BASE}{space}</loc></url>"))
    assert (result.codes, result.entries[0].loc) == (["loc-padded"], BASE)


ROOTS = [
    (f'<urlset xmlns="{SITEMAP_NAMESPACE}/">', "wrong-namespace"),
    ("<urlset>", "wrong-namespace"),
    ('<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">', "wrong-namespace"),
    (f'<urlset xmlns="{SITEMAP_NAMESPACE}" version="1">', "unknown-attribute"),
]


@pytest.mark.parametrize(("root", "code"), ROOTS, ids=shown)
def test_a_root_that_is_nearly_right_is_told_and_read(root: str, code: str) -> None:
    result = examine(f"{root}{url()}</urlset>".encode())
    assert (result.codes, [entry.loc for entry in result.entries]) == ([code], [BASE])


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("<html></html>", "it is an HTML page"),
        ("<!DOCTYPE HTML><html></html>", "it is an HTML page"),
        ("<!-- a page --><!DOCTYPE html><html></html>", "it is an HTML page"),
        ("<url/>", "its root element is url"),
        ("<Error><Code>AccessDenied</Code></Error>", "its root element is Error"),
        ("<feed/>", "its root element is feed"),
        (f"<{'a' * 5_000}/>", f"its root element is {'a' * 80}"),
    ],
    ids=shown,
)
def test_what_is_no_sitemap_is_told_and_read_no_further(body: str, what: str) -> None:
    result = examine(body.encode())
    (finding,) = result.findings
    assert (finding.code, finding.message) == ("not-a-sitemap", f"the file is not a sitemap: {what}")
    assert (result.examined.kind, result.examined.is_broken) == ("", True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (IMAGE_NAMESPACE, "http://www.google.com/schemas/sitemap-image/1.0"),
        (IMAGE_NAMESPACE, "https://www.google.com/schemas/sitemap-image/1.1/"),
        (XHTML_NAMESPACE, "http://www.w3.org/TR/xhtml11/xhtml11_schema.html"),
        (NEWS_NAMESPACE, "http://www.google.com/schemas/sitemap-news/0.84"),
    ],
)
def test_an_extension_whose_namespace_is_nearly_right_is_told_once_and_read(old: str, new: str) -> None:
    inside = f"<image:image><image:loc>{BASE}i.png</image:loc></image:image>{news()}{link('en', '')}"
    pages = url(inside) + url(inside.replace(link("en", ""), link("en", "b")), "b")
    result = examine(urlset(pages, f'xmlns="{SITEMAP_NAMESPACE}" {PREFIXES}'.replace(f'"{old}"', f'"{new}"')))
    assert result.codes == ["wrong-namespace"]
    assert [len(entry.extensions or ()) for entry in result.entries] == [3, 3]


@pytest.mark.parametrize(
    ("inside", "codes_found"),
    [
        ("<url><loc>https://www.example.org/<b/></loc></url>", ["unknown-element"]),
        (f"<url>{loc()}<lastmod/></url>", ["date-form"]),
        (f"<url>{loc()}<Lastmod>2026</Lastmod></url>", ["unknown-element"]),
        (f"<page>{loc()}</page>{url()}", ["unknown-element"]),
        (f"<url>{url()}</url>", ["missing-loc", "unknown-element"]),
        (f"<url>{loc()}</url>text", ["stray-text"]),
        (f"<url>{loc()}text</url>", ["stray-text"]),
        (f"text{url()}more{url(path='b')}again", ["stray-text"]),
        (f"<url><priority>1</priority><changefreq>daily</changefreq>{loc()}</url>", ["element-order"] * 2),
        (f"<url>{link('en', '')}{loc()}</url>", ["element-order"]),
        (url("<lastmod>2026-01</lastmod><lastmod>2026-02</lastmod>"), ["element-repeated"]),
        (f"<url>{loc()}<loc lang='en'>{BASE}b</loc></url>", ["loc-repeated", "unknown-attribute"]),
        (url("<x:a xmlns:x='urn:x'><x:b/></x:a><x:a xmlns:x='urn:x'/>"), ["unknown-namespace"]),
        (url("<mobile:mobile xmlns:mobile='http://www.google.com/schemas/sitemap-mobile/1.0'/>"), []),
    ],
    ids=shown,
)
def test_elements_stand_where_the_protocol_has_them(inside: str, codes_found: list[str]) -> None:
    assert sorted(examine(urlset(inside)).codes) == codes_found


def test_an_index_has_no_changefreq_and_no_pages() -> None:
    assert examine(index(f"{loc('a.xml')}<changefreq>daily</changefreq>")).codes == ["unknown-element"]
    assert examine(urlset(url(), PLAIN).replace(b"urlset", b"sitemapindex")).codes == ["empty", "misplaced-entry"]


def test_of_several_links_and_dates_in_an_entry_of_a_feed_the_first_counts() -> None:
    first = "<link>https://a.example/</link><pubDate>2026-01</pubDate>"
    (entry,) = examine(feed(f"{first}<link>b</link><pubDate>2026-02</pubDate>"), loc="").entries
    assert (entry.loc, entry.lastmod) == ("https://a.example/", "2026-01")


@pytest.mark.parametrize(
    ("base", "href", "url"),
    [
        (BASE, "a", f"{BASE}a"),
        ("blog/", "a", "blog/a"),
        (BASE, "https://[/", "https://[/"),
        ("", "a", "a"),
    ],
)
def test_a_link_of_a_feed_is_resolved_by_its_base(base: str, href: str, url: str) -> None:
    body = atom(f'<link href="{href}"/>').replace(b"<feed ", f'<feed xml:base="{base}" '.encode())
    assert [entry.loc for entry in examine(body).entries] == [url]


def test_the_first_of_two_counts() -> None:
    (entry,) = examine(urlset(url("<lastmod>2026-01</lastmod><lastmod>2026-02</lastmod><loc>x</loc>"))).entries
    assert (entry.loc, entry.lastmod) == (BASE, "2026-01")


@pytest.mark.parametrize(
    "encoding",
    ["ISO-8859-1", "utf-16", "shift_jis", "utf-7", "base64", "no-such", "x" * 200],
    ids=shown,
)
def test_whatever_encoding_a_file_declares_it_is_read_as_utf8_and_told(encoding: str) -> None:
    result = examine(urlset(url()).replace(b"UTF-8", encoding.encode()))
    assert (result.codes, len(result.entries)) == (["wrong-encoding"], 1)


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "us-ascii", "ASCII"])
def test_utf8_has_several_names(encoding: str) -> None:
    assert examine(urlset(url()).replace(b"UTF-8", encoding.encode())).codes == []


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (b"\xe9", "wrong-encoding"),
        (b"\xe9<!-- \xc3\xa9 -->", "wrong-encoding"),
        (b"\x80", "wrong-encoding"),
        (b"\xc3", "wrong-encoding"),
        (b"\xed\xa0\x80", "wrong-encoding"),
        (b"\xf5\x80\x80\x80", "wrong-encoding"),
        (b"\x00", "not-well-formed"),
        (b"\x01", "not-well-formed"),
        (b"\xef\xbf\xbf", "not-well-formed"),
        (b"&", "not-well-formed"),
        (b"&nbsp;", "not-well-formed"),
        (b"& \xc3\xa9", "not-well-formed"),
        (b"<", "not-well-formed"),
        (b"]]>", "not-well-formed"),
    ],
    ids=shown,
)
def test_bytes_that_are_not_utf8_are_told_from_characters_that_xml_forbids(wrong: bytes, code: str) -> None:
    body = urlset(url() + url(path="X")).replace(b"X", wrong)
    for file in (Given((body,)), Given([body[n : n + 1] for n in range(len(body))])):
        result = examine(file)
        assert (result.codes, len(result.entries), result.examined.is_broken) == ([code], 1, True)


def test_what_comes_before_a_fault_counts() -> None:
    result = examine(urlset(url() + url(path="a b") + url(path="?a&b")))
    assert sorted(result.codes) == ["loc-space", "not-well-formed"]
    assert len(result.entries) == 2


def test_a_finding_knows_its_line() -> None:
    root = f"<urlset xmlns='{SITEMAP_NAMESPACE}'>"
    body = f"{DECLARATION}\n{root}\n<url>\n<loc>\nx\n</loc></url>\n{url(path='a b')}\n<b/></urlset>"
    assert [(each.code, each.line) for each in examine(body.encode()).findings] == [
        ("loc-relative", 4),
        ("loc-space", 8),
        ("unknown-element", 9),
    ]


BODIES = [
    urlset(
        url(news() + link("en", "ü") + video("<video:live>x</video:live>"))
        + url("<lastmod>2026-02-30</lastmod>", "ü b")
    ),
    urlset(f"<url>{loc()}<priority>7</priority></url>\n<page/><url><!-- ü --><loc><![CDATA[ ü ]]></loc></url>"),
    index(loc("a.xml"), f"{loc('ü.xml')}<lastmod>x</lastmod>", "<lastmod/>"),
    feed(f"<link>{BASE}a</link><pubDate>Sun, 01 Mar 2999 12:00:00 GMT</pubDate>", "<title>ü</title>"),
    atom(f'<link href="{BASE}ü"/><updated>x</updated>', "<title>ü</title>"),
    b"\xef\xbb\xbf" + urlset(url()),
    b"\n  \n" + urlset(url()).removeprefix(DECLARATION.encode()),
    urlset(url()).replace(b"UTF-8", b"ISO-8859-1"),
    urlset(url(path="\u00fc")).replace(b"\xc3\xbc", b"\xfc"),
    urlset(url() + url(path="?a&b")),
    b"<!DOCTYPE html><html><body>\xc3\xbc</body></html>",
    f'<!DOCTYPE urlset [<!ENTITY a "ü">]><urlset xmlns="{SITEMAP_NAMESPACE}">{url(path="&a;")}</urlset>'.encode(),
    urlset("<url><loc>https://www.example.org/"),
    b"",
]


@given(st.sampled_from(BODIES), st.lists(st.integers(0, 1_500), max_size=12))
@example(BODIES[0], list(range(2_000)))
@example(BODIES[5], [1, 2])
@example(BODIES[6], [4])
@example(BODIES[8], list(range(400)))
def test_it_does_not_matter_where_a_file_is_cut(body: bytes, places: list[int]) -> None:
    whole, pieces = examine(body), examine(cut(body, places))
    assert pieces.entries == whole.entries
    assert seen(pieces.findings) == seen(whole.findings)
    if not whole.examined.is_broken:
        assert pieces.examined == whole.examined


def test_a_field_is_cut_at_the_same_length_wherever_the_file_is() -> None:
    body = urlset(url(path="ü" * 100_000))
    whole = examine(body)
    assert [len(entry.loc or "") for entry in whole.entries] == [65_536]
    for step in (4_093, 65_536, 70_001):
        pieces = examine(cut(body, range(0, len(body), step)))
        assert pieces.entries == whole.entries
        assert seen(pieces.findings) == seen(whole.findings)


NAMES = "urlset url loc lastmod changefreq priority sitemapindex sitemap xhtml:link image:image image:loc news:news"
OF_OTHERS = "video:video video:title video:duration x:y rss channel item link pubDate feed entry updated"
VALUES = st.sampled_from(
    [BASE, f"{BASE}a b", "2026-03-01", "2026-02-30", "0.5", "daily", "\n", "en-UK", "{x}", "%s", "\u00fc", "&lt;", ""]
)
ELEMENTS = st.recursive(
    VALUES,
    lambda below: st.builds(
        lambda name, attributes, inside: f"<{name}{attributes}>{inside}</{name}>",
        st.sampled_from([*NAMES.split(), *OF_OTHERS.split()]),
        st.one_of(st.just(""), VALUES.map(lambda href: f' href="{href}" hreflang="de" id="1"')),
        st.lists(below, max_size=5).map("".join),
    ),
    max_leaves=30,
)


@given(
    st.sampled_from(["urlset", "sitemapindex", "rss", "feed"]),
    st.lists(ELEMENTS, max_size=6).map("".join),
    st.sampled_from([SITEMAP_NAMESPACE, "http://www.w3.org/2005/Atom", ""]),
)
def test_whatever_elements_a_file_holds_it_is_examined(root: str, inside: str, namespace: str) -> None:
    body = f'<{root} xmlns="{namespace}" xmlns:x="urn:x" {PREFIXES}>{inside}</{root}>'.encode()
    result = examine(body)
    assert result.examined.entries <= len(re.findall(rb"<(?:url|sitemap|item|entry)", body))
    assert seen(examine(body).findings) == seen(result.findings)
    assert all(finding.line <= body.count(b"\n") + 1 for finding in result.findings)


@pytest.mark.parametrize("base", [BASE, "https://a" + "\u0301\u0316" * 100_000])
def test_a_link_of_a_feed_that_is_too_long_is_not_resolved(base: str) -> None:
    href = "//a" + "\u0301\u0316" * 100_000
    entry = f'<entry><link href="{href}"/></entry>'
    body = f'<feed xmlns="http://www.w3.org/2005/Atom" xml:base="{base}">{entry}</feed>'
    kind, (found,) = sitemap_content.read_entries("sitemap.xml", body.encode())
    assert (kind, found.loc) == ("feed", href)


def test_an_entry_without_the_namespace_of_its_file_is_lost() -> None:
    inside = url() + url(path="a").replace("<url>", '<url xmlns="">')
    assert examine(urlset(inside)).codes == ["wrong-namespace"]


def test_an_element_in_a_loc_is_named_with_the_loc() -> None:
    findings = examine(urlset(f"<url><loc>{BASE}a<b/></loc></url>")).findings
    assert [each.message for each in findings] == ["b is not allowed in loc"]
