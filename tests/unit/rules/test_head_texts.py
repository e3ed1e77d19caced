import pytest

from waypost.rules.head_texts import HeadTexts, read_head_texts


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<title>A</title><meta name=description content=B><body>", (True, True)),
        ("<title> </title><meta name=Description content=' '>", (False, False)),
        ("<!doctype html><html><head><meta name=DESCRIPTION content='x'></head><body><p>", (False, True)),
        ("<head></head><body><svg><title>A</title></svg><meta name=description content=B>", (False, False)),
        ("<title>A", (True, False)),
        ("", (False, False)),
    ],
)
def test_a_title_and_a_description_count_if_they_are_in_the_head_and_not_empty(
    page: str, expected: tuple[bool, bool]
) -> None:
    assert read_head_texts(page.encode()) == HeadTexts(*expected)
