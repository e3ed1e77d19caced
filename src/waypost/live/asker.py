"""Asks one URL after another, as politely as the options and the servers want."""

import math
from collections.abc import Sequence
from itertools import islice
from threading import Lock
from urllib.parse import urlsplit

from msgspec import structs

from waypost.core import urls
from waypost.core.clock import Clock
from waypost.core.dates import format_unix_time
from waypost.files.http_client import REDIRECTS
from waypost.files.http_files import http_time, redirect_target
from waypost.files.http_headers import HttpHeaders
from waypost.live.answer import (
    HTML_TYPES,
    IN_PAGE,
    MAX_REDIRECTS,
    Answer,
    Hop,
    NoAnswerError,
    NotAskedError,
    OutOfTimeError,
)
from waypost.live.host import LiveHost
from waypost.live.robots_rules import origin_of
from waypost.live.transport import LiveRequest, Reply, Send
from waypost.pages import html_head, indexing
from waypost.pages.html_head import NO_HEAD, HtmlHead

_NO_HEAD = (403, 405, 501)
"""Answers to HEAD by which a server may refuse only the method."""
_MAX_URL = 8_192
"""Longer URLs are not asked; few servers accept them (RFC 9110, 4.1)."""
_MAX_HOSTS = 1_000
"""Of more hosts, the one that was asked longest ago is forgotten, so that they fit in memory."""
_PRIVATE = "it, or its host, is at an address that may not be asked (--allow-private)"
_MAX_HEADER = 2_100
_MOST_ALTERNATES = 200


class Asker:
    """Asks URLs; several threads may share it.

    `rate` is the most requests a second on each host, and none begins at `deadline` or later, in Unix seconds. With
    `reads_pages`, pages are read for what their heads say; with `finds_soft_404`, each host is asked for a URL that
    does not exist.
    """

    def __init__(
        self,
        send: Send,
        clock: Clock,
        rate: float,
        *,
        reads_pages: bool,
        deadline: float = math.inf,
        finds_soft_404: bool = True,
    ) -> None:
        self._send, self._clock, self._rate, self._reads_pages = send, clock, rate, reads_pages
        self._finds_soft_404 = finds_soft_404
        self._deadline = deadline
        self._now = format_unix_time(int(clock.time()))  # all answers of a run are judged at one time
        self._hosts: dict[str, LiveHost] = {}
        self._lock = Lock()

    def ask(self, loc: str, earlier: Answer | None = None) -> Answer:
        """The answer for a URL; if it still is the `earlier` one by the server, that is returned.

        Raises NotAskedError if it must not be asked, or cannot be asked in this run.
        """
        if not origin_of(loc):
            return Answer(why="it is not an http or https URL with a host")
        answer = self._ask(loc, earlier)
        return structs.replace(answer, kept_out=self._kept_out(loc))

    def _kept_out(self, loc: str) -> tuple[str, ...]:
        """The search engines that robots.txt keeps from a URL: another question than whether Waypost may ask it."""
        try:
            return self._host(loc).robots().keeps_out(loc)
        except (NotAskedError, OSError):
            return ()

    def _ask(self, loc: str, earlier: Answer | None) -> Answer:
        hops: tuple[Hop, ...] = ()
        url, seen = loc, {loc}
        try:
            # First: may it be asked at all?
            if whom := self._host(loc).robots().disallowed_for(loc):
                return Answer(disallowed_for=whom)
            # Second: ask, with the conditions of an earlier answer. 304 means that this still holds.
            earlier = earlier if earlier and _is_usable(earlier, reads_pages=self._reads_pages) else None
            reply, head_status = self._find(loc, _conditions(earlier))
            if reply.status == 304 and earlier:
                noindex = page_answer(loc, reply, self._now).noindex or earlier.noindex
                return structs.replace(earlier, noindex=noindex)
            # Third: follow redirects, each of which is asked for like a URL of its own.
            while reply.status in REDIRECTS:
                if not reply.headers.get("Location"):
                    return Answer(hops=(*hops, Hop(reply.status, "nowhere")), why="it has no header Location")
                url = redirect_target(url, reply.headers)
                hops = (*hops, Hop(reply.status, (url or reply.headers["Location"])[:_MAX_URL]))
                if url in seen or len(hops) > MAX_REDIRECTS:
                    return Answer(hops=hops, is_loop=True)
                seen.add(url)
                reply, head_status = self._follow(url)
        except NotAskedError as error:
            if not hops or isinstance(error, OutOfTimeError):
                raise
            if isinstance(error, NoAnswerError):
                return Answer(hops=hops, why=error.why)
            return Answer(hops=hops, unasked=str(error))
        except OSError as error:
            if isinstance(error, PermissionError) and not hops:
                raise NotAskedError(_PRIVATE) from None
            return Answer(hops=hops, why=error.strerror or str(error))
        answer = page_answer(url, reply, self._now, hops, head_status)
        return structs.replace(answer, like_missing=self._likeness(loc, hops, reply))

    def _likeness(self, url: str, hops: Sequence[Hop], reply: Reply) -> str:
        """What the answer for a URL has in common with that for a made-up one; the home page of a site exists."""
        is_home = urlsplit(url).path in ("", "/")
        if not self._finds_soft_404 or is_home:
            return ""
        if hops:
            return "redirect" if hops[0].to == self._host(url).missing_page().to else ""
        if reply.status != 200 or reply.content_type not in HTML_TYPES:
            return ""
        if reply.body is not None and not reply.damage and not reply.body.strip():
            return "empty"
        missing = self._host(url).missing_page()
        if reply.body is None:
            return "status" if missing.has_page() else ""
        return "page" if missing.is_same(url, reply.body) else ""

    def is_disallowed(self, url: str) -> bool:
        """Whether robots.txt keeps Google from a URL, as far as it can be read."""
        try:
            return bool(origin_of(url)) and "Google" in self._host(url).robots().keeps_out(url)
        except NotAskedError:
            return False

    def _follow(self, url: str) -> tuple[Reply, int]:
        """What is at the target of a redirect; raises NotAskedError if robots.txt disallows that."""
        if not origin_of(url):
            raise OSError(None, "it is not an http or https URL with a host")
        if len(url) > _MAX_URL:
            raise OSError(None, f"its URL has {len(url):,} characters")
        if self._host(url).robots().disallowed_for(url):
            raise NotAskedError("robots.txt")
        return self._find(url, {})

    def _find(self, url: str, conditions: dict[str, str]) -> tuple[Reply, int]:
        """The answer to HEAD, or to GET if HEAD is refused or pages are read, and an error that only HEAD had, or 0."""
        host = self._host(url)
        get = LiveRequest("GET", url, conditions, HTML_TYPES if self._reads_pages else ())
        if self._reads_pages or host.refuses_head:
            return host.exchange(get), 0
        try:
            head_status = (head := host.exchange(LiveRequest("HEAD", url, conditions))).status
            if head_status < 400:
                return head, 0
        except PermissionError:
            raise
        except OSError:
            head_status = 0
        reply = host.exchange(get)
        if head_status in _NO_HEAD and reply.status < 400:
            host.refuses_head = True
            return reply, 0
        return reply, head_status if reply.status < 400 else 0

    def _host(self, url: str) -> LiveHost:
        origin = origin_of(url)
        with self._lock:
            host = self._hosts.pop(origin, None)
            host = host or LiveHost(origin, self._send, self._clock, self._rate, self._deadline)
            self._hosts[origin] = host
            if len(self._hosts) > _MAX_HOSTS:
                del self._hosts[next(iter(self._hosts))]
            return host


