"""The role of each file of a source."""

from pathlib import Path

import pytest

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.files.folder_source import FolderSource
from waypost.pages.jekyll_config import read_config
from waypost.pages.jekyll_source_tree import EntryFilter, SourceTree


def tree(folder: Path, text: str) -> SourceTree:
    (folder / "_config.yml").write_text(text)
    config = read_config(FolderSource(folder), "jekyll", 0)
    return SourceTree(config, EntryFilter(config.include, config.exclude, lambda _: True))


@pytest.mark.parametrize("path", ["_posts/.a/2024-01-01-a.md", "_posts/a.md", "_drafts/a.md"])
def test_a_hidden_post_a_post_without_a_date_and_a_draft_have_no_role(tmp_path: Path, path: str) -> None:
    assert tree(tmp_path, "").roles(path) == reasons.UNPUBLISHED


@pytest.mark.parametrize(
    ("entry", "folder", "reason"),
    [
        ("x.", "", reasons.GENERATOR_EXCLUDED),
        ("vendors.md", "", reasons.GENERATOR_EXCLUDED),
        ("vendor", "deep", None),
        ("old", "deep", reasons.GENERATOR_EXCLUDED),
        ("a.tmp", "deep", reasons.GENERATOR_EXCLUDED),
        ("folder", "", reasons.GENERATOR_EXCLUDED),
        ("file", "", None),
        (".htaccess", "deep", None),
        ("both.md", "", None),
    ],
)
def test_names_and_the_lists_of_the_configuration_decide(entry: str, folder: str, reason: Reason | None) -> None:
    exclude = ("vendor", "deep/old", "*.tmp", "folder/", "file/", "both.md")
    entry_filter = EntryFilter(("_pages", ".htaccess", "both.md"), exclude, lambda path: path == "folder")
    assert entry_filter.exclusion_reason(entry, folder) == reason


def test_an_empty_pattern_excludes_everything() -> None:
    assert EntryFilter((), ("",), lambda _: False).exclusion_reason("a.md") is reasons.GENERATOR_EXCLUDED


def test_long_lists_of_patterns_are_compared_once() -> None:
    many = EntryFilter([f"a{n}" for n in range(10_000)], [f"b{n}" for n in range(10_000)], lambda _: False)
    assert [many.exclusion_reason(f"x{n}") for n in range(500)] == [None] * 500
    assert many.exclusion_reason("b9999.md") == reasons.GENERATOR_EXCLUDED
