"""The rule by which a version of a page counts, on sites of a few pages."""

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.sample_sites import site

from waypost.core import languages
from waypost.pages.hreflang import Alternates, HreflangIssue, HreflangLinks, page_links
from waypost.pages.html_head import HtmlHead
from waypost.pages.page_url import SiteUrls

BASE = "https://example.org/"
Links = Sequence[tuple[str, str]]
EN_DE = {"en": "a", "de": "b"}
CODES = st.sampled_from(["en", "EN", "de", "fr", "pt-br", "pt-BR", "x-default", "en-UK", "english"])
HREFS = st.sampled_from([*(f"/{name}.html" for name in "abcdef"), "/a", "b", "/gone.html", "https://example.de/", ""])
LINKS = st.lists(st.tuples(CODES, HREFS), max_size=6)
PAGES = st.dictionaries(st.sampled_from("abcdef"), LINKS, max_size=6)
Pages = dict[str, Links]
SAME = {f"{BASE}a": f"{BASE}a.html", f"{BASE}b": f"{BASE}b.html"}
"""The pages that other forms of URLs name: an x-default is written in the form in which it is named."""


def results(pages: Mapping[str, Links], base_url: str = BASE) -> dict[str, tuple[Alternates, list[HreflangIssue]]]:
    """The alternates and the issues of each listed page; `a` is the page `a.html`."""
    locs = {f"{name}.html": f"{base_url}{name}.html" for name in pages}
    heads = {locs[f"{name}.html"]: HtmlHead(alternates=tuple(links)) for name, links in pages.items()}
    all_links = HreflangLinks(
        {loc: page_links(head, loc) for loc, head in heads.items()}, SiteUrls(locs, site(base_url))
    )
    return {name: all_links.alternates(locs[f"{name}.html"]) for name in pages}


def named(**names: str) -> Links:
    """Links to pages: `de="b"` is a link to `b.html`, and `_` in a code means `-`."""
    return [(code.replace("_", "-"), name if "/" in name else f"/{name}.html") for code, name in names.items()]


def alternates(**pages: Links) -> dict[str, dict[str, str]]:
    """The alternates of the pages that have any; URLs of listed pages are shortened to the pages' names."""
    return {
        name: {code: url.removeprefix(BASE).removesuffix(".html") for code, url in accepted}
        for name, (accepted, _) in results(pages).items()
        if accepted
    }


def issues(**pages: Links) -> list[str]:
    found = [issue for _, each in results(pages).values() for issue in each]
    return [
        f"{each.loc.removeprefix(BASE).removesuffix('.html')} {each.code} {each.detail.replace(BASE, '/')}"
        for each in found
    ]


BOTH = named(en="a", de="b")


def test_pages_that_name_each_other_are_alternates() -> None:
    assert alternates(a=BOTH, b=BOTH) == {"a": EN_DE, "b": EN_DE}
    assert issues(a=BOTH, b=BOTH) == []


def test_a_version_that_does_not_name_the_page_back_is_left_out_with_a_warning() -> None:
    pages = {"a": named(en="a", de="b", fr="c"), "b": BOTH, "c": named(fr="c")}
    assert alternates(**pages) == {"a": EN_DE, "b": EN_DE}
    assert issues(**pages) == ["a alternate-unreturned fr: /c.html"]


def test_a_page_that_names_no_version_lists_none_though_others_name_it() -> None:
    assert alternates(a=BOTH, b=[]) == {}
    assert issues(a=BOTH, b=[]) == ["a alternate-unreturned de: /b.html"]


def test_a_missing_link_to_the_page_itself_is_added_under_the_name_that_the_versions_give_it_and_warned_of() -> None:
    pages = {"a": named(de="b"), "b": BOTH}
    assert alternates(**pages) == {"a": EN_DE, "b": EN_DE}
    assert issues(**pages) == ["a alternates-without-self de"]


def test_no_link_is_added_that_would_contradict_the_page() -> None:
    pages = {"a": named(en="b"), "b": named(en="a", de="b")}
    assert alternates(**pages) == {"a": {"en": "b"}, "b": EN_DE}


