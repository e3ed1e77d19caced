"""Changes the dates in the bytes of a sitemap or an index that any tool wrote, and nothing else in them."""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from msgspec import Struct

from waypost.core.errors import SourceError
from waypost.validate import MAX_TEXT, MOST_ENTRIES, ReadingStoppedError, XmlParser, split_name

_CHUNK = 262_144
_ENTRIES = {"urlset": "url", "sitemapindex": "sitemap"}
_START_TAG = re.compile(rb"<([^\s/>]+)(?:\s+[^\s=]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*+\s*+/?>")


class WrittenEntry(Struct, frozen=True, gc=False):
    """A URL or a child of an index as it is written: its loc, its date or `""`, and where both are."""

    loc: str
    lastmod: str
    _start: int
    _loc_span: slice
    _lastmod_span: slice | None


class WrittenSitemap:
    """The entries of a sitemap's uncompressed bytes; `kind` is urlset or sitemapindex. Raises SourceError."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name, self._data = name, data
        reader = _Reader(name, data)
        self.kind, self.entries = reader.kind, reader.entries

    def with_dates(self, dates: Sequence[str]) -> bytes:
        """The bytes with these dates, one for each entry; `""` is none, and a date as it is written changes nothing.

        Raises SourceError if the file is written so oddly that its dates would not be these.
        """
        changed = self._changed(dates)
        if changed is not self._data:
            found = [entry.lastmod for entry in _Reader(self._name, changed).entries]
            if found != list(dates):
                raise SourceError(f"{self._name} is written so that its dates cannot be changed alone")
        return changed

    def _changed(self, dates: Sequence[str]) -> bytes:
        pairs = zip(self.entries, dates, strict=True)
        edits = (self._edit(entry, date) for entry, date in pairs if date != entry.lastmod)
        parts, position = list[bytes](), 0
        for span, replacement in edits:
            parts += (self._data[position : span.start], replacement)
            position = span.stop
        return b"".join([*parts, self._data[position:]]) if parts else self._data

    def _edit(self, entry: WrittenEntry, date: str) -> tuple[slice, bytes]:
        """The bytes to replace, and what by."""
        written = entry._lastmod_span
        loc = entry._loc_span
        if written is None:
            return slice(loc.stop, loc.stop), self._space_before(loc.start) + self._element(entry, date)
        if not date:
            return slice(written.start - len(self._space_before(written.start)), written.stop), b""
        if self._data[written.stop - 2 : written.stop] == b"/>":
            return written, self._element(entry, date)
        tag = _START_TAG.match(self._data, written.start)
        start = tag.end() if tag else written.stop
        end = self._data.rindex(b"</", start, written.stop)
        inner = self._data[start:end]
        before, after = len(inner) - len(inner.lstrip()), len(inner) - len(inner.rstrip())
        return slice(start + before, max(end - after, start + before)), date.encode()

    def _space_before(self, position: int) -> bytes:
        """The white space between the tag before and this one."""
        end = position
        while position and self._data[position - 1 : position].isspace():
            position -= 1
        return self._data[position:end]

    def _element(self, entry: WrittenEntry, date: str) -> bytes:
        """A `lastmod` with the prefix that the element of the entry has."""
        found = _START_TAG.match(self._data, entry._start)
        prefix, colon, _ = found[1].rpartition(b":") if found else (b"", b"", b"")
        name = prefix + colon + b"lastmod"
        return b"<%b>%b</%b>" % (name, date.encode(), name)


class _Reader:
    """Reads the entries of one file, with their places."""

    def __init__(self, name: str, data: bytes) -> None:
        self._name, self._data = name, data
        self.kind, self.entries = "", list[WrittenEntry]()
        self._path: list[str] = []
        self._namespace = ""
        self._text: list[str] | None = None
        self._found: dict[str, tuple[str, slice]] = {}
        self._start, self._entry_start, self._is_just_open = 0, 0, False
        if not data.removeprefix(BOM_UTF8).lstrip().startswith(b"<"):
            raise SourceError(f"{name} is no XML: a text sitemap has no dates")
        self._parser = XmlParser(self._finding, self._open, self._close, self._characters)
        try:
            for start in range(0, len(data), _CHUNK):
                self._parser.feed(data[start : start + _CHUNK])
            self._parser.feed(b"", is_last=True)
        except ReadingStoppedError:
            raise SourceError(f"{name} is no XML sitemap that can be read; `waypost validate` says why") from None

    def _finding(self, code: str, line: int = 0, loc: str = "", **details: object) -> None:
        """Refuse what cannot be written again as it was; `waypost validate` reports the rest."""
        del loc, details
        if code == "wrong-encoding":
            raise SourceError(f"{self._name} has another encoding than UTF-8, so its dates cannot be changed")
        if code == "doctype":
            raise SourceError(f"{self._name}:{line}: it has a document type, which no sitemap has")

    def _open(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        namespace, local = split_name(name)
        depth = len(self._path)
        if not depth:
            if local not in _ENTRIES:
                raise SourceError(
                    f"{self._name} is a {local}, and only sitemaps and indexes in XML have dates to change"
                )
            self.kind, self._namespace = local, namespace
        self._path.append(local if namespace == self._namespace else "")
        if depth == 1:
            self._found, self._entry_start = {}, self._parser.position
        if depth == 2 and self._path[2] in ("loc", "lastmod") and self._path[1] == _ENTRIES[self.kind]:
            self._text, self._start = [], self._parser.position
        self._is_just_open = True

    def _characters(self, text: str) -> None:
        self._is_just_open = False
        if self._text is not None and len(self._path) == 3:
            self._text.append(text[:MAX_TEXT])

    def _close(self, name: str) -> None:
        del name
        local = self._path.pop()
        if len(self._path) == 2 and self._text is not None:
            span = slice(self._start, self._end_of(self._parser.position))
            self._found.setdefault(local, ("".join(self._text).strip(), span))
            self._text = None
        self._is_just_open = False
        if len(self._path) == 1 and "loc" in self._found:
            self._add_entry()

    def _add_entry(self) -> None:
        loc, loc_span = self._found["loc"]
        lastmod = self._found.get("lastmod")
        text, span = lastmod or ("", None)
        self.entries.append(WrittenEntry(loc, text, self._entry_start, loc_span, span))
        if len(self.entries) > MOST_ENTRIES:
            raise SourceError(f"{self._name} has more than {MOST_ENTRIES:,} entries, and a file may have 50,000")

    def _end_of(self, position: int) -> int:
        """Where the element ends of which the parser is at the last tag."""
        if self._is_just_open and self._data[position - 2 : position] == b"/>":  # expat is behind an empty element then
            return position
        return self._data.index(b">", position) + 1
