from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from waypost.validate.sitemap_entry import NEWS_NAMESPACE, XHTML_NAMESPACE, Element, SitemapEntry
from waypost.validate.url_index import ListedAt, MissingReturnLink, UrlIndex

Listed = Sequence[Sequence[str]]
LOCS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "A", "a ", "ü", "a\x00b", "a\x00"]), max_size=6), max_size=4)


def sightings(files: Listed) -> UrlIndex:
    made = UrlIndex()
    for number, locs in enumerate(files):
        made.add(number, [SitemapEntry(line, loc) for line, loc in enumerate(locs, 1)])
    return made


def repeated(files: Listed) -> list[tuple[ListedAt, ListedAt]]:
    """Each sighting but the first of its loc, as a dict tells it."""
    first: dict[str, ListedAt] = {}
    found = []
    for number, locs in enumerate(files):
        for line, loc in enumerate(locs, 1):
            sighting = ListedAt(number, line, loc)
            if first.setdefault(loc, sighting) is not sighting:
                found.append((first[loc], sighting))
    return found


@given(LOCS)
@example([["a", "b", "a"], ["b", "a"]])
def test_each_repeated_loc_is_found_in_the_order_of_the_files(files: Listed) -> None:
    made = sightings(files)
    assert list(made.duplicates()) == repeated(files)
    assert list(made.places()) == [
        ListedAt(number, line, loc) for number, locs in enumerate(files) for line, loc in enumerate(locs, 1)
    ]
    made.close()


