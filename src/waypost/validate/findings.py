"""What was found wrong with sitemaps, collected."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from waypost.validate.rules import RULES, Severity

_SHOWN = 2_100
"""Of what was seen no more characters are kept: somewhat more than a loc may have."""


class Finding(Struct, frozen=True):
    """One thing that is wrong: where, and what to do about it; line 0 is the whole file, an empty loc none."""

    code: str
    severity: Severity
    file: str
    line: int
    loc: str
    message: str
    advice: str = ""
    source: str = ""


_FILES = 100


class FindingReport:
    """Collects findings: of each code and file the first `most`, and how many there are of all.

    Of all files together a hundred times as many of a code are kept, so that those of an endless index fit in memory.
    """

    def __init__(self, most: int = 100) -> None:
        self._most = most
        self._kept: list[Finding] = []
        self._seen: Counter[tuple[str, str]] = Counter()
        self._of_code: Counter[str] = Counter()

    def add(self, code: str, file: str, line: int = 0, loc: str = "", **seen: object) -> None:
        """Take a finding down."""
        self._seen[code, file] += 1
        if not self._most or (self._seen[code, file] <= self._most and self._of_code[code] < _FILES * self._most):
            self._of_code[code] += 1
            rule = RULES[code]
            facts = {name: value[:_SHOWN] if isinstance(value, str) else value for name, value in seen.items()}
            message, advice = rule.meaning.format(loc=loc[:_SHOWN], **facts), rule.advice.format(**facts)
            self._kept.append(Finding(code, rule.severity, file, line, loc[:_SHOWN], message, advice, rule.source))

    def __iter__(self) -> Iterator[Finding]:
        """The findings that were kept, file by file as they were met, each file's in the order of lines."""
        files = {finding.file: n for n, finding in reversed(list(enumerate(self._kept)))}
        return iter(sorted(self._kept, key=lambda finding: (files[finding.file], finding.line)))

    @property
    def counts(self) -> dict[str, int]:
        """How often each code was found, in the order of the rules."""
        found: Counter[str] = Counter()
        for (code, _), count in self._seen.items():
            found[code] += count
        return {code: found[code] for code in RULES if found[code]}

    def count(self, severity: Severity) -> int:
        """How many findings there are of a severity, kept or not."""
        return sum(count for code, count in self.counts.items() if RULES[code].severity == severity)
