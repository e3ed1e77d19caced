"""One host that is asked: its robots.txt, the pace of requests, and whether it still answers."""

import errno
import math
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from threading import Lock
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from waypost.core.clock import Clock
from waypost.files.http_client import REDIRECTS
from waypost.files.http_files import http_time, redirect_target
from waypost.files.http_headers import HttpHeaders
from waypost.live.answer import HTML_TYPES, MISSING, NoAnswerError, NotAskedError, OutOfTimeError
from waypost.live.robots_rules import RobotsRules, made_up_url, rules_of_answer
from waypost.live.transport import LiveRequest, Reply, Send
from waypost.pages.html_head import visible_text

_WORD = re.compile(r"[^\W\d_]+")
_BUSY = (429, 503)
_TRIES = 3
_MAX_FAILURES = 10
_MAX_REDIRECTS = 5
"""How many redirects of a robots.txt are followed (RFC 9309, 2.3.1.2)."""
_GIVEN_UP = f"its host failed {_MAX_FAILURES} times in a row"
_THROTTLED = "its host asks for fewer requests (429)"
PAUSED = "its host asks for a pause of over two minutes (Retry-After)"
"""The reason for which the rest of a host's URLs is left to a later run."""
SLOW = "its host asks for a pause of over two minutes between requests (Crawl-delay)"
MAX_WAIT = 120.0
"""A host that asks for a longer pause, in seconds, is asked no more in this run."""
_MAX_INTERVAL = 60.0


class MissingPage(Struct, frozen=True):
    """What a host sends for its made-up URL: the status, 0 if that is not known, a redirect's target, and words."""

    url: str = ""
    status: int = 0
    to: str = ""
    words: Sequence[str] = ()

    def has_page(self) -> bool:
        """Whether the host answers as if the page existed."""
        return self.status == 200

    def is_same(self, url: str, body: bytes) -> bool:
        """Whether the page of another URL has the same title and text, but for numbers and the words of both URLs.

        Such pages name the URL that was asked for, and some the time.
        """
        in_urls = {*_words(_path(url)), *_words(_path(self.url))}
        others = [word for word in self.words if word not in in_urls]
        own = (word for word in _page_words(body) if word not in in_urls)
        # The words of most pages differ in the first ones, so the others are not looked for.
        return bool(others) and all(word == other for word, other in zip_longest(own, others))


def _page_words(body: bytes) -> Iterator[str]:
    return _words(visible_text(body) or "")


def _words(text: str) -> Iterator[str]:
    return (found[0] for found in _WORD.finditer(text.lower()))


def _path(url: str) -> str:
    return unquote(urlsplit(url).path)


