"""Errors for the reader: one class for each stage, each with the exit code that the command line returns."""

import math
from dataclasses import dataclass


class WaypostError(Exception):
    """The base of all errors whose message is for the reader: what was wrong, where, and what to do.

    `retry_after` is after how many seconds the same run may succeed, if that is known. `what_to_do` is advice that the
    message does not give.
    """

    exit_code = 70
    what_to_do = "read the message"
    retry_after: int | None = None


class SourceError(WaypostError):
    """The site cannot be read, or has no page to list."""

    exit_code = 3
    what_to_do = "make the site readable, then ask again"


class BusyError(SourceError):
    """The source throttles requests or timed out; a later attempt may succeed."""

    what_to_do = "ask again later"


class RenderError(WaypostError):
    """A template failed, or its output breaks the protocol; no file was replaced."""

    exit_code = 4
    what_to_do = "correct the template, then rebuild"


class StoreError(WaypostError):
    """A file could not be read, written or removed."""

    exit_code = 5
    what_to_do = "make the file accessible, then ask again"


class ConflictError(StoreError):
    """Another writer was first; its file was not replaced."""


class UncertainError(StoreError):
    """A write had no answer: it may have taken effect, or may still take effect."""


class StateError(WaypostError):
    """The state is damaged, or of a version that this program does not know."""

    exit_code = 6
    what_to_do = "restore the file's older version to keep the dates of pages, or rebuild"


class TooLargeError(StateError):
    """There are more objects than one state can have: the bucket is to be divided."""


class RebuildNeededError(StateError):
    """A rebuild must begin or end before this run can do anything."""


class OutdatedSettingsError(StateError):
    """The state was built with settings that are newer than this run's settings; it must not replace them."""


class OtherRunError(StateError):
    """Another run builds or publishes now; after `seconds` it has ended, or counts as ended."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.retry_after = math.ceil(seconds)


class WrongSiteError(StateError):
    """The state belongs to another site."""

    what_to_do = "correct `state`, or the location of the site: each site needs a state of its own"


class NewerVersionError(StateError):
    """A stored file was written by a newer program, and only that may continue with it."""

    what_to_do = "install the release that wrote it, or a newer one"


class EventError(WaypostError):
    """A message is not an event that Waypost knows, or is damaged."""

    exit_code = 2


class AnnounceError(WaypostError):
    """The sitemaps could not be announced: a commit, a push or a subscriber failed."""

    exit_code = 7


class RaceLostError(AnnounceError):
    """Another push to the branch came first."""


class UnsignedError(AnnounceError):
    """The branch takes only commits that are signed."""


class TryLaterError(AnnounceError):
    """A subscriber could not be notified now; the same may succeed after so many seconds."""

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message)
        self.seconds = seconds


class PostponedError(TryLaterError):
    """A subscriber is to be notified only after so many seconds, of this and of what follows."""


class RemovalError(WaypostError):
    """Too many of the pages that the current sitemaps list would be removed; nothing was written."""

    exit_code = 8


class RemovedUrlsError(WaypostError):
    """A comparison found that more URLs were removed than its limit allows."""

    exit_code = 9


@dataclass(frozen=True, slots=True)
class ConfigIssue:
    """One issue in the settings: where it is, what is wrong, and what is allowed."""

    where: str
    key: str
    problem: str
    allowed: str = ""
    line: int | None = None

    def __str__(self) -> str:
        position = f"{self.where}:{self.line}" if self.line else self.where
        allowed = f" ({self.allowed})" if self.allowed else ""
        return f"{position}: {self.key}: {self.problem}{allowed}"


class ConfigurationError(WaypostError):
    """All issues in the settings, found in one pass."""

    exit_code = 2
    what_to_do = "correct the setting"

    def __init__(self, issues: tuple[ConfigIssue, ...]) -> None:
        self.issues = issues
        count = "1 issue" if len(issues) == 1 else f"{len(issues)} issues"
        super().__init__("\n  ".join([f"{count} in the settings:", *map(str, issues)]))
