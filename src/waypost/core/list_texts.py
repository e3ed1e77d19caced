"""The words of HTML sitemaps in the languages of sites: the table `list_texts.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

LANGUAGES = ("en", "da", "de", "es", "fr", "it", "ja", "nl", "pt", "sv", "zh")
"""The languages of the table, by their codes (ISO 639-1)."""


class ListTexts(Struct, frozen=True):
    """The words of one language, as HTML: `title` and the like have places for values, and no text has quotes."""

    title: str
    span: str
    part: str
    all_pages: str
    previous: str
    next: str
    search_list: str
    search_all: str
    page: str
    pages: str
    shown: str
    reading: str
    unreadable: str


@cache
def list_texts() -> Mapping[str, ListTexts]:
    """The words of each language."""
    table = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(table), dict[str, ListTexts])
