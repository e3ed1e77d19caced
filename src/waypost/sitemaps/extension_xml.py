"""Writes the extensions of another tool's sitemap as XML again: every element, in its order, as it was."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from waypost.core.sitemap_rows import EXTENSION_NAMESPACES
from waypost.validate import SITEMAP_NAMESPACE, Element, split_name

_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
_PREFIXES = {namespace: prefix for prefix, namespace in EXTENSION_NAMESPACES} | {_XML_NAMESPACE: "xml"}
_LINE_ENDS = str.maketrans({"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def extension_xml(elements: Iterable[Element]) -> str:
    """The elements in one line. The usual prefixes are declared by the sitemap, and any other namespace here."""
    return "".join(_with_declarations(each) for each in elements)


def _with_declarations(element: Element) -> str:
    unknown = dict.fromkeys(each for each in _namespaces(element) if each and each not in _PREFIXES)
    unknown.pop(SITEMAP_NAMESPACE, None)
    prefixes = _PREFIXES | {namespace: f"ns{number}" for number, namespace in enumerate(unknown, 1)}
    declared = "".join(f' xmlns:{prefixes[namespace]}="{_text(namespace)}"' for namespace in unknown)
    return _xml(element, prefixes, declared)


def _namespaces(element: Element) -> Iterator[str]:
    yield element.namespace
    yield from (split_name(name)[0] for name in element.attributes)
    for child in element.children:
        yield from _namespaces(child)


def _xml(element: Element, prefixes: Mapping[str, str], declared: str = "") -> str:
    prefix = prefixes.get(element.namespace)
    name = f"{prefix}:{element.name}" if prefix else element.name
    default = "" if prefix else f' xmlns="{_text(element.namespace)}"'
    attributes = "".join(_attribute(*each, prefixes) for each in element.attributes.items())
    inner = _text(element.text) + "".join(_xml(child, prefixes) for child in element.children)
    start = f"<{name}{declared}{default}{attributes}"
    return f"{start}>{inner}</{name}>" if inner else f"{start}/>"


def _attribute(name: str, value: str, prefixes: Mapping[str, str]) -> str:
    namespace, local = split_name(name)
    return f' {f"{prefixes[namespace]}:" if namespace else ""}{local}="{_text(value)}"'


def _text(value: str) -> str:
    return escape(value).translate(_LINE_ENDS)
