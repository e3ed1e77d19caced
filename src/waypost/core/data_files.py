"""Reads TOML, YAML and JSON that a site or its project brings along: the only place that does so.

Such a file is not trusted. So what may make its parser slow, or what it returns large, has a limit here: bytes, nodes,
levels, the parts of a dotted key, the digits of a number. What is over a limit is an error, as text with wrong syntax
is. An alias of YAML counts as a copy of its node.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

MOST_BYTES = 1_048_576
MOST_TOML_BYTES = 262_144
"""Python reads TOML slowly: this much takes up to half a second."""
MOST_LEVELS = 64
_MOST_KEY_PARTS = 10
_MOST_SIZE = 1_000_000
_NODE_SIZE = 32
"""The size of a YAML document is its characters, and so many more for each node: 31,000 nodes at most."""
_MOST_DIGITS = 100
_MOST_BITS = 332
"""As many as a number of 100 digits has."""
_MOST_TAG_DIRECTIVES = 100
"""libyaml compares each directive with all before it."""
_SMALL = 2_048
"""A YAML document of fewer characters and without aliases needs no count of its nodes."""
_MOST_LONG_NUMBERS = 1_000
"""Numbers of more than 18 characters can be chosen so that all have the same hash."""
_LONG_NUMBER = (
    f"it has a number of more than {_MOST_DIGITS} digits, or more than {_MOST_LONG_NUMBERS:,} of more than 18"
)
_DEEP = f"it is nested more than {MOST_LEVELS} levels deep"
_PART = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+"""
_LONG_KEY = re.compile(rf"(?:{_PART}\.[ \t]*+){{{_MOST_KEY_PARTS}}}")


class DataError(ValueError):
    """Text that is not valid in its format, or over a limit."""


