"""The words of HTML sitemaps in the languages of sites: the table `list_texts.toml`."""

from pathlib import Path

from msgspec import Struct

from waypost.core.tables import Table

LANGUAGES = ("en", "da", "de", "es", "fr", "it", "ja", "nl", "pt", "sv", "zh")
"""The languages of the table, by their codes (ISO 639-1)."""


class ListTexts(Struct, frozen=True):
    """The words of one language, as HTML: `title` and the like have places for values, and no text has quotes."""

    language: str
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


LIST_TEXTS = Table(Path(__file__).with_suffix(".toml"), ListTexts, "language")
"""The words of each language, by its code."""
