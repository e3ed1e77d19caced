"""The base URLs that the files of a built site name: its pages, its sitemaps and robots.txt."""

import re
from itertools import islice
from urllib.parse import urlsplit

from waypost.config.output_names import MARK
from waypost.config.schema import Site
from waypost.core.errors import SourceError
from waypost.core.gzip import decompress_start
from waypost.core.hashing import sample_by_hash
from waypost.core.model import Item
from waypost.rules.base_url_evidence import agreed, base_at, base_of_file, own_base
from waypost.rules.html_head import Head, read_head
from waypost.rules.link_votes import is_html
from waypost.rules.robots import named_sitemaps
from waypost.rules.selection import Selection
from waypost.rules.sitemap_form import locs_in
from waypost.rules.url_shapes import stem_of
from waypost.sources.base import Source

_MOST_ITEMS = 5_000
"""So many names of a folder are looked at, in order."""
_MOST_PAGES = 20
_PAGE_BYTES, _MIN_NAMING = 65_536, 0.25
_SITEMAP_BYTES, _MOST_LOCS, _MOST_SITEMAPS = 65_536, 200, 5
_SITEMAP = re.compile(r"sitemap[^/]*\.xml(\.gz)?\Z", re.IGNORECASE)
_UNKNOWN = Site(base_url="https://site.invalid/")


class BuiltFiles:
    """The files of a built site that may name its base URL; no more than a few dozen are read."""

    def __init__(self, source: Source) -> None:
        self._source = source
        found = source.items(Selection(_UNKNOWN).folder_exclusion_reason)
        items = [each for each in islice(found, _MOST_ITEMS) if isinstance(each, Item)]
        self._keys = {item.key: item for item in items}
        self._stems = {stem_of(key) for key in self._keys if is_html(key)}

    def of_pages(self) -> tuple[str, int, str] | None:
        """The base URL that canonical links name, or og:url of pages without one, of how many pages, and one's key."""
        bases: dict[str, str] = {}
        sample = sample_by_hash(filter(is_html, self._keys), _MOST_PAGES, str)
        for key in sample:
            head = self._head(key)
            if head and (base := own_base(head, key)):
                bases[key] = base
        # A few pages may name where they were published first.
        base = agreed(bases.values()) if len(bases) > _MIN_NAMING * len(sample) else None
        return (base, len(bases), min(key for key in bases if bases[key] == base)) if base else None

    def of_sitemaps(self, *, own: bool = False) -> tuple[str, str] | None:
        """The base URL that the locs of a sitemap name which lies in the site, and that sitemap's key.

        The sitemaps are those of other tools, or with `own` those that Waypost has written.
        """
        for key in islice(sorted(filter(_SITEMAP.search, self._keys), key=_by_depth), _MOST_SITEMAPS):
            body = decompress_start(self._read(key, _SITEMAP_BYTES))
            locs = islice(locs_in(body) if (MARK.encode() in body) == own else (), _MOST_LOCS)
            if base := agreed(base for loc in locs if (base := self._base_of_loc(loc))):
                return base, key
        return None

    def of_robots_txt(self) -> str | None:
        """The base URL that the `Sitemap:` lines of robots.txt name: of a sitemap in the site, or else its folder."""
        try:
            text = self._source.find("robots.txt") or b""
        except (OSError, SourceError):
            return None
        urls = islice(named_sitemaps(text), _MOST_LOCS)
        return agreed(base for url in urls if (base := self._base_of_sitemap(url)))

    def _head(self, key: str) -> Head | None:
        return read_head(self._read(key, _PAGE_BYTES), is_whole=True)

    def _read(self, key: str, size: int) -> bytes:
        try:
            return self._source.read(self._keys[key], size).data
        except OSError:
            return b""

    def _base_of_loc(self, loc: str) -> str | None:
        """The shortest base URL of which the loc names a file of the site."""
        return base_of_file(loc, lambda rest: stem_of(rest) in self._stems or rest in self._keys)

    def _base_of_sitemap(self, url: str) -> str | None:
        try:
            folder = urlsplit(url).path.rpartition("/")[0].strip("/")
        except ValueError:  # such as a bracket in the host
            return None
        return base_of_file(url, lambda rest: rest in self._keys) or base_at(url, folder)


def _by_depth(key: str) -> tuple[int, str]:
    return key.count("/"), key
