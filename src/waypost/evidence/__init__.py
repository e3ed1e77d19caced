"""Finds the tracked files that a built page is made of, by evidence alone: texts, links, dates and paths."""

from waypost.evidence.page_evidence import gather_evidence
from waypost.evidence.page_sources import PageSources, find_sources
from waypost.evidence.page_text import PageText, read_page_text
from waypost.evidence.paths import last_two
from waypost.evidence.source_changes import SourceChanges
from waypost.evidence.source_text import may_have_text

__all__ = [
    "PageSources",
    "PageText",
    "SourceChanges",
    "find_sources",
    "gather_evidence",
    "last_two",
    "may_have_text",
    "read_page_text",
]
