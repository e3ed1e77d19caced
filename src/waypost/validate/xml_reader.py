"""Reads sitemaps, indexes, RSS and Atom from XML as it arrives; nothing outside the file is ever read.

The parser is expat. A file that declares an entity is read no further, so that none can be expanded; no
text is kept beyond what any field may hold.
"""

from typing import NoReturn, Protocol
from urllib.parse import urljoin
from xml.parsers import expat

from waypost.validate.sitemap_entry import (
    IMAGE_NAMESPACE,
    MOBILE_NAMESPACE,
    NEWS_NAMESPACE,
    SITEMAP_NAMESPACE,
    VIDEO_NAMESPACE,
    XHTML_NAMESPACE,
    Element,
    SitemapEntry,
)


class ReportFinding(Protocol):
    """Takes down a finding."""

    def __call__(self, code: str, line: int = 0, loc: str = "", **seen: object) -> None:
        """A code, where, and what was seen."""


_CORE = ("loc", "lastmod", "changefreq", "priority")
_ENTRIES = {"urlset": "url", "sitemapindex": "sitemap"}
_EXTENSIONS = {
    "sitemap-image": IMAGE_NAMESPACE,
    "sitemap-news": NEWS_NAMESPACE,
    "sitemap-video": VIDEO_NAMESPACE,
    "sitemap-mobile": MOBILE_NAMESPACE,
}
_KNOWN = frozenset({XHTML_NAMESPACE, *_EXTENSIONS.values()})
_FEEDS = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
_ANYWHERE = ("http://www.w3.org/2001/XMLSchema-instance ", "http://www.w3.org/XML/1998/namespace ")
"""Attributes of these namespaces may stand on any element."""
_LONGEST = 65_536
"""Of a field no more characters are kept: thirty times what a loc may have."""
_DEEPEST, _DEEPEST_READ = 32, 1_000
"""Elements of extensions are kept so far down; a file that goes down further than the second is read no further."""
_LONGEST_TAG = 1_048_576
"""The parser reads an unfinished tag anew with each chunk, in a time that grows with the square of its length."""
_NAMES = 50_000
"""The parser keeps each name that it meets."""
_WIDEST = 4
"""A character has no more bytes in UTF-8."""
_NODES = 20_000
"""Of an entry no more elements of extensions are kept: a thousand images have some thousands."""
_BASE = "http://www.w3.org/XML/1998/namespace base"
_NONE, _EXTENSION = -1, 4
"""What is being read below an entry: nothing that counts, one of `_CORE` by its number, or an extension."""


class ReadingStoppedError(Exception):
    """Nothing more can, or may, be read of the file."""


