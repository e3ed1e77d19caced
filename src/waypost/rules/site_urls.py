"""Finds the listed page that a URL names, in whatever form of the URLs at which servers answer it."""

from collections.abc import Mapping

from waypost.config.schema import Site
from waypost.core.urls import path_on_site
from waypost.rules.page_url import answering_file


class SiteUrls:
    """The URLs of a site's files; `locs` has the loc of each file by its key."""

    def __init__(self, locs: Mapping[str, str], site: Site) -> None:
        self._locs, self._site, self._keys = locs, site, {loc: key for key, loc in locs.items()}

    def key(self, url: str) -> str | None:
        """The file that a normalized URL names, or None."""
        if url in self._keys:
            return self._keys[url]
        return answering_file(url, self._locs, self._site)

    def loc(self, url: str) -> str:
        """The loc of the file that a normalized URL names, or the URL itself if it names none of these files."""
        return self.loc_or_none(url) or url

    def loc_or_none(self, url: str) -> str | None:
        """The loc of the file that a normalized URL names, or None if it names none of these files."""
        key = self.key(url)
        return None if key is None else self._locs[key]

    def is_on_site(self, url: str) -> bool:
        """Whether a normalized URL is on the site; `http` and `https`, and `www.` or not, are the same site."""
        return path_on_site(url, self._site.base_url) is not None
