"""What dated the pages of a site, in words."""

from collections.abc import Mapping

from waypost.core.model import DateCount, DatedBy

_DATED_BY: Mapping[DatedBy, str] = {
    "commit": "by commits of the page",
    "mapping": "by files that `sources` names",
    "own-date": "by a date in the page",
    "content": "by the time at which the content was first seen",
    "copy": "by a tracked file with the same bytes",
    "generator-date": "by the generator's date, which is that of a commit",
    "text": "by a tracked file with the same text",
    "edit-link": "by a link to a tracked file",
    "path": "by its path",
    "url-list": "by the list or the sitemap that names the URL",
}
_UNDATED = {
    "": "without a date",
    "list-page": "without a date: lists of other pages",
    "ambiguous": "without a date: several files could be the source",
    "not-listed": "without a date: what names the URL has none",
    "no-evidence": "without a date: no tracked file was found to be the source",
}


def date_text(each: DateCount) -> str:
    """What dated these pages, or why they have no date."""
    why = _DATED_BY[each.dated_by] if each.dated_by else _UNDATED.get(each.no_date_reason)
    return why or f"without a date: {each.no_date_reason}"


def count_text(each: DateCount) -> str:
    """How many pages one thing dated, or why so many have no date."""
    return f"{each.count:,} {'page' if each.count == 1 else 'pages'} {date_text(each)}"
