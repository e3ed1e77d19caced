"""Opens sitemap files in a folder, or from a pipe."""

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from waypost.core import tree_files
from waypost.core.gzip import decompress_start

_CHUNK_BYTES = 65_536
ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom")
_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed)\b")
INDEX = b"sitemapindex"
_FEEDS, _SITEMAPS = (b"rss", b"feed"), (b"urlset", INDEX)
_MOST_FOLDERS = 100_000
"""So many folders below a folder are looked into."""


class LocalFile:
    """A file on this machine; `loc` is the URL at which it is published, or `""`.

    The folder `root` contains it, unless the user has named the file.
    """

    def __init__(self, path: Path, loc: str = "", root: Path | None = None) -> None:
        self.path, self.name, self.loc, self._root = path, _printable(path), loc, root
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    def chunks(self) -> Iterator[bytes]:
        """The bytes in chunks; raises OSError."""
        with tree_files.open_file(self.path, self._root) as file:
            self.modified = os.fstat(file.fileno()).st_mtime
            while data := file.read(_CHUNK_BYTES):
                yield data


class PipedFile:
    """A file that is read from a pipe."""

    def __init__(self, pipe: BinaryIO, loc: str = "") -> None:
        self._pipe, self.name, self.loc = pipe, "standard input", loc
        self.modified: float | None = None
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    def chunks(self) -> Iterator[bytes]:
        """The bytes in chunks; raises OSError."""
        while data := self._pipe.read(_CHUNK_BYTES):
            yield data


def sitemaps(folder: Path) -> list[Path]:
    """The sitemaps in a folder, by their first bytes or names, and those below it that have the name; indexes first.

    A feed counts where there is no sitemap: beside one, such as the feed that Hugo writes, it is for readers. Raises
    OSError.
    """
    files = (each for each in sorted(folder.iterdir()) if each.name.endswith(ENDINGS))
    roots = {path: _root(path, folder) for path in files if tree_files.is_file(path, folder)}
    paths = [path for path, root in roots.items() if root or path.name.startswith("sitemap")]
    paths = [path for path in paths if roots[path] not in _FEEDS] or paths
    nested = {path: root for path in _named_below(folder) if (root := _root(path, folder)) in _SITEMAPS}
    roots |= nested
    return sorted([*paths, *nested], key=lambda path: roots[path] != INDEX)


def _named_below(folder: Path) -> Iterator[Path]:
    """The files named `sitemap` in the folders below a folder, hidden ones excepted, in order."""
    for place, names, files in islice(os.walk(folder), _MOST_FOLDERS):
        names[:] = sorted(name for name in names if not name.startswith("."))
        found = sorted(name for name in files if name.startswith("sitemap") and name.endswith(ENDINGS))
        paths = (Path(place, name) for name in found if Path(place) != folder)
        yield from (path for path in paths if tree_files.is_file(path, folder))


def root_of(content: bytes) -> bytes:
    """The name of the root element of a sitemap or a feed, by its first bytes; `b""` for any other file."""
    match = _ROOT.search(content)
    return match[1] if match else b""


def _root(path: Path, folder: Path) -> bytes:
    try:
        return root_of(decompress_start(tree_files.read_start(path, folder, size=_CHUNK_BYTES)))
    except OSError:
        return b""


def _printable(path: Path) -> str:
    """A path as text that can be printed; a byte that is not UTF-8 becomes `\\xff`."""
    return str(path).encode(errors="surrogateescape").decode(errors="backslashreplace")
