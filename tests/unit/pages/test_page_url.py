import re
from dataclasses import replace
from random import Random
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sites import MakeSite
from unit.sample_sites import site

from waypost.core import reasons, urls
from waypost.core.model import LinkedShapes, UrlForm
from waypost.core.reasons import Reason
from waypost.pages import page_url
from waypost.pages.html_head import HtmlHead
from waypost.pages.page_url import NamedUrl, PagePath, SiteUrls, canonical_link
from waypost.pages.url_shapes import served_paths
from waypost.project.host_recognition import bucket_rules
from waypost.settings.host_rules import AnsweredShapes, HostRules, OneHost
from waypost.settings.schema import Site

names = st.text(
    st.characters(exclude_characters="/\u2028\u2029\ufffe\uffff", exclude_categories=["Cs", "Cc"]),
    min_size=1,
    max_size=12,
)
keys = st.builds(
    "{}{}".format,
    st.lists(names.filter(lambda name: name not in (".", "..")), min_size=1, max_size=4).map("/".join),
    st.sampled_from(["", ".html", ".pdf", "/index.html", "%2e%2e.html"]),
)
sites = st.builds(
    site,
    st.sampled_from(["https://example.org/", "https://example.org/docs/ü/"]),
    trailing_slash=st.sampled_from(["auto", "always", "never"]),
    drop_html=st.booleans(),
)
BASE = "https://example.org/"
NFC, NFD = "caf\u00e9.html", "cafe\u0301.html"
UNICODE = ("canonical-unicode",)
PLAIN = site(index_files=[])
_NAMES = st.sampled_from(
    ["index.html", "index.htm", "Index.html", "a.html", "a.htm", "a.HTML", "a.md", "a.markdown", "a", "a.pdf", "b.html"]
)
_FOLDERS = st.sampled_from(["", "a/", "a/a/", "b/", "index/", "a.html/"])
REDIRECTING = AnsweredShapes(page=("bare", "file"), folder=("slash", "file"))
ANSWERING = AnsweredShapes(page=("slash", "bare"), folder=("bare", "file"))
STRICT = AnsweredShapes(page=("bare",), folder=("slash",))


@pytest.mark.parametrize("char", ["\n", "\x00", "\x85", "\ufffe"])
def test_a_name_with_a_control_character_has_no_url(make_site: MakeSite, char: str) -> None:
    assert page_url.page_url(f"a{char}b.html", make_site()) is reasons.NAME_CONTROL


def test_a_loc_has_fewer_than_2048_characters(make_site: MakeSite) -> None:
    fixed = len("https://example.org/.pdf")
    longest = page_url.page_url("a" * (2047 - fixed) + ".pdf", make_site())
    assert isinstance(longest, str)
    assert len(longest) == 2047
    assert page_url.page_url("a" * (2048 - fixed) + ".pdf", make_site()) is reasons.LOC_TOO_LONG


@given(keys)
def test_decoding_a_loc_once_gives_the_key_s_bytes_back(key: str) -> None:
    loc = page_url.page_url(key, PLAIN)
    assert isinstance(loc, str)
    assert unquote_to_bytes(loc.removeprefix("https://example.org/")) == key.encode()


@given(keys, sites)
def test_a_loc_holds_only_characters_of_rfc_3986_and_lies_below_the_base_url(key: str, any_site: object) -> None:
    loc = page_url.page_url(key, any_site)  # type: ignore[arg-type]
    assert isinstance(loc, str)
    assert re.fullmatch(r"https://example\.org/(?:[A-Za-z0-9\-._~:/@!$&'()*+,;=]|%[0-9A-F]{2})*", loc)
    assert loc.startswith(any_site.base_url)  # type: ignore[attr-defined]


@given(keys.filter(lambda key: not re.search(r"(^|/)\.{1,2}\.html$", key)), sites)
def test_a_loc_is_its_own_canonical_form(key: str, any_site: object) -> None:
    loc = page_url.page_url(key, any_site)  # type: ignore[arg-type]
    assert isinstance(loc, str)
    assert urls.normalize(loc, loc) == loc


def test_a_name_may_end_with_a_dot_before_its_ending(make_site: MakeSite) -> None:
    assert page_url.page_url("a/b..html", make_site(drop_html=True)) == "https://example.org/a/b."


@pytest.mark.parametrize("key", ["..html", "a/...html"])
def test_dropping_html_never_makes_a_dot_segment(make_site: MakeSite, key: str) -> None:
    loc = page_url.page_url(key, make_site(drop_html=True))
    assert isinstance(loc, Reason) or urls.normalize(loc, loc) == loc


