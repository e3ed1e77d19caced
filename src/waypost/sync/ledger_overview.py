"""What a report shows of a bucket, from its ledger alone."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from waypost.config import output_formats
from waypost.core.diff import ChangeCounts
from waypost.core.model import Example, Page, SiteWarning, Skipped, printable
from waypost.core.reasons import REASONS
from waypost.ledger.manifest import Manifest
from waypost.ledger.records import Record
from waypost.report import (
    ROWS,
    Overview,
    Problem,
    ReportedSitemap,
    ReportRow,
    exclusion_problems,
    listed_row,
    make_overview,
    warning_problems,
)
from waypost.rules.decision import decide
from waypost.sync import inspect
from waypost.sync.site_warnings import warnings_of
from waypost.sync.updater import Updater


class _Listing:
    """Reads the records of a ledger, and keeps the first rows, and what the rules warn of."""

    def __init__(self, updater: Updater, manifest: Manifest) -> None:
        self._updater, self._manifest = updater, manifest
        self._classifier = updater.manifest_updater(manifest).classifier
        self._now = updater.clock()
        self.excluded, self.listed = list[ReportRow](), list[ReportRow]()
        self.cases: dict[str, list[Example]] = {}

    def pages(self) -> Iterator[Page]:
        """The listed pages; the records of one shard are in memory at a time."""
        for entry in self._manifest.entries:
            for record in self._updater.ledger.records_or_none(entry) or ():
                found = self._classifier.classify(record)
                if isinstance(found, Page):
                    yield found
                    self._note_listed(record, found)
                elif len(self.excluded) < ROWS:
                    self.excluded.append(ReportRow(printable(record.key), str(found), record.duplicate_of))

    def _note_listed(self, record: Record, page: Page) -> None:
        if len(self.listed) >= ROWS:
            return
        site = self._updater.site
        self.listed.append(listed_row(page, printable(page.key), site.base_url))
        for code, example in decide(page.key, page.loc, record.facts, site, self._now).warnings:
            self.cases.setdefault(code, []).append(example)

    def problems(self, warnings: Sequence[SiteWarning]) -> Iterator[Problem]:
        """The problems of a run, and of the records that were read."""
        own = {each.code: each for each in warnings_of(self.cases)}
        yield from warning_problems([*own.values(), *(each for each in warnings if each.code not in own)], self.cases)
        yield from exclusion_problems(Skipped(row.key, REASONS[row.reason], row.detail) for row in self.excluded)


def overview(
    updater: Updater,
    warnings: Sequence[SiteWarning] = (),
    changes: ChangeCounts | None = None,
    problems: Iterable[Problem] = (),
) -> Overview:
    """What a report shows of a bucket, from its ledger alone; `problems` are those that other parts found."""
    manifest = updater.ledger.read().manifest
    listing = _Listing(updater, manifest)
    files = [
        ReportedSitemap(f.name, _kind(f.name), entry.page_count, None, f.changed_at)
        for entry in manifest.entries
        for f in entry.files
    ]
    files += [
        ReportedSitemap(file.name, "index", sum(bool(e.files) for e in manifest.entries)) for file in manifest.indexes
    ]
    rows = chain(listing.excluded, listing.listed)
    found = (problem for some in (listing.problems(warnings), problems) for problem in some)
    excluded = inspect.excluded_by_reason(manifest)
    return make_overview(updater.site, updater.clock(), listing.pages(), rows, files, excluded, found, changes)


def _kind(name: str) -> str:
    file_format = output_formats.format_of(name)
    return file_format.kind if file_format else ""
