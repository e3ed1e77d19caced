"""Reads the entries of sitemaps, indexes, RSS and Atom feeds from XML, chunk by chunk."""

from collections import Counter
from urllib.parse import urljoin

from waypost.core.urls import MAX_REFERENCE, has_long_authority
from waypost.validate.reading import ReportFinding
from waypost.validate.sitemap_entry import NEWS_NAMESPACE, PREFIXES, SITEMAP_NAMESPACE, Element, SitemapEntry
from waypost.validate.xml_parser import MAX_TEXT, XmlParser, split_name

_FIELDS = ("loc", "lastmod", "changefreq", "priority")
_ENTRY_NAMES = {"urlset": "url", "sitemapindex": "sitemap"}
_PARTS = {namespace: prefix if prefix == "xhtml" else f"sitemap-{prefix}" for namespace, prefix in PREFIXES.items()}
"""The parts of the namespaces of extensions that misspelt ones have too."""
_PAGE_MAPS = "http://www.google.com/schemas/sitemap-pagemap/1.0"
"""Google's Programmable Search Engine reads these (Google, "Provide structured data")."""
_ATOM_NAMESPACES = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
_RSS_1_NAMESPACE = "http://purl.org/rss/1.0/"
_GLOBAL_ATTRIBUTES = ("http://www.w3.org/2001/XMLSchema-instance ", "http://www.w3.org/XML/1998/namespace ")
"""Attributes of these namespaces are allowed on any element."""
_MAX_KEPT_DEPTH, _MAX_DEPTH = 32, 1_000
"""Extension elements are kept down to the first depth; a file with deeper elements than the second is refused."""
_MAX_NODES = 20_000
"""The most extension elements of an entry that are kept: a thousand images have a few thousand."""
_XML_BASE = "http://www.w3.org/XML/1998/namespace base"
_NO_FIELD, _EXTENSION = -1, 4
"""What is being read below an entry: nothing of interest, a field by its index in `_FIELDS`, or an extension."""


