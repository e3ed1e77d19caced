"""Files that list what is published under their names as well, while entries move from one file to another.

An entry may be published in one file and belong into another, which is written later. Until then it must stay where it
is published.
"""

from functools import partial
from typing import NamedTuple

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core.model import IndexChild, Page
from waypost.core.sitemap_rows import SitemapRows
from waypost.sitemaps.formats.base import CrawledFormat, OutputContext
from waypost.sitemaps.formats.registry import format_of
from waypost.sitemaps.render import Renderer
from waypost.validate import sitemap_content
from waypost.validate.sitemap_entry import SitemapEntry


class Replacement(NamedTuple):
    """How a published file is replaced by another one.

    `is_last` if the file is written after all others, because entries go. `combined` is what is written before that, if
    there are new entries as well.
    """

    is_last: bool = False
    combined: bytes | None = None


AT_ONCE = Replacement()


def replacement(name: str, target: bytes, published: bytes, site: Site, renderer: Renderer) -> Replacement:
    """How the published file is replaced by the `target`, both uncompressed.

    A combined file has no metadata but dates. Until it is replaced, it may have more entries than a limit allows.
    """
    (kind, wanted), (published_kind, present) = (
        sitemap_content.read_entries(name, body) for body in (target, published)
    )
    if kind != published_kind:
        return Replacement(is_last=kind == "sitemapindex")
    locs, present_locs = {each.loc for each in wanted}, {each.loc for each in present}
    if present_locs <= locs:
        return AT_ONCE
    if locs <= present_locs:
        return Replacement(is_last=True)
    going = [each for each in present if each.loc not in locs]
    combine = _index if kind == "sitemapindex" else partial(_sitemap, name)
    return Replacement(is_last=True, combined=combine(wanted + going, site, renderer))


def _index(entries: list[SitemapEntry], site: Site, renderer: Renderer) -> bytes:
    children = [IndexChild(entry.loc or "", entry.lastmod) for entry in entries]
    stylesheet = output_names.output_names(site).stylesheet
    return output_names.with_mark(renderer.index(children, output_names.MARK, stylesheet))


def _sitemap(name: str, entries: list[SitemapEntry], site: Site, renderer: Renderer) -> bytes | None:
    """A sitemap of these entries; None in a format that no crawler reads."""
    file_format = format_of(name)
    if not isinstance(file_format, CrawledFormat):
        return None
    pages = [Page(entry.loc or "", entry.loc or "", lastmod=entry.lastmod) for entry in entries]
    context = OutputContext(site, output_names.output_names(site), renderer)
    return file_format.render(SitemapRows(pages, are_plain=True), context)
