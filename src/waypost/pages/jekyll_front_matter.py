"""Finds and reads the YAML front matter at the beginning of a file, by Jekyll's rules."""

import re
from codecs import BOM_UTF8
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from waypost.core import data_files
from waypost.core.data_files import YamlError

Values = Mapping[str, object]
_HEADER = re.compile(rb"---[ \t\r\f\v]*\n")
_END = re.compile(r"^(?:---|\.\.\.)[ \t\r\f\v]*+(?:\n|\Z)", re.MULTILINE)
_WHITE_SPACE = " \t\n\r\f\v"
HEADER_SIZE = 256
"""How many bytes of a file are read to see whether its first line begins front matter."""


def load_yaml(text: str) -> object:
    """The value of a YAML document; raises YamlError."""
    return data_files.load_yaml(text, _loader())


@cache
def _loader() -> Any:
    """PyYAML's safe loader with those of its rules replaced that differ from Jekyll's parser."""
    import yaml  # imported late: only runs over Jekyll sources need it

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = data_files.limited_loader(base)

    def timestamp(self: Any, node: Any) -> object:
        try:
            return base.construct_yaml_timestamp(self, node)
        except ValueError:
            return node.value

    def plain(self: Any, suffix: str, node: Any) -> object:
        del suffix
        if isinstance(node, yaml.ScalarNode):
            return node.value
        if isinstance(node, yaml.SequenceNode):
            return self.construct_sequence(node, deep=True)
        return self.construct_mapping(node, deep=True)

    loader.add_constructor("tag:yaml.org,2002:timestamp", timestamp)
    loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)
    loader.add_multi_constructor("!", plain)
    return loader


class JekyllFrontMatter(Struct, frozen=True):
    """The values at the beginning of a file, and the text after them.

    `problem` says why the values could not be read. Jekyll then renders the file without them.
    """

    values: Values
    content: str = ""
    problem: str = ""


def has_header(data: bytes) -> bool:
    """Whether Jekyll renders a file with this beginning: its first line is `---`, with no byte order mark."""
    return _HEADER.match(data) is not None


def may_have_front_matter(data: bytes) -> bool:
    """Whether a file with this beginning has front matter in Jekyll's eyes, once something makes Jekyll render it."""
    return has_header(data.removeprefix(BOM_UTF8))


def read_front_matter(data: bytes) -> JekyllFrontMatter:
    """The front matter of a whole file; a file without any, or whose block does not end, has no values."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return JekyllFrontMatter({}, data.decode("utf-8", "replace"), f"it is not UTF-8 (byte {error.start + 1})")
    block, content = _divided(text)
    if not block:
        return JekyllFrontMatter({}, text)
    try:
        values = load_yaml(block)
    except YamlError as error:
        return JekyllFrontMatter({}, content, f"{error}")
    if not values:
        return JekyllFrontMatter({}, content)
    if not isinstance(values, dict):
        return JekyllFrontMatter({}, content, "it has no names with values")
    return JekyllFrontMatter({str(name): value for name, value in values.items()}, content)


def _divided(text: str) -> tuple[str, str]:
    """The front matter from `---` to before the line that ends it, and the text after it; empty without any."""
    start = _after_lines(text, 3) if text.startswith("---") else None
    end = _END.search(text, start) if start else None
    if end is None:
        return "", text
    content = text[_after_lines(text, end.start() + 3) or len(text) :]
    return text[: end.start()], content if content.strip(_WHITE_SPACE) else ""


def _after_lines(text: str, start: int) -> int | None:
    """The beginning of the first line after white space at this place; None if no line ends in it."""
    rest = len(text) - start - len(text[start:].lstrip(_WHITE_SPACE))
    end = text.rfind("\n", start, start + rest)
    return None if end < 0 else end + 1
