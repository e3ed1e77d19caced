"""Each module has its tests at the same place below `tests/unit`."""

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = ROOT / "src" / "waypost", ROOT / "tests" / "unit"
PACKAGES = sorted(path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists())
WITHOUT_TESTS = {
    "core/errors.py": "classes without behaviour, which the tests of each package raise",
    "validate/reading.py": "a protocol and an exception",
}
"""Modules that need no tests of their own, with the reason."""


def modules() -> list[str]:
    """The modules of the packages, but not those that only describe a package."""
    paths = (path for package in PACKAGES for path in (SOURCE / package).rglob("*.py"))
    return sorted(path.relative_to(SOURCE).as_posix() for path in paths if path.name != "__init__.py")


def has_code(module: str) -> bool:
    """Whether a module has more than imports, constants and protocols."""
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = [each for node in classes for each in node.body if isinstance(each, ast.FunctionDef)]
    functions = [*methods, *(node for node in tree.body if isinstance(node, ast.FunctionDef))]
    return any(not all(isinstance(each, ast.Expr) for each in function.body) for function in functions)


@pytest.mark.parametrize("module", modules())
def test_a_module_has_tests_in_the_same_place(module: str) -> None:
    path = Path(module)
    tests = TESTS / path.parent / f"test_{path.name}"
    if module in WITHOUT_TESTS:
        assert not tests.exists(), f"{module} has tests: take it out of the list of those without"
    elif has_code(module):
        assert tests.exists(), f"write {tests.relative_to(ROOT)}"


def test_exceptions_are_modules_that_exist() -> None:
    assert set(WITHOUT_TESTS) <= set(modules())


def test_pytest_enters_every_folder_that_has_tests(pytestconfig: pytest.Config) -> None:
    patterns = pytestconfig.getini("norecursedirs")
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    names = {name for folder in folders for name in folder.relative_to(ROOT).parts}
    assert [name for name in names for pattern in patterns if fnmatch(name, pattern)] == []
