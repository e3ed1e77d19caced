"""Which URLs a sitemap may list: each mistake has its code, and many URLs at once get the verdict of each."""

from html import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.validate.given import BASE, URL, Given, examine, seen, shown, urlset

from waypost.core.urls import LOC_LIMIT, encode_path
from waypost.validate import Finding, scope_of

BLOG = f"{BASE}blog/sitemap.xml"


def findings(*locs: str, at: str = URL) -> list[Finding]:
    """What is wrong with URLs that a sitemap lists, but for those that are listed again."""
    body = urlset("".join(f"<url><loc>{escape(loc)}</loc></url>\n" for loc in locs))
    return [each for each in examine(Given((body,), loc=at)).findings if not each.code.startswith("duplicate")]


def codes(loc: str, at: str = URL) -> list[str]:
    return [each.code for each in findings(loc, at=at)]


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("https://www.example.org/sitemap.xml", "https://www.example.org/"),
        ("https://www.example.org/a/b/sitemap.xml", "https://www.example.org/a/b/"),
        ("https://www.example.org", "https://www.example.org/"),
        ("HTTPS://WWW.Example.org:443/A/", "https://www.example.org/A/"),
        ("http://www.example.org:80/a", "http://www.example.org/"),
        ("http://www.example.org:8080/a?b=/c/", "http://www.example.org:8080/"),
        ("https://[2001:DB8::1]/a", "https://[2001:db8::1]/"),
        ("https://xn--bcher-kva.example/a/b.xml", "https://xn--bcher-kva.example/a/"),
        ("https://BÜCHER.example/b.xml", "https://xn--bcher-kva.example/"),
    ],
)
def test_a_sitemap_may_list_what_lies_in_its_folder(url: str, folder: str) -> None:
    assert findings(f"{folder}page", at=url) == []
    (elsewhere,) = findings("https://example.com/page", at=url)
    assert (elsewhere.code, elsewhere.message.endswith("differs from that of the sitemap")) == ("loc-host", True)


@pytest.mark.parametrize(
    "url", ["", "/sitemap.xml", "s3://bucket/sitemap.xml", "https://", "http://a:b/", "https://[/", "https://a b/"]
)
def test_what_is_no_url_of_a_server_gives_no_scope(url: str) -> None:
    assert scope_of(url) is None
    assert findings("https://one.example/a", at=url) == []


@pytest.mark.parametrize("url", ["http://localhost:4000/", "https://10.0.0.1/", "https://[::1]/a", "http://intranet/"])
def test_no_search_engine_reaches_a_private_host_unless_the_sitemap_itself_is_there(url: str) -> None:
    assert (codes(url, at=""), codes(url), codes(url, at=url)) == (["loc-private"], ["loc-private"], [])


