"""Collects what a listing leaves out and warns of."""

from collections import defaultdict
from collections.abc import Iterator

from waypost.core.finding_types import WARNINGS, site_warning
from waypost.core.model import Example, SiteWarning, Skipped, printable
from waypost.core.reasons import Reason


class ListingNotes:
    """What was left out, and the warnings, so far."""

    def __init__(self) -> None:
        self._skipped: list[Skipped] = []
        self._warnings: dict[str, list[Example]] = defaultdict(list)

    def leave_out(self, key: str, reason: Reason, detail: str = "") -> None:
        """Note that a file, or a folder whose key ends with `/`, is left out."""
        self._skipped.append(Skipped(printable(key), reason, printable(detail)))

    def skip(self, skipped: Skipped) -> None:
        """Note what a rule leaves out."""
        self._skipped.append(skipped)

    def warn(self, code: str, example: Example) -> None:
        """Note one case of what a warning is about."""
        self._warnings[code].append(example)

    def skipped(self) -> list[Skipped]:
        """All that was left out, in the order of keys."""
        return sorted(self._skipped, key=lambda skipped: skipped.key)

    def cases(self) -> dict[str, list[Example]]:
        """All cases of each warning, by its code."""
        return dict(self._warnings)

    def warnings(self) -> Iterator[SiteWarning]:
        """The warnings in the order of their table, each with the first cases."""
        for code in WARNINGS:
            if examples := self._warnings.get(code):
                yield site_warning(code, examples)