class XmlReader:
    """Reads one file.

    `kind` is urlset, sitemapindex, rss or feed once the root element was read; whoever takes the `entries` that were
    read so far puts an empty list there. If it `keeps_all`, extensions in unknown namespaces are read, too, and `lost`
    counts what is not.
    """

    def __init__(self, report: ReportFinding, *, keeps_all: bool = False) -> None:
        self._report, self._keeps_all = report, keeps_all
        self.lost: Counter[str] = Counter()
        self.kind = ""
        self.entries: list[SitemapEntry] = []
        self._namespace, self._base, self._entry_base = SITEMAP_NAMESPACE, "", ""
        self._depth, self._entry_depth = 0, 2
        self._entry: SitemapEntry | None = None
        self._field, self._last_field, self._node_count = _NO_FIELD, _NO_FIELD, 0
        self._text = ""
        self._plain_entry_name = ""
        self._plain_fields: dict[str, int] = {}
        self._allowed_fields: tuple[str, ...] = ()
        self._open_nodes: list[Element] = []
        self._reported: set[tuple[str, ...]] = set()
        self._parser = XmlParser(report, self._start, self._end, self._characters)

    def feed(self, data: bytes, *, is_last: bool = False) -> None:
        """Read the next chunk; raises ReadingStoppedError if the rest cannot be read."""
        self._parser.feed(data, is_last=is_last)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element; the first branches are fast paths for plain elements in order, which nearly all are."""
        self._depth += 1
        if self._entry is None:
            if name == self._plain_entry_name and self._depth == self._entry_depth and not attributes:
                self._entry = SitemapEntry(self._parser.line)
                self._field = self._last_field = _NO_FIELD
            else:
                self._start_outside_entry(name, attributes)
            return
        field = self._plain_fields.get(name, _NO_FIELD)
        if field > self._last_field and self._depth == self._entry_depth + 1 and not attributes:
            self._field = self._last_field = field
            self._text = ""
        elif self._depth == self._entry_depth + 1:
            self._start_in_entry(name, attributes)
        else:
            self._start_below_field(name, attributes)

    def _start_outside_entry(self, name: str, attributes: dict[str, str]) -> None:
        self._check_depth()
        if self._depth == self._entry_depth:
            self._start_entry(name, attributes)
        elif self._depth == 1:
            self._start_root(name, attributes)

    def _start_root(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local = split_name(name)
        if local in _ENTRY_NAMES:
            self.kind, self._namespace = local, namespace
            if namespace != SITEMAP_NAMESPACE:
                self._report("wrong-namespace", self._parser.line, name=local, found=namespace, right=SITEMAP_NAMESPACE)
            self._check_attributes(local, attributes)
            self._allowed_fields = _FIELDS if local == "urlset" else _FIELDS[:2]
            self._plain_entry_name = f"{namespace} {_ENTRY_NAMES[local]}".lstrip()
            self._plain_fields = {f"{namespace} {field}".lstrip(): n for n, field in enumerate(self._allowed_fields)}
        elif local == "feed" and namespace in _ATOM_NAMESPACES:
            self.kind, self._namespace, self._base = "feed", namespace, attributes.get(_XML_BASE, "")
        elif local == "rss":
            self.kind, self._namespace, self._entry_depth = "rss", "", 3
        elif local == "RDF":
            self.kind, self._namespace = "rss", _RSS_1_NAMESPACE
        else:
            self._parser.refuse(f"its root element is {local[:80]}")

    def _start_entry(self, name: str, attributes: dict[str, str]) -> None:
        namespace, local = split_name(name)
        expected = _ENTRY_NAMES.get(self.kind) or ("item" if self.kind == "rss" else "entry")
        if local == expected and namespace == self._namespace:
            self._entry = SitemapEntry(self._parser.line)
            self._field = self._last_field = _NO_FIELD
            self._entry_base = _resolve(self._base, attributes.get(_XML_BASE, ""))
            if attributes and self.kind in _ENTRY_NAMES:
                self._check_attributes(local, attributes)
        elif local == expected and self.kind in _ENTRY_NAMES:
            self._report("wrong-namespace", self._parser.line, name=local, found=namespace, right=self._namespace)
        elif self.kind in _ENTRY_NAMES and local in _ENTRY_NAMES.values() and namespace == self._namespace:
            self._report("misplaced-entry", self._parser.line, name=local, where=self.kind)
        elif self.kind in _ENTRY_NAMES:
            self._report_unknown_name(name, expected)

    def _start_in_entry(self, name: str, attributes: dict[str, str]) -> None:
        self._text = ""
        namespace, local = split_name(name)
        if self.kind not in _ENTRY_NAMES:
            self._start_feed_field(namespace, local, attributes)
        elif namespace == self._namespace and local in self._allowed_fields:
            self._start_field(local)
            if attributes:
                self._check_attributes(local, attributes)
        elif extension := self._extension_namespace(namespace, local) or self._kept_namespace(namespace):
            self._node_count = self._node_count if self._last_field == _EXTENSION else 0
            self._field = self._last_field = _EXTENSION
            self._start_node(extension, local, attributes)
        else:
            self.lost[f"element {local}"] += 1
            self._report_unknown_name(name, ", ".join(self._allowed_fields))
            if namespace not in (self._namespace, SITEMAP_NAMESPACE, ""):
                self._last_field = _EXTENSION
            self._field = _NO_FIELD

    def _start_field(self, local: str) -> None:
        field = _FIELDS.index(local)
        if self._last_field > field:
            before = _FIELDS[self._last_field] if self._last_field < _EXTENSION else "an extension"
            self._report("element-order", self._parser.line, name=local, before=before)
        if getattr(self._entry, local) is not None:
            self._report("element-repeated" if field else "loc-repeated", self._parser.line, name=local)
            field = _NO_FIELD
        self._field, self._last_field = field, max(self._last_field, field)

    def _start_feed_field(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        """Begin a feed's link or date, which a feed writes in other elements than a sitemap."""
        self._field = _NO_FIELD
        if local == "link" and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate" and self._entry and self._entry.loc is None:
                base = attributes.get(_XML_BASE, self._entry_base)
                self._entry.loc = _resolve(base, attributes["href"].strip())
        elif local == "link" and namespace == self._namespace:
            self._field = 0
        elif local in ("pubDate", "updated", "modified"):
            self._field = 1

    def _start_below_field(self, name: str, attributes: dict[str, str]) -> None:
        self._check_depth()
        namespace, local = split_name(name)
        if self._field == _EXTENSION and self._open_nodes:
            self._start_node(self._extension_namespace(namespace, local) or namespace, local, attributes)
        elif self._field in range(_EXTENSION):
            self.lost[f"element {local}"] += 1
            self._report_unknown_name(name, where=_FIELDS[self._field])

    def _check_depth(self) -> None:
        if self._depth > _MAX_DEPTH:
            self._parser.refuse(f"its elements are nested more than {_MAX_DEPTH:,} deep")

    def _start_node(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        self._node_count += 1
        node = Element(namespace, local, self._parser.line, attributes)
        if self._node_count <= _MAX_NODES and len(self._open_nodes) < _MAX_KEPT_DEPTH:
            if self._open_nodes:
                self._open_nodes[-1].children.append(node)
            elif self._entry and self._entry.extensions:
                self._entry.extensions.append(node)
            elif self._entry:
                self._entry.extensions = [node]
        else:
            self.lost[f"element {local}"] += 1
        if self._text and not self._text.isspace():
            self.lost["text beside elements"] += 1
        self._open_nodes.append(node)
        self._text = ""

    def _end(self, name: str) -> None:
        del name
        depth = self._depth
        self._depth = depth - 1
        entry = self._entry
        if entry is None:
            return
        if self._open_nodes:
            node = self._open_nodes.pop()
            if node.children and self._text and not self._text.isspace():
                self.lost["text beside elements"] += 1
            elif not node.children:
                node.text = self._text.strip()
            if len(self._text) >= MAX_TEXT:
                self.lost["end of a long text"] += 1
            self._text = ""
        elif depth == self._entry_depth + 1:
            if self._field >= 0:
                self._set_field(entry, _FIELDS[self._field])
            self._field = _NO_FIELD
        elif depth == self._entry_depth:
            self.entries.append(entry)
            self._entry = None

    def _set_field(self, entry: SitemapEntry, field: str) -> None:
        """Set a field of an entry to the text that was read; of several in an entry of a feed the first counts."""
        value = self._text.strip()
        if field == "loc" and value != self._text and not self._text.startswith(("\n", "\r")):
            self._report("loc-padded", self._parser.line, value)
        elif field == "changefreq" and value != self._text and value:
            self._report("value-padded", self._parser.line, value, name=field)
        if getattr(entry, field) is None:
            setattr(entry, field, value)

    def _characters(self, text: str) -> None:
        if self._field >= 0:
            if len(self._text) < MAX_TEXT:
                self._text = (self._text + text)[:MAX_TEXT]
        elif self._depth <= self._entry_depth and self.kind in _ENTRY_NAMES and text.strip() and self._is_first(""):
            self._report("stray-text", self._parser.line, text=text.strip()[:40])

    def _is_first(self, *case: str) -> bool:
        """Whether a case was not reported before: of these, a file has one finding each."""
        is_first = case not in self._reported
        self._reported.add(case)
        return is_first

    def _extension_namespace(self, namespace: str, local: str) -> str:
        """The namespace of the extension that an element belongs to, even if it is misspelt; `""` for others.

        A misspelt namespace is reported once.
        """
        if namespace in _PARTS:
            return namespace
        right = next((right for right, part in _PARTS.items() if part in namespace.lower()), "")
        if right and self._is_first(namespace):
            self._report("wrong-namespace", self._parser.line, name=local, found=namespace, right=right)
        return right

    def _kept_namespace(self, namespace: str) -> str:
        """The namespace of an unknown extension, if all are kept; `""` for elements of the protocol."""
        return namespace if self._keeps_all and namespace not in (self._namespace, SITEMAP_NAMESPACE) else ""

    def _report_unknown_name(self, name: str, known: str = "", where: str = "") -> None:
        """Report an element that is not allowed where it is: the first of each name."""
        namespace, local = split_name(name)
        is_in_unknown_element = self._depth > 3 and self._field == _NO_FIELD
        if namespace == _PAGE_MAPS or self.kind not in _ENTRY_NAMES or is_in_unknown_element:
            return
        if not self._is_first(name, known):
            return
        if namespace in (self._namespace, SITEMAP_NAMESPACE, ""):
            where = where or (_ENTRY_NAMES[self.kind] if self._depth > self._entry_depth else self.kind)
            self._report("unknown-element", self._parser.line, name=local, where=where, known=known or "only text")
        elif self._extension_namespace(namespace, local):
            where = where or self.kind
            self._report("extension-place", self._parser.line, name=local, where=where, right=_ENTRY_NAMES[self.kind])
        else:
            self._report("unknown-namespace", self._parser.line, name=local, found=namespace)

    def _check_attributes(self, local: str, attributes: dict[str, str]) -> None:
        for name in attributes:
            if not name.startswith(_GLOBAL_ATTRIBUTES) and self._is_first(local, name):
                self._report("unknown-attribute", self._parser.line, name=local, attribute=split_name(name)[1])

    @property
    def is_for_news(self) -> bool:
        """Whether the file declares the namespace of news."""
        return NEWS_NAMESPACE in self._parser.namespaces


def _resolve(base: str, reference: str) -> str:
    """A reference resolved against a base (XML Base), or the reference itself if that is impossible."""
    if not base or any(len(each) > MAX_REFERENCE or has_long_authority(each) for each in (base, reference)):
        return reference
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference
