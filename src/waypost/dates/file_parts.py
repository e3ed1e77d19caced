"""Reads a part of a file that a source names: tagged lines, lines by their numbers, or what code says of itself."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import pairwise
from textwrap import dedent
from typing import NamedTuple

from msgspec import Struct

_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_MOST_LINES, _MOST_RANGES, _LONGEST_LINE = 100_000, 100, 1_000
"""So much of a file is read, and so many ranges of its lines, so that a hostile one ends soon; no test has so many."""
OF_DOCSTRINGS = ("object:", "members:", "all:", "docs:")
"""The beginnings of the regions that consist of docstrings."""
ALL_DOCSTRINGS = "docs:"
OF_NAMES = "names:"
"""The beginning of the regions that say where a file is included."""
OF_PACKAGES = ("/__init__.py", "/__init__.pyi")
"""The files by which a folder of modules is a package of Python."""
_INCLUDES = re.compile(r"include::|8<-|@include|#\w*include")
"""What the lines have that include a file and say nothing else."""
_MOST_EXPORTED = 200
"""So many names of a module are looked up at most; no test has so many."""
_STARTS_TAG, _ENDS_TAG = (
    r"\btag::(?=\S)|\bANCHOR:\s*|--8<--\s+\[start:",
    r"\bend::(?=\S)|\bANCHOR_END:\s*|--8<--\s+\[end:",
)
_MARK = re.compile(rf"{_STARTS_TAG}|{_ENDS_TAG}")
"""The mark of a tag, of which that of another one is not shown either (Asciidoctor, mdBook, PyMdown Extensions)."""
_Definition = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Part(Struct, frozen=True, order=True):
    """A file, and the region of it that a page shows: a kind and a name, or `""` for all of it.

    `tag:NAMES` are lines between two marks of a name, `lines:NUMBERS` those of these numbers, `marks:TEXTS` those
    between two texts, `code:NAME` the code of an object of Python, `object:NAME` its docstring, `members:NAME` this
    with the docstrings of all that it contains, and `all:NAME` also with the names of what has none. The object without
    a name is the module. `docs:` are all docstrings of a module. `names:NAME` are the lines that include a file.
    """

    path: str
    region: str = ""


def read_part(part: Part, text: str) -> str:
    """The text of a part in a version of its file; empty if it has no such part."""
    kind, _, name = part.region.partition(":")
    return _READERS[kind](text, name) if kind else text


def _tagged(text: str, names: str) -> str:
    """The lines between the marks of tags: AsciiDoc's, mdBook's anchors, sections of snippets, and regions."""
    return "\n".join(filter(None, (_between_marks(text, name.strip()) for name in re.split(r"[;,]", names))))


def _between_marks(text: str, name: str) -> str:
    if name in ("*", "**"):
        return text
    kept, is_open = list[str](), False
    own = re.compile(
        rf"(?:{_STARTS_TAG}|#\s?region\s+){re.escape(name)}(?![\w-])"
        rf"|(?P<end>(?:{_ENDS_TAG}|#\s?endregion\s+){re.escape(name)}(?![\w-]))"
        r"|(?P<unnamed>#\s?endregion\s*$)"
    )
    for line in text.split("\n")[:_MOST_LINES]:
        if found := own.search(line):
            is_open = not (found["end"] or found["unnamed"])
        elif is_open and not _MARK.search(line):
            kept.append(line)
    return "\n".join(kept)


def _numbered(text: str, numbers: str) -> str:
    """The lines of some numbers, such as `1..3,7`; without an end, or to -1, the rest."""
    lines, kept = text.split("\n")[:_MOST_LINES], list[str]()
    for each in numbers.split(",")[:_MOST_RANGES]:
        start, dots, end = (word.strip() for word in each.partition(".."))
        first = int(start) if start.isdecimal() else 1
        last = int(end) if end.isdecimal() else len(lines) if dots else first
        kept += lines[max(0, first - 1) : last]
    return "\n".join(kept)


def _marked(text: str, options: str) -> str:
    """The lines after, or from, a line with a text, and before, or to, another one."""
    marks = dict(option.split("=", 1) for option in options.split("\n"))
    lines = text.split("\n")[:_MOST_LINES]
    if found := _line_with(lines, marks.get("start-after") or marks.get("start-at")):
        lines = lines[found if "start-after" in marks else found - 1 :]
    if found := _line_with(lines, marks.get("end-before") or marks.get("end-at")):
        lines = lines[: found - 1 if "end-before" in marks else found]
    return "\n".join(lines)


def _line_with(lines: list[str], mark: str | None) -> int:
    """The number, from 1, of the first line with a text; 0 if there is none."""
    return next((n for n, line in enumerate(lines, 1) if mark and mark in line), 0)


def _code(text: str, name: str) -> str:
    found = _object(text, name)
    return (ast.get_source_segment(text, found) or "") if isinstance(found, _DEFINITIONS) else ""


def _docstring(text: str, name: str) -> str:
    found = _object(text, name)
    return _own_docstring(found) if found else _text_of_value(text, name)


def _members(text: str, name: str, *, has_all: bool = False) -> str:
    """The docstrings of an object and of all that is public in it, each with its name; or also the other names."""
    found = _object(text, name)
    return "\n\n".join(_docstrings(found, has_all=has_all)) if found else _text_of_value(text, name)


def _text_of_value(text: str, name: str) -> str:
    """What is said of an attribute, by its name in the module."""
    above, _, last = name.rpartition(".")
    found = _object(text, above)
    return next((said for each, said in _texts_after_values(found) if each == last), "") if found else ""


def _docstrings(node: _Definition, *, has_all: bool) -> Iterator[str]:
    if text := _own_docstring(node):
        yield text
    listed = _listed(node)
    for each in node.body:
        if isinstance(each, _DEFINITIONS) and (each.name in listed if listed else _is_public(each.name)):
            is_class = isinstance(each, ast.ClassDef)
            found = list(_docstrings(each, has_all=has_all)) if is_class else [*filter(None, [_own_docstring(each)])]
            yield from [each.name, *found] if found or has_all else ()
    yield from _public_texts(node)


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def _every_docstring(text: str, name: str) -> str:
    """All docstrings of a module, which has no name."""
    del name
    found = [
        node for node in ast.walk(_tree(text) or ast.Module([], [])) if isinstance(node, (ast.Module, *_DEFINITIONS))
    ]
    return "\n\n".join(filter(None, (docs for node in found for docs in (_own_docstring(node), *_public_texts(node)))))


def _public_texts(node: _Definition) -> Iterator[str]:
    return (text for name, text in _texts_after_values(node) if not name.startswith("_"))


def _texts_after_values(node: _Definition) -> Iterator[tuple[str, str]]:
    """What follows the assignment of an attribute as a text: documentation of Sphinx and mkdocstrings (PEP 258)."""
    for value, after in pairwise(node.body):
        text = after.value if isinstance(after, ast.Expr) else None
        if isinstance(value, (ast.Assign, ast.AnnAssign)) and isinstance(text, ast.Constant):
            target = value.target if isinstance(value, ast.AnnAssign) else value.targets[0]
            yield getattr(target, "id", "_"), dedent(str(text.value))


def _own_docstring(node: _Definition) -> str:
    """The docstring of an object, and what its annotations say of its parameters (`Annotated` with `Doc`, PEP 727)."""
    texts = [dedent(ast.get_docstring(node) or "")]
    if not isinstance(node, (ast.Module, ast.ClassDef)):
        arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        documented = (call for each in arguments for call in ast.walk(each) if isinstance(call, ast.Call))
        strings = (each.value for call in documented for each in call.args if isinstance(each, ast.Constant))
        texts += [dedent(each) for each in strings if isinstance(each, str)]
    return "\n\n".join(filter(None, texts))


def _object(text: str, name: str) -> _Definition | None:
    """The definition of an object by its name in the module, which is meant without one."""
    found: _Definition | None = _tree(text)
    for word in filter(None, name.split(".")):
        inner = (each for each in (found.body if found else ()) if isinstance(each, _DEFINITIONS))
        found = next((each for each in reversed(list(inner)) if each.name == word), None)  # after its overloads
    return found


@lru_cache(maxsize=4)  # several parts of one version are read in turn
def _tree(text: str) -> ast.Module | None:
    """The syntax tree of a module; None of what is no Python, or is nested too deeply."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class ModuleNames(NamedTuple):
    """What a module imports from others, by the names that this has there, with their full names; and its `__all__`.

    Of the modules in `starred` it imports all, but for what is `defined` in it.
    """

    imported: Mapping[str, str]
    listed: Sequence[str]
    starred: Sequence[str]
    defined: Set[str]

    def elsewhere(self, name: str) -> Sequence[str]:
        """The full names that a name of the module may have elsewhere; none if it is its own."""
        if name in self.imported:
            return (self.imported[name],)
        return () if name in self.defined else [f"{module}.{name}" for module in self.starred]