class YamlError(DataError):
    """Text that is no YAML document, or over a limit: the line, counted from 1, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        self.line, self.problem = line, problem
        super().__init__(f"line {line}: {problem}")


def load_toml(text: str) -> dict[str, Any]:
    """The values of a TOML document; raises DataError."""
    _check_length(text, MOST_TOML_BYTES)
    if long_key := _LONG_KEY.search(text):
        line = text.count("\n", 0, long_key.start()) + 1
        raise DataError(f"a key has more than {_MOST_KEY_PARTS} parts (at line {line})")
    found: dict[str, Any] = _checked(tomllib.loads, text, tomllib.TOMLDecodeError)
    return found


def load_json(text: str) -> object:
    """The value of a JSON document; raises DataError."""
    _check_length(text, MOST_BYTES)
    return _checked(json.loads, text, json.JSONDecodeError)


def _checked(parse: Callable[[str], Any], text: str, syntax_error: type[ValueError]) -> Any:
    """What a parser of TOML or JSON makes of a text, if that is within the limits; raises DataError."""
    try:
        found = parse(text)
    except RecursionError:
        raise DataError(_DEEP) from None
    except syntax_error as error:
        raise DataError(str(error)) from error
    except ValueError:  # Python refuses to read a number of thousands of digits
        raise DataError(_LONG_NUMBER) from None
    _check_values(found)
    return found


def table_of(value: object) -> Mapping[str, Any]:
    """A value that was read, if it is a table; otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def tables_of(values: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The tables in the list with a key; what is none is left out, and without such a list there are none."""
    found = values.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def text_of(values: Mapping[str, Any], key: str) -> str:
    """The text in a table that was read; empty if there is none, or no text."""
    found = values.get(key)
    return found if isinstance(found, str) else ""


def load_yaml(text: str, loader: Any) -> object:
    """The value of a YAML document by a class that `limited_loader` returned; raises YamlError."""
    import yaml  # imported late: only runs over a project's own files need it, and the Lambda function does not have it

    try:
        _check_length(text, MOST_BYTES)
        _check_yaml(text, loader)
        found: object = yaml.load(text, loader)  # noqa: S506 (the loader is a safe one)
        _check_values(found)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(mark.line + 1 if mark else 1, error.problem or error.context or "not valid YAML") from error
    except yaml.YAMLError as error:
        raise YamlError(1, str(error).partition("\n")[0]) from error
    except YamlError:
        raise
    except (LookupError, AttributeError, TypeError, OverflowError) as error:
        raise YamlError(1, "a value is not what its tag says") from error
    except RecursionError:
        raise YamlError(1, _DEEP) from None
    except ValueError as error:
        raise YamlError(1, str(error)) from error
    return found


def limited_loader(base: Any) -> Any:
    """A subclass of a loader of PyYAML that refuses very long numbers."""
    loader: Any = type("_LimitedLoader", (base,), {"long_numbers": 0})
    for kind in ("int", "float"):
        loader.add_constructor(f"tag:yaml.org,2002:{kind}", _limited(getattr(base, f"construct_yaml_{kind}")))
    return loader


def _limited(construct: Any) -> Any:
    def number(self: Any, node: Any) -> object:
        length = len(node.value) if isinstance(node.value, str) else 0
        self.long_numbers += length > 18
        if length > _MOST_DIGITS or self.long_numbers > _MOST_LONG_NUMBERS:
            raise YamlError(node.start_mark.line + 1, _LONG_NUMBER)
        return construct(self, node)

    return number


def _check_length(text: str, most: int) -> None:
    if len(text) > most:
        raise DataError(f"it is longer than {most:,} characters")


def _check_yaml(text: str, loader: Any) -> None:
    """Raise YamlError if a document would have too many nodes or levels, or contains itself."""
    import yaml

    if len(text) < _SMALL and "*" not in text:
        return
    if text.count("%TAG") > _MOST_TAG_DIRECTIVES:
        raise YamlError(1, f"it has more than {_MOST_TAG_DIRECTIVES} tag directives")
    try:
        _check_events(yaml.parse(text, loader))
    except yaml.YAMLError:
        return  # the loader says what is wrong, and comes no further than here


def _check_events(events: Iterable[Any]) -> None:
    """Measure the nodes of a document, each with the nodes in it; an alias counts as a copy."""
    import yaml

    anchors: dict[str, tuple[int, int] | None] = {}
    open_nodes: list[tuple[str | None, list[int]]] = [(None, [0, 0])]
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, [_NODE_SIZE, 1]))
            if event.anchor:
                anchors[event.anchor] = None
        elif isinstance(event, yaml.NodeEvent | yaml.CollectionEndEvent):
            anchor, (size, levels) = _node(event, anchors, open_nodes, line)
            if anchor:
                anchors[anchor] = (size, levels)
            totals = open_nodes[-1][1]
            totals[0] += size
            totals[1] = max(totals[1], levels + 1)
        if open_nodes[-1][1][0] > _MOST_SIZE:
            raise YamlError(line, "it has too many nodes, aliases included")
        if len(open_nodes) - 1 + open_nodes[-1][1][1] > MOST_LEVELS + 1:
            raise YamlError(line, _DEEP)


def _node(
    event: Any,
    anchors: dict[str, tuple[int, int] | None],
    open_nodes: list[tuple[str | None, list[int]]],
    line: int,
) -> tuple[str | None, tuple[int, int]]:
    """The anchor of a node that ends with an event, its size and its levels."""
    import yaml

    if isinstance(event, yaml.CollectionEndEvent):
        anchor, (size, levels) = open_nodes.pop()
        return anchor, (size, levels)
    if isinstance(event, yaml.ScalarEvent):
        return event.anchor, (_NODE_SIZE + len(event.value), 0)
    found = anchors.get(event.anchor, (_NODE_SIZE, 0))
    if found is None:
        raise YamlError(line, f"{event.anchor} contains itself")
    return None, found


def _check_values(found: object) -> None:
    """Raise DataError for values that are nested too deeply, and for very long numbers."""
    level: list[object] = [found]
    for depth in range(MOST_LEVELS + 1):
        if depth == MOST_LEVELS and any(isinstance(each, dict | list | tuple) for each in level):
            raise DataError(_DEEP)
        level = list(_values_in(level))
        if not level:
            return


def _values_in(values: Iterable[object]) -> Iterator[object]:
    for each in values:
        if isinstance(each, dict):
            yield from each.values()
        elif isinstance(each, list | tuple):
            yield from each
        elif isinstance(each, int) and each.bit_length() > _MOST_BITS:
            raise DataError(_LONG_NUMBER)
