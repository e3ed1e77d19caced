"""Collects the findings of the validator."""

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct

from waypost.core.finding_types import SITEMAP_RULES, FindingType, Severity

_MAX_TEXT = 2_100
"""The most characters of a value that are kept: somewhat more than a loc may have."""
_FILES_KEPT = 100
"""Of each code, the findings of so many full files are kept, so that an endless index's findings fit in memory."""


class Finding(Struct, frozen=True):
    """One problem: where it is, and what to do about it; line 0 is the whole file, an empty loc no URL."""

    code: str
    severity: Severity
    file: str
    line: int
    loc: str
    message: str
    advice: str = ""
    source: str = ""


class FindingReport:
    """Keeps the first `most` findings of each code in each file (0: all), and counts all of them.

    `rules` has every code that is added.
    """

    def __init__(self, most: int = 100, rules: Mapping[str, FindingType] = SITEMAP_RULES) -> None:
        self._most, self._rules = most, rules
        self._kept: list[Finding] = []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._kept_by_code: Counter[str] = Counter()

    def add(self, code: str, file: str, line: int = 0, loc: str = "", **details: object) -> None:
        """Add a finding; `details` are the values for the rule's message and advice."""
        self._counts[code, file] += 1
        is_full = self._counts[code, file] > self._most or self._kept_by_code[code] >= _FILES_KEPT * self._most
        if self._most and is_full:
            return
        self._kept_by_code[code] += 1
        rule = self._rules[code]
        values = {name: value[:_MAX_TEXT] if isinstance(value, str) else value for name, value in details.items()}
        message, advice = rule.meaning.format(loc=loc[:_MAX_TEXT], **values), rule.advice.format(**values)
        self._kept.append(Finding(code, rule.severity, file, line, loc[:_MAX_TEXT], message, advice, rule.source))

    def __iter__(self) -> Iterator[Finding]:
        """The findings that were kept, by file in the order of their first findings, then by line."""
        files = {finding.file: n for n, finding in reversed(list(enumerate(self._kept)))}
        return iter(sorted(self._kept, key=lambda finding: (files[finding.file], finding.line)))

    @property
    def counts(self) -> dict[str, int]:
        """How often each code was found, in the order of the rules."""
        by_code: Counter[str] = Counter()
        for (code, _), count in self._counts.items():
            by_code[code] += count
        return {code: by_code[code] for code in self._rules if by_code[code]}

    def count(self, severity: Severity) -> int:
        """How many findings have this severity, kept or not."""
        return sum(count for code, count in self.counts.items() if self._rules[code].severity == severity)
