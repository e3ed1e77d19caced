"""What dated the pages of a site, in words."""

from collections.abc import Mapping

from waypost.core.model import DateCount, DatedBy

_DATED_BY: Mapping[DatedBy, str] = {
    "commit": "by the page's own commits",
    "mapping": "by the files that `sources` or `preset` names",
    "own-date": "by the date that the page gives itself",
    "content": "by the time at which the content was first seen",
    "copy": "by tracked files with the same bytes",
    "generator-date": "by the generator's date, which is that of a commit",
    "text": "by tracked files with the same text",
    "edit-link": "by a link to the tracked file",
    "preset": "by the paths of the generator's files",
}
_UNDATED = {
    "": "without a date",
    "list-page": "without a date, because it lists other pages",
    "ambiguous": "without a date, because several files could be their source",
    "no-evidence": "without a date, because no tracked file was found to be their source",
}


def count_text(each: DateCount) -> str:
    """How many pages one thing dated, or why so many have no date."""
    noun = "page" if each.count == 1 else "pages"
    why = _DATED_BY[each.dated_by] if each.dated_by else _UNDATED.get(each.no_date_reason)
    return f"{each.count:,} {noun} {why or f'without a date, {each.no_date_reason}'}"
