"""What the readers of sitemap files share: how they report findings, and how they stop."""

from typing import Protocol


class ReportFinding(Protocol):
    """Takes one finding."""

    def __call__(self, code: str, line: int = 0, loc: str = "", **details: object) -> None:
        """Take the code of a rule, where the file breaks it, and the values for the rule's message."""


class ReadingStoppedError(Exception):
    """The rest of the file cannot be read, or must not be."""
