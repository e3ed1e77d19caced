"""Reads YAML with the results that Jekyll's parser gives.

Both parsers follow YAML 1.1. Jekyll's reads a date that does not exist (2024-02-30) as text, and a value with an
unknown tag without the tag.
"""

from functools import cache
from typing import Any


class YamlError(ValueError):
    """Text that Jekyll's parser refuses: the line, counted from 1, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        self.line, self.problem = line, problem
        super().__init__(f"line {line}: {problem}")


def load_yaml(text: str) -> object:
    """The value of a YAML document; raises YamlError."""
    import yaml  # imported late: only runs over Jekyll sources need it

    try:
        return yaml.load(text, _loader())  # noqa: S506 (the loader is a safe one)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise YamlError(mark.line + 1 if mark else 1, error.problem or error.context or "not valid YAML") from error
    except yaml.YAMLError as error:
        raise YamlError(1, str(error).partition("\n")[0]) from error
    except (ValueError, RecursionError) as error:
        raise YamlError(1, str(error)) from error


@cache
def _loader() -> Any:
    """PyYAML's safe loader with those of its rules replaced that differ from Jekyll's parser."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader: Any = type("_Loader", (base,), {})

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