@pytest.mark.parametrize(
    ("first", "second", "settings"),
    [
        ("docs/index.html", "docs.html", {"drop_html": True, "trailing_slash": "always"}),
        ("docs/index.html", "docs/README.md", {}),
        ("docs/index.htm", "docs/index.html", {"index_files": ["index.htm", "index.html"]}),
        ("a.html", "a.md", {}),
    ],
)
def test_of_two_files_with_one_url_the_index_file_and_the_preferred_one_is_listed(
    make_site: MakeSite, first: str, second: str, settings: dict[str, object]
) -> None:
    the_site = make_site(**settings)
    assert page_url.page_url(first, the_site) == page_url.page_url(second, the_site)
    assert page_url.duplicate_rank(first, the_site) < page_url.duplicate_rank(second, the_site)


@pytest.mark.parametrize(
    ("key", "canonical", "settings", "path"),
    [
        ("about/index.html", "/about", {}, "about"),
        ("about/index.html", "/about/index.html", {}, "about/index.html"),
        ("about.html", "/about", {"drop_html": False}, "about.html"),
        ("about.html", "/about/", {"trailing_slash": "never"}, "about"),
        ("about/index.html", "/about/", {"trailing_slash": "never"}, "about"),
        ("a/index.html", "/a/", {"index_files": []}, "a/index.html"),
    ],
)
def test_a_page_is_listed_as_it_names_itself_unless_a_setting_decides(
    key: str, canonical: str, settings: dict[str, Any], path: str
) -> None:
    the_site = site(**settings)
    assert page_url.page_url(key, the_site, HtmlHead(canonicals=(canonical,))) == f"https://example.org/{path}"


def formed(sitemap: str | None = None, host: AnsweredShapes | None = None, links: Any = None, **settings: Any) -> Site:
    """A site with settings, the form of pages in its sitemap, what its host answers, and the form of its links."""
    the_site = replace(site(**settings), sitemap_form=LinkedShapes(page=sitemap))  # type: ignore[arg-type]
    rules = HostRules([OneHost("github-pages", host)]) if host else the_site.host_rules
    return replace(the_site, host_rules=rules, url_form=UrlForm(**(links or {})))


@pytest.mark.parametrize(
    ("the_site", "key", "canonical", "path", "decided_by"),
    [
        (formed(), "a.html", "", "a.html", "default"),
        (formed(), "a.html", "/a", "a", "canonical"),
        (formed(sitemap="bare"), "a.html", "", "a", "sitemap"),
        (formed(sitemap="bare", links={"page": "slash"}), "a.html", "", "a", "sitemap"),
        (formed(sitemap="bare", links={"page": "slash"}), "a.html", "/a/", "a/", "canonical"),
        (formed(drop_html=True), "a.html", "/a", "a", "setting"),
        # a setting that changes the form of the links has decided it
        (formed(links={"page": "bare"}, trailing_slash="always"), "a.html", "", "a/", "setting"),
        (formed(links={"page": "slash"}, trailing_slash="always"), "a.html", "", "a/", "links"),
        # a form that the host redirects is never chosen, and of several that it answers the usual one
        (formed(host=REDIRECTING), "a.html", "", "a.html", "default"),
        (formed(host=REDIRECTING, links={"folder": "bare", "page": "slash"}), "a/index.html", "", "a/", "default"),
        (formed(host=REDIRECTING, links={"folder": "bare", "page": "slash"}), "a.html", "", "a.html", "default"),
        (formed(host=REDIRECTING, links={"page": "bare"}), "a.html", "", "a", "links"),
        (formed(host=ANSWERING), "a.html", "", "a", "default"),
        (formed(host=ANSWERING), "a/index.html", "", "a", "default"),
        # a host that redirects all other forms decides before links
        (formed(host=STRICT, links={"page": "file"}), "a.html", "", "a", "host"),
        (formed(host=STRICT, links={"page": "file"}), "index.html", "", "", "host"),
        (formed(host=STRICT, links={"page": "file"}), "a.html", "/a.html", "a.html", "canonical"),
    ],
)
def test_what_decided_the_path_is_known(the_site: Site, key: str, canonical: str, path: str, decided_by: str) -> None:
    head = HtmlHead(canonicals=(canonical,) if canonical else (), og_url="/a")
    kind = {"a.html": "page", "index.html": "home", "a/index.html": "folder"}[key]
    assert page_url.page_path(key, the_site, head) == PagePath(path, path, decided_by, kind)  # type: ignore[arg-type]


def test_a_generator_decides_the_path_of_its_pages() -> None:
    assert page_url.page_path("a.html", site(), generated_path="a/") == PagePath("a/", "a/", "generator", "page")


def test_an_index_file_answers_at_its_folder_whatever_index_files_says() -> None:
    locs = {"y.html": "https://example.org/y/", "y/index.html": "https://example.org/y/index.html"}
    assert page_url.duplicates(locs, site(index_files=[])) == {"y.html": "y/index.html"}


