"""What a raw value of a setting must be: each check returns the checked value or raises Wrong."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pathspec import GitIgnoreSpec

from waypost.config.generator_presets import SourceMapping
from waypost.core import urls
from waypost.core.search_engine_limits import is_news_language

PAGE_TYPES: dict[str, tuple[str, ...]] = {
    "html": (".html", ".htm", ".xhtml", ".xht", ".shtml"),
    "pdf": (".pdf",),
    "markdown": (".md", ".markdown"),
}
CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
DEFAULT_GROUP = "pages"

_CAPTURE = re.compile(r"\{(?:\*\*)?([a-z_]+)\}")


class InvalidValue(Exception):
    """What is wrong with a value: pairs of the key below the setting (`""` is itself) and the problem."""

    def __init__(self, *problems: tuple[str, str]) -> None:
        super().__init__(problems)
        self.problems = problems


class Patterns:
    """Lines in gitignore syntax, matched as Git does: the last line that matches decides."""

    __slots__ = ("_spec", "lines")

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = tuple(lines)
        self._spec = GitIgnoreSpec.from_lines(self.lines)

    def decision(self, key: str) -> bool | None:
        """True where a line matches, False where a `!` line takes it back, None where none does."""
        return self._spec.check_file(key).include if self.lines else None

    def __bool__(self) -> bool:
        return bool(self.lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Patterns) and self.lines == other.lines

    def __hash__(self) -> int:
        return hash(self.lines)

    def __repr__(self) -> str:
        return f"Patterns({list(self.lines)!r})"


@dataclass(frozen=True, slots=True)
class HintOverride:
    """The changefreq and priority of the pages that `match` matches."""

    match: Patterns
    changefreq: str | None
    priority: str | None


@dataclass(frozen=True, slots=True)
class NewsSettings:
    """The publication that news are of, and its language; `pages` match which pages are news, none: all."""

    name: str
    language: str
    pages: Patterns


def text(value: Any) -> str:
    """Check a text that says something, in characters that can be seen."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InvalidValue(("", f"{value!r} is not a text"))
    return value


def flag(value: Any) -> bool:
    """Check true or false."""
    if not isinstance(value, bool):
        raise InvalidValue(("", f"{value!r} is neither true nor false"))
    return value


def texts(value: Any) -> tuple[str, ...]:
    """Check a list of texts."""
    if not isinstance(value, list | tuple):
        raise InvalidValue(("", f"{value!r} is not a list of texts"))
    problems = [(f"[{n}]", f"{v!r} is not a text") for n, v in enumerate(value) if not isinstance(v, str)]
    if problems:
        raise InvalidValue(*problems)
    return tuple(value)


def choice(*names: str) -> Callable[[Any], str]:
    """Make a check of one of some names."""

    def check(value: Any) -> str:
        if value not in names:
            raise InvalidValue(("", f"{value!r} is not known"))
        return str(value)

    return check


def choices(*names: str) -> Callable[[Any], tuple[str, ...]]:
    """Make a check of some of some names; the order is the names' own."""

    def check(value: Any) -> tuple[str, ...]:
        chosen = texts(value)
        problems = [(f"[{n}]", f"{v!r} is not known") for n, v in enumerate(chosen) if v not in names]
        if problems or not chosen:
            raise InvalidValue(*(problems or [("", "the list is empty")]))
        return tuple(name for name in names if name in chosen)

    return check


def patterns(value: Any) -> Patterns:
    """Check lines in gitignore syntax."""
    lines = texts(value)
    problems = []
    for n, line in enumerate(lines):
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError as error:
            problems.append((f"[{n}]", f"{line!r} is not a gitignore pattern: {error}"))
    if problems:
        raise InvalidValue(*problems)
    return Patterns(lines)


def base_url(value: Any) -> str:
    """Check and normalise the URL of the site's root folder."""
    try:
        return urls.normalize_base_url(text(value))
    except ValueError as error:
        raise InvalidValue(("", str(error))) from None


def pages(value: Any) -> frozenset[str]:
    """Check types of pages and endings; the result is endings in lower case."""
    problems: list[tuple[str, str]] = []
    suffixes: set[str] = set()
    for n, name in enumerate(texts(value)):
        if name in PAGE_TYPES:
            suffixes.update(PAGE_TYPES[name])
        elif re.fullmatch(r"\.[A-Za-z0-9.+_-]+", name):
            suffixes.add(name.lower())
        else:
            problems.append((f"[{n}]", f"{name!r} is no type of page"))
    if problems or not suffixes:
        raise InvalidValue(*(problems or [("", "the list is empty, so nothing would be listed")]))
    return frozenset(suffixes)


def index_files(value: Any) -> tuple[str, ...]:
    """Check names of index files."""
    names = texts(value)
    problems = [(f"[{n}]", f"{v!r} is not a file name") for n, v in enumerate(names) if not v or "/" in v]
    if problems:
        raise InvalidValue(*problems)
    return names


def hosts(value: Any) -> tuple[str, ...]:
    """Check names of hosts, of which one that begins with a dot is all below it; the result is in ASCII."""
    problems, checked = [], []
    for n, name in enumerate(texts(value)):
        bare = name.strip().lower().removeprefix("*")
        try:
            below = urls.normalize_base_url(f"https://{bare.removeprefix('.')}/")
        except ValueError:
            below = ""
        host = below.removeprefix("https://").removesuffix("/")
        if not host or "/" in host or ":" in host:
            problems.append(
                (f"[{n}]", f"{name!r} is no name of a host; write cdn.example.org, or .example.org for all below it")
            )
        checked.append(f".{host}" if bare.startswith(".") else host)
    if problems:
        raise InvalidValue(*problems)
    return tuple(checked)


