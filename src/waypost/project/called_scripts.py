"""Finds the scripts that a command of a project runs: those of package.json, targets of a Makefile, and shell files."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import PurePosixPath

from waypost.project.project_folder import ProjectFolder

_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""The names that Make looks for, in its order (GNU make, "What Name to Give Your Makefile")."""
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_PACKAGE_MANAGERS, _SHELLS = ("npm", "yarn", "pnpm", "bun"), ("bash", "sh", "source", ".")
_SHELL_FILE = re.compile(r"[\w./-]+\.sh|(?:\./)?(?:bin|scripts?)/[\w.-]+")
_JULIA_FILE = re.compile(r"[\w./-]*\bmake\.jl")
_VARIABLE = re.compile(r"^[ ]*(\w+)[ \t]*(?:::?|\?)?=[ \t]*(.*)$", re.MULTILINE)
_RULE = re.compile(
    r"^([\w./-]+)[ ]*::?(?!=)([^=\n]*)\n((?:(?:\t.*|(?:ifn?(?:eq|def)|else|endif).*|[ ]*)\n)*)", re.MULTILINE
)
_NAMED = re.compile(r"\$[({](\w+)[)}]")
_MOST_SCRIPTS, _MOST_CHARACTERS, _MOST_RULES, _MOST_LINES = 100, 100_000, 300, 100
_MOST_VARIABLES, _MOST_NESTED, _LONGEST_VALUE, _LONGEST_COMMAND = 300, 4, 300, 2_000
_MOST_TARGETS = 20
_KNOWN_TO_MAKE = {"CURDIR": ".", "MAKE": "make"}


class CalledScripts:
    """The scripts of a repository by the commands that run them; each file is read at most once."""

    def __init__(self, root: ProjectFolder) -> None:
        self._root = root
        self._folders: dict[str, ProjectFolder | None] = {".": root}
        self._targets: dict[str, Mapping[str, str]] = {}

    def of(self, words: Sequence[str], folder: str) -> Iterator[tuple[str, str]]:
        """The scripts that a command runs in a folder of the repository, each with the one in which it begins."""
        if words[0] in _PACKAGE_MANAGERS:
            name = next((word for word in words[1:] if word != "run" and not word.startswith("-")), "")
            place = self._folder_of_package(folder)
            yield from ((script, place) for script in self._of_package(name, place))
        elif words[0] in ("make", "just"):
            own = [after for word, after in pairwise(words) if word in ("-C", "--directory")]
            folder = posixpath.normpath(posixpath.join(folder, *own))
            yield from ((self.targets(folder)[word], folder) for word in words[1:] if word in self.targets(folder))
        else:
            name = words[1] if words[0] in _SHELLS and len(words) > 1 else words[0]
            if words[0] == "julia":  # whose calls are read as commands of a shell: Documenter's have names of their own
                name = next(filter(_JULIA_FILE.fullmatch, words), "")
            if _SHELL_FILE.fullmatch(name) or _JULIA_FILE.fullmatch(name):
                yield self._root.text(posixpath.normpath(posixpath.join(folder, name))), folder

    def action(self, path: str) -> tuple[str, str]:
        """The file of an action of the repository, and its text; both empty without one."""
        names = (posixpath.normpath(posixpath.join(path, f"action.{ending}")) for ending in ("yml", "yaml"))
        name = next(filter(self._root.has_file, names), "")
        return name, self._root.text(name) if name else ""

    def by_hand(self, folder: str, programs: Collection[str]) -> Iterator[tuple[str, Mapping[str, str]]]:
        """The scripts of a folder that people run, by their names, of each file; targets with such a program alone."""
        own = self._folder(folder)
        names = islice(own.scripts if own else (), _MOST_SCRIPTS)
        yield "package.json", {name: "\n".join(self._of_package(name, folder)) for name in names}
        targets = self.targets(folder).items()
        with_program = (each for each in targets if any(program in each[1] for program in programs))
        yield self._file_of_targets(folder), dict(islice(with_program, _MOST_TARGETS))

    def targets(self, folder: str) -> Mapping[str, str]:
        """The scripts of the targets of a folder's Makefile or justfile, which first make what the target needs."""
        if folder not in self._targets:
            own, file = self._folder(folder), self._file_of_targets(folder)
            text, is_just = own.text(file) if own and file else "", file in _JUSTFILES
            self._targets[folder] = _targets(_as_makefile(text), "just") if is_just else _targets(text, "make")
        return self._targets[folder]

    def _file_of_targets(self, folder: str) -> str:
        """The name of a folder's Makefile, or else of its justfile; empty without one."""
        own = self._folder(folder)
        return next(filter(own.has_file, (*_MAKEFILES, *_JUSTFILES)), "") if own else ""

    def _of_package(self, name: str, folder: str) -> Sequence[str]:
        """A script of package.json, after that which npm runs before it; none if there is no such script."""
        own = self._folder(folder)
        scripts = own.scripts if own else {}
        return [scripts[each] for each in (f"pre{name}", name) if each in scripts] if name in scripts else []

    def _folder_of_package(self, folder: str) -> str:
        """The folder itself, or the first one above it that has a package.json (docs.npmjs.com, "folders")."""
        above = [folder, *map(str, PurePosixPath(folder).parents)]
        found = (path for path in above if (own := self._folder(path)) and own.has_file("package.json"))
        return next(found, folder)

    def _folder(self, path: str) -> ProjectFolder | None:
        if path not in self._folders:
            is_inside = self._root.has_folder(path)
            self._folders[path] = ProjectFolder(self._root.root / path) if is_inside else None
        return self._folders[path]


