"""Reads YAML with the results that Jekyll's parser gives.

Both parsers follow YAML 1.1. Jekyll's reads a date that does not exist (2024-02-30) as text, and a value with an
unknown tag without the tag.
"""

from functools import cache
from typing import Any

from waypost.core import data_files
from waypost.core.data_files import YamlError as YamlError


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
