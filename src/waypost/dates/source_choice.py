"""Reads in the source of a built page whether its author keeps the page out of sitemaps.

Sources: Jekyll and Hexo (`sitemap: false`), Hugo ("Sitemap templates", `disable`), VuePress (`exclude`), Pelican ("File
metadata", `Status`), Nikola ("Metadata fields", `status`). A date is no such word: what is built is published.
"""

import re
from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import NamedTuple

from waypost.pages.frontmatter import FALSE, FRONT_MATTER, TRUE

_ENTRY = re.compile(r"([ \t]*)[\"']?([A-Za-z_][\w-]*)[\"']?[ \t]*[:=][ \t]*(.*)")
_TABLE = re.compile(r"\[([\w.-]+)\]\s*")
_NESTED = re.compile(r"[{,]\s*[\"']?(\w+)[\"']?\s*[:=]\s*(\w+)")
_PELICAN = re.compile(r"^:?status:[ \t]*(?:hidden|draft)[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""A line of metadata at the beginning of a file; other projects have other uses for such lines, as Python's PEPs."""
_NIKOLA = re.compile(r"^(?:<!--)?[ \t]*\.\.[ \t]+status:[ \t]*(?:private|draft)\b", re.IGNORECASE | re.MULTILINE)
_IF_TRUE = ("draft", "private", "unlisted", "noindex", "sitemap.disable", "sitemap.exclude")
_IF_FALSE = ("published", "sitemap")
_MOST_CHARACTERS, _MOST_LINES = 65_536, 500


class _Entry(NamedTuple):
    """A value in front matter: its name with those of the tables around it, and the text in small letters."""

    name: str
    value: str


def opting_out(text: str, generators: Collection[str]) -> str:
    """The line of a source that keeps its page out of sitemaps, or an empty string.

    `generators` are the names of those that the project is built with.
    """
    found = FRONT_MATTER.match(text[:_MOST_CHARACTERS])
    if found:
        return next((f"{each.name}: {each.value}" for each in _entries(found[2]) if _opts_out(each)), "")
    lines = text[:_MOST_CHARACTERS].splitlines()[:_MOST_LINES]
    head = list(takewhile(str.strip, lines))
    line = _NIKOLA.search("\n".join(lines)) or ("Pelican" in generators and _PELICAN.search("\n".join(head)))
    return line[0].strip() if line else ""


def _entries(block: str) -> Iterator[_Entry]:
    """The values of front matter in YAML or TOML, at the top and in tables."""
    table, above = "", ""
    for line in block.splitlines()[:_MOST_LINES]:
        if named := _TABLE.fullmatch(line):
            table = f"{named[1].lower()}."
        elif entry := _ENTRY.match(line):
            indent, key, value = entry[1], entry[2].lower(), _plain(entry[3])
            if not indent:
                above = f"{key}." if not value else ""
            name = table + (above if indent else "") + key
            yield _Entry(name, value)
            yield from (_Entry(f"{name}.{inner}", text) for inner, text in _NESTED.findall(value))


def _plain(value: str) -> str:
    return value.split(" #")[0].strip().strip("\"'").lower()


def _opts_out(entry: _Entry) -> bool:
    if entry.name == "robots":
        return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", entry.value))
    return (entry.name in _IF_TRUE and entry.value in TRUE) or (entry.name in _IF_FALSE and entry.value in FALSE)
