"""Opens files by path, for reading and for writing: the only place that does so for paths that a site has a say in.

A site, a project and their settings are not trusted, and Git keeps symbolic links. So a link is followed only to a
regular file inside the folder that is read, and never into `.git`. No device and no FIFO is opened, and no more of a
file is read than a limit says. A file is written as a new one that is then renamed, in the real folder of its name: it
replaces a link, and is never written through one.
"""

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec

from waypost.core.errors import SourceError

Decoded = TypeVar("Decoded")

PREFIX = ".waypost-"
"""The prefix of the names of files that are being written, and of Waypost's other own files."""
_TEMPORARY = ".tmp"
_DEVICES = Path("/dev")
MOST_BYTES = 209_715_200
"""The default limit of a file: four times the size of the largest sitemap (sitemaps.org 0.9)."""
SMALL_FILE = 4_194_304
"""The limit of settings, configurations, templates and rules, which people write."""
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""An open file that waits for nobody: without O_NONBLOCK, opening a FIFO waits for a writer."""


def real_path(path: Path, root: Path) -> Path:
    """Where a path below a folder leads; raises PermissionError if that is outside of the folder, or in a `.git`."""
    try:
        real, real_root = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error)) from None
    if not real.is_relative_to(real_root):
        raise PermissionError(errno.EPERM, "it is a link that leads out of its folder")
    if any(part.lower() == ".git" for part in real.relative_to(real_root).parts):
        raise PermissionError(errno.EPERM, "it is inside of a folder .git, or a link into one")
    return real


def is_written_below(path: Path, root: Path) -> bool:
    """Whether a path is written as one below a folder, wherever its links lead."""
    lexical = Path(os.path.normpath(path.absolute()))
    roots = (Path(os.path.normpath(root.absolute())), Path(os.path.realpath(root)))
    return any(lexical.is_relative_to(each) for each in roots)


def leads_out(path: Path, root: Path) -> bool:
    """Whether a path that is written as one below a folder leads out of it by a link, or into its `.git`."""
    try:
        if is_written_below(path, root):
            real_path(path, root)
    except OSError:
        return True
    return False


def open_file(path: Path, root: Path | None = None) -> BinaryIO:
    """Open a regular file; without a root, the user has named the file, and links are followed. Raises OSError."""
    try:
        file = os.fdopen(os.open(real_path(path, root) if root else path, FLAGS), "rb")
    except ValueError as error:  # a NUL in the name
        raise OSError(errno.EINVAL, str(error)) from None
    mode = os.fstat(file.fileno()).st_mode
    if stat.S_ISREG(mode):
        return file
    file.close()
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "it is not a regular file")


def read(path: Path, root: Path | None = None, *, most: int = MOST_BYTES) -> bytes:
    """The content of a regular file; raises OSError, also if it is longer than `most` bytes."""
    content = read_start(path, root, size=most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes")
    return content


def read_start(path: Path, root: Path | None = None, *, size: int) -> bytes:
    """The first `size` bytes of a regular file, or all of them if there are fewer; raises OSError."""
    with open_file(path, root) as file:
        return file.read(min(size, os.fstat(file.fileno()).st_size + 1))


def names(folder: Path) -> frozenset[str]:
    """The names of the files and folders in a folder; none if it cannot be listed."""
    try:
        return frozenset(os.listdir(folder))
    except OSError:
        return frozenset()


def is_file(path: Path, root: Path) -> bool:
    """Whether a path below a folder leads to a regular file that may be read."""
    return stat.S_ISREG(_mode(path, root))


def is_folder(path: Path, root: Path) -> bool:
    """Whether a path below a folder leads to a folder in it."""
    return stat.S_ISDIR(_mode(path, root))


def _mode(path: Path, root: Path) -> int:
    """The type and the permissions of what a path below a folder leads to; 0 if nothing there may be read."""
    try:
        return real_path(path, root).stat().st_mode
    except OSError:
        return 0


def write(path: Path, content: bytes, root: Path | None = None) -> None:
    """Create or replace a file by renaming a temporary file; an existing file keeps its permissions.

    Raises OSError, also for a pipe or a device, such as /dev/stdout, which a file would replace for all programs.
    """
    folder = real_path(path.parent, root) if root else path.parent
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / path.name
    if _is_device(target) or folder.resolve().is_relative_to(_DEVICES):
        raise OSError(errno.EINVAL, "it is no file")
    is_replaced = target.is_file() and not target.is_symlink()
    mode = target.stat().st_mode & 0o777 if is_replaced else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(_TEMPORARY, PREFIX, folder)
    try:
        with os.fdopen(handle, "wb") as file, _locked(file):
            file.write(content)
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except FileNotFoundError:  # another run began between two of these steps, and took the file for abandoned
        write(path, content, root)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _is_device(path: Path) -> bool:
    """Whether a path is that of a pipe, a socket or a device itself; a link to one is replaced as any other."""
    return path.exists() and not (path.is_symlink() or path.is_file() or path.is_dir())


def remove_abandoned(folder: Path) -> None:
    """Remove the temporary files of runs that were killed: a run that is writing one has locked it."""
    for name in names(folder):
        if name.startswith(PREFIX) and name.endswith(_TEMPORARY):
            with suppress(OSError), open_file(folder / name, folder) as file, _locked(file, waits=False):
                (folder / name).unlink()


@contextmanager
def _locked(file: BinaryIO, *, waits: bool = True) -> Iterator[None]:
    """Lock a file until it is closed, which the system does for a run that is killed; raises OSError."""
    try:
        import fcntl
    except ImportError:  # Windows removes no file that is open
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    yield


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def read_json(file: Path, kind: type[Decoded], command: str, most: int) -> Decoded:
    """The answer, of at most so many bytes, that a command has printed with --json into a file; raises SourceError."""
    try:
        return msgspec.json.decode(read(file, most=most), type=kind)
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror or error}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise SourceError(f"{file} is not what `waypost {command} --json` prints: {error}") from error
