"""Lists the pages of a bucket by its state and by what a run has looked at, as a folder's are listed.

What was read of an object, and what was decided on it, now or by earlier runs, is not read or decided again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.build import pipeline
from waypost.build.adoption import PublishedBefore
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import NO_FACTS, NOT_DECIDED, BucketState, Memory, ObjectRecord
from waypost.build.last_good_lists import UrlList
from waypost.build.lister import DateSources, Lister, Listing
from waypost.build.object_looks import Snapshots
from waypost.build.page_reader import ReadPage, SiteVotes
from waypost.build.state import ContentDate, State
from waypost.core.clock import w3c_now
from waypost.core.hashing import content_digest, short_digest
from waypost.core.model import (
    Body,
    Changes,
    Document,
    Example,
    Item,
    Page,
    Plan,
    SiteWarning,
    Skipped,
    UrlDecision,
    printable,
)
from waypost.core.reasons import REASONS, UNREADABLE, Reason
from waypost.pages.decision import Decision
from waypost.pages.facts import RULES_VERSION, PageFacts
from waypost.pages.own_dates import NO_DATES, OwnDates
from waypost.pages.page_facts import ObjectSnapshot
from waypost.pages.page_url import PagePath
from waypost.pages.url_shapes import PageKind
from waypost.settings.schema import Site


class DecidedPage(Struct, frozen=True, array_like=True, gc=False):
    """What the rules decided on an object: a `ReadPage` without what its record has."""

    loc: str
    path: str
    encoded: str
    decided_by: UrlDecision
    kind: PageKind | None = None
    canonicals: tuple[str, ...] = ()
    reason: str = ""
    detail: str = ""
    own_dates: OwnDates = NO_DATES
    warnings: tuple[tuple[str, Example], ...] = ()
    text_digest: str | None = None
    is_cut: bool = False
    has_more_facts: bool = False


_DECIDED = msgspec.msgpack.Decoder(DecidedPage | None)
_FACTS = msgspec.msgpack.Decoder(PageFacts)
_LISTED = Decision()


def facts_of(record: ObjectRecord) -> PageFacts:
    """What was read of an object."""
    return _FACTS.decode(record.facts)


def record_of(key: str, snapshot: ObjectSnapshot, before: ObjectRecord | None) -> ObjectRecord:
    """The record of an object that was read; it keeps the content and the date of the one before.

    A page that exceeds a bound keeps what was read before of its head, if it was listed: nobody can read what comes
    after. One of an unknown coding keeps all: nothing was read.
    """
    facts = snapshot.facts
    if before and facts.unknown_coding:
        facts = replace(facts_of(before), unknown_coding=facts.unknown_coding)
    elif before and before.listed and facts.is_cut:
        facts = replace(facts_of(before), is_cut=True)
    encoded = msgspec.Raw(msgspec.msgpack.encode(facts))
    found = ObjectRecord(key, snapshot.etag, snapshot.uploaded_at, encoded, snapshot.bytes_digest)
    if before is None:
        return found
    is_same = before.facts == found.facts and before.bytes_digest == found.bytes_digest
    return replace(
        found,
        decided=before.decided if is_same else NOT_DECIDED,
        text_digest=before.text_digest,
        lastmod=before.lastmod,
        listed=before.listed,
        metadata=before.metadata,
    )


def unreadable_record(key: str, error: str, before: ObjectRecord | None) -> ObjectRecord:
    """The record of an object that cannot be read: what was read before still counts."""
    return replace(before, error=error) if before else ObjectRecord(key, "", "", NO_FACTS, error=error)


class ObjectMemory:
    """What is remembered of objects, as a source and as the memory of a run over it.

    `before` is what earlier runs remember. Without `votes`, the site's pages decide together anew. Bytes are read from
    the bucket; other files that a run asks for are `found`, and are not read again until the pages decide anew.
    """

    has_etags = True

    def __init__(
        self,
        bucket: BucketSite,
        records: Mapping[str, ObjectRecord],
        robots_rules: str,
        before: Memory,
        votes: SiteVotes | None,
    ) -> None:
        self.found = dict(before.found) if votes else {}
        self._records, self._objects, self._robots_rules = records, bucket.objects, robots_rules
        self._made_with, self._decided_as, self.votes = bucket.made_with, before.decided_as, votes
        self._kept: dict[str, msgspec.Raw] = {}
        self._site: Site | None = None
        self._is_decided_so = False
        self.width = bucket.objects.width

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The objects, and those of which nothing could ever be read."""
        del prunes
        for key, record in self._records.items():
            if record.error and not record.etag:
                yield Skipped(key, UNREADABLE, record.error)
            else:
                yield Item(key, key, etag=record.etag, modified=record.modified)

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's bytes."""
        return self._objects.read(item, size)

    def find(self, key: str) -> bytes | None:
        """The content of a file as it was found last; of robots.txt only the rules."""
        if key == "robots.txt":
            return self._robots_rules.encode() or None
        if key not in self.found:
            self.found[key] = self._objects.find(key)
        return self.found[key]

    def decided(self, item: Item, site: Site) -> ReadPage | Skipped | None:
        """What the rules have decided on an object, under the same settings and votes."""
        if self._site is not site:
            self._site, self._is_decided_so = site, self._digest(site) == self._decided_as
        if not self._is_decided_so:
            return None
        record = self._records[item.key]
        found = _DECIDED.decode(record.decided)
        if found is None:
            return None
        facts = (
            facts_of(record) if found.has_more_facts else PageFacts(text_digest=found.text_digest, is_cut=found.is_cut)
        )
        path = PagePath(found.path, found.encoded, found.decided_by, found.kind)
        digest = record.bytes_digest
        return ReadPage(
            item, found.loc, path, _decision(item.key, found), facts, hash(digest), found.canonicals, digest
        )

    def facts(self, item: Item) -> tuple[PageFacts, str]:
        """What was read of an object, and the digest of its bytes."""
        record = self._records[item.key]
        return facts_of(record), record.bytes_digest

    def keep(self, item: Item, decided: ReadPage | Skipped) -> None:
        """Remember what was decided on an object, unless the time of the run decided it."""
        facts = facts_of(self._records[item.key])
        own_dates = decided.decision.own_dates if isinstance(decided, ReadPage) else NO_DATES
        depends_on_time = facts.head.unavailable_after or facts.own_dates != own_dates
        encoded = NOT_DECIDED
        if isinstance(decided, ReadPage) and not depends_on_time:
            encoded = msgspec.Raw(msgspec.msgpack.encode(_decided_page(decided)))
        self._kept[item.key] = encoded

    def decided_as(self) -> str:
        """A digest of all that this run's decisions on objects depend on."""
        return self._digest(self._site) if self._site else self._decided_as

    def _digest(self, site: Site) -> str:
        voted = (site.url_form, site.sitemap_form, site.other_base)
        return content_digest(f"{self._made_with} {voted!r}".encode())

    def records(self, pages: Iterable[Page], contents: Mapping[str, ContentDate]) -> Iterator[ObjectRecord]:
        """The records after a run that lists these pages; `contents` has the digest and the date of each text."""
        listed = {page.key: page for page in pages}
        for key, record in self._records.items():
            page, decided = listed.get(key), self._kept.get(key, record.decided)
            content = contents.get(key)
            digest, lastmod = (content.digest, content.lastmod) if content else (record.text_digest, record.lastmod)
            loc, metadata = (page.loc, metadata_of(page)) if page else ("", "")
            after = (decided, digest, lastmod, loc, metadata)
            if after == (record.decided, record.text_digest, record.lastmod, record.listed, record.metadata):
                yield record
            else:
                yield replace(
                    record, decided=decided, text_digest=digest, lastmod=lastmod, listed=loc, metadata=metadata
                )