@pytest.mark.parametrize(
    ("lang", "expected"), [("fr", {"fr": "a"}), ("FR-ca", {"fr-CA": "a"}), ("french", {}), ("", {})]
)
def test_a_page_that_only_names_other_sites_is_added_under_its_own_language(lang: str, expected: Links) -> None:
    head = HtmlHead(alternates=(("de", "https://example.de/"),), lang=lang)
    links = HreflangLinks({f"{BASE}a": page_links(head, f"{BASE}a")}, SiteUrls({"a.html": f"{BASE}a"}, site(BASE)))
    assert dict(links.alternates(f"{BASE}a")[0]) == dict.fromkeys(expected, f"{BASE}a") | {"de": "https://example.de/"}


def test_no_page_lists_other_versions_than_it_names() -> None:
    pages = {"a": BOTH, "b": named(en="a", de="b", fr="c"), "c": named(de="b", fr="c")}
    assert alternates(**pages) == {"a": EN_DE, "b": EN_DE | {"fr": "c"}, "c": {"de": "b", "fr": "c"}}
    assert issues(**pages) == []


@pytest.mark.parametrize("links", [named(en="a"), named(en="a", x_default="a"), []])
def test_a_page_that_names_only_itself_lists_no_alternates(links: Links) -> None:
    assert results({"a": links}) == {"a": ((), [])}


def test_a_link_may_be_returned_under_any_hreflang() -> None:
    pages = {"a": named(x_default="a", de="b"), "b": named(x_default="a", de="b")}
    assert alternates(**pages) == {name: {"x-default": "a", "de": "b"} for name in "ab"}


# x-default


def test_x_default_is_written_as_it_is_named_and_needs_no_link_back() -> None:
    for target in ("c", "https://example.org/gone", "https://example.org/c", "https://example.de/?q=1"):
        pages = {"a": named(en="a", x_default=target), "c": []}
        assert alternates(**pages) == {"a": {"en": "a", "x-default": target.removeprefix(BASE)}}
        assert issues(**pages) == []


def test_pages_with_one_x_default_are_no_alternates_of_one_another() -> None:
    pages = {
        "a": named(en="a", de="b", x_default="home"),
        "b": named(en="a", de="b", x_default="home"),
        "c": named(en="c", x_default="home"),
        "home": named(en="home", x_default="home"),
    }
    home = {"x-default": "home"}
    assert alternates(**pages) == {"a": EN_DE | home, "b": EN_DE | home, "c": {"en": "c"} | home}
    assert issues(**pages) == []


# URLs


def test_versions_on_other_sites_count_as_they_are_named() -> None:
    assert alternates(a=named(en="a", de="https://example.de/")) == {"a": {"en": "a", "de": "https://example.de/"}}


def test_a_url_of_the_host_outside_of_the_site_s_folder_is_on_another_site() -> None:
    found = results({"a": [("en", "a.html"), ("de", "/de/")]}, "https://example.org/docs/")
    assert found["a"] == ((("de", f"{BASE}de/"), ("en", f"{BASE}docs/a.html")), [])


@pytest.mark.parametrize("href", ["b.html", "/b/", "http://example.org/b.html"])
def test_a_version_is_listed_under_its_own_url_in_whatever_form_it_is_named(href: str) -> None:
    assert alternates(a=[("en", "/a.html"), ("de", href)], b=BOTH) == {"a": EN_DE, "b": EN_DE}
    assert alternates(a=BOTH, b=[("en", href.replace("b", "a", 1)), ("de", href)]) == {"a": EN_DE, "b": EN_DE}


@pytest.mark.parametrize("href", ["/gone.html", "/b.html?lang=de"])
def test_a_version_on_the_site_that_is_not_listed_is_left_out_with_a_warning(href: str) -> None:
    pages = {"a": [*BOTH, ("fr", href)], "b": BOTH}
    assert alternates(**pages) == {"a": EN_DE, "b": EN_DE}
    assert [each.split()[:3] for each in issues(**pages)] == [["a", "alternate-unlisted", "fr:"]]