def _as_makefile(justfile: str) -> str:
    """A justfile's recipes as Make would have them: with tabs, and without parameters (just.systems/man)."""
    text = re.sub(r"^[ ]+(?=\S)", "\t", justfile[:_MOST_CHARACTERS], flags=re.MULTILINE)
    text = re.sub(r"\{\{\s*(\w+)\s*\}\}", r"$(\1)", text)
    return re.sub(r"^([\w-]+)(?:[ ]+[^\n:]*)?:(?!=)", r"\1:", text, flags=re.MULTILINE)


def _targets(makefile: str, program: str) -> Mapping[str, str]:
    """The script of each target, in which `program` makes what it needs."""
    text = makefile[:_MOST_CHARACTERS].replace("\\\n", " ")
    named = [(each[1], each[2]) for each in islice(_VARIABLE.finditer(text), _MOST_VARIABLES)]
    values = {**dict(reversed(named)), **_KNOWN_TO_MAKE}
    rules = {found[1]: found for found in islice(_RULE.finditer(f"{text}\n"), _MOST_RULES)}
    return {name: "\n".join(_lines(rule, [*rules], values, program)) for name, rule in rules.items()}


def _lines(rule: re.Match[str], names: Sequence[str], values: Mapping[str, str], program: str) -> Iterator[str]:
    """The commands of a rule, each in a shell of its own, after those that make what it needs."""
    yield from (f"{program} {name}" for name in rule[2].split()[:_MOST_LINES] if name in names)
    for line in rule[3].splitlines()[:_MOST_LINES]:
        if line.startswith("\t") and (command := _filled(line.strip().lstrip("@+-"), values)):
            yield f"({command})"


def _filled(command: str, values: Mapping[str, str]) -> str:
    """A command with the values of the Makefile's variables; what is not known stays as it is."""
    for _ in range(_MOST_NESTED):
        command = _NAMED.sub(partial(_value, values), command[:_LONGEST_COMMAND])
    return command.replace("$$", "$")


def _value(values: Mapping[str, str], named: re.Match[str]) -> str:
    return values.get(named[1], named[0])[:_LONGEST_VALUE]