def _decided_page(read: ReadPage) -> DecidedPage:
    path, decision, facts = read.path, read.decision, read.facts
    skipped = decision.skipped
    return DecidedPage(
        read.loc,
        path.path,
        path.encoded,
        path.decided_by,
        path.kind,
        read.canonicals,
        str(skipped.reason) if skipped else "",
        skipped.detail if skipped else "",
        decision.own_dates,
        decision.warnings,
        facts.text_digest,
        facts.is_cut,
        facts != PageFacts(text_digest=facts.text_digest, is_cut=facts.is_cut),
    )


def _decision(key: str, found: DecidedPage) -> Decision:
    if not (found.reason or found.own_dates != NO_DATES or found.warnings):
        return _LISTED
    skipped = Skipped(printable(key), REASONS[found.reason], found.detail) if found.reason else None
    return Decision(skipped, found.own_dates, found.warnings)


_PLAIN = Page("", "")


def metadata_of(page: Page) -> str:
    """A digest of what a sitemap says of a page besides its URL and date; `""` if that is nothing."""
    plain = replace(page, key="", loc="", group="", lastmod=None)
    return "" if plain == _PLAIN else short_digest(msgspec.msgpack.encode(plain))


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
    published: PublishedBefore = PublishedBefore()
    named: UrlList | None = None
    warnings: Sequence[SiteWarning] = ()
    other_roots: Sequence[str] = ()
    damage: str = ""


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


def list_objects(bucket: BucketSite, stored: BucketState, looked: Looked) -> ListedObjects:
    """List the pages; in a rebuild they decide together anew if any of them has changed since they did.

    Nothing is read of an object that is known.
    """
    before, head = stored.memory, stored.head
    records = merged(before.objects, looked)
    rules = head.robots_rules if looked.robots_rules is None else looked.robots_rules
    named = before.named if looked.named is None else looked.named
    entries = [entry for each in named.sources for entry in each.entries]
    known = {each.key: each for each in before.objects if each.key in looked.seen} if looked.seen else {}
    has_changed = head.has_changed or any(records.get(key) != known.get(key) for key in looked.seen)
    is_complete = head.made_with == bucket.made_with and bool(head.built_at)
    decides_anew = looked.is_rebuild and (has_changed or bool(looked.failed) or not is_complete)
    votes = None if decides_anew else before.votes
    objects = ObjectMemory(bucket, records, rules, before, votes)
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


def _unlisted_contents(looked: Looked, listing: Listing, state: State) -> Mapping[str, ContentDate]:
    """The contents of objects that are left out: a page that is listed later has the date of its text."""
    found = dict[str, ContentDate]()
    for key, snapshot in looked.seen.items():
        if snapshot and snapshot.facts.text_digest and key not in listing.contents:
            uploaded = snapshot.uploaded_at
            at_first = uploaded if state.is_whole else None
            found[key] = state.date_page(key, snapshot.facts.text_digest, now=uploaded, at_first=at_first)
    return found


def _dates(bucket: BucketSite, stored: BucketState, looked: Looked) -> DateSources:
    head, memory = stored.head, stored.memory
    state = State(
        {each.key: ContentDate(each.text_digest, each.lastmod) for each in memory.objects if each.text_digest},
        {each.name: ContentDate(each.digest, each.changed_at) for each in head.files} or looked.published.files,
        memory.rules_version or RULES_VERSION,
        bucket.site.base_url,
        is_whole=bool(head.built_at),
        published=looked.published.dates,
    )
    return DateSources(w3c_now(bucket.clock), state=state)
