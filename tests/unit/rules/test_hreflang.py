from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core import languages
from waypost.rules.hreflang import Alternates, DeclaredAlternates, HreflangIssue, mutual_sets

BASE = "https://example.org/"
Said = dict[str, DeclaredAlternates]


def url(name: str) -> str:
    return name if "://" in name else BASE + name


def says(language: str = "", **named: str) -> DeclaredAlternates:
    """A page's word: `de="b"` names a version of the site, `_` in a code is `-`."""
    return DeclaredAlternates([(code.replace("_", "-"), url(name)) for code, name in named.items()], language)


def is_of_site(loc: str) -> bool:
    return loc.startswith(BASE)


def found(*, needs_return: bool = False, **facts: DeclaredAlternates) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Names of pages and what is published of them, and the doubts as text."""
    made, issues = mutual_sets({url(name): each for name, each in facts.items()}, is_of_site, needs_return=needs_return)
    shown = {
        loc.removeprefix(BASE): {code: href.removeprefix(BASE) for code, href in each} for loc, each in made.items()
    }
    return shown, [f"{d.loc.removeprefix(BASE)} {d.code} {d.detail.replace(BASE, '')}" for d in issues]


Codes = dict[str, str]


def of_all(names: str, codes: Codes) -> dict[str, Codes]:
    """The same versions for each of some pages, whose names are letters."""
    return dict.fromkeys(names, codes)


EN_DE = {"en": "a", "de": "b"}


def test_pages_that_name_one_another_have_one_set_each_is_in() -> None:
    both = says(en="a", de="b")
    assert found(a=both, b=both) == ({"a": EN_DE, "b": EN_DE}, [])


def test_a_page_that_does_not_name_itself_is_named_by_the_others() -> None:
    assert found(a=says(de="b"), b=says(en="a")) == ({"a": EN_DE, "b": EN_DE}, [])


def test_a_page_that_names_no_version_has_those_of_the_page_that_names_it() -> None:
    assert found(a=says(en="a", de="b"), b=says()) == ({"a": EN_DE, "b": EN_DE}, [])


def test_a_page_that_nobody_gives_a_code_has_the_language_that_it_is_in() -> None:
    assert found(a=says("EN", de="b"), b=says("de")) == ({"a": EN_DE, "b": EN_DE}, [])


@pytest.mark.parametrize("language", ["", "english", "xx", "en_US"])
def test_a_page_of_no_known_language_that_nobody_gives_a_code_is_in_no_set(language: str) -> None:
    made, _ = found(a=says(language, de="b", fr="c"), b=says(), c=says())
    assert made == {"b": {"de": "b", "fr": "c"}, "c": {"de": "b", "fr": "c"}}


def test_what_a_page_names_leads_to_what_that_page_names() -> None:
    made, issues = found(a=says(en="a", de="b"), b=says(de="b", fr="c"), c=says(fr="c", es="d"), d=says(), e=says())
    assert made == of_all("abcd", EN_DE | {"fr": "c", "es": "d"})
    assert issues == []


def test_two_families_stay_two() -> None:
    made, _ = found(a=says(en="a", de="b"), b=says(), c=says(en="c", de="d"), d=says())
    assert made == {"a": EN_DE, "b": EN_DE, "c": {"en": "c", "de": "d"}, "d": {"en": "c", "de": "d"}}


def test_versions_on_other_sites_are_kept_as_they_are_named() -> None:
    de = "https://example.de/"
    assert found(a=says(en="a", de=de)) == ({"a": {"en": "a", "de": de}}, [])
    assert found(a=says("en", de=de)) == ({"a": {"en": "a", "de": de}}, [])
    assert found(a=says(en="a", fr="b", de=de), b=says()) == (
        of_all("ab", {"en": "a", "fr": "b", "de": de}),
        [],
    )


def test_two_pages_with_one_version_elsewhere_are_not_of_one_set_for_that() -> None:
    de = "https://example.de/"
    assert found(a=says(en="a", de=de), b=says(en="b", de=de)) == (
        {"a": {"en": "a", "de": de}, "b": {"en": "b", "de": de}},
        [],
    )


@pytest.mark.parametrize("named", [{"en": "a"}, {"en": "a", "x_default": "a"}, {}, {"en": "a", "en_GB": "a"}])
def test_a_page_that_is_its_only_version_has_no_set(named: dict[str, str]) -> None:
    assert found(a=says("en", **named)) == ({}, [])


def test_a_version_that_is_no_listed_page_is_left_out_and_told() -> None:
    assert found(a=says(en="a", de="b", fr="gone"), b=says()) == (
        of_all("ab", EN_DE),
        ["a alternate-unlisted fr: gone"],
    )


def test_a_version_whose_url_is_too_long_is_left_out_and_told() -> None:
    long = "https://example.de/" + "x" * 2_029
    made, issues = mutual_sets({url("a"): says(en="a", de=long), url("b"): says(en="a", fr="b")}, is_of_site)
    assert {code for code, _ in made[url("a")]} == {"en", "fr"}
    assert issues == [HreflangIssue(url("a"), "alternate-unlisted", f"de: {long}")]


@pytest.mark.parametrize("code", ["english", "en_US", "xx", "en-UK", "default", "", "x-other"])
def test_a_code_of_no_language_is_left_out_and_told(code: str) -> None:
    facts = {
        url("a"): DeclaredAlternates([("en", url("a")), ("de", url("b")), (code, url("c"))]),
        url("b"): says(),
        url("c"): says(),
    }
    made, issues = mutual_sets(facts, is_of_site)
    assert made[url("a")] == (("de", url("b")), ("en", url("a")))
    assert url("c") not in made
    assert [(doubt.loc, doubt.code) for doubt in issues] == [(url("a"), "hreflang-code")]
    assert code in issues[0].detail


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("EN", "en"),
        ("PT-br", "pt-BR"),
        ("ZH-HANT", "zh-Hant"),
        ("zh-hans-tw", "zh-Hans-TW"),
        ("X-Default", "x-default"),
    ],
)
def test_codes_in_any_case_are_one(written: str, code: str) -> None:
    facts = {
        url("a"): DeclaredAlternates([(written, url("a")), ("de", url("b"))]),
        url("b"): DeclaredAlternates([(code, url("a")), ("DE", url("b"))]),
    }
    made, issues = mutual_sets(facts, is_of_site)
    assert (sorted(dict(made[url("a")])), issues) == (sorted(["de", code]), [])


def test_a_default_stands_beside_the_languages() -> None:
    everything = says(en="a", de="b", x_default="a")
    assert found(a=everything, b=says()) == (of_all("ab", EN_DE | {"x-default": "a"}), [])
    assert found(a=says(x_default="a", de="b"), b=says()) == (of_all("ab", {"x-default": "a", "de": "b"}), [])


# Contradictions


def test_the_page_that_gives_a_code_to_itself_has_it_whatever_others_say() -> None:
    made, issues = found(a=says(en="a", de="b"), b=says(en="c", de="b"), c=says(fr="c"), d=says(en="c"))
    assert made == of_all("abc", EN_DE | {"fr": "c"})
    assert issues == [f"{name} alternates-contradict en: c, others name a" for name in "bd"]


def test_of_two_that_both_give_themselves_a_code_most_decide_and_then_the_order() -> None:
    assert found(a=says(en="a", de="c"), b=says(en="b", de="c"), c=says(en="b"))[0] == of_all(
        "bc", {"en": "b", "de": "c"}
    )
    assert found(a=says(en="a", de="c"), b=says(en="b", de="c"), c=says())[0] == of_all("ac", {"en": "a", "de": "c"})


def test_every_page_whose_word_was_not_taken_is_told_of_and_no_other() -> None:
    _, issues = found(a=says(en="a", de="b", fr="c"), b=says(fr="d"), c=says(), d=says(fr="c"))
    assert issues == ["b alternates-contradict fr: d, others name c"]


def test_one_page_that_gives_a_code_twice_contradicts_itself() -> None:
    facts = {
        url("a"): DeclaredAlternates([("en", url("a")), ("de", url("b")), ("de", url("c"))]),
        url("b"): says(),
        url("c"): says(),
    }
    made, issues = mutual_sets(facts, is_of_site)
    assert made == dict.fromkeys((url("a"), url("b")), (("de", url("b")), ("en", url("a"))))
    assert issues == [HreflangIssue(url("a"), "alternates-contradict", f"de: {url('c')}, others name {url('b')}")]


def test_what_a_page_says_twice_is_said_once() -> None:
    facts = {
        url("a"): DeclaredAlternates([("en", url("a")), ("de", url("b"))] * 2),
        url("b"): says(en="c", de="b"),
        url("c"): says(),
    }
    made, issues = mutual_sets(facts, is_of_site)
    assert made[url("a")] == (("de", url("b")), ("en", url("a")))
    assert len(issues) == 1


@pytest.mark.parametrize("needs_return", [False, True])
def test_what_is_doubtful_twice_is_told_once(needs_return: bool) -> None:
    facts = {
        url("a"): DeclaredAlternates([("de", url("b")), ("xx", url("b")), ("fr", url("gone"))] * 2),
        url("b"): says(),
    }
    _, issues = mutual_sets(facts, is_of_site, needs_return=needs_return)
    codes = ["alternate-unlisted", *(["alternate-unreturned"] if needs_return else []), "hreflang-code"]
    assert [doubt.code for doubt in issues] == codes


# Where a name needs to be returned


def test_a_name_that_is_not_returned_is_left_out_and_told() -> None:
    assert found(needs_return=True, a=says(en="a", de="b", fr="c"), b=says(en="a", de="b"), c=says()) == (
        of_all("ab", EN_DE),
        ["a alternate-unreturned fr: c"],
    )


def test_pages_that_return_no_name_have_no_set() -> None:
    made, issues = found(needs_return=True, a=says(en="a", de="b"), b=says(de="b"))
    assert (made, issues) == ({}, ["a alternate-unreturned de: b"])


def test_a_name_is_returned_under_any_code() -> None:
    made, _ = found(needs_return=True, a=says(en="a", de="b"), b=says(x_default="a"))
    assert made == of_all("ab", EN_DE | {"x-default": "a"})


def test_versions_elsewhere_need_no_return() -> None:
    de = "https://example.de/"
    assert found(needs_return=True, a=says(en="a", de=de)) == ({"a": {"en": "a", "de": de}}, [])


def test_a_chain_of_returned_names_is_one_set() -> None:
    made, issues = found(
        needs_return=True, a=says(en="a", de="b"), b=says(en="a", de="b", fr="c"), c=says(de="b", fr="c")
    )
    assert (made, issues) == (of_all("abc", EN_DE | {"fr": "c"}), [])


# Laws

NAMES = st.sampled_from([*"abcdefg", "unlisted", "https://example.de/", "https://example.fr/x"])
CODES = st.sampled_from(["en", "EN", "de", "fr", "pt-br", "pt-BR", "zh-hant", "x-default", "en-UK", "english", ""])
WORDS = st.builds(
    DeclaredAlternates,
    st.lists(st.tuples(CODES, NAMES.map(url)), max_size=5),
    st.sampled_from(["", "en", "de", "es", "EN-gb", "english"]),
)
SAID = st.dictionaries(st.sampled_from("abcdefg").map(url), WORDS, max_size=7)


def members_of(made: dict[str, Alternates]) -> list[tuple[Alternates, set[str]]]:
    return [(each, {loc for loc, other in made.items() if other == each}) for each in set(made.values())]


@given(SAID, st.booleans())
def test_a_set_is_the_same_for_all_its_members_holds_each_and_no_code_twice(facts: Said, needs_return: bool) -> None:
    made, issues = mutual_sets(facts, is_of_site, needs_return=needs_return)
    for alternates, members in members_of(made):
        urls = [target for _, target in alternates]
        codes = [code for code, _ in alternates]
        assert {target for target in urls if is_of_site(target)} == members
        assert members <= facts.keys()
        assert codes == sorted(set(codes))
        assert all(languages.problem(code) == "" and languages.normalize(code) == code for code in codes)
        assert len(set(urls)) > 1
    assert issues == sorted(issues)
    assert {doubt.loc for doubt in issues} <= facts.keys()


@given(SAID, st.booleans(), st.randoms(use_true_random=False))
def test_the_order_of_pages_decides_nothing(facts: Said, needs_return: bool, chance: Random) -> None:
    keys = list(facts)
    chance.shuffle(keys)
    assert mutual_sets({key: facts[key] for key in keys}, is_of_site, needs_return=needs_return) == mutual_sets(
        facts, is_of_site, needs_return=needs_return
    )


@given(SAID, st.booleans())
def test_saying_what_was_settled_settles_it_again_without_a_doubt(facts: Said, needs_return: bool) -> None:
    made, _ = mutual_sets(facts, is_of_site, needs_return=needs_return)
    again = {loc: DeclaredAlternates(alternates) for loc, alternates in made.items()}
    assert mutual_sets(again, is_of_site, needs_return=needs_return) == (made, [])


def mutual(facts: Said) -> Said:
    """What pages say without what is not returned."""
    names = {
        loc: {target for code, target in each.alternates if languages.problem(code) == ""}
        for loc, each in facts.items()
    }
    return {
        loc: DeclaredAlternates(
            [
                (code, target)
                for code, target in each.alternates
                if target == loc or not is_of_site(target) or (target in names and loc in names[target])
            ],
            each.language,
        )
        for loc, each in facts.items()
    }


@given(SAID)
def test_where_names_need_a_return_only_those_that_have_one_count(facts: Said) -> None:
    made, _ = mutual_sets(facts, is_of_site, needs_return=True)
    assert made == mutual_sets(mutual(facts), is_of_site, needs_return=True)[0]
    assert made == mutual_sets(mutual(facts), is_of_site)[0]


@given(SAID, SAID)
def test_pages_of_other_names_change_nothing(facts: Said, others: Said) -> None:
    moved = {
        f"{BASE}other/{loc.removeprefix(BASE)}": DeclaredAlternates(
            [(code, target.replace(BASE, f"{BASE}other/")) for code, target in each.alternates], each.language
        )
        for loc, each in others.items()
    }
    made, _ = mutual_sets(facts | moved, is_of_site)
    assert {loc: each for loc, each in made.items() if loc in facts} == mutual_sets(facts, is_of_site)[0]