class Alike(str):
    """A text with the same hash as every other."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 7


@given(LOCS)
def test_locs_of_one_hash_are_told_apart(files: Listed) -> None:
    made = UrlIndex(hash_loc=lambda loc: 7)
    for number, locs in enumerate(files):
        made.add(number, [SitemapEntry(line, loc) for line, loc in enumerate(locs, 1)])
    assert list(made.duplicates()) == repeated(files)
    made.close()


def test_a_list_as_text_and_one_of_news_repeat_nothing() -> None:
    made = UrlIndex()
    made.add(0, [SitemapEntry(1, "a"), SitemapEntry(2, "b")])
    made.add(1, [SitemapEntry(1, "a"), SitemapEntry(2, "b")], is_text=True)
    made.add(2, [SitemapEntry(1, "a", extensions=[Element(NEWS_NAMESPACE, "news", 1, {})])])
    assert list(made.duplicates()) == []
    made.add(3, [SitemapEntry(9, "b")], is_text=True)
    assert list(made.duplicates()) == [(ListedAt(1, 2, "b"), ListedAt(3, 9, "b"))]
    made.close()


def test_what_does_not_fit_in_memory_waits_on_disk() -> None:
    made = UrlIndex(max_in_memory=10)
    for number in range(8):
        made.add(number, [SitemapEntry(line, f"https://example.org/{line * (number + 1)}") for line in range(1, 9)])
    files = [[f"https://example.org/{line * (number + 1)}" for line in range(1, 9)] for number in range(8)]
    assert list(made.duplicates()) == repeated(files)
    made.close()


def test_entries_without_a_loc_are_no_repetition() -> None:
    made = UrlIndex()
    made.add(0, [SitemapEntry(1), SitemapEntry(2), SitemapEntry(3, "")])
    assert list(made.duplicates()) == []
    assert list(made.places()) == []
    made.close()


def test_of_nothing_nothing_is_found() -> None:
    made = UrlIndex()
    made.add(0, [])
    assert [*made.duplicates(), *made.missing_return_links(), *made.places()] == []
    made.close()


def linked(line: int, loc: str, **alternates: str) -> SitemapEntry:
    links = [
        Element(XHTML_NAMESPACE, "link", line, {"hreflang": lang, "href": href}) for lang, href in alternates.items()
    ]
    return SitemapEntry(line, loc, extensions=links)


@pytest.mark.parametrize(
    ("entries", "unreturned"),
    [
        ([linked(1, "a", de="b"), linked(2, "b", en="a")], []),
        ([linked(1, "a", de="b"), linked(2, "b")], [MissingReturnLink(0, 1, "a", "de", "b")]),
        ([linked(1, "a", en="a")], []),
        ([linked(1, "a", de="elsewhere")], []),
        ([linked(1, "a", **{"x-default": "b"}), linked(2, "b")], []),
        ([linked(1, "a", de="b"), linked(2, "b", **{"X-Default": "a"})], []),
        (
            [linked(1, "a", de="b", fr="c"), linked(2, "b", en="a"), linked(3, "c", de="b")],
            [MissingReturnLink(0, 1, "a", "fr", "c"), MissingReturnLink(0, 3, "c", "de", "b")],
        ),
    ],
)
def test_an_alternate_that_is_listed_must_link_back(
    entries: list[SitemapEntry], unreturned: list[MissingReturnLink]
) -> None:
    made = UrlIndex()
    made.add(0, entries)
    assert list(made.missing_return_links()) == unreturned
    made.close()


def test_alternates_may_be_listed_in_another_file() -> None:
    made = UrlIndex()
    made.add(0, [linked(1, "a", de="b")])
    made.add(1, [linked(1, "b")])
    assert list(made.missing_return_links()) == [MissingReturnLink(0, 1, "a", "de", "b")]
    made.add(2, [linked(1, "c", en="a")])
    made.close()


def test_a_link_of_no_language_asks_for_none_back() -> None:
    made = UrlIndex()
    mobile = Element(XHTML_NAMESPACE, "link", 1, {"rel": "alternate", "media": "only screen", "href": "b"})
    made.add(0, [SitemapEntry(1, "a", extensions=[mobile]), SitemapEntry(2, "b")])
    assert list(made.missing_return_links()) == []
    made.close()


PAGES = st.sampled_from("abcd")


@given(st.dictionaries(PAGES, st.dictionaries(st.sampled_from(["en", "de", "fr"]), PAGES, max_size=3), max_size=4))
def test_exactly_the_links_that_are_not_returned_are_found(links: dict[str, dict[str, str]]) -> None:
    made = UrlIndex()
    made.add(0, [linked(line, loc, **alternates) for line, (loc, alternates) in enumerate(links.items())])
    expected = {
        (loc, lang, href)
        for loc, alternates in links.items()
        for lang, href in alternates.items()
        if href != loc and href in links and loc not in links[href].values()
    }
    assert {(each.loc, each.hreflang, each.href) for each in made.missing_return_links()} == expected
    made.close()


@pytest.mark.parametrize(
    "spelling",
    [
        "https://WWW.Example.org/",
        "https://www.example.org:443/",
        "https://www.example.org",
        "HTTPS://www.example.org/",
        "https://www.example.org/.",
    ],
)
def test_another_spelling_of_a_loc_is_the_same_loc(spelling: str) -> None:
    made = sightings([["https://www.example.org/", "https://www.example.org/a"], [spelling]])
    assert list(made.duplicates()) == [(ListedAt(0, 1, "https://www.example.org/"), ListedAt(1, 1, spelling))]
    made.close()


def test_percent_encoding_that_is_not_needed_makes_no_other_loc() -> None:
    encoded, plain, other = (f"https://www.example.org/{path}" for path in ("%7Ea", "~a", "A"))
    made = sightings([[encoded, plain, other]])
    assert list(made.duplicates()) == [(ListedAt(0, 1, encoded), ListedAt(0, 2, plain))]
    made.close()


def test_an_alternate_links_back_in_any_spelling() -> None:
    made, base = UrlIndex(), "https://www.example.org"
    made.add(0, [linked(1, f"{base}/", de=f"{base}:443/%7Ede"), linked(2, f"{base}/~de", en="https://WWW.example.org")])
    assert list(made.missing_return_links()) == []
    made.close()
    made = UrlIndex()
    made.add(0, [linked(1, f"{base}/a", de=f"{base}:443/~b"), linked(2, f"{base}/%7Eb")])
    assert list(made.missing_return_links()) == [MissingReturnLink(0, 1, f"{base}/a", "de", f"{base}:443/~b")]
    made.close()


def test_links_to_apps_and_for_other_media_need_no_way_back() -> None:
    made = UrlIndex()
    attributes = {"rel": "alternate", "hreflang": "de", "href": "b"}
    media = Element(XHTML_NAMESPACE, "link", 1, {**attributes, "media": "only screen"})
    app = Element(XHTML_NAMESPACE, "link", 1, {**attributes, "href": "android-app://b"})
    made.add(
        0, [SitemapEntry(1, "a", extensions=[media, app]), SitemapEntry(2, "b"), SitemapEntry(3, "android-app://b")]
    )
    assert list(made.missing_return_links()) == []
    made.close()
