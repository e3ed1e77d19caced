"""Lists the pages of a bucket by its state and by what a run has looked at, as a folder's are listed."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.build import pipeline
from waypost.build.adoption import NOTHING_PUBLISHED, PublishedBefore
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import BucketState, Memory, ObjectRecord
from waypost.build.last_good_lists import UrlList
from waypost.build.lister import DateSources, Lister, Listing
from waypost.build.object_looks import Snapshots
from waypost.build.object_memory import ObjectMemory, record_of, unreadable_record
from waypost.build.state import ContentDate, State
from waypost.core.clock import w3c_now
from waypost.core.model import Changes, Document, Plan, SiteWarning
from waypost.pages.facts import RULES_VERSION


class Looked(Struct, frozen=True):
    """What a run has looked at: what objects are now, errors of others, and the rules of robots.txt, if it read them.

    A rebuild `began` at a time (Unix seconds), and has looked at all that differs, if it `is_whole`. If something does,
    it lets the pages decide anew what they decide together. `published` is what is published, where no state says it,
    and `named` what the settings name besides the objects, if it read that, with `warnings`. `other_roots` are the URLs
    of other parts' sitemaps. `damage` is why the state must be made again.
    """

    seen: Snapshots = {}
    failed: Mapping[str, str] = {}
    robots_rules: str | None = None
    is_rebuild: bool = False
    is_whole: bool = True
    began: float = 0.0
    published: PublishedBefore = NOTHING_PUBLISHED
    named: UrlList | None = None
    warnings: Sequence[SiteWarning] = ()
    other_roots: Sequence[str] = ()
    damage: str = ""


_NOTHING_LOOKED_AT = Looked()


class ListedObjects(Struct, frozen=True):
    """The pages of a bucket, and what is remembered of its objects.

    An object `has_changed` if it is not what it was when the pages decided together.
    """

    objects: ObjectMemory
    listing: Listing
    dates: DateSources
    robots_rules: str
    named: UrlList
    has_changed: bool

    @property
    def has_urls(self) -> bool:
        """Whether anything is listed."""
        return bool(self.listing.pages or self.listing.children)

    def documents(self, bucket: BucketSite) -> Sequence[Document]:
        """The documents of all pages; raises RenderError."""
        return pipeline.render(self.listing, bucket.site, self.dates, bucket.renderer)[0] if self.has_urls else ()

    def published(self, bucket: BucketSite) -> Plan:
        """The plan by which a run published what a state remembers; raises RenderError."""
        listing = self.listing
        found = Plan(listing.pages, listing.skipped, listing.warnings, self.documents(bucket), (), (), (), Changes())
        return replace(found, url_forms=listing.url_forms, cases=listing.cases)

    def records(self, looked: Looked) -> Iterator[ObjectRecord]:
        """What is remembered of each object from now on."""
        unlisted = _unlisted_contents(looked, self.listing, self.dates.state)
        return self.objects.records(self.listing.pages, {**unlisted, **self.listing.contents})


def list_objects(bucket: BucketSite, stored: BucketState, looked: Looked = _NOTHING_LOOKED_AT) -> ListedObjects:
    """List the pages; in a rebuild they decide together anew if any of them has changed since they did.

    Nothing is read of an object that is known.
    """
    before, head = stored.memory, stored.head
    records = merged(before.objects, looked)
    rules = head.robots_rules if looked.robots_rules is None else looked.robots_rules
    named = before.named if looked.named is None else looked.named
    entries = [entry for each in named.sources for entry in each.entries]
    has_changed = head.has_changed or any(records.get(key) != known for key, known in _known(before, looked.seen))
    is_complete = head.made_with == bucket.made_with and bool(head.built_at)
    decides_anew = looked.is_rebuild and (has_changed or bool(looked.failed) or not is_complete)
    votes = None if decides_anew else before.votes
    objects = ObjectMemory(records, bucket.objects, rules, bucket.made_with, before.decided_as, votes, before.found)
    dates = _dates(bucket, stored, looked)
    lister = Lister(objects, bucket.site, dates, lambda stage, done, total: None, entries=entries, memory=objects)
    listing = lister.listing()
    listing = replace(listing, children=named.children, warnings=[*looked.warnings, *listing.warnings])
    return ListedObjects(objects, listing, dates, rules, named, has_changed)


def merged(before: Sequence[ObjectRecord], looked: Looked) -> dict[str, ObjectRecord]:
    """The records by key, sorted, after what was looked at; an object that is gone has none."""
    known = {each.key: each for each in before}
    found = dict(known)
    for key, snapshot in looked.seen.items():
        if snapshot is None:
            found.pop(key, None)
        else:
            found[key] = record_of(key, snapshot, known.get(key))
    for key, error in looked.failed.items():
        found[key] = unreadable_record(key, error, known.get(key))
    return found if found.keys() == known.keys() else dict(sorted(found.items()))


def _known(before: Memory, keys: Collection[str]) -> Iterator[tuple[str, ObjectRecord | None]]:
    """What was known of each of these objects."""
    known = {each.key: each for each in before.objects if each.key in keys} if keys else {}
    yield from ((key, known.get(key)) for key in keys)


def _unlisted_contents(looked: Looked, listing: Listing, state: State) -> Mapping[str, ContentDate]:
    """The contents of objects that are left out: a page that is listed later has the date of its text."""
    found = dict[str, ContentDate]()
    for key, snapshot in looked.seen.items():
        if snapshot and snapshot.facts.text_digest and key not in listing.contents:
            uploaded = snapshot.uploaded_at
            at_first = uploaded if state.is_whole else None
            found[key] = state.date_page(key, snapshot.facts.text_digest, now=uploaded, at_first=at_first)
    return found


class _RecordDates(Mapping[str, ContentDate]):
    """The digests and dates of the pages' contents."""

    def __init__(self, records: Sequence[ObjectRecord]) -> None:
        self._records = {each.key: each for each in records if each.text_digest}

    def __getitem__(self, key: str) -> ContentDate:
        record = self._records[key]
        return ContentDate(record.text_digest, record.lastmod)

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def _dates(bucket: BucketSite, stored: BucketState, looked: Looked) -> DateSources:
    head, memory = stored.head, stored.memory
    state = State(
        _RecordDates(memory.objects),
        {each.name: ContentDate(each.digest, each.changed_at) for each in head.files} or looked.published.files,
        memory.rules_version or RULES_VERSION,
        bucket.site.base_url,
        is_whole=bool(head.built_at),
        published=looked.published.dates,
    )
    return DateSources(w3c_now(bucket.clock), state=state)
