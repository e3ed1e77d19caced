"""What a server answered for one URL."""

from msgspec import Struct

MAX_REDIRECTS = 10
"""Google follows so many (Google, How HTTP status codes affect Google's crawlers)."""
IN_PAGE = "the page"
MISSING = (404, 410)
"""Answers by which a server says that there is no page."""
HTML_TYPES = ("text/html", "application/xhtml+xml")
"""The media types of pages."""


class Hop(Struct, frozen=True, array_like=True):
    """A redirect: its status, and the URL to which it leads."""

    status: int
    to: str


class Answer(Struct, frozen=True, omit_defaults=True):
    """The answer for a listed URL, after redirects (`hops`).

    `status` is 0 if there is none, and `why` says why. `head_status` is the error that HEAD had, if GET had none.
    `noindex`, `canonical` and `refresh` are the place that has them (`IN_PAGE`, or the name of a header) and the value.
    `modified` is Last-Modified in Unix seconds. `etag` and `last_modified` are headers as they were sent. `is_read`
    says that the page itself was looked at, `unread` why it could not be, and `damage` why not to its end.
    `alternates` are the hreflang and the normalized URL of each alternate that the page names. `disallowed_for` says
    whom robots.txt keeps from the URL, which was then not asked: `"Google"`, or `"Waypost only"`. `kept_out` are the
    search engines that robots.txt keeps from the URL. `unasked` says why the target of a redirect was not asked.
    `like_missing` is what this URL has in common with one that does not exist: the `"status"`, the whole `"page"`, or
    the `"redirect"`; `"empty"` is a page without any content.
    """

    status: int = 0
    why: str = ""
    hops: tuple[Hop, ...] = ()
    is_loop: bool = False
    head_status: int = 0
    content_type: str = ""
    noindex: tuple[str, str] | None = None
    canonical: tuple[str, str] | None = None
    modified: float | None = None
    etag: str = ""
    last_modified: str = ""
    is_read: bool = False
    damage: str = ""
    disallowed_for: str = ""
    refresh: tuple[str, str] | None = None
    kept_out: tuple[str, ...] = ()
    unasked: str = ""
    like_missing: str = ""
    unread: str = ""
    alternates: tuple[tuple[str, str], ...] = ()


OUT_OF_TIME = "the time was over (--max-minutes)"


class NotAskedError(Exception):
    """A URL must not be asked, or not in this run; the message is the reason, in words that fit many URLs."""


class NoAnswerError(NotAskedError):
    """A URL was not asked, since its host gives no answer at all, not even for robots.txt."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why


class OutOfTimeError(NotAskedError):
    """A URL cannot be asked before the end of this run."""

    def __init__(self) -> None:
        super().__init__(OUT_OF_TIME)
