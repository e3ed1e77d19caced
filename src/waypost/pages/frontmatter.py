"""Reads the front matter of a page or a source: YAML (`---`), TOML (`+++`), JSON, and lines without fences.

Lines are read, and not parsed: in every generator, the keys that matter here have plain values.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from waypost.pages.facts import PageFacts
from waypost.pages.own_dates import MODIFICATION_KEYS, NO_DATES, PUBLICATION_KEYS, OwnDate, OwnDates, first_date, folded

FRONT_MATTER = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"\s*(---|\+\+\+)[ \t]*\n(?P<fields>.*?\n)\1[ \t]*(?:\n|\Z)", re.DOTALL)
_METADATA = re.compile(r"\s*(?P<fields>(?:^:?[A-Za-z][\w -]{1,30}:[ \t].*(?:\n|\Z)){2,})", re.MULTILINE)
"""The front matter of Pelican and MkDocs, which has no fences."""
_IN_COMMENT = re.compile(r"\s*<!--[ \t]*\n(?P<fields>(?:\.\. .*\n)+)-->")
"""The front matter of Nikola."""
_JSON = re.compile(r"\s*(?P<fields>\{\s*\".*?^\})[ \t]*\n(?=\s*\S)", re.DOTALL | re.MULTILINE)
"""An object before a text; a file with no more is data."""
_BELOW_TITLE = re.compile(
    r"(?:\s*+^//.*$)*+\s*+(?:^(?!:[\w-]+:|\.\.[ \t]|#\+)\S.*\n){0,3}\s*+"
    r"(?P<fields>(?:^(?::[\w-]+:|\.\.[ \t]+[\w-]+:|#\+\w+:)(?:[ \t].*)?(?:\n|\Z))+)",
    re.MULTILINE,
)
"""The attributes of AsciiDoc, the fields of reStructuredText, and the keywords of Org.

Before them may be comments and three lines: a title between two lines of reStructuredText, or a title, an author and
a revision of AsciiDoc. 2 and 4: `test_fields_below_a_title_are_front_matter`.
"""
_LINE = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:=](.*)$", re.MULTILINE)
_TABLE = re.compile(r"^\[", re.MULTILINE)
_ENTRY = re.compile(r"([ \t]*)(?::|\.\.[ \t]+|#\+)?[\"']?([A-Za-z_][\w-]*)[\"']?[ \t]*[:=][ \t]*(.*)")
_TABLE_NAME = re.compile(r"\[{1,2}([\w.-]+)\]{1,2}\s*")
_FLOW_ENTRY = re.compile(r"[\"']?([A-Za-z_][\w-]*)[\"']?\s*[:=]\s*(\"[^\"]*\"|'[^']*'|[^,{}\[\]\"']+)")
_FLOW = re.compile(r"\{([^{}]*)\}")
"""An object that is written within a line."""
_WITH_FIELDS, _ITS_FIELDS = "last_update", frozenset({"date", "author"})
_MOST_LINES = 500
"""How many lines of a block are read, so that a hostile one ends soon; no other test is so long."""
_LONGEST_DATE = 100
FALSE, TRUE = ("false", "no", "off"), ("true", "yes", "on")
_MODIFICATION = frozenset(map(folded, MODIFICATION_KEYS))


def read_front_matter(data: bytes) -> PageFacts:
    """Read the front matter at the beginning of a Markdown file; a file without any says nothing.

    `permalink`, `slug` and `url` set an address that only the generator knows, so such a page must be listed from the
    built site.
    """
    text = data.decode("utf-8", "replace")
    block = FRONT_MATTER.match(text)
    if block is None:
        return PageFacts()
    top = _TABLE.split(block[2], maxsplit=1)[0]
    values = {key: _plain_value(value) for key, value in _LINE.findall(top)}
    return PageFacts(hidden_by=_hidden_by(values), own_dates=own_dates(text))


def _hidden_by(values: dict[str, str]) -> str:
    for key in ("published", "sitemap"):
        if values.get(key, "").lower() in FALSE:
            return f"{key}: {values[key]}"
    if values.get("draft", "").lower() in TRUE:
        return f"draft: {values['draft']}"
    if {"noindex", "none"} & {word.strip() for word in values.get("robots", "").lower().split(",")}:
        return f"robots: {values['robots']}"
    return next((f"{key}: {values[key]}" for key in ("permalink", "slug", "url") if values.get(key)), "")


def front_matter(text: str) -> tuple[str, str]:
    """The fields of a file's front matter, and the text after it."""
    match = _FENCED.match(text) or _METADATA.match(text) or _IN_COMMENT.match(text)
    return (match["fields"], text[match.end() :]) if match else ("", text)


def entries(block: str) -> Iterator[tuple[str, str]]:
    """The values in lines of front matter, each after its name with those of the tables, or of the entry, above it."""
    table, above = "", ""
    for line in block.splitlines()[:_MOST_LINES]:
        if named := _TABLE_NAME.fullmatch(line):
            table = f"{named[1]}."
        elif entry := _ENTRY.match(line):
            indent, key, value = entry[1], entry[2], _plain_value(entry[3])
            if not indent:
                above = f"{key}." if not value else ""
            name = table + (above if indent else "") + key
            yield name, value
            yield from ((f"{name}.{inner}", _plain_value(text)) for inner, text in _in_flow(value))


