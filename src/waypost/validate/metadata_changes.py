"""Finds which metadata of a listed URL differs between two sitemaps: changefreq, priority and extensions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct

from waypost.validate.sitemap_entry import PREFIXES, SITEMAP_NAMESPACE, XHTML_NAMESPACE, Content

ListedUrls = Mapping[str, tuple[str, tuple[Content, ...]]]
"""What a list of URLs says of each loc: its date (`""`: none) and its metadata."""
_PREFIXES = {SITEMAP_NAMESPACE: "", **{namespace: f"{prefix}:" for namespace, prefix in PREFIXES.items()}}
_ORDER = "order"
_Field = tuple[str, str]
"""The name of an element or attribute, and its text."""


class FieldChange(Struct, frozen=True):
    """A value that differs; null is a value that one side lacks.

    `name` is that of an element (`priority`, `video:title`), of an attribute (`video:restriction@relationship`), or
    `alternate` with an hreflang (`alternate de`). The name `order` means that only the order or grouping differs.
    """

    name: str
    old: str | None
    new: str | None


def field_changes(old: Sequence[Content], new: Sequence[Content]) -> list[FieldChange]:
    """The values that differ between the metadata of two entries; none if both are equal."""
    if old == new:
        return []
    olds, news = ([field for each in side for field in _fields(each)] for side in (old, new))
    changes = _different_values(olds, news) or _swapped_values(olds, news)
    return changes or [FieldChange(_ORDER, _names(olds), _names(news))]


def _fields(content: Content) -> Iterator[_Field]:
    """The texts and attributes in an element."""
    namespace, name, attributes, text, children = content
    given = dict(attributes)
    title = _PREFIXES.get(namespace, f"{{{namespace}}}") + name
    if namespace == XHTML_NAMESPACE and given.get("rel") == "alternate" and "hreflang" in given:
        title, text = f"alternate {given['hreflang']}", given.get("href", "") + text
        given = {name: value for name, value in given.items() if name not in ("rel", "hreflang", "href")}
    if text or not (given or children):
        yield title, text
    yield from ((f"{title}@{name}", value) for name, value in given.items())
    for child in children:
        yield from _fields(child)


def _different_values(olds: Sequence[_Field], news: Sequence[_Field]) -> list[FieldChange]:
    """The values that one side lacks or has fewer times, in pairs."""
    old_counts, new_counts = Counter(olds), Counter(news)
    missing, additional = old_counts - new_counts, new_counts - old_counts
    return _in_pairs(_by_name(missing.elements()), _by_name(additional.elements()))


def _swapped_values(olds: Sequence[_Field], news: Sequence[_Field]) -> list[FieldChange]:
    """The values of elements with the same name that have changed places, as the titles of two images."""
    return [each for each in _in_pairs(_by_name(olds), _by_name(news)) if each.old != each.new]


def _by_name(fields: Iterable[_Field]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, text in fields:
        found[name].append(text)
    return found


def _in_pairs(olds: Mapping[str, list[str]], news: Mapping[str, list[str]]) -> list[FieldChange]:
    return [
        FieldChange(name, old, new)
        for name in dict.fromkeys([*olds, *news])
        for old, new in zip_longest(olds.get(name, ()), news.get(name, ()))
    ]


def _names(fields: Sequence[_Field]) -> str:
    return ", ".join(name for name, _ in fields)
