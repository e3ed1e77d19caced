"""The one name of a file that has several, as the path of a page tells it."""

from waypost.dates.linked_files import with_nearest_names
from waypost.dates.page_sources import PageEvidence
from waypost.dates.text_matches import TextMatch

NAMES = {"docs/guide/about.md": "README.md", "docs/en/a.md": "content/a.md", "docs/de/a.md": "content/a.md"}


def named(*pages: tuple[str, str]) -> list[str]:
    """The names of files on pages, each of which has the text of one file."""
    evidence = [PageEvidence(key, (TextMatch(file, 9, 1.0, 1.0),)) for key, file in pages]
    return [page.matches[0].path for page in with_nearest_names(evidence, NAMES)]


def test_a_file_has_the_name_that_is_nearest_to_the_page() -> None:
    pages = [("guide/about/index.html", "README.md"), ("de/a.html", "content/a.md"), ("en/a.html", "content/a.md")]
    assert named(*pages) == ["docs/guide/about.md", "docs/de/a.md", "docs/en/a.md"]


def test_a_home_page_keeps_the_readme_that_another_page_has_by_a_link() -> None:
    assert named(("index.html", "README.md"), ("guide/about.html", "README.md")) == ["README.md", "docs/guide/about.md"]


def test_on_a_page_to_which_no_name_is_near_a_file_has_the_name_that_another_page_knows() -> None:
    assert named(("print.html", "README.md"), ("guide/about.html", "README.md")) == ["docs/guide/about.md"] * 2
    assert named(("print.html", "README.md")) == ["README.md"]


def test_links_for_editing_and_dates_name_the_file_as_its_text_does() -> None:
    page = PageEvidence("de/a.html", linked=("content/a.md", "b.md"), dated=frozenset({"content/a.md"}))
    (found,) = with_nearest_names([page], NAMES)
    assert (found.linked, found.dated) == (("docs/de/a.md", "b.md"), frozenset({"docs/de/a.md"}))
