"""What a ledger knows, whether it is right, and why a key is listed or not: questions that change nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from waypost.core.dates import at_precision, seconds_between
from waypost.core.diff import ChangeCounts
from waypost.core.errors import LedgerError
from waypost.core.model import Item, Reason, SiteWarning, Skipped, printable
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


def status(upkeep: Updater, known: Manifest | None = None) -> dict[str, Any]:
    """Counts, generation and age of the ledger, or of the manifest given; raises LedgerError where it is damaged.

    While a build makes it anew, the counts are of what is published until then.
    """
    manifest = known or upkeep.ledger.read().manifest
    is_whole = manifest.position is None or not manifest.previous
    standing = manifest if is_whole else upkeep.ledger.read_archived(manifest.previous)
    entrances = upkeep.manifest_updater(standing).documents.root_sitemaps(standing)
    return {
        "base_url": upkeep.site.base_url,
        "state": _state_text(upkeep, manifest),
        "generation": manifest.generation,
        "built": standing.built_at or None,
        "age_seconds": int(seconds_between(standing.built_at, upkeep.clock())) if standing.built_at else None,
        "urls": standing.page_count,
        "sitemaps": sum(1 for entry in standing.entries if entry.files),
        "left_out": excluded_by_reason(standing),
        "submit": entrances[:10],
    }


def overview(upkeep: Updater, warned: Sequence[SiteWarning] = (), changes: ChangeCounts | None = None) -> Overview:
    """What a report shows of a bucket, from its ledger alone, a shard's records in memory at a time."""
    manifest = upkeep.ledger.read().manifest
    judge, left, listed = upkeep.manifest_updater(manifest).classifier, list[ReportRow](), list[ReportRow]()

    def pages() -> Iterator[tuple[str, str | None]]:
        for entry in manifest.entries:
            for record in upkeep.ledger.records_or_none(entry):
                page, key = judge.page(record), printable(record.key)
                if page:
                    yield page.loc, page.lastmod
                if page and len(listed) < ROWS:
                    listed.append(ReportRow(key, "", page.lastmod or ""))
                elif not page and len(left) < ROWS:
                    left.append(ReportRow(key, str(judge.exclusion_reason(record)), record.duplicate_of))

    files = [
        ReportedSitemap(f.name, _kind(f.name), entry.page_count, None, f.changed_at)
        for entry in manifest.entries
        for f in entry.files
    ]
    files += [
        ReportedSitemap(file.name, "index", sum(bool(e.files) for e in manifest.entries)) for file in manifest.indexes
    ]
    return make_overview(
        upkeep.site, upkeep.clock(), pages(), chain(left, listed), files, excluded_by_reason(manifest), warned, changes
    )


def _kind(name: str) -> str:
    return {"xml": "sitemap", "txt": "text", "html": "html"}[name.removesuffix(".gz").rpartition(".")[2]]


def excluded_by_reason(manifest: Manifest) -> dict[str, int]:
    """How many possible pages are left out, by the reason."""
    counts: Counter[str] = Counter()
    for entry in manifest.entries:
        counts.update(entry.excluded_by_reason)
    return dict(sorted(counts.items()))


def _state_text(upkeep: Updater, manifest: Manifest) -> str:
    if not manifest.config_digest:
        return "there is no ledger yet; `waypost build`, or the action rebuild, makes it"
    if manifest.run:
        whole = "what was published before stands" if manifest.position is not None else "events are followed meanwhile"
        return f"a rebuild by many workers is {'publishing' if manifest.run.is_publishing else 'under way'}; {whole}"
    if manifest.position is not None:
        return f"a build is under way and has come to {manifest.position!r}; what was published before stands"
    if not upkeep.is_built_with(manifest, manifest.robots_rules):
        return "built with other settings; a rebuild brings it up to these"
    if manifest.is_unpublished:
        return "a rebuild by many workers ended before all was published; a rebuild publishes the rest"
    return (
        "right, as far as events have told"
        if manifest.page_count
        else "there is no page to list; what was there stands"
    )


