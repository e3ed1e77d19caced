"""What becomes of a sitemap that is submitted to a search engine, and the interface of the engines that take one."""

from typing import Protocol

from msgspec import Struct


class SubmittedContent(Struct, frozen=True):
    """How many URLs of a type, such as `web` or `image`, a sitemap submits."""

    type: str
    url_count: int


class SitemapStatus(Struct, frozen=True):
    """What a search engine knows of a sitemap; None where it does not say.

    `state` is the engine's own word, if it has one. `has_errors` if the engine reports errors in the sitemap.
    """

    last_submitted: str | None = None
    last_downloaded: str | None = None
    is_pending: bool | None = None
    state: str = ""
    has_errors: bool = False
    error_count: int | None = None
    warning_count: int | None = None
    url_count: int | None = None
    contents: tuple[SubmittedContent, ...] = ()


class Submission(Struct, frozen=True):
    """What became of one sitemap at one search engine.

    `site` is what the engine calls the site. `status` is None if the engine does not know the sitemap, or if there is a
    `problem`: then the request failed, for this reason.
    """

    engine: str
    site: str
    sitemap: str
    is_submitted: bool
    status: SitemapStatus | None = None
    problem: str = ""


class SitemapEngine(Protocol):
    """A search engine to which sitemaps are submitted; `takes_domains` if its sites may be `sc-domain:example.org`."""

    name: str
    takes_domains: bool

    def submit(self, site: str, sitemap: str) -> None:
        """Submit a sitemap; raises TryLaterError if the same may succeed in a moment, else AnnounceError."""

    def status(self, site: str, sitemap: str) -> SitemapStatus | None:
        """What the engine knows of a sitemap, or None if it does not know it; raises the same errors."""
