"""Questions about a ledger that change nothing: what it holds, whether it is correct, why a key is listed or not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec import UNSET

from waypost.config import output_formats
from waypost.core import reasons
from waypost.core.dates import at_precision, seconds_between
from waypost.core.diff import ChangeCounts
from waypost.core.errors import LedgerError
from waypost.core.model import Item, SiteWarning, Skipped, printable
from waypost.ledger.ledger_state import LedgerState
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.report.overview import ROWS, Overview, ReportedSitemap, ReportRow, make_overview
from waypost.rules import page_facts, page_url
from waypost.rules.decision import decide
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.url_shapes import form_examples
from waypost.sync.answers import CheckAnswer, Drift, Explanation, KeySample, StatusAnswer, excluded, explain_skipped
from waypost.sync.listing_chunks import compare_with_records, iter_chunks
from waypost.sync.updater import Updater
from waypost.sync.url_form import find_url_form

NOT_FOUND = "not-found"
"""The reason for which a key is not listed if there is no such object."""
_MAX_KEYS = 100
_MAX_ROOT_SITEMAPS = 10
_NO_LEDGER = "there is no ledger yet; `waypost build`, or the action rebuild, creates it"


def status(updater: Updater, manifest: Manifest | None = None) -> StatusAnswer:
    """Counts, generation and age of the ledger, or of the given manifest; raises LedgerError where it is damaged.

    While a build replaces the ledger, the counts are those of the published files.
    """
    current = manifest or updater.ledger.read().manifest
    has_counts = current.is_complete or not current.previous
    published = current if has_counts else updater.ledger.read_archived(current.previous)
    built_at = published.built_at or None
    return StatusAnswer(
        base_url=updater.site.base_url,
        state=_state_text(updater, current),
        generation=current.generation,
        built_at=built_at,
        age_seconds=int(seconds_between(built_at, updater.clock())) if built_at else None,
        url_count=published.page_count,
        sitemap_count=sum(1 for entry in published.entries if entry.files),
        excluded_by_reason=excluded_by_reason(published),
        root_sitemaps=updater.manifest_updater(published).documents.root_sitemaps(published)[:_MAX_ROOT_SITEMAPS],
    )


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
        excluded_by_reason(manifest),
        warnings,
        changes,
    )


def _kind(name: str) -> str:
    file_format = output_formats.format_of(name)
    return file_format.kind if file_format else ""


def excluded_by_reason(manifest: Manifest) -> dict[str, int]:
    """How many possible pages are left out, by reason."""
    counts: Counter[str] = Counter()
    for entry in manifest.entries:
        counts.update(entry.excluded_by_reason)
    return dict(sorted(counts.items()))


_STATES = {
    LedgerState.EMPTY: _NO_LEDGER,
    LedgerState.BUILDING: "a rebuild is in progress; the published files are left unchanged until it is complete",
    LedgerState.SCANNING: "a distributed rebuild is in progress; the published files are left unchanged meanwhile",
    LedgerState.RESCANNING: "a distributed rebuild is in progress; updates continue meanwhile",
    LedgerState.PUBLISHING: "a distributed rebuild is publishing; updates continue meanwhile",
}


def _state_text(updater: Updater, manifest: Manifest) -> str:
    if manifest.state == LedgerState.COMPLETE and not updater.is_built_with(manifest, manifest.robots_rules):
        return "the ledger was built with other settings or another release; start a rebuild"
    if text := _STATES.get(manifest.state):
        return text
    if not manifest.page_count:
        return "there is no page to list; the published files are left unchanged"
    if manifest.pending:
        return "some sitemaps are not published yet; the next event or rebuild publishes them"
    return "up to date with all events received"


def check(updater: Updater) -> CheckAnswer:
    """Compare bucket, ledger and published files; raises LedgerError and SourceError.

    While a build replaces the ledger, there is nothing to compare with, and the answer has neither drift nor files.
    """
    manifest = updater.ledger.read().manifest
    state = _state_text(updater, manifest)
    if not manifest.config_digest:
        raise LedgerError(f"nothing to compare with: {_NO_LEDGER}")
    if not manifest.is_complete:
        return CheckAnswer(in_sync=False, state=f"{state}; until then there is nothing to compare with")
    drift = _drift(updater, manifest)
    files = updater.published_files(manifest).wrong_files(manifest) if manifest.is_publishable else {}
    linked_form = find_url_form(updater)
    has_drift = any(sample.count for sample in (drift.new, drift.changed, drift.removed))
    return CheckAnswer(
        in_sync=not (has_drift or files) and updater.is_built_with(manifest, updater.robots_rules()),
        state=state,
        linked_form=form_examples(linked_form) if linked_form != manifest.url_form else UNSET,
        drift=drift,
        files=dict(list(files.items())[:_MAX_KEYS]),
    )


def _drift(updater: Updater, manifest: Manifest) -> Drift:
    """The keys that are new, changed or removed since the ledger recorded them."""
    records = OrderedRecords(manifest, updater.ledger.records_or_none)
    new, changed, removed = list[str](), list[str](), list[str]()
    for chunk in iter_chunks(updater.source, manifest, "", updater.exclusion_reason):
        found = compare_with_records(records, chunk)
        for total, keys in ((new, found.new), (changed, found.changed), (removed, found.missing)):
            total += sorted(keys)
    return Drift(*(KeySample(len(keys), tuple(map(printable, keys[:_MAX_KEYS]))) for keys in (new, changed, removed)))


def explain(updater: Updater, key: str) -> Explanation:
    """Why a key is listed or not, by the object as it is now and by the ledger; raises LedgerError."""
    path, reason = printable(key), updater.exclusion_reason(key)
    if reason:
        return excluded(path, reason, reason.meaning)
    try:
        snapshot = page_facts.read_item(updater.source, updater.site, Item(key, key))
    except FileNotFoundError:
        return excluded(path, NOT_FOUND, "the bucket has no such object")
    except OSError as error:
        return excluded(path, reasons.UNREADABLE, error.strerror or str(error))
    manifest = updater.ledger.read().manifest
    records = OrderedRecords(manifest, updater.ledger.records)
    record = records.record(key)
    skipped = _skipped(updater, manifest, Record(key, snapshot.etag, snapshot.facts), record)
    if skipped:
        return explain_skipped(path, skipped)
    loc = str(page_url.page_url(key, updater.site_of(manifest.url_form), snapshot.facts.head))
    return _listed(updater, records.entry(key, updater.group(key)), key, loc, snapshot, record)


def _skipped(updater: Updater, manifest: Manifest, current: Record, record: Record | None) -> Skipped | None:
    """Why the object as it is now is not listed, if it is not; `record` is what the ledger has of it."""
    if record and record.duplicate_of:
        return Skipped(current.key, reasons.DUPLICATE, record.duplicate_of)
    site = updater.site_of(manifest.url_form)
    loc = str(page_url.page_url(current.key, site, current.facts.head))
    skipped = decide(current.key, loc, current.facts, site, updater.clock()).skipped
    if skipped:
        return skipped
    reason = updater.manifest_updater(manifest).classifier.exclusion_reason(current)
    return Skipped(current.key, reason) if reason else None


def _listed(
    updater: Updater, entry: ShardEntry | None, key: str, loc: str, snapshot: ObjectSnapshot, record: Record | None
) -> Explanation:
    is_current = record is not None and record.facts == snapshot.facts
    date = record.lastmod if record and updater.site.lastmod == "content" else None
    return Explanation(
        printable(key),
        listed=True,
        loc=loc,
        lastmod=at_precision(date, updater.site.precision) if is_current else None,
        no_date_reason="",
        sitemap=entry.files[0].name if entry and entry.files else None,
        ledger="has the current object" if is_current else "does not have the current object; an update adds it",
    )