class LiveHost:
    """A host by its origin, as in `https://www.example.org`; several threads may share it.

    No request begins at `deadline` or later, in Unix seconds.
    `refuses_head` is set once it answers HEAD with an error, but GET with the page.
    """

    def __init__(self, origin: str, send: Send, clock: Clock, rate: float, deadline: float = math.inf) -> None:
        self._origin, self._send, self._clock = origin, send, clock
        self._pace, self._lock = Pace(clock, rate, deadline), Lock()
        self._missing_lock = Lock()
        self._robots: RobotsRules | None = None
        self._missing_page: MissingPage | None = None
        self._failures, self._given_up, self._guarded = 0, "", ""
        self.refuses_head = False

    def robots(self) -> RobotsRules:
        """The rules of robots.txt, which is read before the host's first other request; raises NotAskedError."""
        with self._lock:
            if self._robots is None:
                self._robots = self._read_robots()
                self._pace.at_least(self._robots.crawl_delay)
                self._failures = 0
                if self._robots.crawl_delay > MAX_WAIT:
                    self._given_up = SLOW
            if self._robots.unreachable:
                why = f"{self._origin}/robots.txt cannot be read ({self._robots.unreachable})"
                message = f"{why}, and then nothing may be asked (RFC 9309)"
                if not self._robots.has_answer:
                    raise NoAnswerError(message, self._robots.unreachable)
                raise NotAskedError(message)
            return self._robots

    def missing_page(self) -> MissingPage:
        """How the host answers for a URL that does not exist; it is asked once."""
        with self._missing_lock:
            if self._missing_page is None:
                self._missing_page = self._read_missing_page()
            return self._missing_page

    def _read_missing_page(self) -> MissingPage:
        url = made_up_url(self._origin)
        try:
            if self.robots().disallowed_for(url):
                return MissingPage()
            reply = self.exchange(LiveRequest("GET", url, {}, HTML_TYPES, (200, *MISSING)))
        except (OSError, NotAskedError):
            return MissingPage()
        to = redirect_target(url, reply.headers) if reply.status in REDIRECTS else ""
        return MissingPage(url, reply.status, to, tuple(_page_words(reply.body or b"")))

    def exchange(self, request: LiveRequest) -> Reply:
        """The answer to a request, which waits for its turn and is repeated if the host is busy.

        Raises OSError, and NotAskedError if the host asks for a long pause, stays busy, or has failed too often.
        """
        for _ in range(_TRIES):
            self._check_openness()
            self._pace.wait()
            try:
                reply = self._send(request)
            except PermissionError as error:
                self._guarded = error.strerror or str(error)
                raise
            except OSError:
                self._count_failure()
                raise
            if reply.status not in _BUSY:
                self._failures = 0
                return reply
            self._pause(reply)
        self._count_failure()
        if reply.status == _BUSY[0]:
            raise NotAskedError(_THROTTLED)
        return reply

    def _check_openness(self) -> None:
        if self._guarded:
            raise PermissionError(errno.EACCES, self._guarded)
        if self._given_up:
            raise NotAskedError(self._given_up)

    def _pause(self, reply: Reply) -> None:
        seconds = retry_after(reply.headers, self._clock.time())
        if seconds is not None and seconds > MAX_WAIT:
            self._given_up = PAUSED
            raise NotAskedError(PAUSED)
        self._pace.slow_down(seconds)

    def _count_failure(self) -> None:
        self._failures += 1
        if self._failures >= _MAX_FAILURES:
            self._given_up = _GIVEN_UP

    def _read_robots(self) -> RobotsRules:
        url = f"{self._origin}/robots.txt"
        try:
            for _ in range(_MAX_REDIRECTS + 1):
                reply = self.exchange(LiveRequest("GET", url, read_types=None))
                if reply.damage:
                    return RobotsRules(unreachable=reply.damage)
                if reply.status not in REDIRECTS:
                    return rules_of_answer(reply.status, reply.body or b"")
                url = redirect_target(url, reply.headers)
        except (PermissionError, OutOfTimeError):
            raise
        except OSError as error:
            return RobotsRules(unreachable=error.strerror or str(error), has_answer=False)
        except NotAskedError as error:
            return RobotsRules(unreachable=str(error))
        return rules_of_answer(404, b"")


class Pace:
    """Lets requests start at most `rate` times a second, and none at `deadline` or later; threads may share it."""

    def __init__(self, clock: Clock, rate: float, deadline: float = math.inf) -> None:
        self._clock, self._lock, self._deadline = clock, Lock(), deadline
        self._interval, self._next, self._pause_end = 1 / rate, 0.0, 0.0

    def at_least(self, interval: float) -> None:
        """Leave at least so many seconds between two requests; more than `MAX_WAIT` are not possible."""
        with self._lock:
            self._interval = max(self._interval, min(interval, MAX_WAIT))

    def wait(self) -> None:
        """Wait until the next request may start; raises OutOfTimeError at once if that is too late."""
        with self._lock:
            now = self._clock.time()
            start = max(now, self._next, self._pause_end)
            self._check_time(start)
            self._next = start + self._interval
        while start > now:
            self._clock.sleep(start - now)
            now = self._clock.time()
            start = max(start, self._pause_end)
            self._check_time(start)

    def _check_time(self, start: float) -> None:
        if start >= self._deadline:
            raise OutOfTimeError

    def slow_down(self, seconds: float | None) -> None:
        """Halve the rate, and pause for as long as the server asks, or else for one interval."""
        with self._lock:
            self._interval = max(self._interval, min(2 * self._interval, _MAX_INTERVAL))
            pause = self._interval if seconds is None else seconds
            self._pause_end = max(self._pause_end, self._clock.time() + pause)


def retry_after(headers: HttpHeaders, now: float) -> float | None:
    """For how many seconds a server asks to wait (RFC 9110, 10.2.3); None if it does not say."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdecimal():
        return float(value[:12])
    time = http_time(value)
    return None if time is None else max(0.0, time - now)
