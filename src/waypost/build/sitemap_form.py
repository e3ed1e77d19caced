"""Reads the form of URLs in the sitemaps that lie in a folder: the generator's own, or those of earlier runs."""

from collections.abc import Collection, Iterator

from waypost.build.present_sitemaps import USUAL_NAMES
from waypost.config.schema import Site
from waypost.core.gzip import decompress_start
from waypost.core.model import Item, LinkedShapes
from waypost.rules.sitemap_form import locs_in, shapes_of_locs
from waypost.sitemaps.formats.base import is_marked
from waypost.sources.base import Source

_BYTES, _MOST_FILES = 1_048_576, 5
"""The form of the first thousands of URLs is the form of all."""


def sitemap_form(source: Source, keys: Collection[str], site: Site, of_links: LinkedShapes) -> LinkedShapes:
    """The shapes that the generator's sitemaps use; without one, those of our own that the links do not decide.

    The first run replaces the generator's sitemap, and the second should give the same URLs.
    """
    bodies = list(_bodies(source, site))
    others = [body for body in bodies if not is_marked(body)]
    found = shapes_of_locs((loc for body in others or bodies for loc in locs_in(body)), keys, site)
    if others:
        return found
    return LinkedShapes(
        None if of_links.home else found.home,
        None if of_links.folder else found.folder,
        None if of_links.page else found.page,
    )


def _bodies(source: Source, site: Site) -> Iterator[bytes]:
    """The beginnings of the sitemaps at the usual names, and of some that indexes among them list."""
    names, seen = list(USUAL_NAMES), set[str]()
    while names and len(seen) < len(USUAL_NAMES) + _MOST_FILES:
        name = names.pop(0)
        if name not in seen and (body := _read(source, name)):
            yield body
            names += [loc.removeprefix(site.base_url) for loc in locs_in(body) if _is_sitemap(loc, site)]
        seen.add(name)


def _is_sitemap(loc: str, site: Site) -> bool:
    return loc.startswith(site.base_url) and loc.endswith((".xml", ".xml.gz"))


def _read(source: Source, name: str) -> bytes:
    try:
        return decompress_start(source.read(Item(name, name), _BYTES).data)[:_BYTES]
    except OSError:
        return b""
