"""What the readers of sitemap files share: how they report findings, how much they read, and how they stop."""

from typing import Protocol

from waypost.settings.schema import LIMITS

MOST_BYTES, MOST_ENTRIES = 4 * LIMITS["current"].bytes, 4 * LIMITS["current"].urls
"""Every reader stops here: four times what a file may have today, uncompressed (sitemaps.org 0.9)."""


class ReportFinding(Protocol):
    """Takes one finding."""

    def __call__(self, code: str, line: int = 0, loc: str = "", **details: object) -> None:
        """Take the code of a rule, where the file breaks it, and the values for the rule's message."""


class ReadingStoppedError(Exception):
    """The rest of the file cannot be read, or must not be."""
