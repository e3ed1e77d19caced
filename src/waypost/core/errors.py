"""What can go wrong, a class a stage, each with the exit code that the command line returns."""

from dataclasses import dataclass


class WaypostError(Exception):
    """Base of every error that is meant for the reader: what was wrong, where, and what to do."""

    exit_code = 70


class SourceError(WaypostError):
    """The site could not be read, or holds nothing to list."""

    exit_code = 3


class BusyError(SourceError):
    """The source was too busy to answer, or did not in time: later it may."""


class RenderError(WaypostError):
    """A template failed, or what it rendered breaks the protocol; nothing was replaced."""

    exit_code = 4


class StoreError(WaypostError):
    """An output could not be read, written or removed."""

    exit_code = 5


class ConflictError(StoreError):
    """Another writer was first; what it wrote stands."""


class LedgerError(WaypostError):
    """The state kept between runs is damaged, or of a version this program does not know."""

    exit_code = 6


class SettingsChangedError(LedgerError):
    """The ledger is not of these settings, or not there yet: it must be built anew first."""


class WrongSiteError(LedgerError):
    """The ledger is that of another site."""


class NewerVersionError(LedgerError):
    """A stored file was written by a newer program, and only that may continue with it."""


class UnreleasedFormatError(LedgerError):
    """A stored file was written by a development version before the first release, and cannot be read."""


class EventError(WaypostError):
    """A message is no event that Waypost knows, or is damaged."""

    exit_code = 2


class AnnounceError(WaypostError):
    """What was rendered could not be committed or pushed."""

    exit_code = 7


@dataclass(frozen=True, slots=True)
class ConfigIssue:
    """One thing wrong in the settings: where it stands, what is wrong, and what is allowed."""

    where: str
    key: str
    problem: str
    allowed: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.where}:{self.line}" if self.line else self.where
        allowed = f" ({self.allowed})" if self.allowed else ""
        return f"{place}: {self.key}: {self.problem}{allowed}"


class ConfigurationError(WaypostError):
    """Every issue in the settings, found in one pass."""

    exit_code = 2

    def __init__(self, issues: tuple[ConfigIssue, ...]) -> None:
        self.issues = issues
        count = "1 issue" if len(issues) == 1 else f"{len(issues)} issues"
        super().__init__("\n  ".join([f"{count} in the settings:", *map(str, issues)]))


class SegmentTooLargeError(ConfigurationError):
    """More objects lie side by side, without a page that is listed, than one worker can hold."""
