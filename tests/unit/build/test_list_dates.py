"""The newest entries of lists, built or in the source of a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from repositories import Repository, in_repository

from waypost.build.list_dates import ListDates
from waypost.core.model import History, Item
from waypost.dates.entry_dates import EntryDates
from waypost.dates.source_dates import SourceDates
from waypost.files.folder_source import FolderSource
from waypost.git import TrackedFiles

if TYPE_CHECKING:
    from sites import MakeSite

T = 1_700_000_000
BASE = "https://example.org/"
A, B = ("a.md", "2023-11-14T22:13:20Z"), ("docs/b.md", "2023-11-14T22:13:30Z")


def text(name: str) -> str:
    return " ".join(f"{name}{n}" for n in range(40))


@pytest.fixture
def list_dates(repository: Repository, make_site: MakeSite) -> ListDates:
    """Those of a built site of two pages and their list, which also links to a page without a source."""
    repository.commit({"a.md": text("a")}, T)
    repository.commit({"docs/b.md": text("b"), ".gitignore": "/public/\n"}, T + 10)
    pages = {f"{name}.html": f"<title>{name}</title><p>{text(name)}</p>" for name in "ab"}
    pages |= {
        "lone.html": "<title>lone</title>",
        "tags/index.html": "<title>Tags</title><a href=/a>A</a><a href=/lone>",
    }
    pages["tags/all.html"] = "<title>All</title><nav><a href=/b>B</a></nav><a href=/a>A</a><a href=../b.html>B</a>"
    pages |= {"tags/none.html": "<a href=/lone>L</a>", "tags/page/2/index.html": pages["tags/all.html"]}
    repository.write({f"public/{key}": content for key, content in pages.items()})
    source = FolderSource(repository.folder / "public")
    locs = {key: BASE + key.removesuffix("index.html").removesuffix(".html") for key in pages}
    tracked = TrackedFiles(in_repository(repository.folder), repository.folder / "public")
    sources = SourceDates(tracked, T + 100)
    sources.find([Item(key, key) for key in pages], source, locs)
    entries = EntryDates(History({"a.md": T, "docs/b.md": T + 10}), T + 100, "docs/")
    return ListDates(source, make_site(), locs, lambda: entries, sources)


@pytest.mark.parametrize(
    ("key", "newest"),
    [
        ("tags/index.html", A),
        ("tags/all.html", B),
        ("tags/none.html", None),
        ("tags/page/2/index.html", None),
        ("a.html", None),
    ],
)
def test_a_built_list_has_the_newest_of_the_pages_to_which_its_content_links(
    list_dates: ListDates, key: str, newest: tuple[str, str] | None
) -> None:
    assert list_dates.newest(Item(key, key)) == newest


@pytest.mark.parametrize(
    ("key", "entries", "newest"),
    [
        ("index.html", ("b.md",), B),
        ("index.html", (), None),
        ("index.html", ("b.md", "c.md"), None),
        ("page/2/index.html", ("b.md",), None),
    ],
)
def test_a_list_in_a_source_has_the_newest_of_its_entries_below_the_folder_of_the_site(
    list_dates: ListDates, key: str, entries: tuple[str, ...], newest: tuple[str, str] | None
) -> None:
    assert list_dates.newest(Item(key, "index.md", entries=entries)) == newest


def test_a_list_that_cannot_be_read_has_no_entry_and_no_history_is_read_for_it(
    tmp_path: Path, make_site: MakeSite
) -> None:
    def entries() -> EntryDates:
        raise AssertionError("nothing needs the history")

    dates = ListDates(FolderSource(tmp_path), make_site(), {}, entries, None)
    assert dates.newest(Item("index.html", "index.md", entries=())) is None
    dates = ListDates(FolderSource(tmp_path), make_site(), {}, lambda: EntryDates(History(), T), None)
    assert dates.newest(Item("tags/index.html", "tags/index.html")) is None
