"""Why a file is listed or not, as lines of text for people."""

from collections.abc import Iterator, Mapping

from msgspec import UNSET, UnsetType

from waypost.app.bucket_text import problem_lines
from waypost.app.explanation import Explanation
from waypost.core.model import DatedBy, PageDating, printable

_DECIDED_FOR_ONE = {
    "setting": "by a setting",
    "generator": "by the generator's permalink",
    "canonical": "by its canonical link",
    "links": "by the site's links",
    "host": "by the host's rule",
    "sitemap": "by the site's sitemap",
    "default": "by default",
}
_KINDS_OF_EVIDENCE: Mapping[DatedBy, str] = {
    "copy": "by its bytes",
    "generator-date": "by the generator's date",
    "text": "by its text",
    "edit-link": "by a link on the page",
    "path": "by its path",
}


def explanation_lines(answer: Explanation) -> Iterator[str]:
    """Why a file is listed or not."""
    yield answer.path
    if answer.listed:
        yield from _listed_lines(answer)
    elif answer.listed is None:
        yield "  unknown   a problem prevents that this is known"
    else:
        yield f"  left out  {answer.reason}: {answer.detail}"
        if answer.decided_by != answer.path:
            yield f"  decided   for the folder {answer.decided_by}"
    if not isinstance(answer.problems, UnsetType):
        yield from problem_lines(answer.problems)


def _listed_lines(answer: Explanation) -> Iterator[str]:
    yield f"  listed    {answer.loc}"
    if answer.url_decided_by is not UNSET:
        yield f"  form      {_DECIDED_FOR_ONE[answer.url_decided_by]}"
    commit = f", commit {answer.commit}" if answer.commit else ""
    why_not = f": {answer.no_date_reason}" if answer.no_date_reason else ""
    yield f"  lastmod   {answer.lastmod or 'none'}{commit}{why_not}"
    if not isinstance(answer.dating, UnsetType):
        yield from _dating_lines(answer.dating)
    yield f"  sitemap   {answer.sitemap or 'none'}"
    if answer.state is not UNSET:
        yield f"  state     {answer.state}"


def _dating_lines(dating: PageDating) -> Iterator[str]:
    """The files that a page is made of, and those that were considered."""
    if dating.dated_by == "url-list":
        yield f"  named in  {', '.join(dating.files)}; it has no file"
    elif dating.dated_by and dating.files:
        strength = f" ({dating.strength})" if dating.strength else ""
        yield f"  made of   {', '.join(map(printable, dating.files))}, {_KINDS_OF_EVIDENCE[dating.dated_by]}{strength}"
    for text in dating.considered:
        yield f"            not {printable(text)}"
