"""What a host's rules say of a site's URLs: which it redirects, with which headers it answers, and in which form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from waypost.core.model import UrlShape

ANY_SHAPE: tuple[UrlShape, ...] = ("slash", "bare", "file")


def first_name(path: str) -> str:
    """The first name in a path that begins with `/`; empty if it has none."""
    return path.split("/", 2)[1] if path.startswith("/") else ""


class PathPattern(NamedTuple):
    """A pattern that fits whole paths: one path, or those that a regular expression matches.

    `ignores_slash` if a path fits with and without its last slash. `first` is the name with which all paths begin that
    fit; it is empty if they have none in common.
    """

    path: str = ""
    expression: re.Pattern[str] | None = None
    ignores_slash: bool = False
    first: str = ""

    def fits(self, path: str) -> bool:
        """Whether the pattern fits a path that is not encoded."""
        if not self.ignores_slash:
            return self._fits(path)
        plain = path.rstrip("/")
        return self._fits(plain) or self._fits(f"{plain}/")

    def _fits(self, path: str) -> bool:
        return path == self.path if self.expression is None else self.expression.fullmatch(path) is not None


class PathRule(Struct, frozen=True):
    """A rule for the paths of a pattern; `target` is where the host redirects them, or empty if it does not."""

    pattern: PathPattern
    target: str = ""


class HeaderRule(Struct, frozen=True):
    """A header with which a host answers the paths of a pattern; without a value, it is taken away again."""

    pattern: PathPattern
    name: str
    value: str = ""


R = TypeVar("R", PathRule, HeaderRule)


class AnsweredShapes(Struct, frozen=True):
    """The shapes of URLs at which a host answers HTML files, those of pages and of folders.

    It redirects others, except those of pages that are `missing`, at which it answers that there is nothing.
    """

    page: tuple[UrlShape, ...] = ANY_SHAPE
    folder: tuple[UrlShape, ...] = ANY_SHAPE
    missing: tuple[UrlShape, ...] = ()


_ANY = AnsweredShapes()


@dataclass(frozen=True)
class OneHost:
    """The rules of one host that hold for every visitor of the site.

    Paths begin with `/` at the host's root, and are not encoded. Of `redirects`, the first that fits a path counts.
    `merges_headers` if the values of one header are joined, else the last one counts. `hides_underscores` if nothing is
    published whose name, or the name of a folder above it, begins with `_`. The host misreads or redirects a path with
    one of the characters in `escaped`, unless they are percent-encoded. `lowers_case` if it redirects a path with
    capital letters to one without, and `lists_folders` if it may answer with a list of a folder's files.
    """

    host: str = ""
    shapes: AnsweredShapes = _ANY
    redirects: Sequence[PathRule] = ()
    headers: Sequence[HeaderRule] = ()
    merges_headers: bool = False
    hides_underscores: bool = False
    escaped: str = ""
    lowers_case: bool = False
    lists_folders: bool = False

    def redirect(self, path: str) -> str:
        """Where the host redirects a path, or an empty string."""
        return next((rule.target for rule in self._redirects.for_path(path) if rule.pattern.fits(path)), "")

    def header(self, path: str, name: str) -> str:
        """The value of a header, whose name is in small letters, in the answer at a path; empty without one."""
        values: list[str] = []
        for rule in self._headers.for_path(path):
            if rule.name != name or not rule.pattern.fits(path):
                continue
            kept = values if self.merges_headers and rule.value else []
            values = [*kept, *([rule.value] if rule.value else [])]
        return ", ".join(values)

    @cached_property
    def _redirects(self) -> "_ByPath[PathRule]":
        return _ByPath(self.redirects)

    @cached_property
    def _headers(self) -> "_ByPath[HeaderRule]":
        return _ByPath(self.headers)

    @property
    def most_wildcards(self) -> int:
        """How many rules with wildcards are tried for one path at most, of redirects or of headers."""
        return max(self._redirects.most_wildcards, self._headers.most_wildcards)


class _ByPath(Generic[R]):
    """Rules by the paths that they may fit: a site may have thousands of rules and pages.

    A rule for one path is found by that, and one with wildcards by the first name in the paths that it fits.
    """

    def __init__(self, rules: Sequence[R]) -> None:
        self._of_path: dict[str, list[tuple[int, R]]] = {}
        self._of_name: dict[str, list[tuple[int, R]]] = {}
        for number, rule in enumerate(rules):
            has_wildcards = rule.pattern.expression is not None
            found, key = (self._of_name, rule.pattern.first) if has_wildcards else (self._of_path, rule.pattern.path)
            found.setdefault(key if has_wildcards else key.rstrip("/"), []).append((number, rule))

    def for_path(self, path: str) -> Iterator[R]:
        """The rules that may fit a path, in their order."""
        names = dict.fromkeys((first_name(path), ""))
        of_names = (self._of_name.get(name, ()) for name in names)
        found = merge(self._of_path.get(path.rstrip("/"), ()), *of_names, key=itemgetter(0))
        return (rule for _, rule in found)

    @property
    def most_wildcards(self) -> int:
        """How many rules with wildcards are tried for one path at most."""
        counts = {name: len(rules) for name, rules in self._of_name.items()}
        return counts.pop("", 0) + max(counts.values(), default=0)


@dataclass(frozen=True)
class HostRules:
    """The rules of the host that publishes a site; of several that may be it, only what all of them say holds.

    `is_certain` is false if only files show the host, which may have been left from another one.
    """

    of_hosts: Sequence[OneHost] = ()
    is_certain: bool = False

    def redirect(self, path: str) -> str:
        """Where all hosts redirect a path, or an empty string."""
        targets = [rules.redirect(path) for rules in self.of_hosts]
        return targets[0] if targets and all(targets) else ""

    def header(self, path: str, name: str) -> str:
        """The value of a header of which all hosts send one at a path."""
        values = [rules.header(path, name) for rules in self.of_hosts]
        return values[0] if values and all(values) else ""

    @cached_property
    def shapes(self) -> AnsweredShapes:
        """The shapes that any of the hosts answers."""
        if not self.of_hosts:
            return AnsweredShapes()
        return AnsweredShapes(
            tuple(s for s in ANY_SHAPE if any(s in rules.shapes.page for rules in self.of_hosts)),
            tuple(s for s in ANY_SHAPE if any(s in rules.shapes.folder for rules in self.of_hosts)),
        )

    @cached_property
    def missing(self) -> Sequence[UrlShape]:
        """The shapes at which none of the hosts answers a page."""
        shapes = [rules.shapes for rules in self.of_hosts]
        return [shape for shape in ANY_SHAPE if shapes and all(shape in each.missing for each in shapes)]

    @property
    def lists_folders(self) -> bool:
        """Whether a folder without an index file may be answered; so it is if no host is known."""
        return not self.of_hosts or any(rules.lists_folders for rules in self.of_hosts)

    @property
    def hides_underscores(self) -> bool:
        """Whether no file is published with a `_` at the beginning of its name or of a folder's."""
        return bool(self.of_hosts) and all(rules.hides_underscores for rules in self.of_hosts)

    @cached_property
    def escaped(self) -> str:
        """The characters that any of the hosts must be sent percent-encoded."""
        return "".join(sorted({character for rules in self.of_hosts for character in rules.escaped}))

    @property
    def lowers_case(self) -> bool:
        """Whether paths with capital letters are redirected."""
        return bool(self.of_hosts) and all(rules.lowers_case for rules in self.of_hosts)

    @property
    def host(self) -> str:
        """The host, if there is only one."""
        return self.of_hosts[0].host if len(self.of_hosts) == 1 else ""
