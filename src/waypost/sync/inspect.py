"""What a ledger knows, whether it is right, and why a key is listed or not: questions that change nothing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from waypost.core.dates import at_precision, seconds_between
from waypost.core.diff import Tally
from waypost.core.errors import LedgerError
from waypost.core.model import Item, Reason, Skipped, Warned, printable
from waypost.ledger.manifest import Entry, Manifest
from waypost.ledger.record_cache import Recollection
from waypost.ledger.records import Record
from waypost.report.overview import ROWS, Overview, Row, Sitemap, gathered
from waypost.rules import page_facts, page_url
from waypost.rules.decision import verdict
from waypost.rules.page_facts import Observed
from waypost.sync.listing_chunks import compared, stretches
from waypost.sync.updater import Upkeep

_SHOWN = 100


def status(upkeep: Upkeep, known: Manifest | None = None) -> dict[str, Any]:
    """Counts, generation and age of the ledger, or of the manifest given; raises LedgerError where it is damaged.

    While a build makes it anew, the counts are of what is published until then.
    """
    manifest = known or upkeep.ledger.current().manifest
    is_whole = manifest.position is None or not manifest.previous
    standing = manifest if is_whole else upkeep.ledger.previous(manifest.previous)
    entrances = upkeep.revising(standing).rendition.entrances(standing)
    return {
        "base_url": upkeep.site.base_url,
        "state": _state(upkeep, manifest),
        "generation": manifest.generation,
        "built": standing.built or None,
        "age_seconds": int(seconds_between(standing.built, upkeep.clock())) if standing.built else None,
        "urls": standing.pages,
        "sitemaps": sum(1 for entry in standing.entries if entry.files),
        "left_out": left_out(standing),
        "submit": entrances[:10],
    }


def overview(upkeep: Upkeep, warned: Sequence[Warned] = (), changes: Tally | None = None) -> Overview:
    """What a report shows of a bucket, from its ledger alone, a shard's records in memory at a time."""
    manifest = upkeep.ledger.current().manifest
    judge, left, listed = upkeep.revising(manifest).judge, list[Row](), list[Row]()

    def pages() -> Iterator[tuple[str, str | None]]:
        for entry in manifest.entries:
            for record in upkeep.ledger.salvaged_records(entry):
                page, key = judge.page(record), printable(record.key)
                if page:
                    yield page.loc, page.lastmod
                if page and len(listed) < ROWS:
                    listed.append(Row(key, "", page.lastmod or ""))
                elif not page and len(left) < ROWS:
                    left.append(Row(key, str(judge.reason(record)), record.duplicate_of))

    files = [
        Sitemap(f.name, _kind(f.name), entry.pages, None, f.changed) for entry in manifest.entries for f in entry.files
    ]
    files += [Sitemap(file.name, "index", sum(bool(e.files) for e in manifest.entries)) for file in manifest.indexes]
    return gathered(
        upkeep.site, upkeep.clock(), pages(), chain(left, listed), files, left_out(manifest), warned, changes
    )


def _kind(name: str) -> str:
    return {"xml": "sitemap", "txt": "text", "html": "html"}[name.removesuffix(".gz").rpartition(".")[2]]


def left_out(manifest: Manifest) -> dict[str, int]:
    """How many possible pages are left out, by the reason."""
    counts: Counter[str] = Counter()
    for entry in manifest.entries:
        counts.update(entry.skipped)
    return dict(sorted(counts.items()))


def _state(upkeep: Upkeep, manifest: Manifest) -> str:
    if not manifest.configuration:
        return "there is no ledger yet; `waypost build`, or the action rebuild, makes it"
    if manifest.run:
        whole = "what was published before stands" if manifest.position is not None else "events are followed meanwhile"
        return f"a rebuild by many workers is {'publishing' if manifest.run.is_publishing else 'under way'}; {whole}"
    if manifest.position is not None:
        return f"a build is under way and has come to {manifest.position!r}; what was published before stands"
    if not upkeep.is_ready(manifest, manifest.robots):
        return "built with other settings; a rebuild brings it up to these"
    if manifest.is_unpublished:
        return "a rebuild by many workers ended before all was published; a rebuild publishes the rest"
    return "right, as far as events have told" if manifest.pages else "there is no page to list; what was there stands"


