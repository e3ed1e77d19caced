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


@pytest.mark.parametrize(
    ("path", "roles"),
    [
        ("a.md", ["pages:a.md"]),
        ("_posts/2024-01-01-a.md", ["posts:_posts/2024-01-01-a.md"]),
        ("b/_posts/c/2024-01-01-a.md", ["posts:b/_posts/c/2024-01-01-a.md"]),
        ("_docs/a/_b/c.md", ["docs:_docs/a/_b/c.md"]),
        ("_pages/a.md", ["pages:_pages/a.md", "pagesx:_pages/a.md"]),
        ("_posts/a.md", reasons.UNPUBLISHED),
        ("_posts/.a/2024-01-01-a.md", reasons.UNPUBLISHED),
        ("_drafts/a.md", reasons.UNPUBLISHED),
        ("_site/a.html", reasons.GENERATOR_EXCLUDED),
        (".git/a.html", reasons.HIDDEN),
    ],
)
def test_a_files_path_gives_it_its_roles_or_a_reason(tmp_path: Path, path: str, roles: list[str] | Reason) -> None:
    found = tree(tmp_path, "collections: [docs, pages]\ninclude: [_pages]\n").roles(path)
    if isinstance(roles, Reason):
        assert found == roles
    else:
        assert not isinstance(found, Reason)
        assert {where for _, where in found} == {path}
        assert len(found) == len(roles)
        assert roles[0] == f"{found[-1][0]}:{path}"


def test_drafts_are_posts_only_on_request(tmp_path: Path) -> None:
    assert tree(tmp_path, "show_drafts: true").roles("_drafts/a.md") == [("posts", "_drafts/a.md")]
    assert tree(tmp_path, "show_drafts: true").is_post("a/_drafts/b.md")
    assert not tree(tmp_path, "").is_post("_drafts/a.md")


def test_posts_are_read_only_in_the_folder_of_the_collections(tmp_path: Path) -> None:
    of = tree(tmp_path, "collections_dir: all").roles
    assert of("all/x/_posts/2024-01-01-a.md") == [("posts", "x/_posts/2024-01-01-a.md")]
    assert of("_posts/2024-01-01-a.md") == reasons.UNPUBLISHED


@pytest.mark.parametrize(
    ("folder", "reason"),
    [
        ("a/", None),
        ("a/_posts/b/", None),
        ("_docs/_x/", None),
        ("_includes/", reasons.UNPUBLISHED),
        (".git/", reasons.HIDDEN),
        ("vendor/", None),
        ("vendor/bundle/", reasons.GENERATOR_EXCLUDED),
    ],
)
def test_a_folder_is_entered_if_something_in_it_may_take_part(
    tmp_path: Path, folder: str, reason: Reason | None
) -> None:
    assert tree(tmp_path, "collections: [docs]").folder_exclusion_reason(folder) == reason


@pytest.mark.parametrize(
    ("entry", "folder", "reason"),
    [
        ("_x.md", "", reasons.UNPUBLISHED),
        (".x", "", reasons.HIDDEN),
        ("#x", "", reasons.GENERATOR_EXCLUDED),
        ("x~", "", reasons.GENERATOR_EXCLUDED),
        ("x.", "", reasons.GENERATOR_EXCLUDED),
        ("a/_b/c.md", "_docs", None),
        ("a/_c.md", "_docs", reasons.UNPUBLISHED),
        ("vendor", "", reasons.GENERATOR_EXCLUDED),
        ("vendors.md", "", reasons.GENERATOR_EXCLUDED),
        ("vendor", "deep", None),
        ("old", "deep", reasons.GENERATOR_EXCLUDED),
        ("a.tmp", "deep", reasons.GENERATOR_EXCLUDED),
        ("folder", "", reasons.GENERATOR_EXCLUDED),
        ("_pages", "", None),
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
