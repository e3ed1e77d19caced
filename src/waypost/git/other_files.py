"""Files that lie in other repositories than a project's own: in its submodules, or where a setting says."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from waypost.core.model import History
from waypost.git.repository import GitFolder

_SUBMODULE = b"160000 commit "
_MOST_NESTED = 3
"""How many submodules may lie in one another."""
Find = Callable[[Path], GitFolder | None]
"""Finds a folder in its repository, if that may be opened."""


class OtherFiles(NamedTuple):
    """The files below a folder of another repository; `prefix`, which ends with `/`, begins their paths in the project.

    `is_current` says that the repository is at the commit that the project names.
    """

    prefix: str
    at: GitFolder
    is_current: bool = True


def submodules(at: GitFolder, find: Find, nested: int = _MOST_NESTED) -> Iterator[OtherFiles | str]:
    """The submodules below a folder; of one that is not checked out its path."""
    if not nested or at.repository.head.commit is None or not (at.root / ".gitmodules").is_file():
        return
    for path, commit in _links(at):
        found = find(at.folder / path)
        if found is None or found.folder != found.root:
            yield path
            continue
        yield OtherFiles(f"{path}/", found, found.repository.head.commit == commit)
        for inner in submodules(found, find, nested - 1):
            yield f"{path}/{inner}" if isinstance(inner, str) else inner._replace(prefix=f"{path}/{inner.prefix}")


def _links(at: GitFolder) -> Iterator[tuple[str, str]]:
    """The paths of submodules and the commits that the tree at HEAD names."""
    for line in at.output("ls-tree", "-r", "-z", "HEAD", "--", ".").split(b"\0"):
        if line.startswith(_SUBMODULE):
            commit, _, path = line.removeprefix(_SUBMODULE).partition(b"\t")
            yield path.decode("utf-8", "surrogateescape"), commit.decode()


def with_others(own: History, others: Iterable[tuple[OtherFiles, History]]) -> History:
    """The history of a project with those of other repositories, whose paths begin with their prefixes.

    Where a repository is at another commit than the project names, none of its files is committed.
    """
    for other, history in others:
        times = {f"{other.prefix}{path}": time for path, time in history.commit_times.items()}
        uncommitted = history.uncommitted if other.is_current else history.commit_times.keys()
        own = History(
            own.commit_times | times,
            own.removal_times,
            own.uncommitted | {f"{other.prefix}{path}" for path in uncommitted},
            own.is_shallow or history.is_shallow,
            own.page_times | _significant(other, history),
            own.beyond_budget,
            own.unread,
        )
    return own


def _significant(other: OtherFiles, history: History) -> dict[str, int | None]:
    times = history.page_times if other.is_current else {}
    return {f"{other.prefix}{path}": time for path, time in times.items()}