def test_a_site_s_form_is_that_of_pages_that_do_not_name_themselves() -> None:
    the_site = replace(site(), url_form=UrlForm("file", "bare", "slash"))
    keys = ["index.html", "a/index.html", "b.html", "c.pdf"]
    assert [page_url.page_path(key, the_site).path for key in keys] == ["index.html", "a", "b/", "c.pdf"]


@pytest.mark.parametrize(
    ("locs", "found"),
    [
        ({"a.html": "a", "a/index.html": "a/"}, {}),
        ({"a.html": "a/", "a/index.html": "a"}, {"a.html": "a/index.html"}),
        ({"a.html": "a/", "a/index.html": "a/"}, {"a.html": "a/index.html"}),
        ({"a.html": "a", "a.htm": "a", "a/index.html": "a"}, {"a.html": "a/index.html", "a.htm": "a/index.html"}),
    ],
)
def test_a_page_at_the_url_of_a_folder_is_a_duplicate_of_its_index_file(
    locs: dict[str, str], found: dict[str, str]
) -> None:
    the_site = site()
    assert page_url.duplicates({key: the_site.base_url + path for key, path in locs.items()}, the_site) == found


@given(
    st.lists(st.tuples(_FOLDERS, _NAMES).map("".join), min_size=2, max_size=20, unique=True),
    st.sampled_from([None, False, True]),
    st.sampled_from([None, "auto", "always", "never"]),
    st.sampled_from([["index.html"], ["index.html", "index.htm"], ["index.htm", "a.html"], []]),
    st.sampled_from([["html"], ["html", "markdown"], ["html", "markdown", ".b"]]),
    st.randoms(use_true_random=False),
)
def test_files_that_may_have_one_url_are_of_one_family(
    keys: list[str],
    drop_html: bool | None,
    trailing_slash: str | None,
    index_files: list[str],
    pages: list[str],
    random: Random,
) -> None:
    given_settings: dict[str, Any] = {"drop_html": drop_html, "trailing_slash": trailing_slash}
    settings = {name: value for name, value in given_settings.items() if value is not None}
    the_site = site(index_files=index_files, pages=pages, **settings)
    types = tuple(the_site.pages)
    keys = [key for key in keys if key.lower().endswith(types)]
    canonicals = {key: random.choice(sorted(page_url.served_urls(key, the_site))) for key in keys}
    locs = {key: page_url.page_url(key, the_site, HtmlHead(canonicals=(canonicals[key],))) for key in keys}
    duplicates = page_url.duplicates({key: str(loc) for key, loc in locs.items()}, the_site)
    listed = [locs[key] for key in keys if key not in duplicates]
    assert len(set(listed)) == len(listed)
    for key in keys:
        family = page_url.family(key, the_site)
        assert key in family
        assert {other for other in keys if locs[other] == locs[key]} <= set(family)
        assert duplicates.get(key, key) in family


@pytest.mark.parametrize(
    ("path", "keys", "key"),
    [
        ("a", ["a.html", "a/index.html"], "a.html"),
        ("a/", ["a.html", "a/index.html"], "a/index.html"),
        ("a/index.html", ["a.html", "a/index.html"], "a/index.html"),
        ("a.html", ["a/index.html"], None),
        ("a", ["a/index.html"], "a/index.html"),
        ("", ["index.html"], "index.html"),
        ("b", ["a.html"], None),
    ],
)
def test_a_path_is_answered_by_one_file(path: str, keys: list[str], key: str | None) -> None:
    assert page_url.answering_key(path, keys.__contains__, site()) == key


@pytest.mark.parametrize(
    ("host", "key", "href", "path"),
    [
        ("", "tags/c++/index.html", "/tags/c%2B%2B/", "tags/c%2B%2B/"),
        ("", "tags/c++/index.html", "/tags/c%2b%2b/", "tags/c%2B%2B/"),
        ("", "tags/r&d/index.html", "/tags/r%26d/", "tags/r%26d/"),
        ("", "it's.html", "/it%27s.html", "it%27s.html"),
        ("", "t~x.html", "/t%7Ex.html", "t~x.html"),
        ("", "a+b\u2028.html", "", "a+b%E2%80%A8.html"),
        # what the host would misread
        ("cloudfront", "a+b.html", "", "a%2Bb.html"),
        ("cloudfront", "c++/index.html", "/c++/", "c%2B%2B/"),
        ("cloudfront", "r&d.html", "", "r&d.html"),
        ("cloudflare-workers", "@me/index.html", "/@me/", "%40me/"),
        ("s3-website", "a+b.html", "", "a+b.html"),
    ],
)
def test_a_canonical_link_decides_which_reserved_characters_are_escaped_unless_the_host_does(
    host: str, key: str, href: str, path: str
) -> None:
    the_site = replace(site(), host_rules=bucket_rules(host)) if host else site()
    head = HtmlHead(canonicals=(href,) if href else ())
    assert page_url.page_url(key, the_site, head) == f"https://example.org/{path}"


