"""Submissions as the cells of a table, which the command line, the job summary and the report show alike."""

from collections.abc import Sequence

from waypost.notify.submission import SitemapStatus, Submission

COLUMNS = ("engine", "sitemap", "state", "last read", "errors", "warnings", "URLs")
_UNKNOWN = "-"
_STATES = {True: "pending", False: "processed", None: "known"}
"""The states by whether the sitemap is pending."""


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
