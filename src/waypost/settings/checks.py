"""Checks of raw values: each check returns the checked value or raises InvalidValue."""

import json
import re
from collections.abc import Callable, Mapping
from math import inf
from typing import Any
from urllib.parse import urlsplit

from waypost.core import urls
from waypost.settings.values import CONTENT_TYPE, PAGE_TYPES, Patterns

Check = Callable[[Any], Any]


class InvalidValue(Exception):
    """The problems of a value: pairs of the key below the setting (`""` is the setting itself) and the problem."""

    def __init__(self, *problems: tuple[str, str]) -> None:
        super().__init__(problems)
        self.problems = problems


def check_all(*parts: tuple[str, Check, Any], problems: tuple[tuple[str, str], ...] = ()) -> list[Any]:
    """Check several values, each given as (its key, its check, the value); returns the checked values.

    Raises InvalidValue with the problems of all of them, after the `problems` found before.
    """
    found = list(problems)
    checked = []
    for key, check, value in parts:
        try:
            checked.append(check(value))
        except InvalidValue as invalid:
            found += [(key + below, problem) for below, problem in invalid.problems]
    if found:
        raise InvalidValue(*found)
    return checked


def each(check: Check) -> Callable[[Any], tuple[Any, ...]]:
    """Make the check of a list from the check of an item."""

    def check_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            meant = f"; did you mean {json.dumps([value])}?" if isinstance(value, str) else ""
            raise InvalidValue(("", f"{value!r} is not a list{meant}"))
        return tuple(check_all(*((f"[{n}]", check, item) for n, item in enumerate(value))))

    return check_list


def table(value: Any, required: Mapping[str, Check], optional: Mapping[str, Check]) -> dict[str, Any]:
    """Check a table of known keys, each value by its key's check; the value of an absent key is None."""
    if not isinstance(value, Mapping):
        raise InvalidValue(("", f"{value!r} is not a table"))
    known = {**required, **optional}
    missing = [(f".{key}", "it is missing") for key in required if key not in value]
    unknown = [(f".{key}", f"unknown key; the keys are {', '.join(known)}") for key in value if key not in known]
    present = [key for key in known if key in value]
    parts = [(f".{key}", known[key], value[key]) for key in present]
    checked = check_all(*parts, problems=(*missing, *unknown))
    return dict.fromkeys(known) | dict(zip(present, checked, strict=True))


def string(value: Any) -> str:
    """Check any string."""
    if not isinstance(value, str):
        raise InvalidValue(("", f"{value!r} is not a string"))
    return value


def text(value: Any) -> str:
    """Check a string of printable characters that is not blank."""
    if not string(value).strip() or not value.isprintable():
        raise InvalidValue(("", f"{value!r} is empty or has unprintable characters"))
    return str(value)


def _path_beginning(value: Any) -> str:
    """The beginning of a path of a host, such as `/api/`."""
    if not text(value).startswith("/"):
        raise InvalidValue(("", f"{value!r} does not begin with `/`"))
    return text(value)


texts = each(text)
path_beginnings = each(_path_beginning)


def flag(value: Any) -> bool:
    """Check true or false."""
    if not isinstance(value, bool):
        raise InvalidValue(("", f"{value!r} is not an allowed value"))
    return value


def flag_or(name: str) -> Callable[[Any], bool | str]:
    """Make the check of true, false or this name."""
    return lambda value: value if value == name else flag(value)


def _whole_number(most: float = inf) -> Callable[[Any], int]:
    """Make the check of a whole number from 0 on, up to the `most` if there is such a number."""
    numbers = "from 0" if most == inf else f"from 0 to {most}"

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise InvalidValue(("", f"{value!r} is not a whole number {numbers}"))
        return value

    return check


percent, count = _whole_number(100), _whole_number()


def choice(*names: str) -> Callable[[Any], str]:
    """Make the check of one of these names."""

    def check(value: Any) -> str:
        if value not in names:
            raise InvalidValue(("", f"{value!r} is not an allowed value"))
        return str(value)

    return check


