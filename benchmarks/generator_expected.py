"""Reads which differences between Waypost and a generator's own sitemap are right."""

import tomllib

from measure import ROOT
from msgspec import Struct, convert

_EXPECTED = ROOT / "tests" / "fixtures" / "generators" / "expected.toml"


class ExpectedDifference(Struct, frozen=True, forbid_unknown_fields=True):
    """URLs that only Waypost lists (`kind` is extra) or only the generator (`wrong`: they are no indexable pages)."""

    kind: str
    why: str
    urls: list[str]


def expected_differences() -> dict[str, list[ExpectedDifference]]:
    """The differences that are right, by the name of the site."""
    table = tomllib.loads(_EXPECTED.read_text(encoding="utf-8"))
    return convert(table, dict[str, list[ExpectedDifference]])
