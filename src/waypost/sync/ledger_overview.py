"""What a report shows of a bucket, from its ledger alone."""

from collections.abc import Iterator, Sequence
from itertools import chain

from waypost.config import output_formats
from waypost.core.diff import ChangeCounts
from waypost.core.model import SiteWarning, printable
from waypost.report.overview import ROWS, Overview, ReportedSitemap, ReportRow, make_overview
from waypost.sync import inspect
from waypost.sync.updater import Updater


def overview(updater: Updater, warnings: Sequence[SiteWarning] = (), changes: ChangeCounts | None = None) -> Overview:
    """What a report shows of a bucket, from its ledger alone; the records of one shard are in memory at a time."""
    manifest = updater.ledger.read().manifest
    classifier = updater.manifest_updater(manifest).classifier
    excluded_rows, listed_rows = list[ReportRow](), list[ReportRow]()

    def pages() -> Iterator[tuple[str, str | None]]:
        for entry in manifest.entries:
            for record in updater.ledger.records_or_none(entry) or ():
                page, key = classifier.page(record), printable(record.key)
                if page:
                    yield page.loc, page.lastmod
                if page and len(listed_rows) < ROWS:
                    listed_rows.append(ReportRow(key, "", page.lastmod or ""))
                elif not page and len(excluded_rows) < ROWS:
                    excluded_rows.append(ReportRow(key, str(classifier.exclusion_reason(record)), record.duplicate_of))

    files = [
        ReportedSitemap(f.name, _kind(f.name), entry.page_count, None, f.changed_at)
        for entry in manifest.entries
        for f in entry.files
    ]
    files += [
        ReportedSitemap(file.name, "index", sum(bool(e.files) for e in manifest.entries)) for file in manifest.indexes
    ]
    return make_overview(
        updater.site,
        updater.clock(),
        pages(),
        chain(excluded_rows, listed_rows),
        files,
        inspect.excluded_by_reason(manifest),
        warnings,
        changes,
    )


def _kind(name: str) -> str:
    file_format = output_formats.format_of(name)
    return file_format.kind if file_format else ""