def choices(*names: str) -> Callable[[Any], tuple[str, ...]]:
    """Make the check of a list of these names, at least one; the result has the order of `names`."""
    check_each = each(choice(*names))

    def check(value: Any) -> tuple[str, ...]:
        chosen = check_each(value)
        if not chosen:
            raise InvalidValue(("", "the list is empty"))
        return tuple(name for name in names if name in chosen)

    return check


_MOST_STARS = 3


def pattern(value: Any) -> str:
    """Check one pattern in gitignore syntax; with more wildcards a name could take minutes to match."""
    if any(part.count("*") > _MOST_STARS and part.strip("*") for part in str(value).split("/")):
        raise InvalidValue(("", f"{value!r} has more than {_MOST_STARS} `*` between two slashes"))
    try:
        Patterns([string(value)])
    except (ValueError, re.error) as error:  # pathspec lets errors of the regular expression through
        raise InvalidValue(("", f"{value!r} is not a gitignore pattern: {error}")) from None
    return str(value)


MOST_PATTERNS = 1_000
"""Of one setting: each costs every page some microseconds at worst."""


def patterns(value: Any) -> Patterns:
    """Check a list of patterns in gitignore syntax."""
    found = Patterns(each(pattern)(value))
    check_count(len(found.lines), "patterns")
    return found


def check_count(count: int, what: str) -> None:
    """Raise InvalidValue for more patterns than are matched: none of them is dropped without a word."""
    if count > MOST_PATTERNS:
        problem = f"it has {count:,} {what}, and at most {MOST_PATTERNS:,} are read; name folders, or use wildcards"
        raise InvalidValue(("", problem))


def base_url(value: Any) -> str:
    """Check and normalise the URL of the site's root folder."""
    try:
        return urls.normalize_base_url(text(value))
    except ValueError as error:
        raise InvalidValue(("", str(error))) from None


def http_url(value: Any) -> str:
    """Check an absolute http or https URL."""
    parts = urlsplit(text(value))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidValue(("", f"{value!r} is not an http or https URL"))
    return str(value)


def page_type(value: Any) -> tuple[str, ...]:
    """Check a page type or a file name ending; returns the endings of that type, in lower case."""
    if string(value) in PAGE_TYPES:
        return PAGE_TYPES[value]
    if value == CONTENT_TYPE:
        return (CONTENT_TYPE,)
    if not re.fullmatch(r"\.[A-Za-z0-9.+_-]+", value):
        raise InvalidValue(("", f"{value!r} is not a page type"))
    return (value.lower(),)


def pages(value: Any) -> frozenset[str]:
    """Check a list of page types and endings; returns the endings in lower case."""
    suffixes = frozenset(suffix for suffixes in each(page_type)(value) for suffix in suffixes)
    if not suffixes:
        raise InvalidValue(("", "the list is empty, so no page would be listed"))
    return suffixes


def file_name(value: Any) -> str:
    """Check a file name without a folder."""
    if not string(value) or "/" in value:
        raise InvalidValue(("", f"{value!r} is not a file name"))
    return str(value)


def host(value: Any) -> str:
    """Check a host name; `.example.net` and `*.example.net` mean its subdomains. Returns it in lower case and ASCII."""
    bare = string(value).strip().lower().removeprefix("*")
    try:
        root = urls.normalize_base_url(f"https://{bare.removeprefix('.')}/")
    except ValueError:
        root = ""
    name = root.removeprefix("https://").removesuffix("/")
    if not name or "/" in name or ":" in name:
        problem = f"{value!r} is not a host name; write cdn.example.org, or .example.org for its subdomains"
        raise InvalidValue(("", problem))
    return f".{name}" if bare.startswith(".") else name


def output_name(value: Any) -> str:
    """Check the first part of the output files' names; a final `.xml` is removed."""
    name = text(value).removesuffix(".xml")
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}", name):
        raise InvalidValue(("", f"{value!r} is not a plain file name"))
    if name == "robots":
        raise InvalidValue(("", "a sitemap cannot have the name of robots.txt"))
    return name
