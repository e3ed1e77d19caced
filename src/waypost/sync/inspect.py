"""What a ledger knows, whether it is right, and why a key is listed or not: questions that change nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from waypost.config import output_formats
from waypost.core import reasons
from waypost.core.dates import at_precision, seconds_between
from waypost.core.diff import ChangeCounts
from waypost.core.errors import LedgerError
from waypost.core.model import Item, SiteWarning, Skipped, printable
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.report.overview import ROWS, Overview, ReportedSitemap, ReportRow, make_overview
from waypost.rules import page_facts, page_url
from waypost.rules.decision import decide
from waypost.rules.page_facts import ObjectSnapshot
from waypost.sync.listing_chunks import compare_with_records, iter_chunks
from waypost.sync.updater import Updater

_SHOWN = 100


def status(updater: Updater, known: Manifest | None = None) -> dict[str, Any]:
    """Counts, generation and age of the ledger, or of the manifest given; raises LedgerError where it is damaged.

    While a build makes it anew, the counts are of what is published until then.
    """
    manifest = known or updater.ledger.read().manifest
    is_whole = manifest.position is None or not manifest.previous
    info = manifest if is_whole else updater.ledger.read_archived(manifest.previous)
    entrances = updater.manifest_updater(info).documents.root_sitemaps(info)
    return {
        "base_url": updater.site.base_url,
        "state": _state_text(updater, manifest),
        "generation": manifest.generation,
        "built": info.built_at or None,
        "age_seconds": int(seconds_between(info.built_at, updater.clock())) if info.built_at else None,
        "urls": info.page_count,
        "sitemaps": sum(1 for entry in info.entries if entry.files),
        "left_out": excluded_by_reason(info),
        "submit": entrances[:10],
    }


def overview(updater: Updater, warned: Sequence[SiteWarning] = (), changes: ChangeCounts | None = None) -> Overview:
    """What a report shows of a bucket, from its ledger alone, a shard's records in memory at a time."""
    manifest = updater.ledger.read().manifest
    classifier, left, listed = updater.manifest_updater(manifest).classifier, list[ReportRow](), list[ReportRow]()

    def pages() -> Iterator[tuple[str, str | None]]:
        for entry in manifest.entries:
            for record in updater.ledger.records_or_none(entry):
                page, key = classifier.page(record), printable(record.key)
                if page:
                    yield page.loc, page.lastmod
                if page and len(listed) < ROWS:
                    listed.append(ReportRow(key, "", page.lastmod or ""))
                elif not page and len(left) < ROWS:
                    left.append(ReportRow(key, str(classifier.exclusion_reason(record)), record.duplicate_of))

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
        chain(left, listed),
        files,
        excluded_by_reason(manifest),
        warned,
        changes,
    )


def _kind(name: str) -> str:
    file_format = output_formats.format_of(name)
    return file_format.kind if file_format else ""


def excluded_by_reason(manifest: Manifest) -> dict[str, int]:
    """How many possible pages are left out, by the reason."""
    counts: Counter[str] = Counter()
    for entry in manifest.entries:
        counts.update(entry.excluded_by_reason)
    return dict(sorted(counts.items()))


def _state_text(updater: Updater, manifest: Manifest) -> str:
    if not manifest.config_digest:
        return "there is no ledger yet; `waypost build`, or the action rebuild, makes it"
    if manifest.run:
        whole = "what was published before stands" if manifest.position is not None else "events are followed meanwhile"
        return f"a rebuild by many workers is {'publishing' if manifest.run.is_publishing else 'under way'}; {whole}"
    if manifest.position is not None:
        return f"a build is under way and has come to {manifest.position!r}; what was published before stands"
    if not updater.is_built_with(manifest, manifest.robots_rules):
        return "built with other settings; a rebuild brings it up to these"
    if manifest.is_unpublished:
        return "a rebuild by many workers ended before all was published; a rebuild publishes the rest"
    return (
        "right, as far as events have told"
        if manifest.page_count
        else "there is no page to list; what was there stands"
    )


