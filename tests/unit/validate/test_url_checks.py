import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.validate.given import shown

from waypost.core.urls import LOC_LIMIT, encode_path
from waypost.validate import scope_of
from waypost.validate.url_checks import Scope, are_plain, are_valid, problems, site_of

BASE = "https://www.example.org/"
ROOT = scope_of(f"{BASE}sitemap.xml")


def codes(loc: str, scope: Scope | None = ROOT) -> list[str]:
    return [code for code, _ in problems(loc, scope)]


@pytest.mark.parametrize(
    ("url", "origin", "folder"),
    [
        ("https://www.example.org/sitemap.xml", "https://www.example.org", "/"),
        ("https://www.example.org/a/b/sitemap.xml", "https://www.example.org", "/a/b/"),
        ("https://www.example.org", "https://www.example.org", "/"),
        ("HTTPS://WWW.Example.org:443/A/", "https://www.example.org", "/A/"),
        ("http://www.example.org:80/a", "http://www.example.org", "/"),
        ("http://www.example.org:8080/a?b=/c/", "http://www.example.org:8080", "/"),
        ("https://[2001:DB8::1]/a", "https://[2001:db8::1]", "/"),
    ],
)
def test_a_sitemap_may_list_what_lies_in_its_folder(url: str, origin: str, folder: str) -> None:
    assert scope_of(url) == Scope(origin, origin + folder, is_own=True)
    assert site_of(url) == Scope(origin, f"{origin}/", "the first URL of the file")


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:4000/",
        "http://shop.localhost/",
        "http://127.0.0.1:8000/a",
        "http://192.168.1.5/",
        "https://10.0.0.1/",
        "https://[::1]/a",
        "http://intranet/",
        "https://printer.local/",
        "https://wiki.internal/",
        "https://nas.home.arpa/",
    ],
)
def test_no_search_engine_reaches_a_private_host_unless_the_sitemap_itself_is_there(url: str) -> None:
    assert codes(url, site_of(url)) == ["loc-private"]
    assert codes(url, ROOT) == ["loc-private"]
    assert codes(url, scope_of(url)) == []
    assert not site_of(url).is_reachable  # type: ignore[union-attr]


@pytest.mark.parametrize("url", ["https://example.org/", "https://local.example/", "https://93.184.216.34/"])
def test_public_hosts_are_no_private_ones(url: str) -> None:
    assert codes(url, site_of(url)) == []


@pytest.mark.parametrize(
    "url", ["", "/sitemap.xml", "s3://bucket/sitemap.xml", "https://", "http://a:b/", "https://[/"]
)
def test_what_is_no_url_of_a_server_gives_no_scope(url: str) -> None:
    assert scope_of(url) is None
    assert site_of(url) is None


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a",
        "a.html?b=1&c=2",
        "?a=/../",
        "a%20b",
        "%C3%BC%25",
        "-._~:/?@!$&'()*+,;=",
        "a//b",
        "a..b/.well-known/...",
        "a" * (LOC_LIMIT - 1 - len(BASE)),
    ],
    ids=shown,
)
def test_a_legal_loc_has_no_problem(path: str) -> None:
    assert codes(BASE + path) == []


@pytest.mark.parametrize(
    "loc",
    [
        "HTTPS://www.example.org/a",
        "https://WWW.EXAMPLE.ORG/a",
        "https://www.example.org:443/a",
        BASE[:-1],
        f"{BASE[:-1]}?a",
    ],
)
def test_one_origin_is_told_from_another_as_a_client_would(loc: str) -> None:
    assert codes(loc) == []


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        ("", ["loc-relative"]),
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
        (f"{BASE}\x00", ["loc-character"]),
        (f"{BASE}ü", ["loc-not-ascii"]),
        (f"{BASE}%", ["loc-percent"]),
        (f"{BASE}%2", ["loc-percent"]),
        (f"{BASE}%G0", ["loc-percent"]),
        (f"{BASE}%2520", ["loc-encoded-twice"]),
        (f"{BASE}#a", ["loc-fragment"]),
        (f"{BASE}./a", ["loc-dots"]),
        (f"{BASE}a/..", ["loc-dots"]),
        (f"{BASE}a/%2E%2e/b", ["loc-dots"]),
        (BASE + "a" * (LOC_LIMIT - len(BASE)), ["loc-too-long"]),
        (
            f"{BASE} ü\\<%#",
            ["loc-space", "loc-backslash", "loc-character", "loc-not-ascii", "loc-percent", "loc-fragment"],
        ),
    ],
    ids=shown,
)
def test_each_mistake_of_a_loc_has_its_code(loc: str, expected: list[str]) -> None:
    assert codes(loc) == expected


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
    assert codes(loc, scope_of(f"{BASE}blog/sitemap.xml")) == expected


def test_a_foreign_character_is_shown_as_it_should_be_written() -> None:
    assert list(problems(f"{BASE}ü", ROOT)) == [("loc-not-ascii", {"character": "ü", "encoded": "%C3%BC"})]


