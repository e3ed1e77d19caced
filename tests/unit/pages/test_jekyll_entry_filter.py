"""Which entries of a folder take part in a site."""

import pytest

from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.pages.jekyll_source_tree import EntryFilter


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
