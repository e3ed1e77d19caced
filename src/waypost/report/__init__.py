"""Renders a report about a site as one HTML page."""

from waypost.report.coverage import with_heads
from waypost.report.html import render_report
from waypost.report.overview import (
    ROWS,
    Overview,
    ReportedSitemap,
    ReportRow,
    listed_row,
    make_overview,
    overview_of_plan,
)
from waypost.report.problems import exclusion_problems, finding_problems, warning_problems
from waypost.report.verdict import AffectedPage, Problem

__all__ = [
    "ROWS",
    "AffectedPage",
    "Overview",
    "Problem",
    "ReportRow",
    "ReportedSitemap",
    "exclusion_problems",
    "finding_problems",
    "listed_row",
    "make_overview",
    "overview_of_plan",
    "render_report",
    "warning_problems",
    "with_heads",
]
