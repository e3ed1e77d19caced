"""The author's word in the source of a built page, with real Git repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from waypost.build.folder import prepare
from waypost.core.reasons import OPTED_OUT
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from repositories import Repository

    from waypost.core.model import Plan

OTHER = "An open page about quite different things, such as bulbs and the weather."
TEXT = "A style guide with colours and letters that the author keeps from search engines for good reasons of their own."
PAGE = "<!doctype html><html lang=en><title>{0}</title><main><h1>{0}</h1><p>{1}</p></main></html>"


def plan(repository: Repository, front: str, **values: Any) -> Plan:
    """A built site that is not committed, with one page whose source has this front matter."""
    sources: dict[str, str | bytes | None] = {
        "content/guide.md": f"---\ntitle: Guide\n{front}---\n{TEXT}\n",
        "content/open.md": f"---\ntitle: Open\n---\n{OTHER}\n",
        ".gitignore": "public\n",
    }
    repository.commit(sources, 1_770_000_000)
    repository.write(
        {
            "public/index.html": PAGE.format("Home", "Welcome"),
            "public/guide/index.html": PAGE.format("Guide", TEXT),
            "public/open/index.html": PAGE.format("Open", OTHER),
        }
    )
    settings = ConfigSource("test", {"base_url": "https://example.org/", **values})
    return prepare(repository.folder / "public", settings, working_folder=repository.folder).plan()


@pytest.mark.parametrize("front", ["sitemap: false\n", "sitemap:\n  disable: true\n", "draft: true\n"])
def test_a_page_whose_source_keeps_it_out_is_left_out_with_the_line(repository: Repository, front: str) -> None:
    found = plan(repository, front)
    (left,) = [each for each in found.skipped if each.reason == OPTED_OUT]
    assert left.key == "guide/index.html"
    assert left.detail.startswith("content/guide.md: ")
    assert [page.key for page in found.pages] == ["index.html", "open/index.html"]


def test_a_pattern_of_the_settings_lists_it_all_the_same(repository: Repository) -> None:
    found = plan(repository, "sitemap: false\n", exclude=["!/guide/"])
    assert "guide/index.html" in [page.key for page in found.pages]


def test_a_source_without_such_a_word_changes_nothing(repository: Repository) -> None:
    assert len(plan(repository, "weight: 3\n").pages) == 3
