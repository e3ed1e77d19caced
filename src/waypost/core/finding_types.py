"""The table of all that Waypost finds: what each finding says, why it matters, and what to do about it.

The rows are in `findings/*.toml`, one file for each command that finds them. A file is read when its first row is
needed: it takes some 10 ms, and most runs find nothing.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path

import msgspec
from msgspec import Struct

from waypost.core.model import Example, SiteWarning

_FOLDER = Path(__file__).with_name("findings")
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


class FindingTable(Mapping[str, FindingType]):
    """The rows of one file by their codes, in the order in which the documentation lists them."""

    def __init__(self, name: str) -> None:
        self._path = _FOLDER / f"{name}.toml"

    @cached_property
    def _rows(self) -> Mapping[str, FindingType]:
        rows = tomllib.loads(self._path.read_text(encoding="utf-8"))
        return {code: msgspec.convert({"code": code, **row}, FindingType) for code, row in rows.items()}

    def __getitem__(self, code: str) -> FindingType:
        return self._rows[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


WARNINGS = FindingTable("build")
"""What a build warns of."""
LEFT_OUT = FindingTable("left_out")
"""Of some reasons to leave a file out, what a report says: the file was probably meant to be listed."""
SITEMAP_RULES, AUDIT_RULES, LIVE_RULES = map(FindingTable, ("sitemaps", "audit", "live"))
"""What `waypost validate`, `waypost audit` and `waypost check-live` find."""
SCHEMA = "sitemaps.org 0.9, schema"
"""The source of the rules that only a validating XML parser would enforce."""


def site_warning(code: str, examples: Sequence[Example]) -> SiteWarning:
    """The warning with this code about these cases, of which the first are shown."""
    return SiteWarning(code, WARNINGS[code].meaning, len(examples), tuple(examples[:_MOST_EXAMPLES]))
