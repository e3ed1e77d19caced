"""Reads the front matter of a Markdown page, in YAML (`---`) or TOML (`+++`).

Only top-level lines of the form `key: value` or `key = value` are read: in every generator, the keys that matter here
have plain values.
"""

import re

from waypost.core import dates
from waypost.pages.facts import PageFacts

FRONT_MATTER = re.compile(r"\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^([A-Za-z_][\w-]*)[ \t]*[:=](.*)$", re.MULTILINE)
_TABLE = re.compile(r"^\[", re.MULTILINE)
_DATE_KEYS = ("lastmod", "last_modified_at", "last_modified", "modified", "updated", "date")
_LONGEST_DATE = 100
FALSE, TRUE = ("false", "no", "off"), ("true", "yes", "on")


def read_front_matter(data: bytes) -> PageFacts:
    """Read the front matter at the beginning of a Markdown file; a file without any says nothing.

    `permalink`, `slug` and `url` set an address that only the generator knows, so such a page must be listed from the
    built site.
    """
    block = FRONT_MATTER.match(data.decode("utf-8", "replace"))
    if block is None:
        return PageFacts()
    top = _TABLE.split(block[2], maxsplit=1)[0]
    values = {key: value.split(" #")[0].strip().strip("\"'") for key, value in _LINE.findall(top)}
    texts = (values[key] for key in _DATE_KEYS if key in values)
    found = (dates.parse_page_date(text) for text in texts if len(text) <= _LONGEST_DATE)
    return PageFacts(hidden_by=_hidden_by(values), own_date=next(filter(None, found), None))


def _hidden_by(values: dict[str, str]) -> str:
    for key in ("published", "sitemap"):
        if values.get(key, "").lower() in FALSE:
            return f"{key}: {values[key]}"
    if values.get("draft", "").lower() in TRUE:
        return f"draft: {values['draft']}"
    if {"noindex", "none"} & {word.strip() for word in values.get("robots", "").lower().split(",")}:
        return f"robots: {values['robots']}"
    return next((f"{key}: {values[key]}" for key in ("permalink", "slug", "url") if values.get(key)), "")
