"""The tracked files of a project, from which a generator may have built a site."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from waypost.core import tree_files
from waypost.core.model import History
from waypost.git.history import read_history
from waypost.git.repository import GitFolder

_MOST_BYTES = 2_097_152


class TrackedFiles:
    """The files that Git tracks below a folder, as they are in the working tree; paths are relative to the folder.

    `output` is a folder whose files do not count: they are built. `is_site` says that it is the project's own folder.
    `read_history` may decide which commits changed what counts of a file.
    """

    def __init__(
        self,
        at: GitFolder,
        output: Path | None = None,
        read_history: Callable[[GitFolder], History] = read_history,
    ) -> None:
        self.at, self._read_history = at, read_history
        self.folder = at.folder.resolve()
        built = output.resolve() if output else self.folder
        self.is_site = built == self.folder and output is not None
        is_below = built != self.folder and built.is_relative_to(self.folder)
        self._built = f"{built.relative_to(self.folder).as_posix()}/" if is_below else None

    @cached_property
    def history(self) -> History:
        """When each file last changed; raises SourceError."""
        return self._read_history(self.at)

    def paths(self) -> Iterator[str]:
        """The paths of the files at HEAD, in order, without those that are built."""
        return (
            path for path in sorted(self.history.commit_times) if not (self._built and path.startswith(self._built))
        )

    def has_copy(self, place: Path, content: bytes) -> bool:
        """Whether Git tracks the file at a place, or another one of the same name with this content."""
        paths = [path for path in self.history.commit_times if path.rpartition("/")[2] == place.name]
        return any(self.folder / path == place or self.read(path) == content for path in paths)

    def read(self, path: str) -> bytes:
        """The first two mebibytes of a file as it is now; empty if it cannot be read: then it is no evidence."""
        try:
            return tree_files.read_start(self.folder / path, self.at.root, size=_MOST_BYTES)
        except OSError:
            return b""
