"""Names of folders that hold versions of a site."""

from __future__ import annotations

import pytest

from waypost.core.versions import is_version, version_rank


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in ("1.0", "v2", "v2.x", "3.0.0-rc.1", "2024", "latest", "stable", "dev", "main")),
        *((name, False) for name in ("blog", "", "1.0.0.0.0", "v", "version", "20240101", "latest-news")),
    ],
)
def test_a_folder_is_named_for_a_version(name: str, expected: bool) -> None:
    assert is_version(name) is expected


def test_the_version_that_readers_should_get_comes_first() -> None:
    names = ["stable", "latest", "v10.0", "2.x", "2.1", "2.1.0", "2.0", "1.0", "blog", "2.0-rc1", "dev"]
    assert sorted(names, key=version_rank) == names
