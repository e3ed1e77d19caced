"""Finds the form of a site's URLs from the sitemaps that lie in it: the generator's own, or those of earlier runs."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator
from itertools import islice
from urllib.parse import unquote

from msgspec.structs import replace

from waypost.core.model import OPEN_SHAPES, LinkedShapes, UrlShape
from waypost.core.urls import normalize, path_on_site
from waypost.pages.link_votes import remembered_target
from waypost.pages.url_shapes import PageKind
from waypost.settings.schema import Site

_MOST_LOCS, _MIN_SHARE = 5_000, 0.8
_LOC = re.compile(rb"<loc>\s*([^<\s]{1,2048})\s*</loc>", re.IGNORECASE)


def locs_in(data: bytes) -> Iterator[str]:
    """The locs in the first bytes of a sitemap or of an index, uncompressed."""
    return (found[1].decode("utf-8", "replace").replace("&amp;", "&") for found in _LOC.finditer(data))


def shapes_of_locs(locs: Iterable[str], keys: Container[str], site: Site) -> LinkedShapes:
    """The shape that nearly all of these URLs have, of each kind of file that they name."""
    target = remembered_target(keys, site)
    counts: dict[PageKind, Counter[UrlShape]] = defaultdict(Counter)
    for loc in islice(locs, _MOST_LOCS):
        url = normalize(loc, site.base_url)
        found = path_on_site(url, site.base_url) if url else None
        # The home page is at the root: some generators write its file's name, as they do in relative links.
        if found and not found.query and (named := target(unquote(found.path))) and named[1:] != ("home", "file"):
            counts[named.kind][named.shape] += 1
    return replace(OPEN_SHAPES, **{kind: shape for kind, of in counts.items() if (shape := _majority(of))})


def _majority(counts: Counter[UrlShape]) -> UrlShape | None:
    shape, count = counts.most_common(1)[0]
    return shape if count >= _MIN_SHARE * counts.total() else None