class XmlReader:
    """One file; `kind` is urlset, sitemapindex, rss or feed once its root was read, and entries gather in `entries`."""

    def __init__(self, say: ReportFinding) -> None:
        self._say = say
        self.kind = ""
        self.entries: list[SitemapEntry] = []
        self._core, self._base, self._entry_base = SITEMAP_NAMESPACE, "", ""
        self._depth, self._at_entry = 0, 2
        self._entry: SitemapEntry | None = None
        self._field, self._last, self._nodes = _NONE, _NONE, 0
        self._value = ""
        self._usual: dict[str, int] = {}
        self._usual_entry = ""
        self._open: list[Element] = []
        self._told: set[tuple[str, str]] = set()
        self._fed, self._end_of_fed = 0, b""
        self._parser = self._made()

    def _made(self) -> expat.XMLParserType:
        parser = expat.ParserCreate("UTF-8", namespace_separator=" ")  # whatever the file declares
        parser.buffer_text, parser.buffer_size = True, _LONGEST
        parser.XmlDeclHandler = self._declared
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.AttlistDeclHandler = self._attributes
        parser.SkippedEntityHandler = self._entity  # one that only a file elsewhere could declare
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        return parser

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Read on; raises Stopped where nothing more can be read."""
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            if self._is_no_utf8(data):
                self._say("wrong-encoding", error.lineno, encoding="no UTF-8")
            else:
                why = f"{expat.ErrorString(error.code)} at column {error.offset + 1}"
                self._say("not-well-formed", error.lineno, why=why)
            raise ReadingStoppedError from error
        self._fed, self._end_of_fed = self._fed + len(data), (self._end_of_fed + data[-_WIDEST:])[-_WIDEST:]
        if self._fed - self._parser.CurrentByteIndex > _LONGEST_TAG and not is_last:
            self._refuse(f"it holds a tag or a comment of more than {_LONGEST_TAG:,} bytes")
        if len(self._parser.intern) > _NAMES:
            self._refuse(f"its elements and attributes have more than {_NAMES:,} names")

    def _is_no_utf8(self, data: bytes) -> bool:
        """Whether what the parser cannot read begins with bytes that are no character's."""
        at = self._parser.ErrorByteIndex - self._fed + len(self._end_of_fed)
        try:
            (self._end_of_fed + data)[max(at, 0) : max(at, 0) + _WIDEST].decode()
        except UnicodeDecodeError as error:
            return error.start == 0 and error.reason != "unexpected end of data"
        return False

    def _refuse(self, what: str) -> NoReturn:
        self._say("not-a-sitemap", self._line, what=what)
        raise ReadingStoppedError

    def take(self) -> list[SitemapEntry]:
        """The entries that were read since the last time."""
        taken, self.entries = self.entries, []
        return taken

    def _declared(self, version: str, encoding: str | None, standalone: int) -> None:
        del version, standalone
        if encoding and encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
            self._say("wrong-encoding", 1, encoding=encoding)

    def _doctype(self, name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        del system, public, has_subset
        if name.lower() == "html":
            self._refuse("it is an HTML page")
        self._say("doctype", self._line)

    def _entity(self, name: str, *declared: object) -> NoReturn:
        del declared
        self._say("entity", self._line, name=name)
        raise ReadingStoppedError

    def _attributes(self, element: str, *declared: object) -> NoReturn:
        """Every element of the name would have them, which multiplies what is to be read."""
        del declared
        self._refuse(f"it declares attributes of {element}")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Nearly all elements are the usual ones, in their order and plain; those are seen to first."""
        self._depth += 1
        if self._entry is None:
            if name == self._usual_entry and self._depth == self._at_entry and not attributes:
                self._entry = SitemapEntry(self._parser.CurrentLineNumber)
                self._field = self._last = _NONE
            else:
                self._begin_outside(name, attributes)
            return
        field = self._usual.get(name, _NONE)
        if field > self._last and self._depth == self._at_entry + 1 and not attributes:
            self._field = self._last = field
            self._value = ""
        elif self._depth == self._at_entry + 1:
            self._begin_field(name, attributes)
        else:
            self._begin_below(name, attributes)

    def _begin_outside(self, name: str, attributes: dict[str, str]) -> None:
        self._enter()
        if self._depth == self._at_entry:
            self._begin_entry(name, attributes)
        elif self._depth == 1:
            self._root(name, attributes)

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local = _split_name(name)
        if local in _ENTRIES:
            self.kind, self._core = local, namespace
            if namespace != SITEMAP_NAMESPACE:
                self._say("wrong-namespace", self._line, name=local, found=namespace, right=SITEMAP_NAMESPACE)
            self._check_attributes(local, attributes)
            self._usual_entry = f"{namespace} {_ENTRIES[local]}".lstrip()
            self._usual = {f"{namespace} {field}".lstrip(): n for n, field in enumerate(self._core_fields)}
        elif local == "feed" and namespace in _FEEDS:
            self.kind, self._core, self._base = "feed", namespace, attributes.get(_BASE, "")
        elif local == "rss":
            self.kind, self._core, self._at_entry = "rss", "", 3
        elif local == "RDF":
            self.kind, self._core = "rss", "http://purl.org/rss/1.0/"
        else:
            self._refuse(f"its root is {local[:80]}")

    def _begin_entry(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local = _split_name(name)
        wanted = _ENTRIES.get(self.kind) or ("item" if self.kind == "rss" else "entry")
        if local == wanted and namespace == self._core:
            self._entry = SitemapEntry(self._line)
            self._field = self._last = _NONE
            self._entry_base = _joined(self._base, attributes.get(_BASE, ""))
            if attributes and self.kind in _ENTRIES:
                self._check_attributes(local, attributes)
        elif self.kind in _ENTRIES:
            self._unknown_name(name, wanted)

    def _begin_field(self, name: str, attributes: dict[str, str]) -> None:
        self._value = ""
        namespace, local = _split_name(name)
        if self.kind not in _ENTRIES:
            self._begin_feed_field(namespace, local, attributes)
        elif namespace == self._core and local in self._core_fields:
            self._begin_core(local)
            if attributes:
                self._check_attributes(local, attributes)
        elif meant := self._known_namespace(namespace, local):
            self._nodes = self._nodes if self._last == _EXTENSION else 0
            self._field = self._last = _EXTENSION
            self._begin_node(meant, local, attributes)
        else:
            self._unknown_name(name, ", ".join(self._core_fields))
            self._last = _EXTENSION if namespace not in (self._core, SITEMAP_NAMESPACE, "") else self._last
            self._field = _NONE

    def _begin_core(self, local: str) -> None:
        field = _CORE.index(local)
        if self._last > field:
            before = _CORE[self._last] if self._last < _EXTENSION else "an extension"
            self._say("element-order", self._line, name=local, before=before)
        if getattr(self._entry, local) is not None:
            self._say("element-repeated", self._line, name=local)
            field = _NONE
        self._field, self._last = field, max(self._last, field)

    def _begin_feed_field(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        """A feed's link and date, which other elements than a sitemap's hold."""
        self._field = _NONE
        if local == "link" and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate" and self._entry and self._entry.loc is None:
                base = attributes.get(_BASE, self._entry_base)
                self._entry.loc = _joined(base, attributes["href"].strip())
        elif local == "link" and namespace == self._core:
            self._field = 0
        elif local in ("pubDate", "updated", "modified"):
            self._field = 1

    def _begin_below(self, name: str, attributes: dict[str, str]) -> None:
        self._enter()
        namespace, local = _split_name(name)
        if self._field == _EXTENSION and self._open:
            self._begin_node(self._known_namespace(namespace, local) or namespace, local, attributes)
        elif self._field in range(_EXTENSION):
            self._unknown_name(name)

    def _enter(self) -> None:
        if self._depth > _DEEPEST_READ:
            self._refuse(f"its elements lie more than {_DEEPEST_READ:,} deep")

    def _begin_node(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        self._nodes += 1
        node = Element(namespace, local, self._line, attributes)
        if self._nodes <= _NODES and len(self._open) < _DEEPEST:
            if self._open:
                self._open[-1].children.append(node)
            elif self._entry and self._entry.extensions:
                self._entry.extensions.append(node)
            elif self._entry:
                self._entry.extensions = [node]
        self._open.append(node)
        self._value = ""

    def _end(self, name: str) -> None:
        del name
        depth = self._depth
        self._depth = depth - 1
        entry = self._entry
        if entry is None:
            return
        if self._open:
            node = self._open.pop()
            node.text = node.text or self._value.strip()
            self._value = ""
        elif depth == self._at_entry + 1:
            if self._field == 0:
                self._set_loc(entry)
            elif self._field > 0:
                self._set_hint(entry)
            self._field = _NONE
        elif depth == self._at_entry:
            self.entries.append(entry)
            self._entry = None

    def _set_loc(self, entry: SitemapEntry) -> None:
        value = self._value.strip()
        if value != self._value and not self._value.startswith(("\n", "\r")):
            self._say("loc-padded", self._line, value)
        if entry.loc is None:
            entry.loc = value

    def _set_hint(self, entry: SitemapEntry) -> None:
        value = self._value.strip()
        if self._field == 1:
            entry.lastmod = value if entry.lastmod is None else entry.lastmod
        elif self._field == 2:
            entry.changefreq = value
        else:
            entry.priority = value

    def _characters(self, text: str) -> None:
        if self._field >= 0:
            if not self._value:
                self._value = text if len(text) <= _LONGEST else text[:_LONGEST]
            elif len(self._value) < _LONGEST:
                self._value = (self._value + text)[:_LONGEST]
        elif not text.isspace() and self._is_stray():
            self._told.add(("", ""))
            self._say("stray-text", self._line, text=text.strip()[:40])

    def _is_stray(self) -> bool:
        """Whether a text here stands where none belongs, and is the first that does."""
        return self.kind in _ENTRIES and self._depth <= self._at_entry and ("", "") not in self._told

    @property
    def _core_fields(self) -> tuple[str, ...]:
        return _CORE if self.kind == "urlset" else _CORE[:2]

    def _known_namespace(self, namespace: str, local: str) -> str:
        """The namespace of an extension that is, or is plainly meant; `""` for others. A mistake is told once."""
        if namespace in _KNOWN:
            return namespace
        meant = next((right for part, right in _EXTENSIONS.items() if part in namespace.lower()), "")
        if not meant and "xhtml" in namespace.lower():
            meant = XHTML_NAMESPACE
        if meant and (namespace, "") not in self._told:
            self._told.add((namespace, ""))
            self._say("wrong-namespace", self._line, name=local, found=namespace, right=meant)
        return meant

    def _unknown_name(self, name: str, known: str = "") -> None:
        """An element that does not belong where it stands; of each kind the first is told."""
        namespace, local = _split_name(name)
        if (name, known) in self._told or self.kind not in _ENTRIES or (self._depth > 3 and self._field == _NONE):
            return
        self._told.add((name, known))
        if namespace in (self._core, SITEMAP_NAMESPACE, ""):
            where = _ENTRIES[self.kind] if self._depth > self._at_entry else self.kind
            self._say("unknown-element", self._line, name=local, where=where, known=known or "nothing but text")
        elif not self._known_namespace(namespace, local):
            self._say("unknown-namespace", self._line, name=local, found=namespace)

    def _check_attributes(self, local: str, attributes: dict[str, str]) -> None:
        for name in attributes:
            if not name.startswith(_ANYWHERE) and (local, name) not in self._told:
                self._told.add((local, name))
                self._say("unknown-attribute", self._line, name=local, attribute=_split_name(name)[1])

    @property
    def _line(self) -> int:
        return self._parser.CurrentLineNumber


def _joined(base: str, reference: str) -> str:
    """A feed's reference against the base that its elements give (XML Base); itself where there is none."""
    try:
        return urljoin(base, reference) if base else reference
    except ValueError:
        return reference


def _split_name(name: str) -> tuple[str, str]:
    namespace, _, local = name.rpartition(" ")
    return namespace, local
