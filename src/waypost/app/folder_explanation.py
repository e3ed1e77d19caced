"""Explains why a file of a folder is listed or not."""

from collections.abc import Sequence

from msgspec import UNSET

from waypost.app.formatting import count_noun
from waypost.build.lister import Listing
from waypost.core.model import Document, Page, printable
from waypost.core.warnings import WARNINGS
from waypost.sitemaps.formats.registry import crawled_kinds, format_of
from waypost.sync.inspect import NOT_FOUND
from waypost.sync.status_answers import Explanation, excluded, explain_skipped

_FOLDER = "folder"
_BACKSLASH = "; write / between folders"


def explain(listing: Listing, documents: Sequence[Document], key: str) -> Explanation:
    """Why a key is listed, and where, or which rule left it out."""
    page = next((page for page in listing.pages if page.key in (key, f"{key}/")), None)
    if page is not None:
        return _listed(listing, documents, page)
    path = printable(key)
    for skipped in listing.skipped:
        if skipped.key == path or (skipped.key.endswith("/") and f"{path}/".startswith(skipped.key)):
            return explain_skipped(path, skipped)
    prefix = "" if key == "." else f"{key}/"
    page_count = sum(page.key.startswith(prefix) for page in listing.pages)
    skipped_count = sum(skipped.key.startswith(printable(prefix)) for skipped in listing.skipped)
    if page_count or skipped_count:
        return excluded(path, _FOLDER, f"{count_noun(page_count, 'page')} in it listed, {skipped_count:,} left out")
    return excluded(path, NOT_FOUND, f"the site's folder has no such file{_BACKSLASH if chr(92) in key else ''}")


def _listed(listing: Listing, documents: Sequence[Document], page: Page) -> Explanation:
    sitemaps = [document for document in documents if document.kind in crawled_kinds()]
    return Explanation(
        printable(page.key),
        listed=True,
        loc=page.loc,
        lastmod=page.lastmod,
        no_date_reason="" if page.lastmod else _no_date_reason(listing, page),
        sitemap=next((each.name for each in sitemaps if _lists(each, page.loc)), None),
        url_decided_by=listing.url_decisions.get(page.key, UNSET),
        dating=listing.datings.get(page.key, UNSET),
    )


def _lists(document: Document, loc: str) -> bool:
    file_format = format_of(document.name)
    entries = file_format.entries(document.name, document.body) if file_format else None
    return any(entry.loc == loc for entry in entries or ())


def _no_date_reason(listing: Listing, page: Page) -> str:
    """Why a page has no date, or an empty string if that is not known."""
    no_repository = next((warning.message for warning in listing.warnings if warning.code == "no-repository"), "")
    code = listing.no_date_reason.get(page.key, "")
    return WARNINGS[code].message if code in WARNINGS else no_repository
