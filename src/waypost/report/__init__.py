"""One page of all checks."""

from waypost.report.html import render_report
from waypost.report.overview import LiveCounts, Overview, overview_of_plan, with_heads
from waypost.report.verdict import AffectedPage, ReportProblem, with_problems

__all__ = [
    "AffectedPage",
    "LiveCounts",
    "Overview",
    "ReportProblem",
    "overview_of_plan",
    "render_report",
    "with_heads",
    "with_problems",
]
