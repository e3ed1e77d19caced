"""What is remembered of an object, from what was remembered before and what it is now."""

from waypost.config.load import Site
from waypost.core.reasons import Reason
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.decision import decide
from waypost.rules.page_facts import ObjectSnapshot


def merge_record(
    key: str, before: Record | None, snapshot: ObjectSnapshot, site: Site, now: str, *, is_known: bool
) -> Record:
    """A record that keeps its date where the content is the same.

    A content that follows another has the time of its upload; so has a page that is new to a ledger which
    knows the bucket (`is_known`). At a ledger's own first sight nothing is known but what the page says.
    """
    facts = snapshot.facts
    duplicate_of = before.duplicate_of if before else ""
    alternates = before.alternates if before and site.alternates else ()
    if before and _has_same_content(before, snapshot):
        return Record(key, snapshot.etag, facts, before.lastmod, duplicate_of, alternates)
    loc = page_url.page_url(key, site)
    own = None if isinstance(loc, Reason) else decide(key, loc, facts, site, now).own_date
    date = own or (snapshot.uploaded_at if before or is_known else None)
    return Record(key, snapshot.etag, facts, date, duplicate_of, alternates)


def _has_same_content(before: Record, snapshot: ObjectSnapshot) -> bool:
    """Whether an object is the upload that was recorded, or another of the same content.

    The ETag is compared too, because rules of another version make another digest of the same upload.
    """
    is_same_upload = before.etag != "" and before.etag == snapshot.etag
    return is_same_upload or (before.facts.text_digest or before.etag) == (snapshot.facts.text_digest or snapshot.etag)
