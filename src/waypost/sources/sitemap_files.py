"""Opens sitemap files in a folder, or from a pipe."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from waypost.core.gzip import decompress_start

_CHUNK_BYTES = 65_536
ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom")
_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed)\b")
INDEX = b"sitemapindex"


class LocalFile:
    """A file on this machine; `loc` is the URL at which it is published, or `""`."""

    def __init__(self, path: Path, loc: str = "") -> None:
        self.path, self.name, self.loc = path, _printable(path), loc
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """The bytes in chunks; raises OSError."""
        with self.path.open("rb") as file:
            self.modified = self.path.stat().st_mtime
            while data := file.read(_CHUNK_BYTES):
                yield data


class PipedFile:
    """A file that is read from a pipe."""

    def __init__(self, pipe: BinaryIO, loc: str = "") -> None:
        self._pipe, self.name, self.loc = pipe, "standard input", loc
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """The bytes in chunks; raises OSError."""
        while data := self._pipe.read(_CHUNK_BYTES):
            yield data


def sitemaps(folder: Path) -> list[Path]:
    """The sitemaps directly in a folder, by their first bytes or their names; indexes first."""
    roots = {path: _root(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name.endswith(ENDINGS)}
    paths = [path for path, root in roots.items() if root or path.name.startswith("sitemap")]
    return sorted(paths, key=lambda path: roots[path] != INDEX)


def root_of(content: bytes) -> bytes:
    """The name of the root element of a sitemap or a feed, by its first bytes; `b""` for any other file."""
    match = _ROOT.search(content)
    return match[1] if match else b""


def _root(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return root_of(decompress_start(file.read(_CHUNK_BYTES)))
    except OSError:
        return b""


def _printable(path: Path) -> str:
    """A path as text that can be printed; a byte that is not UTF-8 becomes `\\xff`."""
    return str(path).encode(errors="surrogateescape").decode(errors="backslashreplace")
