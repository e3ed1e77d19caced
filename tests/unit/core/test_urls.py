import re
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core import urls
from waypost.core.urls import page_identity, path_identity

BASE = "https://example.org/docs/a.html"
RFC_3986 = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-F]{2})*")

names = st.text(st.characters(exclude_characters="/", exclude_categories=["Cs"]), min_size=1, max_size=12)
segments = names.filter(lambda name: name not in (".", ".."))
paths = st.lists(segments, min_size=1, max_size=4).map("/".join)
PRIVATE = """localhost a.localhost intranet printer.local db.internal x.home.arpa shop.test a.invalid nas.lan
x.localdomain a.onion 127.0.0.1 10.1.2.3 192.168.0.1 0.0.0.0 [::1] [fe80::1] 127.1 0x7f.1 017700000001 2130706433
0x7f000001 10.1 192.168.1 www.local. 127.0.0.1."""
PUBLIC = """www.example.org localhost.example local.example.org 8.8.8.8 8.8.2056 [2606:4700::1111] 127.0.0.1.nip.io
256.1.2.3 1.2.3.4.5 09.1 a.testing x.xn--p1ai 1.1.1.256"""


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("a b.html", "a%20b.html"),
        ("a+b.html", "a+b.html"),
        ("100%25.html", "100%2525.html"),
        ("ümlaut.html", "%C3%BCmlaut.html"),
        ("日本/語.html", "%E6%97%A5%E6%9C%AC/%E8%AA%9E.html"),
        ("what?.html", "what%3F.html"),
        ('"<>".html', "%22%3C%3E%22.html"),
        ("a[1]{2}|\\^`.html", "a%5B1%5D%7B2%7D%7C%5C%5E%60.html"),
        ("~-._!$()*,;:@.html", "~-._!$()*,;:@.html"),
    ],
)
def test_a_path_is_percent_encoded_as_rfc_3986_asks(path: str, encoded: str) -> None:
    assert urls.encode_path(path) == encoded


@given(paths)
def test_decoding_an_encoded_path_gives_its_bytes_back(path: str) -> None:
    encoded = urls.encode_path(path)
    assert unquote_to_bytes(encoded) == path.encode()
    assert RFC_3986.fullmatch(encoded)
    assert not {"?", "#"} & set(encoded)


@given(paths)
def test_an_encoded_url_is_its_own_normal_form(path: str) -> None:
    loc = "https://example.org/" + urls.encode_path(path)
    assert urls.normalize(loc, loc) == loc


@given(
    st.one_of(
        st.text(max_size=40),
        st.lists(
            st.sampled_from(
                ["/", "//", ".", "..", "%2e", "%2E%2e", "%2f", "%", "%zz", "a", "B", "ü", "?", "#", ";", ":", "&", "\\"]
            ),
            max_size=10,
        ).map("".join),
        st.builds("https://{}/{}".format, st.sampled_from(["a.org", "Ü.org", "a.org:443", "[::1]:80"]), paths),
    )
)
def test_normalising_twice_is_normalising_once(reference: str) -> None:
    once = urls.normalize(reference, BASE)
    if once is not None:
        assert RFC_3986.fullmatch(once.partition("?")[0])
        assert urls.normalize(once, BASE) == once


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/", "https://example.org/"),
        ("  https://example.org  ", "https://example.org/"),
        ("HTTPS://EXAMPLE.org/Docs", "https://example.org/Docs/"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("http://192.0.2.1/", "http://192.0.2.1/"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.org/%c3%bc/", "https://example.org/%C3%BC/"),
        ("https://user_pages.example.org/", "https://user_pages.example.org/"),
    ],
)
def test_a_base_url_is_normalised_and_ends_with_a_slash(text: str, normalised: str) -> None:
    assert urls.normalize_base_url(text) == normalised


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is not an absolute http or https URL"),
        ("//example.org/", "is not an absolute http or https URL"),
        ("ftp://example.org/", "is not an absolute http or https URL"),
        ("https:///docs/", "is not an absolute http or https URL"),
        ("https://example.org/?a=1", "has a query"),
        ("https://example.org/#top", "has a fragment"),
        ("https://me@example.org/", "has a user name"),
        ("https://example.org\\docs", "has a backslash"),
        ("https://example.org/a b/", "has white space"),
        ("https://exam\nple.org/", "has white space"),
        ("https://example.org/../", "`..`"),
        ("https://example.org/a/./b/", "`.`"),
        ("https://example.org//a/", "has an empty folder"),
        ("https://example.org/index.html", "names a file"),
        ("https://example.org:99999/", "Port"),
        ("https://a..b/", "is not a host name"),
        ("https://[::1/", "IPv6"),
        ("https://" + "a" * 64 + ".org/", "is not a host name"),
        ("https://\u2028.example/", "has white space"),
    ],
)
def test_what_can_be_no_base_url_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        urls.normalize_base_url(text)


