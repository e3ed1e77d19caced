"""Makes the record of an object from what was recorded before and what the object is now."""

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.reasons import Reason
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.decision import decide
from waypost.rules.facts import PageFacts
from waypost.rules.page_facts import ObjectSnapshot


def merge_record(
    key: str, before: Record | None, snapshot: ObjectSnapshot, site: Site, now: str, *, is_known: bool
) -> Record:
    """A record that keeps its date if the content is the same.

    A URL without an object has the date of the list that names it. New content has the time of its upload; so has a
    page that is new to a ledger which knows the bucket (`is_known`). In a ledger's first build, only the date that a
    page gives itself is known.
    """
    facts = snapshot.facts
    if facts.is_cut:
        return _record_of_cut(key, before, snapshot, site, now)
    duplicate_of = before.duplicate_of if before else ""
    alternates = before.alternates if before and site.alternates else ()
    if facts.entry:
        return Record(key, snapshot.etag, facts, facts.entry.lastmod, duplicate_of, alternates)
    if before and _has_same_content(before, snapshot):
        return Record(key, snapshot.etag, facts, before.lastmod, duplicate_of, alternates)
    date = _own_date(key, facts, site, now) or (snapshot.uploaded_at if before or is_known else None)
    return Record(key, snapshot.etag, facts, date, duplicate_of, alternates)


def _own_date(key: str, facts: PageFacts, site: Site, now: str) -> str | None:
    """The date that a page gives itself, if it is listed and the settings let its date be believed."""
    if facts.own_date is None:
        return None
    loc = page_url.page_url(key, site, facts.head)
    return None if isinstance(loc, Reason) else decide(key, loc, facts, site, now).own_date


def _record_of_cut(key: str, before: Record | None, snapshot: ObjectSnapshot, site: Site, now: str) -> Record:
    """The record of a page that exceeds a bound: as before, if it was and is listed; never with a new date.

    So one page that nobody can read costs neither its own place in a sitemap nor anything else. What left out a former
    version says nothing of this one, of which the beginning was read; but of an unknown coding nothing was.
    """
    facts = snapshot.facts
    read = [facts] if facts.unknown_coding or not before else [before.facts, facts]
    if before and not any(_is_left_out(key, each, site, now) for each in read):
        return replace(before, etag=snapshot.etag, facts=replace(before.facts, is_cut=True))
    return Record(key, snapshot.etag, facts, duplicate_of=before.duplicate_of if before else "")


def _is_left_out(key: str, facts: PageFacts, site: Site, now: str) -> bool:
    loc = page_url.page_url(key, site, facts.head)
    return isinstance(loc, Reason) or decide(key, loc, facts, site, now).skipped is not None


def _has_same_content(before: Record, snapshot: ObjectSnapshot) -> bool:
    """Equal ETags mean the same upload, also where newer rules read another text of it."""
    if snapshot.etag and before.etag == snapshot.etag:
        return True
    return (before.facts.text_digest or before.etag) == (snapshot.facts.text_digest or snapshot.etag)
