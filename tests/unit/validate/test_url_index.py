"""What many files list: URLs that are listed again, and alternates that do not link back."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unit.validate.given import BASE, Given, index, link, loc, news, seen, shown, survey, url, urlset

Place = tuple[str, int]
PATHS = st.lists(st.lists(st.sampled_from(["a", "b", "c", "A", "%7E", "~"]), max_size=6), max_size=4)


def file(stem: str, body: bytes) -> Given:
    return Given((body,), f"{stem}.xml", f"{BASE}{stem}.xml")


def listing(stem: str, *paths: str) -> Given:
    """A sitemap with one entry a line, the first in line 2."""
    return file(stem, urlset("".join(f"{url(path=path)}\n" for path in paths)))


def repeated(files: Sequence[Sequence[str]]) -> list[tuple[Place, str]]:
    """Each place of a loc but the first, with its message."""
    first: dict[str, tuple[int, int, str]] = {}
    places = []
    for number, paths in enumerate(files):
        for line, path in enumerate(paths, 2):
            place = (number, line, path)
            other, first_line, spelling = first.setdefault(path.replace("%7E", "~"), place)
            if (other, first_line) == (number, line):
                continue
            where = f"line {first_line}" if other == number else f"{other}.xml, line {first_line}"
            if spelling == path:
                places.append(((f"{number}.xml", line), f"the URL is already listed in {where}"))
            else:
                message = f"the URL is the same as {BASE}{spelling} in {other}.xml, line {first_line}"
                places.append(((f"{number}.xml", line), message))
    return places


@given(PATHS)
@example([["a", "b", "a"], ["b", "a"]])
@example([["~"], ["%7E", "~"]])
def test_each_url_that_is_listed_again_is_reported_with_its_first_place(files: list[list[str]]) -> None:
    report = survey([listing(str(number), *paths) for number, paths in enumerate(files)])
    duplicates = [each for each in report if each.code.startswith("duplicate")]
    assert [((each.file, each.line), each.message) for each in duplicates] == sorted(repeated(files))


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (BASE, "https://WWW.Example.org/"),
        (BASE, "https://www.example.org:443/"),
        (BASE, "https://www.example.org"),
        (BASE, "HTTPS://www.example.org/"),
        (BASE, f"{BASE}."),
        (f"{BASE}%7ea", f"{BASE}~a"),
        (f"{BASE}a?B=%c3%bc", f"{BASE}a?B=%C3%BC"),
        (f"{BASE}b/", f"{BASE}a/../b/."),
        ("https://b\u00fccher.example", "https://xn--bcher-kva.example/"),
        (f"{BASE}#top", f"{BASE[:-1]}#top"),
    ],
    ids=shown,
)
def test_another_spelling_of_a_url_is_the_same_url(first: str, again: str) -> None:
    report = survey([listing("a", first, f"{BASE}A"), listing("b", again, f"{BASE}a")])
    (finding,) = (each for each in report if each.code.startswith("duplicate"))
    assert seen([finding]) == [("duplicate-spelling", 2, again, f"the URL is the same as {first} in a.xml, line 2")]


@pytest.mark.parametrize(
    ("one", "other"), [("/a", "/A"), ("s3://bucket/A", "s3://bucket/a"), ("https://[/", "https://[")]
)
def test_what_is_no_url_of_a_server_has_no_other_spelling(one: str, other: str) -> None:
    assert not {"duplicate", "duplicate-spelling"} & survey([listing("a", one, other)]).counts.keys()


def test_a_list_as_text_and_one_of_news_repeat_nothing() -> None:
    text = [Given((f"{BASE}a\n{BASE}b\n".encode(),), f"{stem}.txt", f"{BASE}{stem}.txt") for stem in "xy"]
    articles = file("news", urlset(url(news(), "a")))
    assert survey([listing("a", "a", "b"), text[0], articles]).counts == {}
    assert [(each.code, each.file, each.line) for each in survey([listing("a", "b"), *text])] == [
        ("duplicate-elsewhere", "y.txt", line) for line in (1, 2)
    ]


def test_entries_without_a_loc_repeat_nothing() -> None:
    assert set(survey([file("a", urlset("<url></url><url><loc/></url><url></url>"))]).counts) == {"missing-loc"}


def linked(path: str, **alternates: str) -> str:
    """An entry with alternates that are listed on a line each."""
    return url("".join(f"\n{link(language, href)}" for language, href in {"en": path, **alternates}.items()), path)


@pytest.mark.parametrize(
    ("entries", "unreturned"),
    [
        ([linked("a", de="b"), linked("b", fr="a")], []),
        ([linked("a", de="b"), linked("b")], [("a", "de", "b")]),
        ([linked("a", de="elsewhere")], []),
        ([linked("a", **{"x-default": "b"}), linked("b")], []),
        ([linked("a", de="b"), linked("b", **{"X-Default": "a"})], []),
        (
            [linked("a", de="b", fr="c"), linked("b", fr="a"), linked("c", de="b")],
            [("a", "fr", "c"), ("c", "de", "b")],
        ),
        ([linked("", de=".").replace(f"{BASE}.", "https://WWW.example.org:443")], []),
        ([linked("a", de="%7Eb"), linked("~b", fr="a")], []),
        ([linked("a", de="%7Eb"), linked("~b")], [("a", "de", "%7Eb")]),
        ([linked("a", de="b").replace('hreflang="de"', 'media="only screen" hreflang="de"'), url(path="b")], []),
        ([linked("a", de="b").replace('hreflang="de"', 'media="only screen"'), url(path="b")], []),
        ([linked("a", de="b").replace(f"{BASE}b", "android-app://b"), url(path="b")], []),
    ],
    ids=range(12),
)
def test_an_alternate_that_is_listed_must_link_back(entries: list[str], unreturned: list[tuple[str, str, str]]) -> None:
    together = survey([file("a", urlset("".join(entries)))])
    apart = survey([file(str(number), urlset(entry)) for number, entry in enumerate(entries)])
    for report in (together, apart):
        missing = [each for each in report if each.code == "hreflang-unreturned"]
        assert [(each.loc, each.message) for each in missing] == [
            (
                BASE + page,
                f"{BASE}{href} is the page's alternate for {language}, but does not link back, "
                "so search engines ignore both",
            )
            for page, language, href in unreturned
        ]


@pytest.mark.parametrize(
    ("files", "unlisted"),
    [
        ([file("a", urlset(linked("a", de="b")))], ["a"]),
        ([file("a", urlset(linked("a", de="b"))), listing("c", "c")], ["a"]),
        ([file("a", urlset(linked("a", de="b"))), listing("b", "b")], []),
        ([file("a", urlset(linked("a", **{"x-default": "b"})))], []),
        ([file("a", urlset(linked("a", de="b").replace(f"{BASE}b", "https://example.de/b")))], []),
        ([file("a", urlset(linked("a", de="b"))), file("i", index(loc("gone.xml")))], []),
        ([file("a", urlset(linked("a", de="b"))), file("c", urlset(url())[:-9])], []),
    ],
    ids=range(7),
)
def test_an_alternate_that_no_file_lists_is_told_if_all_files_were_read(
    files: list[Given], unlisted: list[str]
) -> None:
    assert [each.loc for each in survey(files) if each.code == "hreflang-unlisted"] == [
        BASE + page for page in unlisted
    ]


PAGES = st.sampled_from("abcd")


@given(st.dictionaries(PAGES, st.dictionaries(st.sampled_from(["ja", "de", "fr"]), PAGES, max_size=3), max_size=4))
def test_exactly_the_links_that_are_not_returned_are_found(links: Mapping[str, Mapping[str, str]]) -> None:
    report = survey([file("a", urlset("".join(linked(page, **alternates) for page, alternates in links.items())))])
    expected = [
        (BASE + page, f"{BASE}{href} is the page's alternate for {language}")
        for page, alternates in links.items()
        for language, href in alternates.items()
        if href != page and href in links and page not in links[href].values()
    ]
    missing = [each for each in report if each.code == "hreflang-unreturned"]
    assert sorted((each.loc, each.message.partition(",")[0]) for each in missing) == sorted(expected)


def test_a_missing_link_back_is_reported_at_the_link() -> None:
    (finding,) = survey([file("a", urlset(linked("a", de="b"))), listing("b", "b")])
    assert (finding.code, finding.file, finding.line) == ("hreflang-unreturned", "a.xml", 4)
    assert loc("a") == f"<loc>{finding.loc}</loc>"