@pytest.mark.parametrize("url", ["https://example.org/", "https://local.example/", "https://93.184.216.34/"])
def test_public_hosts_are_no_private_ones(url: str) -> None:
    assert codes(url, at="") == []


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("", ["missing-loc"]),
        ("a", ["loc-relative"]),
        ("//www.example.org/", ["loc-relative"]),
        ("www.example.org", ["loc-relative"]),
        ("mailto:me@example.org", ["loc-scheme"]),
        ("javascript:alert(1)", ["loc-scheme"]),
        ("data:text/html,x", ["loc-scheme"]),
        ("localhost:8000/a", ["loc-relative"]),
        ("www.example.org:80", ["loc-relative"]),
        ("https:/www.example.org/", ["loc-relative"]),
        ("javascript://www.example.org/", ["loc-scheme"]),
        ("https:///a", ["loc-host-name"]),
        ("https://:443/", ["loc-host-name"]),
        ("https://www.example.org:x/", ["loc-host-name"]),
        ("https://www.example.org:99999/", ["loc-host-name"]),
        ("https://[::1/", ["loc-host-name"]),
        ("https://\u2024.example/", ["loc-host-name"]),
        (f"https://{'a' + 'é' * 30_000}/", ["loc-too-long", "loc-host-name"]),
        ("https://www.example.org.evil.net/", ["loc-host"]),
        ("https://www.example.org@evil.net/", ["loc-user-info", "loc-host"]),
        ("https://me:pw@www.example.org/", ["loc-user-info"]),
        ("https://example.org/", ["loc-host"]),
        ("https://www.example.org:8443/", ["loc-host"]),
        ("http://www.example.org/", ["loc-protocol"]),
        (f"{BASE}a b", ["loc-space"]),
        (f"{BASE}a\tb", ["loc-space"]),
        (f"{BASE}a\u00a0b", ["loc-space"]),
        (f"{BASE}a\\b", ["loc-backslash"]),
        (f"{BASE}<a>", ["loc-character"]),
        (f"{BASE}\x7f", ["loc-character"]),
        (f"{BASE}ü", ["loc-not-ascii"]),
        (f"{BASE}%", ["loc-percent"]),
        (f"{BASE}%2", ["loc-percent"]),
        (f"{BASE}%G0", ["loc-percent"]),
        (f"{BASE}%2520", ["loc-encoded-twice"]),
        (f"{BASE}?a=1&amp;b=2", ["loc-escaped-twice"]),
        (f"{BASE}?a=1&#x26;b=2", ["loc-escaped-twice"]),
        (f"{BASE}?a=1&lt;b=2", ["loc-escaped-twice"]),
        (f"{BASE}?a[]=1", ["loc-bracket"]),
        (f"{BASE}a]b", ["loc-bracket"]),
        (f"{BASE}#a", ["loc-fragment"]),
        (f"{BASE}./a", ["loc-dots"]),
        (f"{BASE}a/..", ["loc-dots"]),
        (f"{BASE}a/%2E%2e/b", ["loc-dots"]),
        (BASE + "a" * (LOC_LIMIT - len(BASE)), ["loc-too-long"]),
        (
            f"{BASE} ü\\<%#",
            ["loc-space", "loc-backslash", "loc-character", "loc-not-ascii", "loc-percent", "loc-fragment"],
        ),
        *(
            (BASE + path, [])
            for path in (
                "",
                "a.html?b=1&c=2",
                "?a=1&amp=2",
                "a&b;c",
                "?a=/../",
                "a%20b",
                "%C3%BC%25",
                "-._~:/?@!$&'()*+,;=",
                "a//b",
                "a..b/.well-known/...",
                "a" * (LOC_LIMIT - 1 - len(BASE)),
            )
        ),
        ("HTTPS://www.example.org/a", []),
        ("https://WWW.EXAMPLE.ORG/a", []),
        ("https://www.example.org:443/a", []),
        (BASE[:-1], []),
        (f"{BASE[:-1]}?a", []),
    ],
    ids=shown,
)
def test_each_mistake_of_a_loc_has_its_code_by_itself_and_among_others(loc: str, expected: list[str]) -> None:
    assert codes(loc) == expected
    for others in ([loc, f"{BASE}b"], [f"{BASE}b", loc], [f"{BASE}{n}" for n in range(100)] + [loc]):
        assert [each.code for each in findings(*others)] == expected


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        (f"{BASE}blog/", []),
        (f"{BASE}blog/a/b", []),
        (f"{BASE}blog", ["loc-above"]),
        (BASE, ["loc-above"]),
        (BASE[:-1], ["loc-above"]),
        (f"{BASE}blogs/a", ["loc-above"]),
        (f"{BASE}?/blog/", ["loc-above"]),
    ],
)
def test_what_lies_above_the_sitemap_s_folder_is_not_its_to_list(loc: str, expected: list[str]) -> None:
    assert codes(loc, at=BLOG) == expected


def test_a_foreign_character_is_shown_as_it_should_be_written() -> None:
    (path,) = findings(f"{BASE}ü")
    assert (path.message, path.advice[-6:]) == ("the URL contains 'ü', which is not ASCII", "%C3%BC")
    bracket = "https://[2001:db8::1]/a"
    assert codes(bracket, at=bracket) == []


def test_an_international_host_is_the_same_as_its_ascii_form_and_that_is_the_advice() -> None:
    ascii_form = "https://xn--bcher-kva.example/sitemap.xml"
    (host,) = findings("https://bücher.example/a", at=ascii_form)
    assert (host.code, host.advice) == ("loc-host-not-ascii", "write its ASCII form, xn--bcher-kva.example")
    assert codes("https://bücher.example/ü", at=ascii_form) == ["loc-not-ascii", "loc-host-not-ascii"]


PLACE = st.text(st.sampled_from("ab/.%2eE5?#@:[]&'\" \\üA<0"), max_size=12)
LOC = st.one_of(
    PLACE.map(lambda place: BASE + place),
    PLACE.map(lambda place: f"{BASE}blog/{place}"),
    PLACE.map(lambda place: f"https://www.example.org{place}"),
    st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=20).map(
        lambda text: BASE + encode_path(text)
    ),
    st.integers(LOC_LIMIT - 2, LOC_LIMIT + 1).map(lambda length: BASE.ljust(length, "a")),
    st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=12),
)


@given(st.lists(LOC, min_size=1, max_size=6), st.sampled_from(["", "blog/", "a%20b/", "[/"]))
@example([f"{BASE}a{BASE}b"], "")
@example(["https://[", "https://\u2100/", "https://exa℀mple.org/", "http://a:٣/"], "")
def test_many_locs_have_the_findings_that_each_has_by_itself(locs: list[str], folder: str) -> None:
    at = f"{BASE}{folder}sitemap.xml"
    together = [(code, message) for code, _, _, message in seen(findings(*locs, at=at))]
    apart = [(code, message) for loc in locs for code, _, _, message in seen(findings(loc, at=at))]
    assert together == apart
