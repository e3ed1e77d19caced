"""Questions about a ledger that change nothing: what it holds, whether it is correct, why a key is listed or not.

Status, check and explain have an answer whatever is wrong: the problems are part of it.
"""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from msgspec import UNSET
from msgspec.structs import asdict, replace

from waypost.build.object_reader import read_objects
from waypost.core import reasons
from waypost.core.dates import at_precision, format_unix_time, seconds_between
from waypost.core.errors import LedgerError, LostRecordsError
from waypost.core.model import Item, Skipped, printable
from waypost.ledger import manifest as manifests
from waypost.ledger.ledger_state import LedgerState
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.pending_files import ROBOTS
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.ledger.store import MANIFEST_NAME
from waypost.ledger.unreadable import MOST as MOST_UNREADABLE
from waypost.rules import page_facts, page_url
from waypost.rules.decision import decide
from waypost.rules.page_facts import ObjectSnapshot
from waypost.rules.url_shapes import form_change
from waypost.rules.version import RULES_VERSION
from waypost.sync.listing_chunks import compare_with_records, iter_chunks
from waypost.sync.output_repairs import contested_files
from waypost.sync.problems import Problems, advice
from waypost.sync.status_answers import (
    CheckAnswer,
    Drift,
    Explanation,
    KeySample,
    LedgerCounts,
    Problem,
    StatusAnswer,
    excluded,
    explain_skipped,
)
from waypost.sync.updater import Updater
from waypost.sync.url_form import find_url_form

NOT_FOUND = "not-found"
"""The reason for which a key is not listed if there is no such object."""
_MAX_KEYS = 100
_MAX_ROOT_SITEMAPS = 10
UNREADABLE_LEDGER = "the ledger cannot be read"
_NO_DATE = {
    True: "its text has not changed since the ledger was built, or its records were lost, so the time is not known",
    False: "the settings ask for no dates",
}
"""Why a page has no date, by whether pages are dated by their content."""
_MOST_NAMED = 5
_DAY = 86_400
_UNREADABLE_ADVICE = (
    "look at the error of each: restore what is archived, upload what is damaged again, and allow the role to read all"
)
_REMOVED_ADVICE = "if that was no deployment of yours, upload the pages again: the sitemaps follow at once"
_UNDATED_ENTRY = "the list that names it gives no date"
_NO_LEDGER = "there is no ledger yet; `waypost build`, or the action rebuild, creates it"
_LOST_MANIFEST = "the ledger's manifest is missing, though its records are there"
_RESTORE = (
    f"restore an older version of {MANIFEST_NAME} before any rebuild: a rebuild makes the ledger again, but loses the "
    "dates of all pages"
)
_OTHER_RULES = "robots.txt has other rules than the sitemaps follow; a rebuild applies them, unless it was refused"
_MOST_READ = 100
"""So many objects with other ETags are read by a check, to find out whether anything that matters has changed."""


def status(updater: Updater) -> StatusAnswer:
    """The state, counts and age of the ledger, and what is wrong with it, the site, its robots.txt and the templates.

    While a build replaces the ledger, the counts are of the published files.
    """
    problems = Problems()
    manifest = _manifest(updater, problems)
    counts = problems.attempt(_ledger_uri(updater), partial(ledger_counts, updater, manifest)) if manifest else None
    problems.found += contested_files(manifest.repaired) if manifest else []
    problems.found += list(_told(updater, manifest)) if manifest else []
    rules = _test_site(updater, problems)
    is_lost = manifest is not None and _is_lost(updater, manifest, problems)
    return StatusAnswer(
        base_url=updater.site.base_url,
        state=_LOST_MANIFEST if is_lost else _state_text(updater, manifest, rules) if manifest else UNREADABLE_LEDGER,
        generation=manifest.generation if manifest else None,
        **(asdict(counts) if counts else {}),
        problems=problems.found,
    )


def _is_lost(updater: Updater, manifest: Manifest, problems: Problems) -> bool:
    """Whether there is no manifest, but there were one and are its records: then that is a problem."""
    where = _ledger_uri(updater, MANIFEST_NAME)
    is_lost = bool(manifest.state == LedgerState.EMPTY and problems.attempt(where, updater.ledger.has_records))
    if is_lost:
        problems.add(where, LedgerError(_LOST_MANIFEST), _RESTORE)
    return is_lost


