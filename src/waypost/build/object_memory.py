"""A bucket's objects as a run knows them: what was read of each, and what was decided, now or by earlier runs."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.build.bucket_state import NOT_DECIDED, ObjectRecord
from waypost.build.page_reader import ReadPage, SiteVotes
from waypost.build.state import ContentDate
from waypost.core.hashing import content_digest, short_digest
from waypost.core.model import Body, Example, Item, Page, Skipped, UrlDecision, printable
from waypost.core.reasons import REASONS, UNREADABLE, Reason
from waypost.files.source import Source
from waypost.pages.decision import Decision
from waypost.pages.facts import PageFacts
from waypost.pages.page_facts import ObjectSnapshot
from waypost.pages.page_url import PagePath
from waypost.pages.url_shapes import PageKind
from waypost.settings.schema import Site

NO_FACTS = msgspec.Raw(msgspec.msgpack.encode(PageFacts()))
"""Those of an object that could never be read, or is still to be read."""


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
    own_date: str | None = None
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

    `made_with` is a digest of all settings. Without `votes`, the site's pages decide together anew. Bytes are read from
    `objects`; other files that a run asks for are `found`, and are not read again until the pages decide anew.
    """

    has_etags = True

    def __init__(
        self,
        records: Mapping[str, ObjectRecord],
        objects: Source,
        robots_rules: str,
        made_with: str,
        decided_as: str = "",
        votes: SiteVotes | None = None,
        found: Mapping[str, bytes | None] | None = None,
    ) -> None:
        self.found = dict(found or {}) if votes else {}
        self._records, self._objects, self._robots_rules = records, objects, robots_rules
        self._made_with, self._decided_as, self.votes = made_with, decided_as, votes
        self._kept: dict[str, msgspec.Raw] = {}
        self._site: Site | None = None
        self._is_decided_so = False
        self.width = objects.width

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
        depends_on_time = facts.head.unavailable_after or (facts.own_date and not _own_date(decided))
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
        decision.own_date,
        decision.warnings,
        facts.text_digest,
        facts.is_cut,
        facts != PageFacts(text_digest=facts.text_digest, is_cut=facts.is_cut),
    )


def _decision(key: str, found: DecidedPage) -> Decision:
    if not (found.reason or found.own_date or found.warnings):
        return _LISTED
    skipped = Skipped(printable(key), REASONS[found.reason], found.detail) if found.reason else None
    return Decision(skipped, found.own_date, found.warnings)


def _own_date(decided: ReadPage | Skipped) -> str | None:
    return decided.decision.own_date if isinstance(decided, ReadPage) else None


_PLAIN = Page("", "")


def metadata_of(page: Page) -> str:
    """A digest of what a sitemap says of a page besides its URL and date; `""` if that is nothing."""
    plain = replace(page, key="", loc="", group="", lastmod=None)
    return "" if plain == _PLAIN else short_digest(msgspec.msgpack.encode(plain))
