"""The published sitemaps that no call of a simulation has written: what S3 would say of them."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from scale.synthetic_bucket import SyntheticBucket
from waypost.stores.base import DIGEST

_FILE = "assumed-files.txt"
_LINE = r"^{name} (\w+) (\d+) (\d+)$"
_SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


class AssumedFile(NamedTuple):
    """A sitemap: the digest of its bytes, and the numbers of the objects that it lists, without the last."""

    digest: str
    begin: int
    end: int

    @property
    def etag(self) -> str:
        """Its ETag: the simulated S3 derives ETags from the bytes."""
        return f'"{self.digest}"'

    def content(self, bucket: SyntheticBucket) -> bytes:
        """A sitemap of these objects; its bytes have another digest."""
        keys = bucket.keys(self.begin, self.end)
        urls = "".join(f"<url><loc>https://example.org/{quote(key)}</loc></url>" for key in keys)
        return _SITEMAP.format(urls=urls).encode()


class AssumedFiles:
    """The assumed files in a simulation's folder; a text, because a dictionary of them would use much memory."""

    def __init__(self, folder: Path) -> None:
        file = folder / _FILE
        first, _, self._lines = (file.read_text(encoding="utf-8") if file.exists() else "{}\n").partition("\n")
        self._metadata: dict[str, str] = json.loads(first)

    def find(self, name: str) -> AssumedFile | None:
        """The file of this name, if there is one."""
        found = re.search(_LINE.format(name=re.escape(name)), self._lines, re.MULTILINE)
        return AssumedFile(found[1], int(found[2]), int(found[3])) if found else None

    def metadata(self, file: AssumedFile) -> Mapping[str, str]:
        """The metadata that a call would have written the file with."""
        return {**self._metadata, DIGEST: file.digest}

    def digests(self) -> dict[str, str]:
        """The digests of all files by name."""
        return {name: digest for name, digest, _, _ in map(str.split, self._lines.splitlines())}


def write(folder: Path, metadata: Mapping[str, str], files: Mapping[str, AssumedFile]) -> None:
    """Write the assumed files, and the metadata that they have in common."""
    lines = (f"{name} {file.digest} {file.begin} {file.end}\n" for name, file in files.items())
    (folder / _FILE).write_text(f"{json.dumps(metadata)}\n{''.join(lines)}", encoding="utf-8")
