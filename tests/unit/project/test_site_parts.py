"""The versions and languages of a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.project.site_folder import find_parts

if TYPE_CHECKING:
    from sites import Write


@pytest.mark.parametrize(
    ("folders", "versions", "languages"),
    [
        (["1.0", "2.0", "latest", "css"], ["1.0", "2.0", "latest"], []),
        (["v1", "v2.x", "v3.0.0-rc.1"], ["v1", "v2.x", "v3.0.0-rc.1"], []),
        (["de", "pt-BR", "blog"], [], ["de", "pt-BR"]),
        (["stable", "de"], [], []),
        (["2024", "about"], [], []),
        ([], [], []),
    ],
)
def test_folders_with_a_page_are_versions_or_languages_by_their_names(
    write: Write, folders: list[str], versions: list[str], languages: list[str]
) -> None:
    found = find_parts(write({f"{name}/index.html": "" for name in folders}))
    assert (list(found.versions), list(found.languages)) == (versions, languages)


def test_a_folder_without_a_page_is_neither(write: Write) -> None:
    assert find_parts(write({"1.0/a.css": "", "2.0/a.css": ""})) == ((), ())
    assert find_parts(write({}) / "absent") == ((), ())
