"""What is remembered between runs, so that dates by content stay true.

The state is a text file, a JSON array a line, sorted, so that Git stores and shows its changes
well: a header, then `["page", key, digest, lastmod]` and `["sitemap", name, digest, lastmod]`.
`lastmod` is when that content was first seen, or null where it has never been seen to change.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from waypost.core.errors import LedgerError

VERSION = 1
_FORMAT = "waypost-state"


class ContentDate(Struct, frozen=True, gc=False):
    """A content's digest, and since when it is so."""

    digest: str
    lastmod: str | None


class State(Struct, frozen=True):
    """What was seen last time: pages by key, sitemaps by the output's name."""

    pages: Mapping[str, ContentDate] = {}
    sitemaps: Mapping[str, ContentDate] = {}


def date_content(before: ContentDate | None, digest: str, *, now: str, at_first: str | None = None) -> ContentDate:
    """Keep the date of a content that is the same, date a change `now`, and a first sight `at_first`."""
    if before is None:
        return ContentDate(digest, at_first)
    return before if before.digest == digest else ContentDate(digest, now)


def dump(state: State) -> bytes:
    """The state as its file's bytes."""
    lines: list[list[str | int | None]] = [[_FORMAT, VERSION]]
    for kind, entries in (("page", state.pages), ("sitemap", state.sitemaps)):
        lines += [[kind, key, entries[key].digest, entries[key].lastmod] for key in sorted(entries)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def load(data: bytes | None, where: str) -> State:
    """Read a state file; None is one that is not there yet.

    Raises LedgerError where it is damaged or newer than this program.
    """
    if data is None:
        return State()
    header, *lines = data.splitlines() or [b""]
    _check_header(header, where)
    kinds: dict[str, dict[str, ContentDate]] = {"page": {}, "sitemap": {}}
    for number, line in enumerate(lines, 2):
        try:
            kind, key, digest, lastmod = msgspec.json.decode(line, type=tuple[str, str, str, str | None])
            kinds[kind][key] = ContentDate(digest, lastmod)
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError) as error:
            raise LedgerError(f"{where}:{number}: this line of the state is damaged ({error}); {_REMEDY}") from None
    return State(kinds["page"], kinds["sitemap"])


_REMEDY = "restore the file from a backup or its branch, or remove it: dates are then unknown until pages change"


def _check_header(header: bytes, where: str) -> None:
    try:
        name, version = msgspec.json.decode(header, type=tuple[str, int])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        name, version = "", 0
    if name != _FORMAT:
        raise LedgerError(f"{where}:1: this is no state of Waypost's, or is damaged; {_REMEDY}")
    if version != VERSION:
        raise LedgerError(
            f"{where}:1: the state has version {version} and this program knows version {VERSION}; update Waypost"
        )
