"""What follows from the state of a bucket and from what a run has looked at: the next state, and what to publish.

It is decided by the functions that decide for a folder; only what is known already is not decided again.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_setting
from functools import cache
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from waypost.build import pipeline, removal_guard
from waypost.build.bucket_listing import Looked, list_objects, metadata_of
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import (
    ROBOTS,
    BucketState,
    LeavingFile,
    ListedEntry,
    Memory,
    ObjectRecord,
    PageCounts,
    PublishedFile,
    StateHead,
    StateProblem,
    counts_without,
    with_counts,
)
from waypost.build.lister import Listing
from waypost.build.state import ContentDate
from waypost.core.clock import w3c_now
from waypost.core.diff import compare
from waypost.core.errors import OtherRunError
from waypost.core.finding_types import site_warning
from waypost.core.model import Changes, Document, Plan, SiteWarning, printable
from waypost.core.removals import ACCEPT
from waypost.pages.facts import RULES_VERSION
from waypost.sitemaps.documents import ShardMemory

_DELETION_SECONDS = 300
"""A deletion that a rebuild has announced may take effect so long."""
_MOST_UNREPORTED, _MOST_NAMED = 1_000, 5
_OF_REBUILDS = ("sitemap-kept",)
"""The warnings of rebuilds that an operator must be told of until a later rebuild has none."""
_COMPARED = "the state of the last run"


class Decided(Struct, frozen=True):
    """The next state, and the plan of what is published; `is_changed` if the state is not the one before.

    `gone` are URLs that are removed because an event named their objects. `rendered_again` gives the documents with the
    bytes of those that are known already. `listing` is what was decided on each object.
    """

    listing: Listing
    head: StateHead
    memory: Memory
    plan: Plan
    is_changed: bool
    gone: Collection[str]
    rendered_again: Callable[[], Sequence[Document]]


def decide(bucket: BucketSite, stored: BucketState, looked: Looked) -> Decided:
    """The next state and the plan; raises RenderError, and OtherRunError if a rebuild is deleting a file that it needs.

    While nothing at all is listed, the files stay as they are, and nothing is published or deleted.
    """
    before, head = stored.memory, stored.head
    listed = list_objects(bucket, stored, looked)
    listing, dates = listed.listing, listed.dates
    shards = ShardMemory(before.shards if head.made_with == bucket.made_with else {})
    made, contents = (
        pipeline.render(listing, bucket.site, dates, bucket.renderer, shards) if listed.has_urls else ([], {})
    )
    memory = Memory(
        tuple(listed.records(looked)),
        listed.objects.decided_as(),
        RULES_VERSION,
        listing.votes,
        shards.kept,
        listed.objects.found,
        listed.named,
        tuple(_entries(listing)),
    )
    files = tuple(_files(made, contents, head.by_name, bucket)) if listed.has_urls else head.files
    after = _head(bucket, stored, looked, files, memory, listing)
    after = replace(after, robots_rules=listed.robots_rules, has_changed=listed.has_changed and not looked.is_rebuild)
    _require_none_deleted(after, head, looked.began or bucket.clock.time())
    left = head.by_name.keys() & {each.name for each in after.leaving}
    plan = _plan(before, memory, listing, made, after, left, looked.published.dates)
    is_changed = memory != before or after != head
    rendered_again = cache(lambda: listed.documents(bucket))
    return Decided(listing, after, memory, plan, is_changed, _gone(bucket, before.objects, looked), rendered_again)


def guard(decided: Decided, before: StateHead, bucket: BucketSite, max_removed: int) -> None:
    """Raise RemovalError if too many pages go whose removal no event named, or a first build leaves most pages out."""
    if before.built_at and not decided.plan.listed_before:
        return
    changes = decided.plan.changes
    others = tuple(loc for loc in changes.removed if loc not in decided.gone)
    site = replace_setting(bucket.site, max_removed=max_removed)
    advice = (
        f"check that {bucket.site_uri} holds the whole site; `waypost explain` says why a page is left out",
        ACCEPT,
    )
    removal_guard.check(replace(decided.plan, changes=replace(changes, removed=others)), site, advice)


def warnings_about(listing: Listing, keys: Iterable[str]) -> Iterator[SiteWarning]:
    """The warnings of a listing about the objects with these keys."""
    names = set(map(printable, keys))
    for code, examples in listing.cases.items():
        if some := [each for each in examples if each.key in names]:
            yield site_warning(code, some)


def _entries(listing: Listing) -> Iterator[ListedEntry]:
    """The listed URLs without an object."""
    for page in listing.pages if listing.entry_keys else ():
        if page.key in listing.entry_keys:
            yield ListedEntry(page.loc, page.lastmod, metadata_of(page))


def _files(
    made: Sequence[Document],
    contents: Mapping[str, ContentDate],
    before: Mapping[str, PublishedFile],
    bucket: BucketSite,
) -> Iterator[PublishedFile]:
    """The files to publish; robots.txt has no digest, because it is made of what is there when it is written."""
    for each in made:
        known, dated = before.get(each.name), contents.get(each.name)
        etag = known.etag if known else ""
        changed_at = dated.lastmod if dated else None
        yield PublishedFile(each.name, each.kind, each.digest, each.url_count, changed_at, etag)
    if bucket.site.robots_sitemaps:
        yield before.get(ROBOTS) or PublishedFile(ROBOTS, "robots", "")


def _head(
    bucket: BucketSite,
    stored: BucketState,
    looked: Looked,
    files: tuple[PublishedFile, ...],
    memory: Memory,
    listing: Listing,
) -> StateHead:
    """The head of the next state, in which files that are new or differ are pending."""
    before, page_count = stored.head, len(listing.pages)
    other_roots = tuple(looked.other_roots) if looked.is_rebuild else before.other_roots
    since = 0.0 if before.made_with == bucket.made_with else bucket.settings_since
    after = replace(
        before,
        counts=_counts(before, page_count, looked, bucket.clock.time()),
        site_id=before.site_id or looked.published.site_id or bucket.state.new_id(),
        site_uri=bucket.site_uri,
        made_with=bucket.made_with,
        settings_since=max(before.settings_since, since),
        read_as=bucket.read_as,
        build=None,
        reading_as="",
        files=files,
        other_roots=other_roots,
        pending=_pending(before, files, other_roots),
        leaving=_leaving(before, files),
        page_count=page_count,
        object_count=len(memory.objects),
        excluded_by_reason=dict(sorted(Counter(str(each.reason) for each in listing.skipped).items())),
        beyond_bounds_count=len(listing.cases.get("beyond-bounds", ())),
        problems=tuple(_problems(before, looked, memory.objects, listing)),
        unreported=tuple(key for key in before.unreported if key not in looked.seen),
    )
    return _rebuilt(after, bucket, stored, looked) if looked.is_rebuild else after


def _counts(before: StateHead, page_count: int, looked: Looked, now: float) -> PageCounts:
    """How many pages were listed in the last day; those that a rebuild removes were accepted."""
    counts = before.counts
    if before.page_count != page_count:
        counts = with_counts(counts, (before.page_count, page_count), now)
    return counts_without(counts, max(0, before.page_count - page_count)) if looked.is_rebuild else counts


def _pending(before: StateHead, files: Sequence[PublishedFile], other_roots: tuple[str, ...]) -> frozenset[str]:
    """The files that are new or differ, those that were pending, and robots.txt if the indexes have other names."""
    known, names = before.by_name, {each.name for each in files}
    changed = {each.name for each in files if each.name not in known or known[each.name].digest != each.digest}
    has_other_roots = (StateHead(files=tuple(files)).root_names, other_roots) != (before.root_names, before.other_roots)
    return frozenset((changed | before.pending | ({ROBOTS} if has_other_roots else set())) & names)


def _leaving(before: StateHead, files: Sequence[PublishedFile]) -> tuple[LeavingFile, ...]:
    """The files that are published no longer."""
    names = {each.name for each in files}
    left = {each.name: each for each in before.leaving if each.name not in names}
    left |= {name: LeavingFile(name) for name in before.by_name if name not in names and name != ROBOTS}
    return tuple(left[name] for name in sorted(left))


def _rebuilt(after: StateHead, bucket: BucketSite, stored: BucketState, looked: Looked) -> StateHead:
    """The head after a rebuild, which has looked at all objects."""
    records = stored.memory.objects
    gone = (each.key for each in records if looked.seen.get(each.key, each) is None and bucket.part.holds(each.key))
    after = replace(
        after,
        built_at=w3c_now(bucket.clock),
        repaired=(),
        needs_rebuild="",
        unreported=tuple(islice(gone, _MOST_UNREPORTED)),
    )
    if not looked.damage:
        return after
    return replace(after, damage=looked.damage, damaged_at=bucket.clock.time())


def _problems(
    before: StateHead, looked: Looked, records: Sequence[ObjectRecord], listing: Listing
) -> Iterator[StateProblem]:
    """What an operator must be told; what only rebuilds find out stays until the next one."""
    unread = [f"{printable(each.key)}: {printable(each.error)}" for each in records if each.error]
    if unread:
        yield StateProblem("unreadable", len(unread), tuple(unread[:_MOST_NAMED]))
    if unknown := listing.cases.get("unknown-coding"):
        yield StateProblem("unknown-coding", len(unknown), tuple(each.key for each in unknown[:_MOST_NAMED]))
    if not looked.is_rebuild:
        yield from (each for each in before.problems if each.code in _OF_REBUILDS)
    for each in looked.warnings:
        if each.code in _OF_REBUILDS:
            texts = (f"{example.key}: {example.detail}" for example in each.examples)
            yield StateProblem(each.code, each.count, tuple(texts))


def _require_none_deleted(after: StateHead, before: StateHead, now: float) -> None:
    """Raise OtherRunError for a file that a rebuild is deleting at this moment."""
    deleted = {
        each.name for each in before.leaving if each.deleted_from and now - each.deleted_from < _DELETION_SECONDS
    }
    if wanted := sorted(deleted & after.by_name.keys()):
        raise OtherRunError(f"a rebuild is deleting {wanted[0]}, which is to be published again", _DELETION_SECONDS)


def _plan(
    before: Memory,
    after: Memory,
    listing: Listing,
    made: Sequence[Document],
    head: StateHead,
    left: Collection[str],
    published: Mapping[str, str],
) -> Plan:
    changes = _changes(before, after)
    listed_before = sum(1 for each in before.objects if each.listed) + len(before.entries)
    if published and not listed_before:
        removed = published.keys() - {page.loc for page in listing.pages}
        changes, listed_before = Changes(removed=tuple(sorted(removed))), len(published)
    return Plan(
        listing.pages,
        listing.skipped,
        listing.warnings,
        made,
        written=sorted(head.pending),
        unchanged=sorted(head.by_name.keys() - head.pending),
        removed=sorted(left),
        changes=changes,
        url_forms=listing.url_forms,
        cases=listing.cases,
        listed_before=listed_before,
        compared_with=_COMPARED,
    )


def _changes(before: Memory, after: Memory) -> Changes:
    """What readers of the sitemaps see; a record that is the same value has not changed."""
    known = {each.key: each for each in before.objects}
    changed = [each for each in after.objects if known.get(each.key) is not each]
    gone = known.keys() - {each.key for each in after.objects}
    old = _listed(known[key] for key in (*gone, *(each.key for each in changed)) if key in known)
    return compare({**old, **_listed_entries(before)}, {**_listed(changed), **_listed_entries(after)})


def _listed(records: Iterable[ObjectRecord]) -> Mapping[str, tuple[str, object]]:
    return {each.listed: (each.lastmod or "", each.metadata) for each in records if each.listed}


def _listed_entries(memory: Memory) -> Mapping[str, tuple[str, object]]:
    return {each.loc: (each.lastmod or "", each.metadata) for each in memory.entries}


def _gone(bucket: BucketSite, before: Sequence[ObjectRecord], looked: Looked) -> Collection[str]:
    """The URLs of the pages that now belong to another part, or whose objects an event named."""
    if looked.is_rebuild:
        return {each.listed for each in before if each.listed and not bucket.part.holds(each.key)}
    return {each.listed for each in before if each.listed and each.key in looked.seen}