def _told(updater: Updater, manifest: Manifest) -> Iterator[Problem]:
    """What the operator must be told of the objects and their events, though the sitemaps are right."""
    if found := manifest.unreadable:
        count = f"{len(found):,}{' or more' if len(found) == MOST_UNREADABLE else ''}"
        named = "; ".join(f"{printable(each.key)}: {printable(each.error)}" for each in found[:_MOST_NAMED])
        text = f"{count} {'object' if len(found) == 1 else 'objects'} cannot be read: {named}"
        yield Problem("site", updater.ledger.site_uri, text, advice(text) or _UNREADABLE_ADVICE)
    removed, now = manifest.removed, updater.lease_clock.time()
    if removed and now - removed.since < _DAY and removed.percent > updater.site.max_removed:
        text = (
            f"uploads and deletions within an hour removed {removed.count:,} of {removed.listed:,} listed pages, since "
            f"{format_unix_time(int(removed.since))}"
        )
        yield Problem("events", updater.ledger.site_uri, text, _REMOVED_ADVICE)


def ledger_counts(updater: Updater, manifest: Manifest) -> LedgerCounts:
    """Counts and age of what is published of a manifest; raises LedgerError and StoreError."""
    has_counts = manifest.is_complete or not manifest.previous
    published = manifest if has_counts else _read_archived(updater, manifest.previous)
    built_at = published.built_at or None
    return LedgerCounts(
        built_at=built_at,
        age_seconds=int(seconds_between(built_at, updater.clock())) if built_at else None,
        url_count=published.page_count,
        sitemap_count=sum(1 for entry in published.entries if entry.files),
        excluded_by_reason=excluded_by_reason(published),
        root_sitemaps=updater.manifest_updater(published).documents.root_sitemaps(published)[:_MAX_ROOT_SITEMAPS],
        beyond_bounds_count=sum(entry.cut_count for entry in published.entries),
    )


def _manifest(updater: Updater, problems: Problems) -> Manifest | None:
    """The current manifest, or None and a problem."""
    return problems.attempt(_ledger_uri(updater, MANIFEST_NAME), lambda: updater.ledger.read().manifest)


def _read_archived(updater: Updater, name: str) -> Manifest:
    """An archived manifest; raises LedgerError if it is missing or damaged."""
    content = updater.ledger.store.read(name)
    if content is None:
        raise LedgerError(f"{name} is missing, so that the counts of what is published are not known")
    return manifests.load(content, name)


def _ledger_uri(updater: Updater, name: str = "") -> str:
    """Where the ledger is, or one of its files."""
    return f"{(updater.site.state or '').rstrip('/')}/{name}"


def _test_site(updater: Updater, problems: Problems) -> str | None:
    """Find out whether the bucket can be listed, and the templates render; returns the current rules of robots.txt."""
    site_uri = updater.ledger.site_uri
    problems.attempt(site_uri, lambda: updater.source.first_key_after(""))
    if updater.site.templates:
        documents = updater.manifest_updater(Manifest()).documents
        problems.attempt(f"the templates in {updater.site.templates}", partial(render_sample, documents))
    return problems.attempt(f"{site_uri}{ROBOTS}", updater.robots_rules)


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


def _state_text(updater: Updater, manifest: Manifest, rules: str | None) -> str:
    """What state a ledger is in; `rules` are those of robots.txt now, if they are known."""
    if manifest.state == LedgerState.COMPLETE and not updater.is_built_with(manifest, manifest.robots_rules):
        is_newer = page_facts.rules_version(manifest.recorded_facts) > RULES_VERSION
        by = "by a newer release" if is_newer else "with other settings or another release"
        return f"the ledger was built {by}; start a rebuild"
    if text := _STATES.get(manifest.state):
        return text
    if not manifest.page_count:
        return "there is no page to list; the published files are left unchanged"
    if manifest.pending:
        return "some sitemaps are not published yet; the next event or rebuild publishes them"
    if rules is not None and rules != manifest.robots_rules:
        return _OTHER_RULES
    return "up to date with all events received"


