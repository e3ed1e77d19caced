"""The dates that a generator's own sitemaps give its pages.

They are kept between runs, because Waypost replaces those sitemaps, and the generator may not run before the next run.
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from waypost.build.present_sitemaps import usual_sitemaps
from waypost.core import dates
from waypost.core.urls import page_identity
from waypost.sitemaps.formats.base import is_marked
from waypost.stores import Store
from waypost.validate import sitemap_content

_FORMAT, _VERSION = "waypost-generator-dates", 1
_DAY_LENGTH = 10


class KeptFile(Struct, frozen=True, forbid_unknown_fields=True):
    """What is kept of a generator's sitemaps between runs: its format, and the version of that."""

    format: str
    version: int


_Kept = TypeVar("_Kept", bound=KeptFile)


class GeneratorDates(KeptFile, frozen=True, forbid_unknown_fields=True):
    """The dates by the identity of the page's URL (`core.page_identity`), and the version of the file's format."""

    format: str = _FORMAT
    version: int = _VERSION
    dates: Mapping[str, str] = {}

    def of(self, loc: str) -> tuple[str, ...]:
        """The date that the generator gives the page, if it is known."""
        date = self.dates.get(page_identity(loc))
        return (date,) if date else ()


def read(published: Store, kept: Store, name: str) -> GeneratorDates:
    """The dates in the published sitemaps that Waypost did not make, or else those that were kept under this name.

    A kept file that cannot be read, or has another version, counts as missing: it only saves a search.
    """
    bodies = usual_sitemaps(published)
    found = {page_identity(loc): date for key, body in bodies.items() for loc, date in _dated(key, body)}
    if found or any(not is_marked(body) for body in bodies.values()):
        return GeneratorDates(dates=found)
    return read_kept(kept, name, GeneratorDates())


def keep(found: GeneratorDates, kept: Store, name: str) -> None:
    """Write the dates for later runs; the same dates are not written again. Raises StoreError."""
    if found.dates:
        keep_file(found, kept, name)


def read_kept(kept: Store, name: str, empty: _Kept) -> _Kept:
    """What an earlier run kept under this name; `empty` if that cannot be read, or has another format or version."""
    try:
        found = msgspec.json.decode(kept.read(name) or b"", type=type(empty))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return empty
    return found if (found.format, found.version) == (empty.format, empty.version) else empty


def keep_file(found: KeptFile, kept: Store, name: str) -> None:
    """Keep something for later runs; the same is not written again. Raises StoreError."""
    content = msgspec.json.encode(found, order="deterministic") + b"\n"
    if kept.read(name) != content:
        kept.write(name, content)


def _dated(name: str, body: bytes) -> Iterator[tuple[str, str]]:
    """The pages to which a sitemap gives a time, not only a day, and that time."""
    if is_marked(body):
        return
    for entry in sitemap_content.read_entries(name, body)[1]:
        date = dates.parse_page_date(entry.lastmod or "")
        if entry.loc and date and len(date) > _DAY_LENGTH:
            yield entry.loc, date
