"""What is remembered of an object, from what was remembered before and what it is now."""

from waypost.config.load import Site
from waypost.core.model import Reason
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.rules.decision import verdict
from waypost.rules.page_facts import Observed


def recorded(key: str, before: Record | None, observed: Observed, site: Site, now: str, *, is_known: bool) -> Record:
    """A record that keeps its date where the content is the same.

    A content that follows another has the time of its upload; so has a page that is new to a ledger which
    knows the bucket (`is_known`). At a ledger's own first sight nothing is known but what the page says.
    """
    said = observed.said
    duplicate_of = before.duplicate_of if before else ""
    alternates = before.alternates if before and site.alternates else ()
    if before and (before.said.digest or before.etag) == (said.digest or observed.etag):
        return Record(key, observed.etag, said, before.lastmod, duplicate_of, alternates)
    loc = page_url.loc(key, site)
    own = None if isinstance(loc, Reason) else verdict(key, loc, said, site, now).own_date
    date = own or (observed.modified if before or is_known else None)
    return Record(key, observed.etag, said, date, duplicate_of, alternates)