def check(updater: Updater) -> CheckAnswer:
    """Compare bucket, ledger and published files, as far as they can be read.

    While a build replaces the ledger, there is nothing to compare with, and the answer has neither drift nor files.
    """
    problems = Problems()
    rules = _test_site(updater, problems)
    manifest = _manifest(updater, problems)
    if manifest is None:
        return CheckAnswer(in_sync=False, state=UNREADABLE_LEDGER, problems=problems.found)
    if _is_lost(updater, manifest, problems):
        return CheckAnswer(in_sync=False, state=_LOST_MANIFEST, problems=problems.found)
    if not manifest.config_digest:
        problems.add(_ledger_uri(updater, MANIFEST_NAME), LedgerError("there is no ledger yet"), _NO_LEDGER)
        return CheckAnswer(in_sync=False, state=f"nothing to compare with: {_NO_LEDGER}", problems=problems.found)
    state = _state_text(updater, manifest, rules)
    if not manifest.is_complete:
        state = f"{state}; until then there is nothing to compare with"
        return CheckAnswer(in_sync=False, state=state, problems=problems.found)
    return _compare(updater, manifest, rules, state, problems)


def _compare(updater: Updater, manifest: Manifest, rules: str | None, state: str, problems: Problems) -> CheckAnswer:
    site_uri = updater.ledger.site_uri
    drift = problems.attempt(site_uri, partial(_drift, updater, manifest, problems))
    files = problems.attempt("the published files", partial(_wrong_files, updater, manifest))
    found_form = problems.attempt(site_uri, partial(find_url_form, updater))
    has_drift = drift is None or any(sample.count for sample in (drift.new, drift.changed, drift.removed))
    is_current = rules is not None and updater.is_built_with(manifest, rules)
    return CheckAnswer(
        in_sync=not (has_drift or files or problems.found) and is_current,
        state=state,
        linked_form=(form_change(manifest.url_form, found_form) if found_form else "") or UNSET,
        drift=UNSET if drift is None else drift,
        files=UNSET if files is None else dict(list(files.items())[:_MAX_KEYS]),
        problems=problems.found,
    )


def _wrong_files(updater: Updater, manifest: Manifest) -> dict[str, str]:
    return updater.published_files(manifest).wrong_files(manifest) if manifest.is_publishable else {}


def _drift(updater: Updater, manifest: Manifest, problems: Problems) -> Drift:
    """The keys that are new, changed or removed since the ledger recorded them; lost records are problems."""
    records = OrderedRecords(manifest, updater.ledger.records_or_none)
    new, changed, removed = list[str](), list[str](), list[str]()
    if updater.ledger.url_list(manifest) is None:
        problems.add(_ledger_uri(updater, manifest.url_list), LostRecordsError(manifest.url_list))
    with updater.urls_of(manifest):
        for chunk in iter_chunks(updater.source, manifest, "", updater.exclusion_reason):
            found = compare_with_records(records, chunk)
            recorded = (key for key in found.new if not records.is_lost(key))
            gone = found.missing | found.unnamed
            for total, keys in ((new, recorded), (changed, found.changed), (removed, gone)):
                total += sorted(keys)
        changed = _changed(updater, records, changed)
    for entry in records.lost_entries:
        problems.add(_ledger_uri(updater, entry.records_file), LostRecordsError(entry.records_file))
    return Drift(*(KeySample(len(keys), tuple(map(printable, keys[:_MAX_KEYS]))) for keys in (new, changed, removed)))


def _changed(updater: Updater, records: OrderedRecords, keys: list[str]) -> list[str]:
    """Those of these keys, whose ETags differ, of which an object says something else; the first ones are read."""
    seen, _ = read_objects(updater.source, updater.site, [Item(key, key) for key in keys[:_MOST_READ]])
    recorded = {key: records.record(key) for key, snapshot in seen.items() if snapshot}
    same = {key for key, record in recorded.items() if record and (found := seen[key]) and record.facts == found.facts}
    return [key for key in keys if key not in same]


def explain(updater: Updater, key: str) -> Explanation:
    """Why a key is listed or not, by the object as it is now and by the ledger, as far as they can be read."""
    problems = Problems()
    manifest = _manifest(updater, problems)
    with updater.urls_of(manifest or Manifest()):
        return _explain(updater, manifest, key, problems)


def _explain(updater: Updater, manifest: Manifest | None, key: str, problems: Problems) -> Explanation:
    path, reason = printable(key), updater.exclusion_reason(key)
    if reason:
        return excluded(path, reason, reason.meaning)
    try:
        snapshot = page_facts.read_item(updater.source, updater.site, Item(key, key))
    except FileNotFoundError:
        site_uri = updater.ledger.site_uri
        found = excluded(path, NOT_FOUND, f"there is no {site_uri}{path}; keys are relative to {site_uri}")
    except OSError as error:
        text = error.strerror or str(error)
        problems.add(f"{updater.ledger.site_uri}{path}", error, advice(text) or _UNREADABLE_ADVICE)
        known = _explain_recorded(updater, manifest, key) if manifest else Explanation(path, listed=None)
        found = known or excluded(path, reasons.UNREADABLE, text)
    else:
        found = _explain_object(updater, manifest, key, snapshot, problems)
    return replace(found, problems=problems.found) if problems.found else found


