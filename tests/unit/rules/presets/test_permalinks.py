from pathlib import Path

import pytest
from preset_rows import project, sources

from waypost.rules.presets.permalinks import permalink_rows

TOKENS = {"year": "{#y}", "title": "{slug}", "categories": "{**categories}?", "output_ext": ".html"}


@pytest.mark.parametrize(
    ("template", "page"),
    [
        ("/:year/:title/", "2024/soup/index.html"),
        ("/:year/:title", "2024/soup.html"),
        ("/:year/:title.html", "2024/soup.html"),
        ("/:categories/:year/:title:output_ext", "2024/soup.html"),
        ("/:categories/:year/:title:output_ext", "food/hot/2024/soup.html"),
    ],
)
def test_a_page_s_path_gives_the_names_in_the_file_s(template: str, page: str, tmp_path: Path) -> None:
    rows = permalink_rows(template, TOKENS, ["posts/{#y}-{slug}"], (".md",))
    found = sources(lambda _: rows, project(tmp_path, {}), page, "posts/2024-soup.md", "posts/2023-soup.md")
    assert found == ["posts/2024-soup.md"]


def test_numbers_match_digits_alone(tmp_path: Path) -> None:
    rows = permalink_rows("/:year/:title/", TOKENS, ["posts/{slug}"], (".md",))
    assert sources(lambda _: rows, project(tmp_path, {}), "tags/soup/index.html", "posts/soup.md") == []


def test_a_template_with_an_unknown_token_has_no_rows() -> None:
    assert permalink_rows("/:hash/:title/", TOKENS, ["posts/{slug}"], (".md",)) == ()


def test_a_file_that_needs_a_name_which_the_template_lacks_is_left_out() -> None:
    assert permalink_rows("/:title/", TOKENS, ["posts/{#y}-{slug}"], (".md",)) == ()
