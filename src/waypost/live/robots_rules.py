"""The origin of a URL, and what the robots.txt there allows (RFC 9309)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.core.errors import SourceError
from waypost.core.hashing import short_digest
from waypost.core.urls import has_long_authority
from waypost.pages.robots import CrawlerRules, rules_for

_NAME, _GOOGLE = "waypost", "Googlebot"
_ENGINES = {"Google": _GOOGLE, "Bing": "Bingbot"}
"""The names under which the crawlers of search engines look for their rules."""


class RobotsRules(NamedTuple):
    """Rules of a robots.txt; without `rules`, either everything is allowed or, if it is unreachable, nothing.

    `unreachable` says why it is, or is empty; `has_answer` is False if the host gave no answer.
    """

    rules: Mapping[str, CrawlerRules] | None = None
    unreachable: str = ""
    has_answer: bool = True

    def disallowed_for(self, url: str) -> str:
        """Whom the rules keep from a URL: `"Google"`, `"Waypost only"`, or `""` if Waypost may ask it."""
        if self.rules is None or self.rules[_NAME].allow(url):
            return ""
        return "Waypost only" if self.rules[_GOOGLE].allow(url) else "Google"

    def keeps_out(self, url: str) -> tuple[str, ...]:
        """The search engines that the rules keep from a URL, whether Waypost may ask it or not."""
        rules = self.rules
        return tuple(engine for engine, name in _ENGINES.items() if rules and not rules[name].allow(url))

    @property
    def crawl_delay(self) -> float:
        """The seconds between two requests that the rules ask for, or 0."""
        return self.rules[_NAME].delay if self.rules else 0


def rules_of_answer(status: int, body: bytes) -> RobotsRules:
    """The rules by the answer for robots.txt (RFC 9309, 2.3.1).

    An answer 4xx allows all, but for 429, by which the server asks to be left alone; 5xx disallows all.
    """
    if status == 200:
        try:
            return RobotsRules(rules_for(body, (_NAME, *_ENGINES.values())))
        except SourceError as error:
            return RobotsRules(unreachable=str(error))
    is_unreachable = not 200 <= status < 500 or status == 429
    return RobotsRules(unreachable=f"the server answers {status}" if is_unreachable else "")


@lru_cache(maxsize=256)  # it is asked several times for each URL
def origin_of(url: str) -> str:
    """The scheme and authority of a URL in lower case, or `""` if it is not an http or https URL."""
    if has_long_authority(url):
        return ""
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}".lower() if is_web else ""


def made_up_url(origin: str) -> str:
    """A URL of a host at which nobody publishes a page; each run asks the same one."""
    return f"{origin}/there-is-no-such-page-{short_digest(origin.encode())[:8]}"
