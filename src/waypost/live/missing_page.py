"""How a host answers for a URL that does not exist: with an error, or with a page, which is a soft 404."""

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from waypost.live.transport import Reply
from waypost.rules.html_head import visible_text

_WORD = re.compile(r"[^\W\d_]+")


class MissingPage(Struct, frozen=True):
    """What a host sends for its made-up URL: the status, 0 if that is not known, and the words of a page."""

    url: str = ""
    status: int = 0
    words: Sequence[str] = ()

    def has_page(self) -> bool:
        """Whether the host answers as if the page existed."""
        return self.status == 200

    def is_same(self, url: str, body: bytes) -> bool:
        """Whether the page of another URL has the same title and text, but for numbers and the words of both URLs.

        Such pages name the URL that was asked for, and some the time.
        """
        in_urls = {*_words(_path(url)), *_words(_path(self.url))}
        own, others = ([word for word in words if word not in in_urls] for words in (_page_words(body), self.words))
        return bool(own) and own == others


UNKNOWN = MissingPage()


def missing_page(url: str, reply: Reply) -> MissingPage:
    """What an answer for a made-up URL shows."""
    return MissingPage(url, reply.status, _page_words(reply.body or b""))


def _page_words(body: bytes) -> Sequence[str]:
    return _words(visible_text(body) or "")


def _words(text: str) -> Sequence[str]:
    return _WORD.findall(text.lower())


def _path(url: str) -> str:
    return unquote(urlsplit(url).path)
