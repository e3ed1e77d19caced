"""The changes of pages in a repository's history, and what is decided about them."""

from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple, Protocol

from msgspec import Struct

Version = bytes | str
"""A version of a page: the id of a blob, or the path of a file in the working tree."""
Read = Callable[[Sequence[Version]], Iterator[bytes | None]]
"""Reads versions of pages; None for one that cannot be read."""


class PageChange(NamedTuple):
    """A page that a commit modified, and its version before and after.

    `path` is the page's own; `at` is the path that it has in the commit, where that is another one. `old_path` is the
    path that it had before the commit, if the commit moved it.
    """

    path: str
    before: Version
    after: Version
    old_path: str = ""
    at: str = ""


def part_name(region: str, path: str) -> str:
    """The name of a part of a file, which a history follows as if it were a page; it ends with the file's path."""
    return f"{region}\0{path}"


def path_of_part(name: str) -> str:
    """The path of a part's file; a path alone is that of a whole file."""
    return name.rpartition("\0")[2]


def region_of_part(name: str) -> str:
    """The region of a part; empty for a whole file."""
    return name.rpartition("\0")[0]


def name_at(page: str, path: str) -> str:
    """The name of a page, or of a part of a file, at another path."""
    return part_name(region, path) if (region := region_of_part(page)) else path


class Verdicts(Struct, frozen=True):
    """Which pages a commit did not change in anything that counts, and which versions were not read, and why."""

    unchanged: Set[str] = frozenset()
    beyond_budget: Set[str] = frozenset()
    unread: Set[str] = frozenset()


class ChangeCheck(Protocol):
    """Decides whether commits changed pages; it is asked about commits from the newest to the oldest.

    `endings` are the endings of the names of pages, in lower case.
    """

    endings: tuple[str, ...]

    def begin(self, page_count: int) -> None:
        """Prepare for a commit after which the site had so many pages."""

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Prepare for changes that are probably asked about next; this changes no verdict."""

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """The changes of a commit with which each of them is compared."""

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided pages; `changes` are all pages that the commit modified."""

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        """The undecided pages in which a merge only combines what its parents have.

        `by_parent` are its changes compared with each of them.
        """