def read_names(data: bytes, module: str, path: str) -> ModuleNames:
    """The names of a module at a path; none of what is no Python."""
    tree = _tree(data.decode("utf-8", "replace"))
    package = module.split(".") if path.endswith(OF_PACKAGES) else module.split(".")[:-1]
    imported: dict[str, str] = {}
    starred, defined = list[str](), set[str]()
    for each in _statements(tree.body) if tree else ():
        if isinstance(each, ast.ImportFrom):
            above = package[: len(package) - each.level + 1] if each.level else []
            start = ".".join([*above, *filter(None, [each.module])])
            names = [(alias.asname or alias.name, f"{start}.{alias.name}".lstrip(".")) for alias in each.names]
            imported |= {name: full for name, full in names if name != "*"}
            starred += [start for name, _ in names if name == "*"]
        elif isinstance(each, _DEFINITIONS):
            defined.add(each.name)
    return ModuleNames(imported, _listed(tree) if tree else (), starred, defined)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, also those on a condition, as what is imported for types alone."""
    for each in body:
        if isinstance(each, ast.If):
            yield from (*each.body, *each.orelse)
        else:
            yield each


def _listed(node: _Definition) -> list[str]:
    """The names that a module lists in `__all__`: then others are no members of it."""
    named = list[str]()
    for each in node.body:
        if isinstance(each, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in each.targets):
            named += [str(inner.value) for inner in ast.walk(each.value) if isinstance(inner, ast.Constant)]
    return named[:_MOST_EXPORTED]


def _naming(text: str, name: str) -> str:
    """The lines that include a file of this name, in alphabetical order and without its folder."""
    all_lines = (line.strip()[:_LONGEST_LINE] for line in text.split("\n")[:_MOST_LINES])
    lines = (line for line in all_lines if name in line and _INCLUDES.search(line))
    folders = re.compile(rf"(?:[^\s\"'/:]*/)++(?=[^\s/]*{re.escape(name)})")
    return "\n".join(sorted(folders.sub("", line) for line in lines))


_READERS: Mapping[str, Callable[[str, str], str]] = {
    "tag": _tagged,
    "lines": _numbered,
    "marks": _marked,
    "code": _code,
    "object": _docstring,
    "members": _members,
    "all": partial(_members, has_all=True),
    "docs": _every_docstring,
    "names": _naming,
}