@given(paths)
def test_a_base_url_that_was_checked_is_accepted_as_it_is(path: str) -> None:
    try:
        checked = urls.normalize_base_url(f"https://example.org/{urls.encode_path(path)}")
    except ValueError:
        return
    assert urls.normalize_base_url(checked) == checked


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("a.html", "https://example.org/docs/a.html"),
        ("  a.html\n", "https://example.org/docs/a.html"),
        ("/docs/./x/../a.html", "https://example.org/docs/a.html"),
        ("HTTPS://Example.ORG:443/docs/a.html", "https://example.org/docs/a.html"),
        ("a.html#top", "https://example.org/docs/a.html"),
        ("https://example.org", "https://example.org/"),
        ("?page=2", "https://example.org/docs/a.html?page=2"),
        ("a.html?", "https://example.org/docs/a.html"),
        ("a.html?q=%c3%bc", "https://example.org/docs/a.html?q=%C3%BC"),
        ("/it%27s", "https://example.org/it%27s"),
        ("/a%2fb", "https://example.org/a%2Fb"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("/%2e%2e/a.html", "https://example.org/a.html"),
        ("/x/%2E/a.html", "https://example.org/x/a.html"),
        ("/b/../a.html?x=1", "https://example.org/a.html?x=1"),
        ("https://example.org//evil.example/./a.html", "https://example.org//evil.example/a.html"),
    ],
)
def test_a_reference_becomes_the_absolute_url_of_the_page_it_names(reference: str, expected: str) -> None:
    assert urls.normalize(reference, BASE) == expected


@pytest.mark.parametrize(
    "reference",
    [
        "mailto:me@example.org",
        "ftp://example.org/a",
        "https://[::1",
        "https://example.org:port/",
        "https://exa mple.org/",
        "https://-a.org/",
        "a/" * 1_000_000,
        "https://a" + "\u0301\u0316" * 4_000,
        "https://a" + "\u0301\u0316" * 1_000_000,
        f"https://{'ü.' * 120}.example/",
        f"https://example.org:{'1' * 5_000}/",
    ],
)
def test_a_reference_to_no_web_page_is_none(reference: str) -> None:
    assert urls.normalize(reference, BASE) is None


def test_a_base_url_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        urls.normalize_base_url("https://a" + "\u0301\u0316" * 4_000)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.org/a%20b?x#y", "/a b"),
        ("a/b", "a/b"),
        ("https://[/", None),
        (f"/{'a' * 8_192}", None),
        ("https://a" + "\u0301\u0316" * 4_000, None),
    ],
)
def test_the_path_of_a_url_is_decoded(url: str, path: str | None) -> None:
    assert urls.decoded_path(url) == path


def test_a_host_that_is_too_long_has_no_ascii_form() -> None:
    with pytest.raises(ValueError, match="more characters"):
        urls.ascii_host("a" + "\u0301\u0316" * 1_000_000)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org?x", "https://example.org/?x"),
        ("https://example.org/", "https://example.org/"),
        ("HTTPS://Example.ORG/A?B", "https://example.org/A?B"),
        ("", ""),
    ],
)
def test_a_url_has_the_path_of_the_home_page_if_none_and_its_host_in_small_letters(url: str, expected: str) -> None:
    assert urls.with_path(url) == expected


def test_a_host_that_no_crawler_reaches_is_private_and_others_are_public() -> None:
    hosts = PRIVATE.split() + PUBLIC.split()
    assert [host for host in hosts if urls.is_private_host(host)] == PRIVATE.split()


@given(st.text("0123456789xabcdef.", max_size=40))
def test_whether_a_host_is_private_is_known_of_any(host: str) -> None:
    assert urls.is_private_host(host) in (True, False)


@given(st.text(max_size=60))
def test_no_reference_raises(reference: str) -> None:
    found = urls.normalize(reference, BASE)
    assert found is None or found.startswith(("http://", "https://"))


PAGE = "example.org/docs/guide"


@pytest.mark.parametrize(
    ("url", "identity"),
    [
        ("http://example.org/docs/guide", PAGE),
        ("https://www.example.org/docs/guide", PAGE),
        ("http://example.org:80/docs/guide", PAGE),
        ("https://example.org/docs/guide/", PAGE),
        ("https://example.org/docs/guide.html", PAGE),
        ("https://example.org/docs/guide/index.html", PAGE),
        ("https://example.org/docs/%67uide", PAGE),
        ("https://example.org/docs/Guide", "example.org/docs/Guide"),
        ("https://blog.example.org/docs/guide", "blog.example.org/docs/guide"),
        ("https://example.org:8443/docs/guide", "example.org:8443/docs/guide"),
        ("https://example.org/docs/guide?page=2", "example.org/docs/guide?page=2"),
        ("https://example.org/docs/guide.pdf", "example.org/docs/guide.pdf"),
        ("https://example.org", "example.org"),
        ("http://www.example.org/", "example.org"),
        ("https://example.org/index.html", "example.org"),
    ],
)
def test_forms_of_a_page_have_one_identity_and_other_pages_have_others(url: str, identity: str) -> None:
    assert page_identity(url) == identity


@pytest.mark.parametrize(
    ("path", "identity"),
    [
        ("/", ""),
        ("/a/b.html", "a/b"),
        ("a/index.html", "a"),
        ("a/myindex.html", "a/myindex"),
        ("%C3%BC.html", "ü"),
        (".html", ".html"),
    ],
)
def test_a_key_and_a_path_have_the_identity_of_their_page(path: str, identity: str) -> None:
    assert path_identity(path) == identity
