import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.model import Page
from waypost.sitemaps.page_sections import PageSections, distinct_parts

BASE = "https://example.org/docs/"


def made(paths: list[str], titles: dict[str, str] | None = None) -> PageSections:
    pages = [Page(path, BASE + path, title=(titles or {}).get(path, "")) for path in sorted(paths)]
    return PageSections(pages, BASE, "example.org")


def shown(sections: PageSections) -> list[tuple[int, str, list[str]]]:
    (listed,) = [some for _, some in sections.lists()]
    return [(each.level, each.heading, [p.path for p in each.pages]) for each in sections.sections(listed)]


def test_a_section_with_many_pages_has_headings_for_its_folders() -> None:
    found = shown(made(["guide/start", *(f"guide/{folder}/{n}" for folder in ("one", "two") for n in range(20))]))
    assert [(level, heading, len(pages)) for level, heading, pages in found] == [
        (1, "Guide", 1),
        (2, "One", 20),
        (2, "Two", 20),
    ]


def test_a_section_is_called_by_the_title_of_its_own_page_or_else_by_its_folder() -> None:
    titles = {"a/": "All about A", "b": "All about B"}
    found = shown(made(["a/", "a/1", "b", "b/1", "caf%C3%A9-bar/x"], titles))
    assert [heading for _, heading, _ in found] == ["example.org", "All about A", "All about B", "Café bar"]


def test_a_list_that_begins_within_a_section_has_the_section_s_heading() -> None:
    sections = made([f"guide/{n:04}/x{m}" for n in range(300) for m in range(3)])
    for _, some in sections.lists():
        assert sections.sections(some)[0].level == 1


@given(st.sets(st.from_regex(r"([a-c]/){0,3}[a-z]{1,4}", fullmatch=True), min_size=1, max_size=60))
def test_every_page_is_in_one_section_and_every_level_follows_the_one_above(paths: set[str]) -> None:
    sections = made(list(paths))
    found = [
        (section.level, each.path)
        for _, some in sections.lists()
        for section in sections.sections(some)
        for each in section.pages
    ]
    assert sorted(path for _, path in found) == sorted(paths)
    assert {level for level, _ in found} <= {1, 2}


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (["A - My site", "B - My site", "C - My site", "My site"], ["A", "B", "C", "My site"]),
        (["A | Guide | Site", "B | Guide | Site", "C | Guide | Site"], ["A", "B", "C"]),
        (["Acme: A", "Acme: B", "Acme: C", "Other"], ["A", "B", "C", "Other"]),
        (["A — b — Acme", "C — Acme", "D — Acme"], ["A — b", "C", "D"]),
        (["A - Acme", "B - Acme", "C", "D", "E"], ["A - Acme", "B - Acme", "C", "D", "E"]),
        (["A - Acme", "B - Acme"], ["A - Acme", "B - Acme"]),
        (["well-known", "well-done", "well-read"], ["well-known", "well-done", "well-read"]),
        (["A - S", "B - S", "C - S", "", ""], ["A", "B", "C", "", ""]),
        *((titles, titles) for titles in ([" - S"] * 3, [" - a", " - b", " - c"], ["S: "] * 3, [])),
    ],
)
def test_what_most_titles_repeat_is_removed(titles: list[str], expected: list[str]) -> None:
    assert distinct_parts(titles) == expected


TITLES = st.lists(st.text(st.sampled_from("ab -|:"), max_size=9) | st.just("") | st.just("x - y"))


@given(TITLES)
def test_the_order_of_titles_decides_nothing(titles: list[str]) -> None:
    assert sorted(distinct_parts(titles)) == sorted(distinct_parts(titles[::-1]))
