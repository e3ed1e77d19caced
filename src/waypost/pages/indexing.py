"""What a page says to search engines of being indexed, in its robots meta tags and in headers.

Sources: Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications"; Bing, "Robots meta tags"; RFC 8288
(Link).
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from waypost.core import dates

_CRAWLERS = ("robots", "googlebot", "bingbot", "msnbot")
"""The names for which a page that must not be indexed is left out."""
_NEWS = "googlebot-news"
_WORDS = ("noindex", "none")
_WITH_VALUE = re.compile(r"(?<![\w-])max-[a-z-]{1,40}\s{0,9}:\s{0,9}[^\s,;]*")
_UNAVAILABLE = re.compile(r"(?<![\w-])unavailable_after\s{0,9}:([^;]{0,100})", re.IGNORECASE)
_SEPARATORS = re.compile(r"[^a-z0-9_-]+")
_CRAWLER = re.compile(r"\s*(?!max-|unavailable_after)([\w-]+)\s*:(.*)", re.IGNORECASE | re.DOTALL)
_LINK = re.compile(r"<([^<>\s]{1,2100})>([^<]*)")
_CANONICAL = re.compile(
    r"""\brel\s*=\s*(?:"[^"]*\bcanonical\b[^"]*"|'[^']*\bcanonical\b[^']*'|canonical\b)""", re.IGNORECASE
)
_MAX_HEADER = 8_400


class Indexing(NamedTuple):
    """The word that forbids indexing, the date (W3C, in UTC) after which a page is not shown, and "no news".

    Both texts are empty without one. `is_no_news` if only Google News may not have the page.
    """

    noindex: str = ""
    unavailable_after: str = ""
    is_no_news: bool = False

    def __or__(self, other: "Indexing") -> "Indexing":
        """What two places say together: of two dates, the first in time counts."""
        after = min(filter(None, (self.unavailable_after, other.unavailable_after)), default="")
        return Indexing(self.noindex or other.noindex, after, self.is_no_news or other.is_no_news)


NOTHING_SAID = Indexing()


def of_meta(name: str, content: str) -> Indexing:
    """What a meta element with this name says."""
    crawler = name.strip().lower()
    if crawler not in _CRAWLERS and crawler != _NEWS:
        return NOTHING_SAID
    text = content.lower()
    after = _unavailable_after(content) if "unavailable_after" in text else ""
    words = set(_SEPARATORS.split(_WITH_VALUE.sub(" ", _UNAVAILABLE.sub(_other_directives, text))))
    word = next((word for word in _WORDS if word in words), "")
    return Indexing(is_no_news=bool(word)) if crawler == _NEWS else Indexing(word, after)


def of_headers(values: Iterable[str]) -> Indexing:
    """What X-Robots-Tag headers say: a directive is for the crawler that was named before it in the same header."""
    found = NOTHING_SAID
    for value in values:
        for crawler, text in _by_crawler(value[:_MAX_HEADER]):
            found |= of_meta(crawler, text)
    return found


def is_over(unavailable_after: str, now: str) -> bool:
    """Whether the date after which a page is not shown has passed; a date without a time ends with its day."""
    return bool(unavailable_after) and unavailable_after < now[: len(unavailable_after)]


def canonical_of_headers(values: Iterable[str]) -> str:
    """The URL, as written, that a Link header names as canonical; empty without one."""
    links = (link for value in values for link in _LINK.findall(value[:_MAX_HEADER]))
    return next((url for url, parameters in links if _CANONICAL.search(parameters)), "")


def _by_crawler(value: str) -> Iterator[tuple[str, str]]:
    """The crawlers that a header names, each with its directives."""
    crawler, kept = "robots", list[str]()
    for part in value.split(","):
        if named := _CRAWLER.fullmatch(part):
            yield crawler, ",".join(kept)
            crawler, kept = named[1], [named[2]]
        else:
            kept.append(part)
    yield crawler, ",".join(kept)


def _other_directives(found: re.Match[str]) -> str:
    """What follows the date of `unavailable_after`."""
    return found[1].partition(",")[2]


def _unavailable_after(content: str) -> str:
    """The first date after which the page is not shown; dates of mail (RFC 850) have a comma in them."""
    found = (_date(text[1]) for text in _UNAVAILABLE.finditer(content))
    return min(filter(None, found), default="")


def _date(text: str) -> str:
    parts = text.split(",")
    tries = (",".join(parts[:count]) for count in range(1, min(len(parts), 2) + 1))
    return next(filter(None, (dates.parse_page_date(each) or dates.parse_mail_date(each) for each in tries)), "")