def test_a_url_without_a_file_is_left_to_the_file_that_answers_there() -> None:
    the_site = site()
    for loc, named in (("other/", "other/"), ("p.html", "p"), ("p.html", "p.html")):
        locs = {"p.html": the_site.base_url + loc, "entry": the_site.base_url + named}
        assert page_url.duplicates(locs, the_site, {"entry"}) == {"entry": "p.html"}


@pytest.mark.parametrize("canonicals", [(), ("",), ("mailto:a@example.org",), ("/b.html", "/c.html")])
def test_no_link_and_several_links_name_nothing(canonicals: tuple[str, ...]) -> None:
    assert canonical_link(served_paths("a.html", site()), HtmlHead(canonicals=canonicals), site()) is None


@pytest.mark.parametrize(
    ("key", "href", "named"),
    [
        ("d/a.html", "a", NamedUrl(f"{BASE}d/a", "this-page", "d/a", "d/a")),
        ("d/index.html", "../d", NamedUrl(f"{BASE}d", "this-page", "d", "d")),
        ("index.html", "https://example.org", NamedUrl(BASE, "this-page", "", "")),
        ("a.html", "/b.html", NamedUrl(f"{BASE}b.html", "other-page")),
        ("a.html", "https://other.example/a.html", NamedUrl("https://other.example/a.html", "other-site")),
        (
            "a.html",
            "http://example.org/a",
            NamedUrl("http://example.org/a", "this-page", "a", "a", ("canonical-origin",)),
        ),
        ("a.html", "/a?x=1", NamedUrl(f"{BASE}a?x=1", "this-page", "a", "a", ("canonical-query",))),
        ("c++.html", "/c%2b+.html", NamedUrl(f"{BASE}c%2B+.html", "this-page", "c++.html", "c%2B+.html")),
        ("ä.html", "/Ä.html", NamedUrl(f"{BASE}%C3%84.html", "this-page", None, "", ("canonical-case",))),
        (NFD, f"/{NFC}", NamedUrl(f"{BASE}caf%C3%A9.html", "this-page", None, "", ("canonical-unicode",))),
        (f"{NFD[:-5]}/index.html", "/caf%c3%a9", NamedUrl(f"{BASE}caf%C3%A9", "this-page", None, "", UNICODE)),
        (NFD, "/cafe.html", NamedUrl(f"{BASE}cafe.html", "other-page")),
    ],
)
def test_a_canonical_link_names_the_page_another_page_or_another_site(key: str, href: str, named: NamedUrl) -> None:
    assert canonical_link(served_paths(key, site()), HtmlHead(canonicals=(href,)), site()) == named


def test_a_canonical_link_beside_the_site_s_folder_names_another_site() -> None:
    the_site = site("https://example.org/docs/")
    named = canonical_link(
        served_paths("a.html", the_site), HtmlHead(canonicals=("https://example.org/a.html",)), the_site
    )
    assert named == NamedUrl("https://example.org/a.html", "other-site")
    home = canonical_link(
        served_paths("index.html", the_site), HtmlHead(canonicals=("https://example.org/docs",)), the_site
    )
    assert home == NamedUrl("https://example.org/docs", "this-page", "", "")


def test_the_base_element_counts() -> None:
    found = canonical_link(served_paths("d/a.html", site()), HtmlHead(canonicals=("d/a",), base="/"), site())
    assert found == NamedUrl(f"{BASE}d/a", "this-page", "d/a", "d/a")


def test_an_encoded_slash_separates_no_folders() -> None:
    found = canonical_link(served_paths("d/a.html", site()), HtmlHead(canonicals=("/d%2Fa.html",)), site())
    assert found == NamedUrl(f"{BASE}d%2Fa.html", "other-page")


URLS = SiteUrls({"index.html": BASE, "a.html": f"{BASE}a", "d/index.html": f"{BASE}d/"}, site())


@pytest.mark.parametrize(
    ("url", "loc"),
    [
        (BASE, BASE),
        (f"{BASE}index.html", BASE),
        (f"{BASE}a.html", f"{BASE}a"),
        (f"{BASE}d", f"{BASE}d/"),
        ("http://www.example.org/a/", f"{BASE}a"),
        (f"{BASE}a.html?x=1", f"{BASE}a.html?x=1"),
        ("https://other.example/a", "https://other.example/a"),
    ],
)
def test_a_url_leads_to_the_loc_of_the_file_that_it_names(url: str, loc: str) -> None:
    assert URLS.loc(url) == loc


def test_a_site_with_and_without_www_is_one_site() -> None:
    assert URLS.is_on_site("http://www.example.org/x")
    assert not URLS.is_on_site("https://docs.example.org/x")
