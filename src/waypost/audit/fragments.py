"""Checks that the parts of pages exist to which links lead: `#part` names an element by its id.

Rules: HTML, "Find a potential indicated element", and the Text Fragments of WICG, whose directives are ignored.
"""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from urllib.parse import unquote_to_bytes

from waypost.audit.result import AuditIssue
from waypost.core.character_references import unescape

_VALUE = rb"""\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>"']++)"""
_ID = re.compile(rb"\sid" + _VALUE, re.IGNORECASE)
_NAME = re.compile(rb"<a\s(?:[^<>]*?\s)??name" + _VALUE, re.IGNORECASE)
_WITHOUT_ELEMENTS = re.compile(
    rb"<!--(?!-?>).*?(?:--!?>|\Z)|<(script|style|template)\b.*?(?:</\1|\Z)", re.DOTALL | re.IGNORECASE
)
_TEXT_DIRECTIVE = b":~:"
_TOP = b"top"
_FOR_SCRIPTS = re.compile(rb"([/!?])|.*(=)", re.DOTALL)
"""A route, or a state such as `tab=2`, which a script reads, if the page has no ids of this kind, as Jazzy's have."""


def read_ids(text: bytes) -> frozenset[int]:
    """Hashes of the ids of a page and of its anchors' names, and of tuples of those with capitals in small letters.

    The kinds of those that look as if a script read them are among them, too.
    """
    visible = _WITHOUT_ELEMENTS.sub(b"", text)
    names = _NAME.findall(visible) if b"name" in visible or b"NAME" in visible else []
    values = {_written(value) for value in (*_ID.findall(visible), *names)}
    in_small_letters = {(value.lower(),) for value in values if value != value.lower()}
    kinds = {kind for value in values if (kind := _kind_for_scripts(value))}
    return frozenset({*map(hash, values), *map(hash, in_small_letters), *map(hash, kinds)})


def _kind_for_scripts(name: bytes) -> tuple[bytes, ...]:
    """What makes a name look as if a script read it, as a tuple of two; empty if nothing does."""
    found = _FOR_SCRIPTS.match(name)
    return (b"", found[1] or found[2]) if found else ()


def _written(value: bytes) -> bytes:
    return _unescaped(value[1:-1] if value[:1] in (b'"', b"'") else value)


def _unescaped(bare: bytes) -> bytes:
    return unescape(bare.decode("utf-8", "replace")).encode("utf-8", "replace") if b"&" in bare else bare


class Fragments:
    """The fragments of all links of a site; pages may come in any order, and ids are not kept for long as text."""

    def __init__(self) -> None:
        self._ids: dict[str, array[int]] = {}
        self._waiting: dict[str, dict[bytes, list[str]]] = defaultdict(dict)
        self._broken: dict[tuple[str, bytes], list[str]] = {}
        self._other_case: set[tuple[str, bytes]] = set()
        self.checked = 0

    def add(self, key: str, ids: Set[int], links: Iterable[tuple[str, bytes]]) -> None:
        """Add a page: its ids, and its distinct links as keys of pages to which they lead, and fragments as written."""
        self._ids[key] = array("q", sorted(ids))
        for fragment, pages in self._waiting.pop(key, {}).items():
            self._check(key, fragment, pages)
        for target, fragment in links:
            if target in self._ids:
                self._check(target, fragment, [key])
            else:
                self._waiting[target].setdefault(fragment, []).append(key)

    def _check(self, target: str, fragment: bytes, pages: Sequence[str]) -> None:
        name = _unescaped(fragment).partition(_TEXT_DIRECTIVE)[0]
        ids, decoded = self._ids[target], unquote_to_bytes(name)
        kind = _kind_for_scripts(name)
        if not name or decoded.lower() == _TOP or (kind and not _has(ids, kind)):
            return
        self.checked += len(pages)
        if _has(ids, name) or _has(ids, decoded):
            return
        self._broken.setdefault((target, fragment), []).extend(pages)
        if _has(ids, decoded.lower()) or _has(ids, (decoded.lower(),)):
            self._other_case.add((target, fragment))

    def broken(self, locs: Callable[[str], str]) -> Iterator[AuditIssue]:
        """Links to parts of pages that do not exist; `locs` gives the URL of a page by its key."""
        for (target, fragment), pages in self._broken.items():
            detail = "an id differs in capital letters" if (target, fragment) in self._other_case else ""
            text = _unescaped(fragment).decode("utf-8", "replace")
            yield AuditIssue("broken-fragment", f"{locs(target)}#{text}", pages, detail)


def _has(ids: "array[int]", name: bytes | tuple[bytes, ...]) -> bool:
    wanted = hash(name)
    place = bisect_left(ids, wanted)
    return place < len(ids) and ids[place] == wanted
