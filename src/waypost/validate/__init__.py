"""Any sitemap against the protocol."""

from waypost.validate import sitemap_content
from waypost.validate.file_validator import FileResult, SitemapFile, SitemapInMemory, is_priority
from waypost.validate.findings import Finding, FindingReport
from waypost.validate.metadata_changes import FieldChange, ListedUrls, field_changes
from waypost.validate.own_outputs import check_document
from waypost.validate.reading import MOST_ENTRIES, ReadingStoppedError
from waypost.validate.sitemap_entry import SITEMAP_NAMESPACE, Content, Element, SitemapEntry
from waypost.validate.url_checks import scope_of
from waypost.validate.validator import Validator
from waypost.validate.xml_parser import MAX_TEXT, XmlParser, split_name

__all__ = [
    "MAX_TEXT",
    "MOST_ENTRIES",
    "SITEMAP_NAMESPACE",
    "Content",
    "Element",
    "FieldChange",
    "FileResult",
    "Finding",
    "FindingReport",
    "ListedUrls",
    "ReadingStoppedError",
    "SitemapEntry",
    "SitemapFile",
    "SitemapInMemory",
    "Validator",
    "XmlParser",
    "check_document",
    "field_changes",
    "is_priority",
    "scope_of",
    "sitemap_content",
    "split_name",
]
