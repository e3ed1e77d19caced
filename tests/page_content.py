"""What tests write into files: a text without the tags of a page becomes a page."""

from __future__ import annotations

from waypost.config.values import PAGE_TYPES
from waypost.rules.non_pages import has_document_tag

_NO_PAGES = ("{%", "{{", "{#", "<%", "---", "+++", "google-site-verification:")


def file_bytes(key: str, content: str | bytes) -> bytes:
    """The bytes of a file: a text in an HTML file gets a doctype, unless it is meant to be no page; bytes stay."""
    if isinstance(content, bytes):
        return content
    data = content.encode()
    if not key.lower().endswith(PAGE_TYPES["html"]) or content.lstrip().startswith(_NO_PAGES) or has_document_tag(data):
        return data
    return b"<!doctype html>" + data
