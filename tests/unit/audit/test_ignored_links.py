"""Links that the settings keep from being checked."""

import pytest

from waypost.audit.ignored_links import IgnoredLinks


@pytest.mark.parametrize(
    ("pattern", "texts", "is_ignored"),
    [
        ("http://localhost*", ["http://localhost:4000/a"], True),
        ("http://localhost", ["http://localhost:4000/a"], False),
        ("*/drafts/*.html", ["https://a.dev/x/drafts/y/z.html"], True),
        ("*/drafts/*.html", ["https://a.dev/x/drafts.html"], False),
        ("/old/*", ["/old/a", "https://a.dev/old/a"], True),
        ("a*a", ["a"], False),
        ("*", [""], True),
        ("[ab]*", ["a"], False),
    ],
)
def test_a_star_stands_for_any_characters_of_a_link_or_of_its_url(
    pattern: str, texts: list[str], *, is_ignored: bool
) -> None:
    found = IgnoredLinks([pattern])
    assert found.has(*texts) is is_ignored
    assert found.unused == (set() if is_ignored else {pattern})


def test_many_stars_take_no_longer_than_the_text_is() -> None:
    assert not IgnoredLinks(["*a" * 500 + "b"]).has("a" * 100_000)
