"""A folder of files as a source.

A symbolic link is followed if its target is inside the root. It is skipped if the target is outside the root, does not
exist, or is a folder that contains the link. Inside a linked folder, links to folders are skipped, so that links cannot
multiply paths without end. A link's target is pruned by its own path too: no link makes `.git` or `node_modules` part
of the site.
"""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from waypost.core import reasons, tree_files
from waypost.core.errors import SourceError
from waypost.core.model import Body, Item, Skipped, printable
from waypost.core.reasons import Reason

Prunes = Callable[[str], Reason | None]
_NOTHING = Body(b"", is_whole=False)
_SHOWN_FOLDERS = 8


class _Folder(NamedTuple):
    """A folder to walk: `key` is the path by which it was reached; both paths end with `/` or are empty."""

    key: str
    real_path: str
    is_linked: bool


def _hint(root: Path) -> str:
    """What to write in the place of a folder that does not exist: `/`, or one of the folders that there are."""
    if "\\" in str(root) and os.sep == "/":
        return ", with / between folders"
    try:
        names = sorted(entry.name for entry in os.scandir(root.parent) if entry.is_dir() and entry.name[0] != ".")
    except OSError:
        return ""
    shown = ", ".join(printable(name) for name in names[:_SHOWN_FOLDERS])
    return f" ({root.parent} has {shown}{', …' if len(names) > _SHOWN_FOLDERS else ''})" if names else ""


class FolderSource:
    """The files below a folder; raises SourceError if there is no such folder, unless it `may_be_absent`.

    A folder that cannot be listed is an error, because its pages would otherwise be removed from the sitemaps.
    """

    width = 1
    has_etags = False

    def __init__(self, root: Path, *, may_be_absent: bool = False) -> None:
        if not (_is_folder(root) or (may_be_absent and not os.path.lexists(root))):
            raise SourceError(f"{root} is not a folder; name the folder that holds the site's files{_hint(root)}")
        self.root = Path(os.path.realpath(root))
        self._prefix = os.path.join(self.root, "")  # noqa: PTH118 (Path drops the last slash)

    def items(self, prunes: Prunes) -> Iterator[Item | Skipped]:
        """Walk the folder; keys are paths relative to the root. Raises SourceError if a folder cannot be listed."""
        open_folders = [self._entries(_Folder("", "", is_linked=False), prunes)]
        while open_folders:
            for found in open_folders[-1]:
                if isinstance(found, _Folder):
                    open_folders.append(self._entries(found, prunes))
                    break
                yield found
            else:
                open_folders.pop()

    def read(self, item: Item, size: int | None = None) -> Body:
        """The file's first `size` bytes, or all of them up to the limit of `tree_files`; raises OSError.

        Of a file with just `size` bytes it is not known that they are all.
        """
        path = self._prefix + item.read_key
        if size == 0:
            return Body(b"", is_whole=os.stat(path).st_size == 0)  # noqa: PTH116 (faster)
        data = self._read_first(path, tree_files.MOST_BYTES if size is None else size)
        return Body(data, is_whole=len(data) < (tree_files.MOST_BYTES if size is None else size))

    def _read_first(self, path: str, size: int) -> bytes:
        """The first bytes of a file, which is a regular one where the walk found it, in half the time of an open file.

        `tree_files` decides about anything else that was named.
        """
        file = os.open(path, tree_files.FLAGS)
        try:
            status = os.fstat(file)
            if stat.S_ISREG(status.st_mode) and not os.path.islink(path):  # noqa: PTH114 (faster)
                return os.read(file, min(size, status.st_size + 1))
        finally:
            os.close(file)
        return tree_files.read_start(Path(path), self.root, size=size)

    def find(self, key: str) -> bytes | None:
        """The content of a file, or None if there is none; raises OSError, also if it is larger than 4 MiB."""
        try:
            return tree_files.read(self.root / key, self.root, most=tree_files.SMALL_FILE)
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None

    def _entries(self, folder: _Folder, prunes: Prunes) -> Iterator[Item | Skipped | _Folder]:
        """The entries of a folder, in order; one that is to be walked next is a folder itself."""
        key, real_path, is_linked = folder
        try:
            with os.scandir(self.root / real_path) as entries:
                in_order = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and key:  # it was removed during the walk
                yield Skipped(key, reasons.UNREADABLE, error.strerror or "")
                return
            raise _unreadable_folder(self.root / real_path, error) from error
        for entry in in_order:
            if entry.is_symlink():
                yield self._link(key + entry.name, real_path + entry.name, prunes, is_linked=is_linked)
            elif entry.is_dir(follow_symlinks=False):
                yield _unless_pruned(_Folder(f"{key}{entry.name}/", f"{real_path}{entry.name}/", is_linked), prunes)
            elif entry.is_file(follow_symlinks=False):
                yield Item(key + entry.name, real_path + entry.name)
            else:
                yield Skipped(key + entry.name, reasons.NOT_A_FILE)

    def _link(self, key: str, path: str, prunes: Prunes, *, is_linked: bool) -> Item | Skipped | _Folder:
        target = Path(os.path.realpath(self.root / path))
        try:
            mode = target.stat().st_mode
        except OSError:
            return Skipped(key, reasons.DANGLING_LINK, os.readlink(self.root / path))
        if not target.is_relative_to(self.root):
            return Skipped(key, reasons.LINK_OUTSIDE, os.readlink(self.root / path))
        target_path = "" if target == self.root else target.relative_to(self.root).as_posix()
        if reason := _prune_reason(target_path, prunes):
            return Skipped(key, reason, target_path)
        if stat.S_ISREG(mode):
            return Item(key, target_path)
        if not stat.S_ISDIR(mode):
            return Skipped(key, reasons.NOT_A_FILE)
        if not target_path or path.startswith(target_path + "/"):
            return Skipped(f"{key}/", reasons.LINK_LOOP, f"{target_path}/")
        if is_linked:
            return Skipped(f"{key}/", reasons.NESTED_LINK, f"{target_path}/")
        return _unless_pruned(_Folder(f"{key}/", f"{target_path}/", is_linked=True), prunes)


def _unless_pruned(folder: _Folder, prunes: Prunes) -> _Folder | Skipped:
    reason = prunes(folder.key)
    return Skipped(folder.key, reason) if reason else folder


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise _unreadable_folder(path, error) from error


def _unreadable_folder(path: Path, error: OSError) -> SourceError:
    return SourceError(
        f"the folder {printable(str(path))} cannot be read: {error.strerror}; correct its permissions, or leave it out "
        "with a pattern of `exclude`"
    )


def _prune_reason(target_path: str, prunes: Prunes) -> Reason | None:
    """Why a link's target is excluded: because a folder of its path is hidden, or has dependencies.

    The site's own exclusions do not apply to the target's path: a site may exclude a folder and list it by a link.
    """
    names = f"{target_path}/".split("/")[:-1]
    found = (prunes("/".join(names[: n + 1]) + "/") for n in range(len(names)))
    return next((reason for reason in found if reason in (reasons.HIDDEN, reasons.DEPENDENCY)), None)