def check(updater: Updater) -> dict[str, Any]:
    """Compare bucket, ledger and published files; raises LedgerError and SourceError.

    `drift` has the keys that are new, changed or gone since the ledger saw them, `files` the published files that
    are missing, others than they should be, or should be gone: the first of each, and how many there are. Neither is
    there while a build makes the ledger anew.
    """
    version = updater.ledger.read()
    manifest = version.manifest
    if not manifest.config_digest:
        raise LedgerError("there is no ledger to compare with; `waypost build`, or the action rebuild, makes it")
    if manifest.position is not None:
        return {
            "is_right": False,
            "state": f"{_state_text(updater, manifest)}; until then there is nothing to compare with",
        }
    kept = OrderedRecords(manifest, updater.ledger.records_or_none)
    drift: dict[str, list[str]] = {"new": [], "changed": [], "gone": []}
    for chunk in iter_chunks(updater.source, manifest, "", updater.exclusion_reason):
        for kind, keys in zip(drift, compare_with_records(kept, chunk), strict=True):
            drift[kind] += sorted(keys)
    publication = updater.publisher(manifest)
    files: dict[str, str] = {}
    if manifest.is_publishable:
        files = publication.wrong_files(manifest) | dict.fromkeys(
            sorted(publication.orphaned_files(version)), "should be gone"
        )
    return {
        "is_right": not (any(drift.values()) or files) and updater.is_built_with(manifest, updater.robots_rules()),
        "state": _state_text(updater, manifest),
        "drift": {
            kind: {"count": len(keys), "first": list(map(printable, keys[:_SHOWN]))} for kind, keys in drift.items()
        },
        "files": dict(list(files.items())[:_SHOWN]),
    }


def explain(updater: Updater, key: str) -> dict[str, Any]:
    """What became of a key, and what will: from the object as it is now, and from the ledger; raises LedgerError."""
    reason = updater.exclusion_reason(key)
    if reason:
        return _exclusion(key, reason, reason.meaning)
    try:
        snapshot = page_facts.read_item(updater.source, updater.site, Item(key, key))
    except FileNotFoundError:
        return _exclusion(key, "not-found", "the bucket holds no such object")
    except OSError as error:
        return _exclusion(key, reasons.UNREADABLE, error.strerror or str(error))
    manifest = updater.ledger.read().manifest
    records_in_order = OrderedRecords(manifest, updater.ledger.records)
    record = records_in_order.record(key)
    skipped = _skipped(updater, manifest, snapshot, Record(key, snapshot.etag, snapshot.facts), record)
    if skipped:
        detail = skipped.reason.meaning + (f" ({skipped.detail})" if skipped.detail else "")
        return _exclusion(key, skipped.reason, detail)
    return _listed(updater, records_in_order.entry(key, updater.group(key)), key, snapshot, record)


def _skipped(
    updater: Updater, manifest: Manifest, snapshot: ObjectSnapshot, seen: Record, record: Record | None
) -> Skipped | None:
    if record and record.duplicate_of:
        return Skipped(seen.key, reasons.DUPLICATE, record.duplicate_of)
    loc = str(page_url.page_url(seen.key, updater.site))
    found = decide(seen.key, loc, snapshot.facts, updater.site, updater.clock()).skipped
    if found:
        return found
    reason = updater.manifest_updater(manifest).classifier.exclusion_reason(seen)
    return Skipped(seen.key, reason) if reason else None


def _listed(
    updater: Updater, entry: ShardEntry | None, key: str, snapshot: ObjectSnapshot, record: Record | None
) -> dict[str, Any]:
    is_known = record is not None and record.facts == snapshot.facts
    date = record.lastmod if record and updater.site.lastmod == "content" else None
    return {
        "path": printable(key),
        "listed": True,
        "loc": page_url.page_url(key, updater.site),
        "lastmod": at_precision(date, updater.site.precision) if is_known else None,
        "undated": "",
        "sitemap": entry.files[0].name if entry and entry.files else None,
        "ledger": "knows it as it is" if is_known else "does not know it as it is now; an update or a rebuild does it",
    }


def _exclusion(key: str, reason: str, detail: str) -> dict[str, Any]:
    shown = printable(key)
    return {"path": shown, "listed": False, "reason": str(reason), "detail": detail, "rule_at": shown}
