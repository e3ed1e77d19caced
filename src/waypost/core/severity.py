"""How serious a finding, a problem or a warning is."""

from enum import StrEnum


class Severity(StrEnum):
    """How serious a finding is: search engines reject what an error is about, and ignore or distrust a warning's."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
