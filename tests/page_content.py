"""What tests write into files, where a text without the tags of a page becomes a page, and what they compare."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from waypost.pages.non_pages import has_document_tag
from waypost.settings.values import PAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_PAGES = ("{%", "{{", "{#", "<%", "---", "+++", "google-site-verification:")
_DATES = re.compile(rb"<lastmod>[^<]*</lastmod>|<time[^>]*>[^<]*</time>")


def file_bytes(key: str, content: str | bytes) -> bytes:
    """The bytes of a file: a text in an HTML file gets a doctype, unless it is meant to be no page; bytes stay."""
    if isinstance(content, bytes):
        return content
    data = content.encode()
    if not key.lower().endswith(PAGE_TYPES["html"]) or content.lstrip().startswith(_NO_PAGES) or has_document_tag(data):
        return data
    return b"<!doctype html>" + data


def undated(bodies: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files without the dates in them."""
    return {name: _DATES.sub(b"", body) for name, body in bodies.items()}
