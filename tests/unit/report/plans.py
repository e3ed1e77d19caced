"""Plans and overviews of small sites, for tests of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unit.sample_sites import site

from waypost.core.model import Changes, Page, Plan, Skipped
from waypost.report import Overview, ReportProblem, overview_of_plan
from waypost.settings.schema import Site

NOW = "2026-11-21T12:00:00Z"
BASE = "https://example.org/"


def plan(pages: Sequence[Page] = (), skipped: Sequence[Skipped] = (), **values: Any) -> Plan:
    given: dict[str, Any] = {"warnings": (), "documents": (), "written": (), "unchanged": (), "removed": ()}
    return Plan(pages=pages, skipped=skipped, **{**given, "changes": Changes(), **values})


def overview(
    pages: Sequence[Page] = (),
    skipped: Sequence[Skipped] = (),
    problems: Sequence[ReportProblem] = (),
    settings: Site | None = None,
    **values: Any,
) -> Overview:
    return overview_of_plan(plan(pages, skipped, **values), settings or site(), NOW, problems)
