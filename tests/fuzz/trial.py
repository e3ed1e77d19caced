"""What holds of every file whatever it holds: it is examined without an error of ours, in bounds."""

import gzip
from collections.abc import Iterator, Sequence

from fuzz.seeds import BASE, KINDS, PACKED

from waypost.validate import FileResult, FindingReport, SitemapEntry, SitemapFile, Validator

NOW = 1_772_452_800.0
MOST = 10
LONGEST = 8_000


class Thrown:
    """Bytes as a file, some at a time: so many that they are cut in the middle of things."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data, self.name, self.loc = data, name, BASE + name
        self.modified: float | None = NOW
        self.redirected_to = ""
        self.is_sent_as_gzip: bool | None = None

    def chunks(self) -> Iterator[bytes]:
        """The bytes."""
        step = 1 + len(self._data) % 1_000
        return (self._data[n : n + step] for n in range(0, len(self._data), step))


def trial(data: bytes) -> None:
    """Examine a file whose first byte names its kind; raises whatever ought not to be."""
    kind = data[0] % len(KINDS) if data else 0
    name, content = KINDS[kind], gzip.compress(data[1:], 1) if kind == PACKED else data[1:]
    entries = list[SitemapEntry]()

    def follow(_: SitemapFile, loc: str) -> SitemapFile | None:
        return Thrown(content, loc) if len(loc) % 2 else None

    survey = Validator(NOW, FindingReport(MOST), follow, entries.extend)
    examined = list(survey.validate([Thrown(content, name)]))
    survey.close()
    assert_in_bounds(examined, entries, survey.report)


def assert_in_bounds(examined: Sequence[FileResult], entries: Sequence[SitemapEntry], report: FindingReport) -> None:
    """There is no more of anything than of bytes, and what is told is told in whole sentences."""
    size = sum(each.size for each in examined)
    assert len(entries) <= sum(each.entries for each in examined) <= size
    assert all(len(each.loc or "") <= size for each in entries)
    for finding in report:
        assert finding.message
        assert len(finding.message) + len(finding.advice) + len(finding.loc) < LONGEST
        assert 0 <= finding.line <= size + 1
    for code in report.counts:
        found = [each for each in report if each.code == code]
        assert len(found) <= MOST * len(examined)
    if not entries and not any(each.children for each in examined):
        assert list(report)
