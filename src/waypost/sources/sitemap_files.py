"""Sitemap files that stand in a folder, or come through a pipe, opened to be read."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from waypost.core.gzip import decompress_start

_CHUNK = 65_536
ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz", ".rss", ".atom")
_ROOT = re.compile(rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed)\b")
INDEX = b"sitemapindex"


class LocalFile:
    """A file of this machine; `loc` is where it is published, or `""`."""

    def __init__(self, path: Path, loc: str = "") -> None:
        self.path, self.name, self.loc = path, _shown(path), loc
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """Its bytes; raises OSError."""
        with self.path.open("rb") as file:
            self.modified = self.path.stat().st_mtime
            while data := file.read(_CHUNK):
                yield data


class PipedFile:
    """What comes through a pipe."""

    def __init__(self, pipe: BinaryIO, loc: str = "") -> None:
        self._pipe, self.name, self.loc = pipe, "standard input", loc
        self.modified: float | None = None
        self.redirected_to = ""

    def chunks(self) -> Iterator[bytes]:
        """Its bytes; raises OSError."""
        while data := self._pipe.read(_CHUNK):
            yield data


def sitemaps(folder: Path) -> list[Path]:
    """The files right in a folder that are sitemaps by what they begin with, or by their name; indexes first."""
    found = {path: _root(path) for path in sorted(folder.iterdir()) if path.is_file() and path.name.endswith(ENDINGS)}
    ours = [path for path, root in found.items() if root or path.name.startswith("sitemap")]
    return sorted(ours, key=lambda path: found[path] != INDEX)


def root_of(content: bytes) -> bytes:
    """The name of the root by which a file is a sitemap or a feed, in its first bytes; `b""` for any other."""
    match = _ROOT.search(content)
    return match[1] if match else b""


def _root(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return root_of(decompress_start(file.read(_CHUNK)))
    except OSError:
        return b""


def _shown(path: Path) -> str:
    """A path as text that can be printed: a byte that is no UTF-8 as `\\xff`."""
    return str(path).encode(errors="surrogateescape").decode(errors="backslashreplace")
