"""The function's package: what is in it, and that it is the same wherever it is built."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from stacks import ROOT, package

if TYPE_CHECKING:
    from pathlib import Path

sys.path.append(str(ROOT / "lambda"))
builder = import_module("package")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package(tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def names(built: Path) -> set[str]:
    return set(zipfile.ZipFile(built).namelist())


def test_the_requirements_are_those_of_the_action_without_what_the_function_does_not_use() -> None:
    names = set(re.findall(r"^([a-z0-9.-]+)==", builder.requirements(), re.MULTILINE))
    assert {"msgspec", "jinja2", "brotli"} <= names
    assert not {"pyyaml", "markdown-it-py", "mdurl", "boto3"} & names


def test_waypost_is_added_with_its_templates_and_zipped_to_the_same_bytes_whenever_that_is(tmp_path: Path) -> None:
    zipped = list[bytes]()
    for name in ("first", "second"):
        builder.add_waypost(tmp_path / name, [ROOT / "LICENSE"])
        for path in (tmp_path / name).rglob("*"):
            os.utime(path, (len(zipped), len(zipped)))
        builder.write_zip(tmp_path / name, tmp_path / f"{name}.zip")
        zipped.append((tmp_path / f"{name}.zip").read_bytes())
    assert zipped[0] == zipped[1]
    files = set(zipfile.ZipFile(tmp_path / "first.zip").namelist())
    assert {"handler.py", "LICENSE", "waypost/__init__.py", "waypost/templates/sitemap.xml.j2"} <= files
    assert not [name for name in files if "__pycache__" in name or name.endswith("py.typed")]


@pytest.mark.slow
def test_it_holds_the_handler_waypost_its_templates_and_its_libraries(names: set[str]) -> None:
    source = ROOT / "src" / "waypost"
    own = {f"waypost/{path.relative_to(source).as_posix()}" for path in source.rglob("*.py")}
    assert own | {"handler.py", "waypost/templates/sitemap.xml.j2"} <= names
    folders = {name.split("/")[0] for name in names if not re.search(r"\.dist-info/|^_brotli\.", name)}
    assert folders == {
        "handler.py",
        "waypost",
        *(
            "backports",
            "brotli.py",
            "idna",
            "isal",
            "jinja2",
            "markupsafe",
            "msgspec",
            "pathspec",
            "selectolax",
        ),
    }


@pytest.mark.slow
def test_it_holds_no_bytecode_and_nothing_that_the_runtime_has(names: set[str]) -> None:
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".pyi"))]
    absent = re.compile(r"(boto3|botocore|click|urllib3|yaml|_yaml|markdown_it|mdurl|bin)/")
    assert not list(filter(absent.match, names))


@pytest.mark.slow
def test_compiled_modules_are_there_for_both_processors(names: set[str]) -> None:
    compiled = {name for name in names if name.endswith(".so")}
    arm = {name for name in compiled if "aarch64" in name}
    assert arm
    assert {name.replace("aarch64", "x86_64") for name in arm} == compiled - arm


@pytest.mark.slow
def test_it_is_small_enough_to_start_quickly(built: Path) -> None:
    assert built.stat().st_size < 9_000_000


@pytest.mark.slow
def test_it_is_the_same_to_the_byte_wherever_it_is_built(built: Path, tmp_path: Path) -> None:
    assert package(tmp_path / "elsewhere").read_bytes() == built.read_bytes()