def check(upkeep: Upkeep) -> dict[str, Any]:
    """Compare bucket, ledger and published files; raises LedgerError and SourceError.

    `drift` has the keys that are new, changed or gone since the ledger saw them, `files` the published files that
    are missing, others than they should be, or should be gone: the first of each, and how many there are. Neither is
    there while a build makes the ledger anew.
    """
    version = upkeep.ledger.current()
    manifest = version.manifest
    if not manifest.configuration:
        raise LedgerError("there is no ledger to compare with; `waypost build`, or the action rebuild, makes it")
    if manifest.position is not None:
        return {"is_right": False, "state": f"{_state(upkeep, manifest)}; until then there is nothing to compare with"}
    kept = Recollection(manifest, upkeep.ledger.salvaged_records)
    drift: dict[str, list[str]] = {"new": [], "changed": [], "gone": []}
    for stretch in stretches(upkeep.source, manifest, "", upkeep.reason):
        for kind, keys in zip(drift, compared(kept, stretch), strict=True):
            drift[kind] += sorted(keys)
    publication = upkeep.publication(manifest)
    files: dict[str, str] = {}
    if manifest.is_publishable:
        files = publication.drifted(manifest) | dict.fromkeys(sorted(publication.orphans(version)), "should be gone")
    return {
        "is_right": not (any(drift.values()) or files) and upkeep.is_ready(manifest, upkeep.robots()),
        "state": _state(upkeep, manifest),
        "drift": {
            kind: {"count": len(keys), "first": list(map(printable, keys[:_SHOWN]))} for kind, keys in drift.items()
        },
        "files": dict(list(files.items())[:_SHOWN]),
    }


def explain(upkeep: Upkeep, key: str) -> dict[str, Any]:
    """What became of a key, and what will: from the object as it is now, and from the ledger; raises LedgerError."""
    reason = upkeep.reason(key)
    if reason:
        return _left_out(key, reason, reason.meaning)
    try:
        observed = page_facts.read(upkeep.source, upkeep.site, Item(key, key))
    except FileNotFoundError:
        return _left_out(key, "not-found", "the bucket holds no such object")
    except OSError as error:
        return _left_out(key, Reason.UNREADABLE, error.strerror or str(error))
    manifest = upkeep.ledger.current().manifest
    recollection = Recollection(manifest, upkeep.ledger.records)
    record = recollection.record(key)
    skipped = _skipped(upkeep, manifest, observed, Record(key, observed.etag, observed.said), record)
    if skipped:
        detail = skipped.reason.meaning + (f" ({skipped.detail})" if skipped.detail else "")
        return _left_out(key, skipped.reason, detail)
    return _listed(upkeep, recollection.entry(key, upkeep.group(key)), key, observed, record)


def _skipped(
    upkeep: Upkeep, manifest: Manifest, observed: Observed, seen: Record, record: Record | None
) -> Skipped | None:
    if record and record.duplicate_of:
        return Skipped(seen.key, Reason.DUPLICATE, record.duplicate_of)
    loc = str(page_url.loc(seen.key, upkeep.site))
    found = verdict(seen.key, loc, observed.said, upkeep.site, upkeep.clock()).skipped
    if found:
        return found
    reason = upkeep.revising(manifest).judge.reason(seen)
    return Skipped(seen.key, reason) if reason else None


def _listed(upkeep: Upkeep, entry: Entry | None, key: str, observed: Observed, record: Record | None) -> dict[str, Any]:
    is_known = record is not None and record.said == observed.said
    date = record.lastmod if record and upkeep.site.lastmod == "content" else None
    return {
        "path": printable(key),
        "listed": True,
        "loc": page_url.loc(key, upkeep.site),
        "lastmod": at_precision(date, upkeep.site.precision) if is_known else None,
        "undated": "",
        "sitemap": entry.files[0].name if entry and entry.files else None,
        "ledger": "knows it as it is" if is_known else "does not know it as it is now; an update or a rebuild does it",
    }


def _left_out(key: str, reason: str, detail: str) -> dict[str, Any]:
    shown = printable(key)
    return {"path": shown, "listed": False, "reason": str(reason), "detail": detail, "rule_at": shown}