def check(upkeep: Updater) -> dict[str, Any]:
    """Compare bucket, ledger and published files; raises LedgerError and SourceError.

    `drift` has the keys that are new, changed or gone since the ledger saw them, `files` the published files that
    are missing, others than they should be, or should be gone: the first of each, and how many there are. Neither is
    there while a build makes the ledger anew.
    """
    version = upkeep.ledger.read()
    manifest = version.manifest
    if not manifest.config_digest:
        raise LedgerError("there is no ledger to compare with; `waypost build`, or the action rebuild, makes it")
    if manifest.position is not None:
        return {
            "is_right": False,
            "state": f"{_state_text(upkeep, manifest)}; until then there is nothing to compare with",
        }
    kept = OrderedRecords(manifest, upkeep.ledger.records_or_none)
    drift: dict[str, list[str]] = {"new": [], "changed": [], "gone": []}
    for stretch in iter_chunks(upkeep.source, manifest, "", upkeep.exclusion_reason):
        for kind, keys in zip(drift, compare_with_records(kept, stretch), strict=True):
            drift[kind] += sorted(keys)
    publication = upkeep.publisher(manifest)
    files: dict[str, str] = {}
    if manifest.is_publishable:
        files = publication.wrong_files(manifest) | dict.fromkeys(
            sorted(publication.orphaned_files(version)), "should be gone"
        )
    return {
        "is_right": not (any(drift.values()) or files) and upkeep.is_built_with(manifest, upkeep.robots_rules()),
        "state": _state_text(upkeep, manifest),
        "drift": {
            kind: {"count": len(keys), "first": list(map(printable, keys[:_SHOWN]))} for kind, keys in drift.items()
        },
        "files": dict(list(files.items())[:_SHOWN]),
    }


def explain(upkeep: Updater, key: str) -> dict[str, Any]:
    """What became of a key, and what will: from the object as it is now, and from the ledger; raises LedgerError."""
    reason = upkeep.exclusion_reason(key)
    if reason:
        return _exclusion(key, reason, reason.meaning)
    try:
        observed = page_facts.read_item(upkeep.source, upkeep.site, Item(key, key))
    except FileNotFoundError:
        return _exclusion(key, "not-found", "the bucket holds no such object")
    except OSError as error:
        return _exclusion(key, Reason.UNREADABLE, error.strerror or str(error))
    manifest = upkeep.ledger.read().manifest
    recollection = OrderedRecords(manifest, upkeep.ledger.records)
    record = recollection.record(key)
    skipped = _skipped(upkeep, manifest, observed, Record(key, observed.etag, observed.facts), record)
    if skipped:
        detail = skipped.reason.meaning + (f" ({skipped.detail})" if skipped.detail else "")
        return _exclusion(key, skipped.reason, detail)
    return _listed(upkeep, recollection.entry(key, upkeep.group(key)), key, observed, record)


def _skipped(
    upkeep: Updater, manifest: Manifest, observed: ObjectSnapshot, seen: Record, record: Record | None
) -> Skipped | None:
    if record and record.duplicate_of:
        return Skipped(seen.key, Reason.DUPLICATE, record.duplicate_of)
    loc = str(page_url.page_url(seen.key, upkeep.site))
    found = decide(seen.key, loc, observed.facts, upkeep.site, upkeep.clock()).skipped
    if found:
        return found
    reason = upkeep.manifest_updater(manifest).classifier.exclusion_reason(seen)
    return Skipped(seen.key, reason) if reason else None


def _listed(
    upkeep: Updater, entry: ShardEntry | None, key: str, observed: ObjectSnapshot, record: Record | None
) -> dict[str, Any]:
    is_known = record is not None and record.facts == observed.facts
    date = record.lastmod if record and upkeep.site.lastmod == "content" else None
    return {
        "path": printable(key),
        "listed": True,
        "loc": page_url.page_url(key, upkeep.site),
        "lastmod": at_precision(date, upkeep.site.precision) if is_known else None,
        "undated": "",
        "sitemap": entry.files[0].name if entry and entry.files else None,
        "ledger": "knows it as it is" if is_known else "does not know it as it is now; an update or a rebuild does it",
    }


def _exclusion(key: str, reason: str, detail: str) -> dict[str, Any]:
    shown = printable(key)
    return {"path": shown, "listed": False, "reason": str(reason), "detail": detail, "rule_at": shown}
