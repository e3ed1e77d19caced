"""What a URL without a file must be to be listed."""

import pytest
from unit.sample_sites import site

from waypost.core.model import UrlEntry
from waypost.pages.page_url import entry_key
from waypost.pages.url_entries import CheckedEntries

NOW = "2026-03-01T12:00:00Z"


def checked(*entries: UrlEntry, **settings: object) -> CheckedEntries:
    found = CheckedEntries(site(base_url="https://example.org/shop/", **settings), NOW)
    found.add(entries)
    return found


@pytest.mark.parametrize(
    ("written", "loc"),
    [
        ("HTTPS://EXAMPLE.org:443/shop/a b", "https://example.org/shop/a%20b"),
        ("/shop/a?b=1&c=%2f", "https://example.org/shop/a?b=1&c=%2F"),
        ("", "https://example.org/shop/"),
        ("ä", "https://example.org/shop/%C3%A4"),
    ],
)
def test_a_url_is_resolved_against_base_url_and_normalised(written: str, loc: str) -> None:
    assert [each.loc for each in checked(UrlEntry(written)).entries] == [loc]


@pytest.mark.parametrize(
    ("entry", "issue"),
    [
        (UrlEntry("/a"), "settings: urls[0].loc: https://example.org/a is not below base_url"),
        (UrlEntry("http://example.org/shop/a"), "settings: urls[0].loc: http://example.org/shop/a is not below"),
        (UrlEntry("/shop/../a", where="list", line=7), "list:7: loc: https://example.org/a is not below base_url"),
        (UrlEntry("a#b"), "settings: urls[0].loc: 'a#b' is not an http or https URL without a fragment"),
        (UrlEntry("a" * 2_048), "settings: urls[0].loc: https://example.org/shop/aaaaaa"),
        (UrlEntry("a", lastmod="1970-01-01"), "settings: urls[0].lastmod: 1970-01-01 is in the future, or before"),
        (UrlEntry("a", group="x"), "settings: urls[0].group: 'x' is not in the setting `groups`"),
        (UrlEntry("a", images=("data:x",)), "settings: urls[0].images: one of them is not an http or https URL"),
    ],
)
def test_what_cannot_be_listed_is_a_mistake(entry: UrlEntry, issue: str) -> None:
    (found,) = checked(entry).issues
    assert str(found).startswith(issue)


def test_a_url_that_is_there_twice_is_a_mistake_that_names_both_places() -> None:
    found = checked(UrlEntry("a", line=0), UrlEntry("/shop/a", where="list", line=3))
    assert [str(issue) for issue in found.issues] == [
        "list:3: loc: https://example.org/shop/a is there twice, first in urls[0]"
    ]


def test_all_mistakes_are_found_up_to_a_hundred() -> None:
    assert len(checked(*[UrlEntry("/a", line=n) for n in range(200)]).issues) == 100


def test_the_default_group_may_be_named_too() -> None:
    found = checked(UrlEntry("a", group="pages"), UrlEntry("b", group="blog"), groups={"blog": ["/blog/"]})
    assert [each.group for each in found.entries] == ["", "blog"]


def test_a_key_is_the_path_and_the_query_below_base_url_decoded() -> None:
    the_site = site(base_url="https://example.org/shop/")
    assert entry_key("https://example.org/shop/a%20b?c=%C3%A4", the_site) == "a b?c=ä"
    assert entry_key("https://example.org/shop/", the_site) == "/"