def _is_usable(earlier: Answer, *, reads_pages: bool) -> bool:
    """Whether an earlier answer says all that is to be known, if the server confirms that the page is the same.

    What headers said may be different now, although the page is the same.
    """
    in_headers = [fact for fact in (earlier.noindex, earlier.canonical, earlier.refresh) if fact and fact[0] != IN_PAGE]
    is_good = earlier.status == 200 and not (earlier.hops or earlier.damage or in_headers)
    return is_good and (earlier.is_read or not reads_pages)


def _conditions(earlier: Answer | None) -> dict[str, str]:
    """The headers by which the server need not send what it sent before (RFC 9110, 13.1)."""
    named = {"If-None-Match": earlier.etag, "If-Modified-Since": earlier.last_modified} if earlier else {}
    return {name: value for name, value in named.items() if value}


def page_answer(url: str, reply: Reply, now: str, hops: tuple[Hop, ...] = (), head_status: int = 0) -> Answer:
    """What the answer for this URL says at the time `now` (W3C).

    `hops` led to it, and `head_status` is an error that only HEAD had, or 0.
    """
    head, headers = _head(reply), reply.headers
    canonical = _canonical(url, headers, head)
    alternates = ((value, target) for value, target in html_head.alternates(head, url) if len(target) <= _MAX_HEADER)
    return Answer(
        status=reply.status,
        hops=hops,
        head_status=head_status,
        content_type=reply.content_type[:100],
        noindex=_noindex(headers, head, now),
        canonical=canonical and (canonical[0], canonical[1][:_MAX_HEADER]),
        refresh=_refresh(url, headers, head),
        modified=http_time(headers.get("Last-Modified")),
        etag=_short(headers, "ETag"),
        last_modified=_short(headers, "Last-Modified"),
        is_read=reply.body is not None,
        damage=reply.damage,
        unread=reply.unread,
        alternates=tuple(islice(alternates, _MOST_ALTERNATES)),
    )


def _head(reply: Reply) -> HtmlHead:
    if not reply.body:
        return NO_HEAD
    return html_head.read_head(reply.body, is_whole=True, has_alternates=True) or NO_HEAD


def _noindex(headers: HttpHeaders, head: HtmlHead, now: str) -> tuple[str, str] | None:
    in_headers = indexing.of_headers(headers.all("X-Robots-Tag"))
    for place, word, after in (
        ("the header X-Robots-Tag", in_headers.noindex, in_headers.unavailable_after),
        (IN_PAGE, head.noindex, head.unavailable_after),
    ):
        if word or indexing.is_over(after, now):
            return place, word or f"unavailable_after {after}"
    return None


def _canonical(url: str, headers: HttpHeaders, head: HtmlHead) -> tuple[str, str] | None:
    """Where a canonical URL is named, and that URL, normalized."""
    named = indexing.canonical_of_headers(headers.all("Link"))
    if named and (target := urls.normalize(named, url)):
        return "the header Link", target
    target = html_head.canonical(head, url)
    return (IN_PAGE, target) if target else None


def _refresh(url: str, headers: HttpHeaders, head: HtmlHead) -> tuple[str, str] | None:
    """Where a refresh is, and the URL to which it sends visitors."""
    in_header = html_head.refresh_url(headers.get("Refresh", "")[:_MAX_HEADER])
    for place, found in (("the header Refresh", HtmlHead(refresh=in_header)), (IN_PAGE, head)):
        if target := html_head.refresh_target(found, url):
            return place, target[:_MAX_HEADER]
    return None


def _short(headers: HttpHeaders, name: str) -> str:
    """A header that is sent back later; `""` if it is too long, or cannot be sent."""
    value = headers.get(name, "")
    return value if len(value) <= _MAX_HEADER and value.isascii() and value.isprintable() else ""
