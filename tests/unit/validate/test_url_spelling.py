import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.validate.url_checks import normal_spelling, normal_spellings

BASE = "https://www.example.org/"


@pytest.mark.parametrize(
    ("loc", "normal"),
    [
        (BASE, BASE),
        (BASE[:-1], BASE),
        ("HTTPS://WWW.Example.org:443/%7ea", f"{BASE}~a"),
        ("http://www.example.org:80/a?B=%c3%bc", "http://www.example.org/a?B=%C3%BC"),
        ("https://b\u00fccher.example", "https://xn--bcher-kva.example/"),
        (f"{BASE}a/../b/.", f"{BASE}b/"),
        (f"{BASE}#top", f"{BASE}#top"),
        ("/a", "/a"),
        ("s3://bucket/A", "s3://bucket/A"),
        ("https://[/", "https://[/"),
    ],
)
def test_urls_that_are_the_same_have_one_spelling(loc: str, normal: str) -> None:
    assert normal_spelling(loc) == normal
    assert normal_spelling(normal) == normal


PIECES = st.sampled_from(["a", "B", "/", "%7E", "%20", "%c3%bc", "~", ".", "?", "&", "#", "[", "\u00fc", " "])
URLS = st.lists(PIECES, max_size=6).map(lambda pieces: BASE + "".join(pieces))


@given(st.lists(URLS, max_size=5))
def test_many_urls_have_the_spellings_that_each_has_by_itself(locs: list[str]) -> None:
    assert list(normal_spellings(locs)) == [normal_spelling(loc) for loc in locs]
