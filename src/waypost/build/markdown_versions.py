"""Finds the versions of pages in Markdown that lie beside them in the site (llmstxt.org, "Proposal")."""

from collections.abc import Iterable, Iterator, Set

from msgspec.structs import replace

from waypost.build.page_choice import IsDisallowed
from waypost.core.model import Page
from waypost.core.urls import encode_path
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

ENDING = ".md"


def with_markdown_versions(
    pages: Iterable[Page], keys: Set[str], site: Site, is_disallowed: IsDisallowed | None
) -> list[Page]:
    """The pages, each with the URL of its version in Markdown if that is one of these keys and may be fetched.

    A file counts before what the page itself names. Where Markdown files are pages, they are what pages are made from,
    and not published themselves.
    """
    if not site.pages.isdisjoint(PAGE_TYPES["markdown"]):
        return list(pages)

    def version(page: Page) -> str:
        urls = (site.base_url + encode_path(key) for key in _names(page.key) if key in keys)
        return next((url for url in urls if not (is_disallowed and is_disallowed(url))), "")

    return [replace(page, markdown=found) if (found := version(page)) else page for page in pages]


def _names(key: str) -> Iterator[str]:
    """The keys that the version of a page may have: `page.html.md` or `page.md`."""
    yield key + ENDING
    name, dot, ending = key.rpartition(".")
    if dot and "/" not in ending:
        yield name + ENDING
