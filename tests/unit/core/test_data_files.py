"""Data files that a site brings along, and what they may not do."""

import re
from collections.abc import Callable

import pytest

from waypost.core.data_files import DataError, load_json, load_toml
from waypost.core.yaml_values import load_yaml

DEEP = "nested more than 64 levels deep"
LONG = "a number of more than 100 digits"
MANY = "too many nodes, aliases included"
Load = Callable[[str], object]


@pytest.mark.parametrize(
    ("load", "text", "value"),
    [
        (load_toml, "a.b.c = 1\nd = [1.5, 'x']", {"a": {"b": {"c": 1}}, "d": [1.5, "x"]}),
        (load_toml, "a = '1.1.1.1.1.1.1.1.1.1'", {"a": "1.1.1.1.1.1.1.1.1.1"}),
        (load_toml, ".".join("abcdefghij") + " = 1", None),
        (load_toml, "a = " + "[" * 63 + "]" * 63, None),
        (load_toml, f"a = {'9' * 99}", None),
        (load_json, "[" * 64 + "]" * 64, None),
        (load_json, '{"a": [1, null, true]}', {"a": [1, None, True]}),
        (load_json, f"[{'9' * 99}]", None),
        (load_yaml, "[" * 64 + "]" * 64, None),
        (load_yaml, "[" * 64 + "]" * 64 + " " * 3_000, None),
        (load_yaml, "a: &x {b: 1}\nc: {<<: *x, d: *x}", {"a": {"b": 1}, "c": {"b": 1, "d": {"b": 1}}}),
        (load_yaml, "- 1\n" * 20_000, None),
        (load_yaml, "a: '" + "x" * 900_000 + "'", None),
        (load_yaml, f"a: {'9' * 99}\nb: 1:30", None),
    ],
)
def test_a_document_within_the_limits_is_read(load: Load, text: str, value: object) -> None:
    found = load(text)
    assert value is None or found == value


@pytest.mark.parametrize(
    ("load", "text", "problem"),
    [
        (load_toml, "a = " + "1" * 5_000, LONG),
        (load_toml, "a = 0x" + "f" * 5_000, LONG),
        (load_toml, "a = " + "[" * 5_000, DEEP),
        (load_toml, "a = " + "[" * 64 + "]" * 64, DEEP),
        (load_toml, "[x]\n" + "a." * 100_000 + "b = 1", "a key has more than 10 parts (at line 2)"),
        (load_toml, "[book.src." + "a." * 3_000 + "b]", "a key has more than 10 parts (at line 1)"),
        (load_toml, "x = {" + "'a' . " * 20 + "b = 1}", "a key has more than 10 parts"),
        (load_toml, "#" * 300_000, "longer than 262,144 characters"),
        (load_json, "[" * 100_000, DEEP),
        (load_json, "[" * 65 + "]" * 65, DEEP),
        (load_json, "1" * 5_000, LONG),
        (load_json, "1" * 4_000, LONG),
        (load_json, " " * 2_000_000, "longer than 1,048,576 characters"),
        (load_yaml, "[" * 50_000, DEEP),
        (load_yaml, "- " * 50_000, DEEP),
        (load_yaml, "[" * 65 + "]" * 65, DEEP),
        (load_yaml, "- &a " + "[" * 40 + "]" * 40 + "\n- " + "[" * 40 + "*a" + "]" * 40, DEEP),
        (load_yaml, "a: &a [*a]", "a contains itself"),
        (load_yaml, "a: &b {x: *b}", "b contains itself"),
        (load_yaml, "\n".join(f"- &a{n} [{', '.join([f'*a{n - 1}'] * 10 if n else 'x')}]" for n in range(9)), MANY),
        (load_yaml, "a: &a {" + "k: 1, " * 5_000 + "}\nb: {<<: [" + "*a," * 5_000 + "]}", MANY),
        (load_yaml, "a: &a '" + "x" * 500_000 + "'\nb: [*a, *a]", MANY),
        (load_yaml, "- 1\n" * 40_000, MANY),
        (load_yaml, "a: 1" + ":1" * 1_000, LONG),
        (load_yaml, "a: 1" + ":1" * 1_000 + ".0", LONG),
        (load_yaml, "a: 0x" + "f" * 5_000, LONG),
        (load_yaml, "".join(f"{n * (2**61 - 1)}: 1\n" for n in range(10, 9_000)), LONG),
        (load_yaml, "".join(f"%TAG !a{n}! tag:x\n" for n in range(200_000 // 20)) + "---\na", "tag directives"),
        (load_yaml, "#" * 2_000_000, "longer than 1,048,576 characters"),
        (load_yaml, "a: !!bool x", "not what its tag says"),
        (load_yaml, 'a: !!int ""', "not what its tag says"),
        (load_yaml, "a: !!timestamp x", "not what its tag says"),
    ],
)
def test_a_document_over_a_limit_is_an_error(load: Load, text: str, problem: str) -> None:
    with pytest.raises(DataError, match=re.escape(problem)):
        load(text)
