"""A folder of files as a source.

Symbolic links: a link to a file or folder inside the root is followed, one that leads out of
the root, to nothing, or to a folder that holds it is skipped. Inside a linked folder, links to
further folders are skipped too, so that links among folders cannot multiply without end. What a
link leads to is pruned by its own name as well: no link brings `.git` or `node_modules` back.
"""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from waypost.core import reasons
from waypost.core.errors import SourceError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason

Prunes = Callable[[str], Reason | None]


_NOTHING = Body(b"", is_whole=False)


class FolderSource:
    """The files below a folder; raises SourceError where there is no such folder."""

    width = 1
    has_etags = False

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise SourceError(f"{root} is not a folder; name the folder that holds the site's files")
        self.root = Path(os.path.realpath(root))
        self._prefix = os.path.join(self.root, "")  # noqa: PTH118 (Path drops the last slash)

    def items(self, prunes: Prunes) -> Iterator[Item | Skipped]:
        """Walk the folder; keys are paths below the root, names as the file system has them."""
        return self._folder("", "", prunes, is_linked=False)

    def read(self, item: Item, size: int | None = None) -> Body:
        """The file's first `size` bytes, or all of them; raises OSError."""
        if size == 0:
            return _NOTHING
        with open(self._prefix + item.read_key, "rb", buffering=0) as file:  # noqa: PTH123 (half the time of Path.open)
            data = file.read(-1 if size is None else size) or b""
        return Body(data, size is None or len(data) < size)

    def find(self, key: str) -> bytes | None:
        """A whole file by its key, or None where there is none; raises OSError, also where it leads out of the root."""
        path = Path(os.path.realpath(self.root / key))
        if not (path.exists() or path.is_symlink()) or path.is_dir():
            return None
        if not path.is_relative_to(self.root):
            raise OSError(errno.EPERM, "it is a link out of the site's folder")
        if not path.is_file():
            raise OSError(errno.EINVAL, "it is no file that can be read")
        return path.read_bytes()

    def _folder(self, key: str, origin: str, prunes: Prunes, *, is_linked: bool) -> Iterator[Item | Skipped]:
        """Walk a folder: `key` is how it was reached, `origin` its real path; both end with `/` or are empty."""
        try:
            with os.scandir(self.root / origin) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            yield Skipped(key, reasons.UNREADABLE, error.strerror or "")
            return
        for entry in found:
            if entry.is_symlink():
                yield from self._link(key + entry.name, origin + entry.name, prunes, is_linked=is_linked)
            elif entry.is_dir(follow_symlinks=False):
                yield from self._subfolder(f"{key}{entry.name}/", f"{origin}{entry.name}/", prunes, is_linked=is_linked)
            elif entry.is_file(follow_symlinks=False):
                yield Item(key + entry.name, origin + entry.name)
            else:
                yield Skipped(key + entry.name, reasons.NOT_A_FILE)

    def _subfolder(self, key: str, origin: str, prunes: Prunes, *, is_linked: bool) -> Iterator[Item | Skipped]:
        reason = prunes(key)
        if reason:
            yield Skipped(key, reason)
        else:
            yield from self._folder(key, origin, prunes, is_linked=is_linked)

    def _link(self, key: str, path: str, prunes: Prunes, *, is_linked: bool) -> Iterator[Item | Skipped]:
        target = Path(os.path.realpath(self.root / path))
        try:
            mode = target.stat().st_mode
        except OSError:
            yield Skipped(key, reasons.DANGLING_LINK, os.readlink(self.root / path))
            return
        if not target.is_relative_to(self.root):
            yield Skipped(key, reasons.LINK_OUTSIDE, os.readlink(self.root / path))
            return
        origin = "" if target == self.root else target.relative_to(self.root).as_posix()
        if reason := _pruned(origin, prunes):
            yield Skipped(key, reason, origin)
        elif stat.S_ISREG(mode):
            yield Item(key, origin)
        elif not stat.S_ISDIR(mode):
            yield Skipped(key, reasons.NOT_A_FILE)
        elif not origin or path.startswith(origin + "/"):
            yield Skipped(f"{key}/", reasons.LINK_LOOP, f"{origin}/")
        elif is_linked:
            yield Skipped(f"{key}/", reasons.NESTED_LINK, f"{origin}/")
        else:
            yield from self._subfolder(f"{key}/", f"{origin}/", prunes, is_linked=True)


def _pruned(origin: str, prunes: Prunes) -> Reason | None:
    """Why what a link leads to is left out: a name on the way to it is hidden, or of dependencies.

    What the site's owner excludes is left alone: they may want a folder under its other name.
    """
    names = f"{origin}/".split("/")[:-1]
    found = (prunes("/".join(names[: n + 1]) + "/") for n in range(len(names)))
    return next((reason for reason in found if reason in (reasons.HIDDEN, reasons.DEPENDENCY)), None)