def _explain_recorded(updater: Updater, manifest: Manifest, key: str) -> Explanation | None:
    """Why an object that cannot be read is listed as it was before; None if it was not, or that is not known."""
    records = OrderedRecords(manifest, updater.ledger.records_or_none)
    entry, record = records.entry(key, updater.group(key)), records.record(key)
    if record is None or _skipped(updater, manifest, record, record):
        return None
    loc = str(page_url.recorded_url(key, updater.site_of(manifest.url_form), record.facts))
    listed = _listed(updater, entry, key, loc, ObjectSnapshot(record.etag, record.facts, ""), record)
    return replace(listed, ledger="has the object as it was when it could be read last")


def _explain_object(
    updater: Updater, manifest: Manifest | None, key: str, snapshot: ObjectSnapshot, problems: Problems
) -> Explanation:
    """Why an object that can be read is listed or not; the rules of robots.txt and the URL's form are in the ledger."""
    path = printable(key)
    if manifest is None:
        skipped = _skipped(updater, Manifest(), Record(key, snapshot.etag, snapshot.facts), None)
        return explain_skipped(path, skipped) if skipped else Explanation(path, listed=None)
    records = OrderedRecords(manifest, updater.ledger.records)
    entry = records.entry(key, updater.group(key))
    records_uri = _ledger_uri(updater, entry.records_file if entry else "")
    record = problems.attempt(records_uri, partial(records.record, key))
    skipped = _skipped(updater, manifest, Record(key, snapshot.etag, snapshot.facts), record)
    if skipped:
        return explain_skipped(path, skipped)
    loc = str(page_url.recorded_url(key, updater.site_of(manifest.url_form), snapshot.facts))
    listed = _listed(updater, entry, key, loc, snapshot, record)
    return replace(listed, ledger="cannot be read for this object") if problems.found else listed


def _skipped(updater: Updater, manifest: Manifest, current: Record, record: Record | None) -> Skipped | None:
    """Why the object as it is now is not listed, if it is not; `record` is what the ledger has of it."""
    if record and record.duplicate_of:
        return Skipped(current.key, reasons.OWN_FILE if current.facts.entry else reasons.DUPLICATE, record.duplicate_of)
    site = updater.site_of(manifest.url_form)
    loc = str(page_url.recorded_url(current.key, site, current.facts))
    skipped = decide(current.key, loc, current.facts, site, updater.clock()).skipped
    if skipped and not current.facts.entry:
        return skipped
    reason = updater.manifest_updater(manifest).classifier.exclusion_reason(current)
    return Skipped(current.key, reason) if reason else None


def _listed(
    updater: Updater, entry: ShardEntry | None, key: str, loc: str, snapshot: ObjectSnapshot, record: Record | None
) -> Explanation:
    is_current = record is not None and record.facts == snapshot.facts
    date = record.lastmod if record and updater.site.lastmod == "content" else None
    why_no_date = _UNDATED_ENTRY if snapshot.facts.entry else _NO_DATE[updater.site.lastmod == "content"]
    return Explanation(
        printable(key),
        listed=True,
        loc=loc,
        lastmod=at_precision(date, updater.site.precision) if is_current else None,
        no_date_reason="" if date or not is_current else why_no_date,
        sitemap=entry.files[0].name if entry and entry.files else None,
        ledger="has the current object" if is_current else "does not have the current object; an update adds it",
    )


_RECORD = Record("index.html", "")
_ENTRIES = tuple(
    ShardEntry("", shard_id, first_key, 1, "", (PublishedFile(f"sitemap-{n}.xml", ""),))
    for n, (shard_id, first_key) in enumerate(((None, ""), ("0", "m")))
)


def render_sample(documents: PublishedDocuments) -> None:
    """Render the documents of a site with one page in each of two sitemaps; raises RenderError."""
    documents.shard(_ENTRIES[0], [_RECORD])
    documents.indexes(Manifest(entries=_ENTRIES))
    documents.auxiliary(Manifest(entries=_ENTRIES), lambda entry: [_RECORD])
