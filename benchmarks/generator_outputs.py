"""Reads what a generator built: the URLs of its own sitemaps, what is wrong in them, and small archives of outputs."""

import io
import re
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from measure import ROOT
from msgspec import Struct, convert

FIXTURES = ROOT / "tests" / "fixtures" / "generators"
_SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_KEPT_NAMES = frozenset({".nojekyll", "CNAME", "_headers", "_redirects", "robots.txt"})
_KEPT_ENDINGS = (".html", ".htm", ".xhtml")
_LONGEST_INLINE = 2_000
_INLINE = re.compile(rb"(<(script|style)\b[^>]*>)(.*?)(</\2\s*>)", re.DOTALL | re.IGNORECASE)


class ExpectedDifference(Struct, frozen=True, forbid_unknown_fields=True):
    """URLs that only Waypost lists (`kind` is extra) or only the generator (`wrong`: they are no indexable pages)."""

    kind: str
    why: str
    urls: list[str]


def expected_differences() -> dict[str, list[ExpectedDifference]]:
    """The differences that are right, by the name of the site."""
    table = tomllib.loads((FIXTURES / "expected.toml").read_text(encoding="utf-8"))
    return convert(table, dict[str, list[ExpectedDifference]])


def own_urls(folder: Path) -> set[str]:
    """The URLs that the generator's sitemaps list; the characters of a URL are not percent-encoded."""
    return {unquote(url) for path in folder.rglob("*.xml") if path.is_file() for url in _listed(path)}


def _listed(path: Path) -> Iterator[str]:
    root = ElementTree.parse(path).getroot()
    if root.tag == f"{_SITEMAP}urlset":
        yield from ((loc.text or "").strip() for loc in root.iterfind(f"{_SITEMAP}url/{_SITEMAP}loc"))


def archive(folder: Path, target: Path) -> None:
    """Write the output's pages, sitemaps and small text files to an archive; the same files give the same bytes."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(target, "w:xz", format=tarfile.PAX_FORMAT, preset=9) as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and _is_kept(path):
                content = _without_long_inline(path.read_bytes())
                entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
                entry.size = len(content)
                made.addfile(entry, io.BytesIO(content))


def unpack(packed: Path, folder: Path) -> None:
    """Write the files of an archive to a folder."""
    with tarfile.open(packed) as opened:
        for entry in opened:
            path, file = folder / entry.name, opened.extractfile(entry)
            if file is None:
                raise ValueError(f"{packed} contains {entry.name}, which is no file")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.read())


def _is_kept(path: Path) -> bool:
    if path.suffix == ".xml":
        return ElementTree.parse(path).getroot().tag.startswith(_SITEMAP)
    return path.name in _KEPT_NAMES or path.name.endswith(_KEPT_ENDINGS)


def _without_long_inline(page: bytes) -> bytes:
    """The page without the content of long scripts and styles."""
    return _INLINE.sub(
        lambda found: found[1] + (found[3] if len(found[3]) <= _LONGEST_INLINE else b"") + found[4], page
    )
