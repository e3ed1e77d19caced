"""When a page changed: commits, significance, sources of built pages, content."""

from waypost.dates.page_evidence import PageText, gather_evidence, read_page_text
from waypost.dates.page_sources import PageSources, find_sources
from waypost.dates.paths import last_two
from waypost.dates.source_changes import SourceChanges
from waypost.dates.source_text import may_have_text

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
