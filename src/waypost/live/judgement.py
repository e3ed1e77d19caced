"""Compares the answer for a URL with what the sitemap says."""

from collections.abc import Callable, Iterator
from http.client import responses
from urllib.parse import urlsplit

from waypost.core import dates, urls
from waypost.core.dates import DateRange, format_unix_time
from waypost.live.answer import HTML_TYPES, MAX_REDIRECTS, MISSING, Answer
from waypost.live.robots_rules import made_up_url, origin_of

_DAY = 86_400
_PAGE_ENDINGS = (".html", ".htm", "/")
_DOWNLOADED = ("", "application/octet-stream", "binary/octet-stream", "application/x-unknown")
_REFUSED, _NO_STATUS = range(400, 500), 600


LiveProblem = tuple[str, dict[str, object]]
"""The code of a rule that is broken, and the values for its message."""


def problems(loc: str, lastmod: str, answer: Answer) -> Iterator[LiveProblem]:
    """What is wrong with the answer for a listed URL; `lastmod` is as written, or `""`."""
    if answer.kept_out:
        yield "live-disallowed", {"engines": " and ".join(answer.kept_out)}
    if answer.disallowed_for:
        return
    if answer.hops and answer.like_missing == "redirect":
        yield "live-sent-home", {"to": answer.hops[-1].to, "made_up": made_up_url(origin_of(loc))}
    elif answer.hops:
        yield _redirect(answer)
    elif not answer.status:
        yield "live-unreachable", {"why": answer.why}
    elif answer.status != 200:
        yield _code_of_status(answer.status), {"status": status_text(answer.status)}
    else:
        yield from _page_problems(loc, lastmod, answer)
    if answer.head_status:
        status, head = status_text(answer.status), status_text(answer.head_status)
        yield "live-head-differs", {"head": head, "status": status}


def _redirect(answer: Answer) -> LiveProblem:
    """A redirect, whose target has a page, has none, or was not asked."""
    to, statuses = answer.hops[-1].to, ", then ".join(str(hop.status) for hop in answer.hops[:3])
    if answer.is_loop:
        return "live-redirect-loop", {"most": MAX_REDIRECTS, "to": to}
    why = answer.why or (status_text(answer.status) if answer.status >= 400 else "")
    if why:
        return "live-redirect-broken", {"statuses": statuses, "to": to, "why": why}
    if answer.unasked:
        return "live-redirect-unverified", {"statuses": statuses, "to": to, "why": answer.unasked}
    return "live-redirect", {"statuses": statuses, "to": to}


def _code_of_status(status: int) -> str:
    if status in MISSING:
        return "live-missing"
    if status in _REFUSED or status >= _NO_STATUS:
        return "live-refused"
    return "live-server-error" if status >= 500 else "live-odd-status"


def _page_problems(loc: str, lastmod: str, answer: Answer) -> Iterator[LiveProblem]:
    if answer.like_missing == "page":
        yield "live-soft-404", {"made_up": made_up_url(origin_of(loc))}
    if answer.like_missing == "empty":
        yield "live-empty", {}
    if answer.damage:
        yield "live-incomplete", {"why": answer.damage}
    if answer.unread:
        yield "live-unread", {"why": answer.unread}
    if answer.noindex:
        where, word = answer.noindex
        yield "live-noindex", {"where": where, "word": word}
    if answer.refresh:
        where, to = answer.refresh
        yield "live-refresh", {"where": where, "to": to}
    if answer.canonical and answer.canonical[1] != urls.normalize(loc, loc):
        where, to = answer.canonical
        yield "live-not-canonical", {"where": where, "to": to}
    if _is_downloaded(loc, answer.content_type):
        yield "live-content-type", {"content_type": answer.content_type or "missing"}
    if _is_older(answer.modified, lastmod):
        modified = format_unix_time(int(answer.modified or 0))
        yield "live-lastmod", {"lastmod": lastmod, "modified": modified}


def named_problems(loc: str, answer: Answer, answer_of: Callable[[str], Answer | None]) -> Iterator[LiveProblem]:
    """What is wrong with the URLs that a listed page names: its canonical URL, and its alternates.

    `answer_of` gives the answer for a URL, or None if there is none. An `x-default` need not link back.
    """
    own = urls.normalize(loc, loc)
    if answer.canonical and (target := answer_of(answer.canonical[1])) and target.status in MISSING:
        where, to = answer.canonical
        yield "live-canonical-missing", {"where": where, "to": to, "status": status_text(target.status)}
    for hreflang, to in answer.alternates:
        target = answer_of(to)
        if target is None or to == own:
            continue
        details: dict[str, object] = {"hreflang": hreflang, "to": to}
        if target.status in MISSING:
            yield "live-alternate-missing", {**details, "status": status_text(target.status)}
            continue
        is_back = own in {back for _, back in target.alternates}
        if target.status == 200 and target.is_read and hreflang.lower() != "x-default" and not is_back:
            yield "live-alternate-unreturned", details


def named_urls(loc: str, answer: Answer) -> Iterator[str]:
    """The other URLs that a listed page names, which must answer: its canonical URL, and its alternates."""
    named = [answer.canonical[1]] if answer.canonical else []
    own = urls.normalize(loc, loc)
    return (each for each in (*named, *(to for _, to in answer.alternates)) if each != own)


def _is_downloaded(loc: str, content_type: str) -> bool:
    """Whether a URL clearly names a page, but browsers store what the server sends, or show its source."""
    path = urlsplit(loc).path.lower()
    if content_type == "text/plain":
        return path.endswith(_PAGE_ENDINGS[:2])
    return content_type not in HTML_TYPES and content_type in _DOWNLOADED and (path.endswith(_PAGE_ENDINGS) or not path)


def _is_older(modified: float | None, lastmod: str) -> bool:
    """Whether the server's date is over a day before lastmod, which is wrong in any time zone.

    A later one is no fault: many servers send the time at which the file was copied.
    """
    date = dates.parse_strict_w3c_date(lastmod) if lastmod and modified is not None else None
    return isinstance(date, DateRange) and (modified or 0) < date.start - _DAY


def status_text(status: int) -> str:
    """A status with its name, as in `404 Not Found`."""
    return f"{status} {responses.get(status, '')}".rstrip()
