"""The state file of a folder: what a run remembers, so that dates by content stay true.

It is a text file of one JSON value a line, sorted, so that Git stores and shows its changes well. The header comes
first: `{"format":"waypost-state","version":3,"rules_version":7,"base_url":"https://example.org/"}`. Then follow
`["page", key, digest, lastmod]` and
`["sitemap", name, digest, lastmod]`. `lastmod` is when that content was first seen, or null where no run has seen it
change.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from waypost.core.errors import StateError
from waypost.pages.facts import RULES_VERSION

VERSION = 3
_VERSION_WITHOUT_SITE = 2
"""Its header names no site, so any site may take it over."""
_FORMAT = "waypost-state"
_REMEDY = "restore the file from a backup or its branch, or remove it: dates are then unknown until pages change"


class ContentDate(Struct, frozen=True, gc=False):
    """The digest of a content, and the time since when it is the current one."""

    digest: str
    lastmod: str | None


class State(Struct, frozen=True):
    """What the last run saw: pages by key, and sitemaps by file name.

    `rules_version` is the version of the rules that made the pages' digests. `base_url` is the site's, `""`
    where the file names none. If it `is_whole`, a page that it lacks is new. `published` are the dates of a
    published sitemap by URL, where nothing else is left of earlier runs.
    """

    pages: Mapping[str, ContentDate] = {}
    sitemaps: Mapping[str, ContentDate] = {}
    rules_version: int = RULES_VERSION
    base_url: str = ""
    is_whole: bool = False
    published: Mapping[str, str] = {}

    def is_of(self, base_url: str) -> bool:
        """Whether the state is a site's, as far as it says: another site's digests date nothing of it."""
        return self.base_url in ("", base_url)

    def date_page(self, key: str, digest: str, *, now: str, at_first: str | None = None) -> ContentDate:
        """Date a page's content as `date_content` does.

        A digest that other rules made does not compare: the page keeps its date, and gets its new digest.
        """
        before = self.pages.get(key)
        if before is not None and self.rules_version != RULES_VERSION:
            return ContentDate(digest, before.lastmod)
        return date_content(before, digest, now=now, at_first=at_first)


class _Header(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    rules_version: int
    base_url: str = ""


def date_content(before: ContentDate | None, digest: str, *, now: str, at_first: str | None = None) -> ContentDate:
    """Keep the date of a content that is the same, date a changed one `now`, and one seen first `at_first`."""
    if before is None:
        return ContentDate(digest, at_first)
    return before if before.digest == digest else ContentDate(digest, now)


def dump(state: State) -> bytes:
    """The state as its file's bytes."""
    lines: list[_Header | list[str | None]] = [_Header(_FORMAT, VERSION, state.rules_version, state.base_url)]
    for kind, entries in (("page", state.pages), ("sitemap", state.sitemaps)):
        lines += [[kind, key, entries[key].digest, entries[key].lastmod] for key in sorted(entries)]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def load(data: bytes | None, where: str) -> State:
    """Read a state file from its bytes; None means that there is no file yet.

    `where` names the file in errors. Raises StateError if the file is damaged, or of another version.
    """
    if data is None:
        return State()
    first, *lines = data.splitlines() or [b""]
    header = _read_header(first, where)
    kinds: dict[str, dict[str, ContentDate]] = {"page": {}, "sitemap": {}}
    for number, line in enumerate(lines, 2):
        try:
            kind, key, digest, lastmod = msgspec.json.decode(line, type=tuple[str, str, str, str | None])
            kinds[kind][key] = ContentDate(digest, lastmod)
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError) as error:
            raise StateError(f"{where}:{number}: this line of the state is damaged ({error}); {_REMEDY}") from None
    return State(kinds["page"], kinds["sitemap"], header.rules_version, header.base_url)


def _read_header(line: bytes, where: str) -> _Header:
    """Read the header; raises StateError for what is none, and for another version."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        found = None
    if found == [_FORMAT, 1]:
        raise StateError(
            f"{where}:1: the state was written by a development version before the first release; delete it: "
            "dates are then unknown until pages change"
        )
    version = found.get("version") if isinstance(found, dict) and found.get("format") == _FORMAT else None
    if isinstance(version, int) and version > VERSION:
        raise StateError(
            f"{where}:1: the state has version {version} and this program knows version {VERSION}; update Waypost"
        )
    try:
        header = msgspec.convert(found, _Header)
    except msgspec.ValidationError:
        header = None
    has_site = header is not None and bool(header.base_url)
    if header is None or header.version != (VERSION if has_site else _VERSION_WITHOUT_SITE):
        raise StateError(f"{where}:1: this is not a state of Waypost, or it is damaged; {_REMEDY}")
    return header
