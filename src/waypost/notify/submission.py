"""What becomes of a sitemap that is submitted to a search engine, and the interface of the engines that take one.

The command line, the job summary and the report show submissions as the cells of one table.
"""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

COLUMNS = ("engine", "sitemap", "state", "last read", "errors", "warnings", "URLs")
_UNKNOWN = "-"
_STATES = {True: "pending", False: "processed", None: "known"}
"""The states by whether the sitemap is pending."""


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


def cells(submission: Submission) -> Sequence[str]:
    """The text of each column."""
    status = submission.status or SitemapStatus()
    return (
        submission.engine,
        submission.sitemap,
        _state(submission),
        _time(submission),
        _number(status.error_count),
        _number(status.warning_count),
        _urls(status),
    )


def _state(submission: Submission) -> str:
    """In which state the sitemap is; the engine's own word for it comes first."""
    status = submission.status
    if submission.problem:
        return "not read back" if submission.is_submitted else "failed"
    if status is None:
        return "submitted"
    return status.state or _STATES[status.is_pending]


def _time(submission: Submission) -> str:
    """When the engine has last read the sitemap."""
    if submission.status is None:
        return _UNKNOWN
    read = submission.status.last_downloaded
    return f"{read[:16].replace('T', ' ')} UTC" if read and "T" in read else read or "never"


def _number(count: int | None) -> str:
    return _UNKNOWN if count is None else f"{count:,}"


def _urls(status: SitemapStatus) -> str:
    """How many URLs the sitemap submits, by type if the engine tells them apart."""
    if status.contents:
        return ", ".join(f"{each.url_count:,} {each.type}".rstrip() for each in status.contents)
    return _number(status.url_count)
