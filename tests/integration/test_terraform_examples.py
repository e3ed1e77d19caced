"""The examples of the Terraform module call it with variables that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hcl2
import pytest
from terraform import MODULE, Module

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

EXAMPLES = sorted((MODULE / "examples").iterdir())
NO_VARIABLES = {"source", "__is_block__"}
"""What the block of a module has besides the values of its variables."""


def blocks(file: Path, kind: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    found = hcl2.loads(file.read_text(encoding="utf-8")).get(kind, ())
    return ((name.strip('"'), body) for block in found for name, body in block.items())


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda folder: folder.name)
def test_an_example_gives_the_module_only_variables_that_it_has_and_all_that_it_needs(example: Path) -> None:
    ((name, given),) = blocks(example / "main.tf", "module")
    variables = Module(conditions=True).variables
    required = {each for each, body in variables.items() if "default" not in body}
    assert name == "sitemaps"
    assert (example / given["source"].strip('"')).resolve() == MODULE.resolve()
    assert required <= given.keys() - NO_VARIABLES <= variables.keys()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda folder: folder.name)
def test_an_example_asks_for_the_versions_that_the_module_asks_for(example: Path) -> None:
    assert next(_versions(example / "main.tf")) == next(_versions(MODULE / "versions.tf"))


def _versions(file: Path) -> Iterator[Any]:
    for each in hcl2.loads(file.read_text(encoding="utf-8"))["terraform"]:
        yield each["required_version"], each["required_providers"]


def test_the_module_has_the_files_that_a_registry_looks_for() -> None:
    files = {path.name for path in MODULE.iterdir()}
    assert {"README.md", "main.tf", "variables.tf", "outputs.tf", "versions.tf", "examples"} <= files
