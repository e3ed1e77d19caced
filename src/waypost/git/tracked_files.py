"""The tracked files of a project, from which a generator may have built a site, also those in other repositories.

These are its submodules, or repositories that a setting names.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from waypost.core import tree_files
from waypost.core.model import History
from waypost.core.page_changes import path_of_part
from waypost.git.history import read_history
from waypost.git.page_versions import PageVersions
from waypost.git.raw_changes import FILE_MODE
from waypost.git.repository import GitFolder
from waypost.git.symbolic_links import LinkedFile, linked_names, with_names

_MOST_BYTES, _MOST_ABSENT = 2_097_152, 67_108_864
"""How much is read of a file, and of all files that are not in the working tree."""


_SUBMODULE = b"160000"
"""The mode of a submodule in a Git tree."""
_MOST_NESTED = 3
"""How many submodules may lie in one another."""
Find = Callable[[Path], GitFolder | None]
"""Finds a folder in its repository, if that may be opened."""


PartTimes = Callable[[GitFolder, Sequence[str]], Mapping[str, int | None]]


class OtherFiles(NamedTuple):
    """The files below a folder of another repository; `prefix`, which ends with `/`, begins their paths in the project.

    `is_current` says that the repository is at the commit that the project names.
    """

    prefix: str
    at: GitFolder
    is_current: bool = True


class TrackedFiles:
    """The files that Git tracks below a folder, as they are in the working tree; paths are relative to the folder.

    `output` is a folder whose files do not count: they are built. `is_site` says that it is the project's own folder.
    `others` are files of other repositories. `read_history` may decide which commits changed what counts of a file,
    and `part_times` tells when parts of files changed.
    """

    def __init__(
        self,
        at: GitFolder,
        output: Path | None = None,
        others: Sequence[OtherFiles] = (),
        read_history: Callable[[GitFolder], History] = read_history,
        part_times: PartTimes = lambda at, parts: {},
    ) -> None:
        self.at, self._others, self._read_history, self._part_times = at, others, read_history, part_times
        self.folder = at.folder.resolve()
        built = output.resolve() if output else self.folder
        self.is_site = built == self.folder and output is not None
        is_below = built != self.folder and built.is_relative_to(self.folder)
        self._built = f"{built.relative_to(self.folder).as_posix()}/" if is_below else None

    @cached_property
    def history(self) -> History:
        """When each file last changed, also by its other names; raises SourceError."""
        return with_names(self._own_history, self.names)

    @cached_property
    def _own_history(self) -> History:
        return self._read_history(self.at)

    @cached_property
    def names(self) -> Mapping[str, LinkedFile]:
        """The other names of files, which symbolic links give them."""
        return linked_names(self._own_history.commit_times, self.folder)

    def part_times(self, parts: Sequence[str]) -> Mapping[str, int | None]:
        """When parts of the repository's own files last changed, by their names; raises SourceError."""
        prefixes = tuple(other.prefix for other in self._others)
        own = (part for part in parts if path_of_part(part) not in self.names)
        return self._part_times(self.at, [part for part in own if not path_of_part(part).startswith(prefixes)])

    def paths(self) -> Iterator[str]:
        """The paths of the files at HEAD and their other names, in order, without those that are built."""
        return (
            path for path in sorted(self.history.commit_times) if not (self._built and path.startswith(self._built))
        )

    def has_copy(self, place: Path, content: bytes) -> bool:
        """Whether Git tracks the file at a place, or another one of the same name with this content."""
        paths = [path for path in self.history.commit_times if path.rpartition("/")[2] == place.name]
        return any(self.folder / path == place or self.read(path) == content for path in paths)

    def read(self, path: str) -> bytes:
        """The first two mebibytes of a file as it is now; empty if it cannot be read: then it is no evidence.

        A file that is not in the working tree, as in a sparse checkout, is read as it is at HEAD.
        """
        at, rest = self._place(path)
        try:
            return tree_files.read_start(at.folder / rest, at.root, size=_MOST_BYTES)
        except FileNotFoundError:
            return self._absent.get(path, b"")
        except OSError:
            return b""

    @cached_property
    def _absent(self) -> dict[str, bytes]:
        """The contents at HEAD of files of the project's own repository that are not in the working tree."""
        blobs = {path: id for mode, id, path in _entries(self.at) if mode.startswith(FILE_MODE)}
        absent = [path for path in blobs if not os.path.lexists(self.folder / path)]
        found: dict[str, bytes] = {}
        size = 0
        with PageVersions(self.at) as versions:
            for path in absent:
                data = next(versions.read([blobs[path]])) or b""
                found[path] = data[:_MOST_BYTES]
                size += len(found[path])
                if size > _MOST_ABSENT:
                    break
        return found

    def commit_at(self, paths: Iterable[str], time: int) -> str:
        """The abbreviated id of the newest commit of this time that changed one of these files; empty if none did."""
        files = (file for path in paths for file in self.names.get(path, (path,)))
        found = (at.commit_at([rest], time) for at, rest in map(self._place, files))
        return next(filter(None, found), "")

    def _place(self, path: str) -> tuple[GitFolder, str]:
        """The repository that tracks a file, and the file's path there: that of the longest prefix."""
        found = [other for other in self._others if path.startswith(other.prefix)]
        other = max(found, key=lambda each: len(each.prefix), default=OtherFiles("", self.at))
        return other.at, path.removeprefix(other.prefix)


def submodules(at: GitFolder, find: Find, nested: int = _MOST_NESTED) -> Iterator[OtherFiles | str]:
    """The submodules below a folder; of one that is not checked out its path."""
    if not nested or at.repository.head.commit is None or not (at.root / ".gitmodules").is_file():
        return
    for path, commit in ((path, id.decode()) for mode, id, path in _entries(at) if mode == _SUBMODULE):
        found = find(at.folder / path)
        if found is None or found.folder != found.root:
            yield path
            continue
        yield OtherFiles(f"{path}/", found, found.repository.head.commit == commit)
        for inner in submodules(found, find, nested - 1):
            yield f"{path}/{inner}" if isinstance(inner, str) else inner._replace(prefix=f"{path}/{inner.prefix}")


def _entries(at: GitFolder) -> Iterator[tuple[bytes, bytes, str]]:
    """The modes, ids and paths of the files and submodules that the tree at HEAD has below a folder."""
    for line in at.output("ls-tree", "-r", "-z", "HEAD", "--", ".").split(b"\0"):
        entry, tab, path = line.partition(b"\t")
        if tab:
            mode, _, id = entry.split(b" ")
            yield mode, id, path.decode("utf-8", "surrogateescape")


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
