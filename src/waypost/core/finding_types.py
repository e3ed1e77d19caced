"""The table of all that Waypost finds: what each finding says, why it matters, and what to do about it.

The rows are in `findings/*.toml`, one file for each command that finds them.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from waypost.core.model import Example, SiteWarning
from waypost.core.tables import Table

_MOST_EXAMPLES = 3


class Severity(StrEnum):
    """How serious a finding is: search engines reject what an error is about, and ignore or distrust a warning's."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class FindingType(Struct, frozen=True):
    """A row of the table.

    `meaning` says what is wrong, and `title` is a heading of all such findings. `meaning` and `advice` may be format
    strings for what was found. `why` or `source` is why it matters, and `example` is input that has it.
    """

    code: str
    severity: Severity
    title: str = ""
    meaning: str = ""
    why: str = ""
    advice: str = ""
    source: str = ""
    example: str = ""


def _table(name: str) -> Table[FindingType]:
    return Table(Path(__file__).parent / "findings" / f"{name}.toml", FindingType, "code")


WARNINGS = _table("build")
"""What a build warns of."""
LEFT_OUT = _table("left_out")
"""Of some reasons to leave a file out, what a report says: the file was probably meant to be listed."""
SITEMAP_RULES, AUDIT_RULES, LIVE_RULES = map(_table, ("sitemaps", "audit", "live"))
"""What `waypost validate`, `waypost audit` and `waypost check-live` find."""
SCHEMA = "sitemaps.org 0.9, schema"
"""The source of the rules that only a validating XML parser would enforce."""


def site_warning(code: str, examples: Sequence[Example]) -> SiteWarning:
    """The warning with this code about these cases, of which the first are shown."""
    return SiteWarning(code, WARNINGS[code].meaning, len(examples), tuple(examples[:_MOST_EXAMPLES]))


def stated_warning(code: str, count: int = 1, **facts: str) -> SiteWarning:
    """The warning with this code, whose sentence has these facts in their places."""
    return SiteWarning(code, filled(WARNINGS[code].meaning, facts), count, facts=facts)


def filled(text: str, facts: Mapping[str, str]) -> str:
    """A text of a row with the facts in their places; one without facts has no places, and may have braces."""
    return text.format_map(facts) if facts else text