@pytest.mark.parametrize("code", ["de", "x-default"])
def test_a_version_whose_url_is_too_long_is_left_out_with_a_warning(code: str) -> None:
    fits = "https://example.de/" + "x" * 2_028
    accepted, found = results({"a": [("en", "/a.html"), ("fr", fits), (code, fits + "x")]})["a"]
    assert accepted == (("en", f"{BASE}a.html"), ("fr", fits))
    assert found == [HreflangIssue(f"{BASE}a.html", "alternate-too-long", f"{code}: {fits}x", f"{fits}x")]


# Codes


@pytest.mark.parametrize("code", ["en_US", "xx", "en-UK"])
def test_a_link_whose_code_is_invalid_neither_counts_nor_is_a_link_back(code: str) -> None:
    for pages in ({"a": BOTH, "b": [(code, "/a.html")]}, {"a": [("en", "/a.html"), (code, "/b.html")], "b": BOTH}):
        assert alternates(**pages) == {}
        assert sum(f"hreflang-code {code}: " in each for each in issues(**pages)) == 1


@pytest.mark.parametrize(("written", "code"), [("EN", "en"), ("PT-br", "pt-BR"), ("zh-hans-tw", "zh-Hans-TW")])
def test_codes_are_written_in_their_usual_spelling(written: str, code: str) -> None:
    assert alternates(a=[(written, "/a.html"), ("de", "/b.html")], b=BOTH)["a"] == {code: "a", "de": "b"}
    assert issues(a=[(written, "/a.html"), (code, "/b.html")], b=BOTH)[0].split()[1] == "alternates-contradict"


def test_of_several_urls_for_one_hreflang_the_first_in_the_document_counts() -> None:
    pages = {"a": [*BOTH, ("DE", "/c.html")], "b": BOTH, "c": named(en="a", fr="c")}
    assert alternates(**pages) == {"a": EN_DE, "b": EN_DE}
    assert issues(**pages) == [
        "a alternates-contradict de: /c.html, after /b.html",
        "c alternate-unreturned en: /a.html",
    ]


def test_an_issue_that_occurs_twice_is_reported_once() -> None:
    links = [("de", "/b.html"), ("xx", "/b.html"), ("fr", "/gone.html")] * 2
    codes = [each.split()[1] for each in issues(a=links, b=[])]
    assert codes == ["alternate-unlisted", "alternate-unreturned", "hreflang-code"]


def test_the_first_300_links_of_a_page_count() -> None:
    codes = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}a" for n in range(400)]
    accepted, _ = results({"a": [(code, f"https://example.de/{code}") for code in codes]})["a"]
    assert [code for code, _ in accepted] == codes[:300]


# Laws


@given(PAGES)
def test_versions_on_the_site_always_name_each_other(pages: Pages) -> None:
    found = {f"{BASE}{name}.html": dict(accepted) for name, (accepted, _) in results(pages).items()}
    for loc, accepted in found.items():
        for code, url in accepted.items():
            assert languages.problem(code) == ""
            assert languages.normalize(code) == code
            if url in found and code != "x-default":
                assert loc == url or loc in {SAME.get(each, each) for each in found[url].values()}


@given(PAGES, st.randoms(use_true_random=False))
def test_the_order_of_pages_decides_nothing(pages: Pages, chance: Random) -> None:
    names = list(pages)
    chance.shuffle(names)
    assert results({name: pages[name] for name in names}) == results(pages)


@given(PAGES, PAGES)
def test_only_pages_that_a_page_names_decide_its_alternates(pages: Pages, others: Pages) -> None:
    moved = {f"other-{name}": links for name, links in others.items()}
    found = results(pages | moved)
    assert {name: found[name] for name in pages} == results(pages)


@given(PAGES)
def test_a_page_lists_at_most_what_it_names_and_itself(pages: Pages) -> None:
    for name, (accepted, _) in results(pages).items():
        of_others = {code for code, url in accepted if url != f"{BASE}{name}.html"}
        assert of_others <= {languages.normalize(code) for code, _ in pages[name]}
        assert len({url for _, url in accepted} - {f"{BASE}{name}.html"}) > 0 or not accepted