PLACE = st.text(st.sampled_from("ab/.%2eE5?#@:[]&'\" \\üA<\t\n0"), max_size=12)
LOC = st.one_of(
    PLACE.map(lambda place: BASE + place),
    PLACE.map(lambda place: f"{BASE}blog/{place}"),
    PLACE.map(lambda place: f"https://www.example.org{place}"),
    st.text(max_size=20).map(lambda text: BASE + encode_path(text)),
    st.integers(LOC_LIMIT - 2, LOC_LIMIT + 1).map(lambda length: BASE.ljust(length, "a")),
    st.text(max_size=12),
)


@given(st.lists(LOC, min_size=1, max_size=6), st.sampled_from(["", "blog/", "a%20b/", "[/"]))
@example([f"{BASE}a\n{BASE}b"], "")
@example([f"{BASE}a", ""], "")
def test_of_locs_that_are_plain_there_is_nothing_to_say(listed: list[str], folder: str) -> None:
    scope = scope_of(f"{BASE}{folder}sitemap.xml")
    assert scope
    if are_plain(listed, scope.folder):
        assert [codes(loc, scope) for loc in listed] == [[] for _ in listed]


WARNINGS = {"loc-encoded-twice", "loc-dots"}


@given(st.lists(LOC, min_size=1, max_size=6))
def test_of_locs_that_are_sound_no_reader_drops_any(listed: list[str]) -> None:
    if are_valid(listed, "\n".join(listed), BASE):
        assert {code for loc in listed for code in codes(loc)} <= WARNINGS


@given(st.lists(st.text(max_size=20), min_size=1, max_size=20))
def test_what_is_encoded_for_a_site_is_sound(keys: list[str]) -> None:
    listed = [BASE + encode_path(key) for key in keys]
    assert are_valid(listed, "\n".join(listed), BASE)


@given(st.text(max_size=60), st.sampled_from([ROOT, None]))
@example("https://[", None)
@example("https://\u2100/", None)
@example("https://exa℀mple.org/", ROOT)
@example("http://a:٣/", ROOT)
def test_whatever_a_loc_holds_it_is_judged(text: str, scope: Scope | None) -> None:
    for loc in (text, f"https://{text}", BASE + text):
        for code, found in problems(loc, scope):
            assert code.startswith("loc-")
            assert all(isinstance(each, str | int) for each in found.values())


def test_none_is_not_plain() -> None:
    assert not are_plain([], BASE)
    assert not are_plain([""], BASE)


@pytest.mark.parametrize("length", [1, 2_046, 2_047, 2_048, 5_000])
@pytest.mark.parametrize("at", [0, 1, 50])
def test_one_long_loc_is_found_among_many(length: int, at: int) -> None:
    listed = [f"{BASE}{n}" for n in range(100)]
    listed[at] = BASE.ljust(length, "a")
    assert are_plain(listed, BASE) is (length < LOC_LIMIT)


@pytest.mark.parametrize("entity", ["&amp;", "&lt;", "&#38;", "&#x26;", "&quot;"])
def test_a_url_that_was_escaped_twice_is_a_finding(entity: str) -> None:
    assert list(problems(f"{BASE}?a=1{entity}b=2", ROOT)) == [("loc-escaped-twice", {"found": entity})]
    assert not are_plain([f"{BASE}?a=1{entity}b=2"], BASE)


@pytest.mark.parametrize("path", ["?a=1&b=2", "?a=1&amp=2", "?lt=1&lt", "a&b;c"])
def test_an_ampersand_between_parameters_is_no_finding(path: str) -> None:
    assert codes(BASE + path) == []
    assert are_plain([BASE + path], BASE)


@pytest.mark.parametrize("path", ["?a[]=1", "a[b", "a]b"])
def test_a_bracket_outside_of_the_host_is_a_finding(path: str) -> None:
    assert codes(BASE + path) == ["loc-bracket"]
    assert not are_plain([BASE + path], BASE)
    assert not are_valid([BASE + path], BASE + path, BASE)


def test_the_brackets_of_an_address_are_no_finding() -> None:
    assert codes("https://[2001:db8::1]/a", scope_of("https://[2001:db8::1]/sitemap.xml")) == []


def test_an_international_host_is_the_same_as_its_ascii_form_and_that_is_the_advice() -> None:
    scope = scope_of("https://xn--bcher-kva.example/sitemap.xml")
    (found,) = problems("https://bücher.example/a", scope)
    assert found == ("loc-host-not-ascii", {"host": "bücher.example", "ascii": "xn--bcher-kva.example"})
    assert codes("https://xn--bcher-kva.example/a", scope_of("https://BÜCHER.example/sitemap.xml")) == []
    assert codes("https://bücher.example/ü", scope) == ["loc-not-ascii", "loc-host-not-ascii"]
    assert codes("https://\u2024.example/", scope) == ["loc-host-name"]


@pytest.mark.parametrize("host", ["a" + "\u0301\u0316" * 30_000, "ü" * 65_000])
def test_a_host_that_is_too_long_is_no_host(host: str) -> None:
    assert "loc-host-name" in codes(f"https://{host}/")
    assert scope_of(f"https://{host}/") is None


@pytest.mark.slow
def test_many_different_characters_are_looked_for_once() -> None:
    host = "".join(map(chr, range(0x4E00, 0x9FFF)))
    assert "loc-not-ascii" in codes(f"https://{host}/{'a' * 10_000_000}ü")
