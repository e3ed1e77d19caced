"""Counts what dated the pages of a listing, and why pages have no date."""

from collections import Counter
from collections.abc import Sequence

from waypost.build.lister import Listing
from waypost.core.model import DateCount, DatedBy, PageDating

_NOTHING = PageDating()


def date_counts(listing: Listing) -> Sequence[DateCount]:
    """The counts of what dated pages, then of the reasons for which pages have no date; larger ones first."""
    dated: Counter[DatedBy | None] = Counter()
    undated: Counter[str] = Counter()
    for page in listing.pages:
        if page.lastmod:
            dated[listing.datings.get(page.key, _NOTHING).dated_by] += 1
        else:
            undated[listing.no_date_reason.get(page.key, "")] += 1
    return [
        *(
            DateCount(count, dated_by=by)
            for by, count in sorted(dated.items(), key=lambda each: (-each[1], str(each[0])))
        ),
        *(
            DateCount(count, no_date_reason=why)
            for why, count in sorted(undated.items(), key=lambda each: (-each[1], each[0]))
        ),
    ]