def output_name(value: Any) -> str:
    """Check what outputs' names begin with; a final `.xml` is taken off."""
    name = text(value).removesuffix(".xml")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}", name):
        raise InvalidValue(("", f"{value!r} is not a plain file name"))
    if name == "robots":
        raise InvalidValue(("", "robots.txt is not a sitemap's to have"))
    return name


def _table(value: Any, keys: tuple[str, ...], at: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidValue((at, f"{value!r} is not a table"))
    unknown = [(f"{at}.{k}", f"this key is not known; known are {', '.join(keys)}") for k in value if k not in keys]
    if unknown:
        raise InvalidValue(*unknown)
    return value


def each(value: Any, check: Callable[[Any, str], Any]) -> tuple[Any, ...]:
    """Check each table of an array, and report the mistakes of all of them."""
    if not isinstance(value, list | tuple):
        raise InvalidValue(("", f"{value!r} is not a list of tables"))
    problems: list[tuple[str, str]] = []
    checked = []
    for n, table in enumerate(value):
        try:
            checked.append(check(table, f"[{n}]"))
        except InvalidValue as wrong:
            problems.extend(wrong.problems)
    if problems:
        raise InvalidValue(*problems)
    return tuple(checked)


def _check_at(at: str, check: Callable[[Any], Any], value: Any) -> Any:
    try:
        return check(value)
    except InvalidValue as wrong:
        raise InvalidValue(*((at + key, problem) for key, problem in wrong.problems)) from None


def _priority(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidValue(("", f"{value!r} is not a number from 0.0 to 1.0"))
    text = f"{float(value):.3f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def override(value: Any, at: str) -> HintOverride:
    """Check one table of `overrides`, which stands at `at`."""
    table = _table(value, ("match", "changefreq", "priority"), at)
    if "match" not in table or not {"changefreq", "priority"} & table.keys():
        raise InvalidValue((at, "an override needs `match`, and `changefreq` or `priority`"))
    problems: list[tuple[str, str]] = []
    match = _collect(f"{at}.match", patterns, table["match"], problems)
    changefreq = _collect(f"{at}.changefreq", choice(*CHANGEFREQS), table.get("changefreq"), problems)
    priority = _collect(f"{at}.priority", _priority, table.get("priority"), problems)
    if problems:
        raise InvalidValue(*problems)
    return HintOverride(match, changefreq, priority)


def _collect(at: str, check: Callable[[Any], Any], value: Any, problems: list[tuple[str, str]]) -> Any:
    """The checked value, None where there is none; its problems go to the list."""
    try:
        return None if value is None else _check_at(at, check, value)
    except InvalidValue as wrong:
        problems.extend(wrong.problems)
        return None


def groups(value: Any) -> tuple[tuple[str, Patterns], ...]:
    """Check the table of groups; the order is the table's."""
    if not isinstance(value, Mapping):
        raise InvalidValue(("", f"{value!r} is not a table of name = [patterns]"))
    problems: list[tuple[str, str]] = []
    groups = []
    for name, lines in value.items():
        if (
            not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", name)
            or name in (DEFAULT_GROUP, "index")
            or re.search(r"(^|-)[0-9a-f]{16}$", name)
        ):
            problems.append(
                (
                    f".{name}",
                    f"a group's name is lower-case letters, digits and `-`, and not `{DEFAULT_GROUP}` or `index`",
                )
            )
        try:
            groups.append((name, _check_at(f".{name}", patterns, lines)))
        except InvalidValue as wrong:
            problems.extend(wrong.problems)
    if problems:
        raise InvalidValue(*problems)
    return tuple(groups)


def news(value: Any) -> NewsSettings:
    """Check the table of `news` (Google, "News sitemaps": languages are those of ISO 639, and zh-cn and zh-tw)."""
    table = _table(value, ("name", "language", "pages"), "")
    missing = [(f".{key}", "it is missing") for key in ("name", "language") if key not in table]
    problems = list(missing)
    name = _collect(".name", text, table.get("name"), problems)
    language = _collect(".language", text, table.get("language"), problems)
    if language and not is_news_language(language):
        problems.append((".language", f"{language!r} is no language's code; write en, deu or zh-cn"))
    pages = _collect(".pages", patterns, table.get("pages"), problems)
    if problems:
        raise InvalidValue(*problems)
    return NewsSettings(name, language.lower(), pages or Patterns())


def source(value: Any, at: str) -> SourceMapping:
    """Check one table of `sources`, which stands at `at`."""
    table = _table(value, ("page", "files"), at)
    if table.keys() != {"page", "files"}:
        raise InvalidValue((at, "a source needs `page` and `files`"))
    page = _relative(_check_at(f"{at}.page", text, table["page"]))
    files = tuple(map(_relative, _check_at(f"{at}.files", texts, table["files"])))
    known = set(_CAPTURE.findall(page))
    problems = [
        (f"{at}.files[{n}]", f"{{{name}}} is not captured by {page!r}")
        for n, file in enumerate(files)
        for name in _CAPTURE.findall(file)
        if name not in known
    ]
    problems += [
        (f"{at}.{where}", f"{text!r} has a brace that is no {{name}} or {{**name}}")
        for where, text in [("page", page), *((f"files[{n}]", f) for n, f in enumerate(files))]
        if re.search(r"[{}]", _CAPTURE.sub("", text))
    ]
    problems += [
        (f"{at}.files[{n}]", f"{file!r} is a folder; `{file}**` is what lies in it")
        for n, file in enumerate(files)
        if file.endswith("/")
    ]
    if problems:
        raise InvalidValue(*problems)
    return SourceMapping(page, files)


def _relative(path: str) -> str:
    """A path as it is compared: `/a` and `./a` are people's ways to write `a`."""
    return path.removeprefix("./").removeprefix("/")