def _plain_value(value: str) -> str:
    return value.split(" #")[0].strip().strip("\"'")


def _in_flow(value: str) -> Iterator[tuple[str, str]]:
    """The entries of an object that is written within a line."""
    parts = value.strip("{}").split(",") if value.startswith("{") else ()
    return ((found[1], found[2]) for part in parts if (found := _FLOW_ENTRY.fullmatch(part.strip())))


def own_dates(text: str) -> OwnDates:
    """The dates that the front matter of a page or a source gives it."""
    block = _block(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    if block is None:
        return NO_DATES
    return dates_of(_json_entries(block["fields"]) if block.re is _JSON else entries(block["fields"]))


def dates_of(found: Iterable[tuple[str, str]]) -> OwnDates:
    """The dates among the entries of front matter."""
    values: dict[str, tuple[str, str]] = {}
    for name, value in found:
        values.setdefault(folded(name), (name, value))

    def first(*names: str) -> OwnDate | None:
        named = (values[key] for name in names if (key := folded(name)) in values)
        return first_date((name, value) for name, value in named if len(value) <= _LONGEST_DATE)

    return OwnDates(first(*MODIFICATION_KEYS, f"{_WITH_FIELDS}.date"), first(*PUBLICATION_KEYS))


def without_modification_dates(text: str) -> str:
    """A text without what its front matter has only to say when the page last changed."""
    block = _block(text)
    if block is None:
        return text
    fields = block["fields"]
    kept = _json_without(fields) if block.re is _JSON else "".join(_lines_without(fields.splitlines(keepends=True)))
    if kept == fields:
        return text
    start, end = block.span("fields" if kept.strip() or block.re is _BELOW_TITLE else 0)
    return f"{text[:start]}{kept.lstrip()}{text[end:]}"


def _block(text: str) -> re.Match[str] | None:
    """What begins a text and has its front matter as `fields`."""
    forms = (_FENCED, _METADATA, _IN_COMMENT, _JSON, _BELOW_TITLE)
    return next((found for form in forms if (found := form.match(text))), None)


def _json_entries(fields: str) -> Iterator[tuple[str, str]]:
    """The texts of an object, and of the objects in it, as `entries` gives them."""
    for key, value in (_json_object(fields) or {}).items():
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            yield from ((f"{key}.{inner}", text) for inner, text in value.items() if isinstance(text, str))


def _json_object(fields: str) -> dict[str, Any] | None:
    try:
        found = json.loads(fields)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _json_without(fields: str) -> str:
    found = _json_object(fields)
    rest = {} if found is None else _object_without(found)
    return fields if found is None else json.dumps(rest, ensure_ascii=False, indent=0) if rest else ""


def _object_without(found: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in found.items():
        rest = _object_without(value) if isinstance(value, dict) else value
        is_plain = not isinstance(value, dict | list)
        is_date = folded(key) in _MODIFICATION and (is_plain or _is_date_with_author(key, value))
        if not is_date and not (rest == {} and value):
            kept[key] = rest
    return kept


def _is_date_with_author(key: str, fields: Any) -> bool:
    return folded(key) == folded(_WITH_FIELDS) and isinstance(fields, dict) and fields.keys() <= _ITS_FIELDS


def _lines_without(lines: list[str]) -> list[str]:
    """The lines of entries, without those of modification dates, and those that have nothing else in them."""
    kept: list[str] = []  # from the last line to the first
    lost_below = -1  # the indent of the line below, if it went
    for line in reversed(lines):
        entry = _ENTRY.match(line)
        indent, key, value = (len(entry[1]), folded(entry[2]), entry[3].strip()) if entry else (0, "", "")
        inside = _inside(kept, indent) if key else 0
        has_author = inside and key == folded(_WITH_FIELDS) and all(map(_is_field_of_date, kept[-inside:]))
        if key in _MODIFICATION and (not inside or has_author):
            del kept[len(kept) - inside :]
            lost_below = indent
        elif key and not (value or inside) and lost_below > indent:
            lost_below = indent
        else:
            kept.append(_FLOW.sub(_flow_without, line) if "{" in line else line)
            lost_below = -1
    return kept[::-1]


def _inside(kept: list[str], indent: int) -> int:
    """How many of the last lines belong to an entry with this indent, which comes before them."""
    count = 0
    while count < len(kept) and _is_inside(kept[-1 - count], indent):
        count += 1
    return count


def _is_inside(line: str, indent: int) -> bool:
    own = len(line) - len(line.lstrip())
    return bool(line.strip()) and (own > indent or (own == indent and line.startswith("- ", own)))


def _is_field_of_date(line: str) -> bool:
    entry = _ENTRY.match(line)
    return entry is not None and entry[2] in _ITS_FIELDS


def _flow_without(written: re.Match[str]) -> str:
    """An object within a line, without its modification dates."""
    parts = written[1].split(",")
    return f"{{{','.join(part for part in parts if not _is_flow_date(part))}}}"


def _is_flow_date(part: str) -> bool:
    entry = _FLOW_ENTRY.fullmatch(part.strip())
    return entry is not None and folded(entry[1]) in _MODIFICATION
