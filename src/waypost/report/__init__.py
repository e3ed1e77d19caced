"""One page of all checks."""

from waypost.report.coverage import with_heads
from waypost.report.html import render_report
from waypost.report.overview import (
    ROWS,
    LiveCounts,
    Overview,
    ReportedSitemap,
    ReportRow,
    listed_row,
    make_overview,
    overview_of_plan,
)
from waypost.report.problems import exclusion_problems, finding_problems, sentence, warning_problems
from waypost.report.verdict import AffectedPage, ReportProblem, with_problems

__all__ = [
    "ROWS",
    "AffectedPage",
    "LiveCounts",
    "Overview",
    "ReportProblem",
    "ReportRow",
    "ReportedSitemap",
    "exclusion_problems",
    "finding_problems",
    "listed_row",
    "make_overview",
    "overview_of_plan",
    "render_report",
    "sentence",
    "warning_problems",
    "with_heads",
    "with_problems",
]
