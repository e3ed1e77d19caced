"""Finds the file that a user means by a path or a URL, in whatever form it is written."""

from collections.abc import Iterator
from urllib.parse import unquote

from waypost.build.lister import Listing
from waypost.core.urls import page_identity, path_identity
from waypost.settings.schema import Site


class KeyFinder:
    """Finds keys among the files of a listing, which may be listed or left out."""

    def __init__(self, listing: Listing, site: Site) -> None:
        self._site = site
        self._keys = {*(page.key for page in listing.pages), *(skipped.key for skipped in listing.skipped)}
        self._keys_by_source = listing.keys_by_source
        self._by_loc = {page.loc: page.key for page in listing.pages}
        self._by_path = {path_identity(key): key for key in sorted(self._keys, reverse=True)}
        self._by_path |= {page_identity(page.loc): page.key for page in reversed(listing.pages)}

    def by_url(self, url: str) -> str | None:
        """The key of the page at a URL, or of the file that would be; None if the site has no such file."""
        if url in self._by_loc:
            return self._by_loc[url]
        plain = url.partition("#")[0].partition("?")[0]
        identity, base = page_identity(plain), page_identity(self._site.base_url)
        if identity in self._by_path:
            return self._by_path[identity]
        if not identity.startswith(f"{base}/"):
            return None
        folders = self._site.base_url.count("/")
        return self.by_path("/".join(plain.split("/")[folders:]))

    def by_path(self, path: str) -> str | None:
        """The key of a path below the site's root, or of the page that is made of it; None if there is no such file."""
        for candidate in self._spellings(path):
            if self._is_known(candidate):
                return candidate
            if candidate in self._keys_by_source:
                return self._keys_by_source[candidate]
        identity = path_identity(path)
        loc = f"{page_identity(self._site.base_url)}/{identity}".rstrip("/")
        return self._by_path.get(loc) or self._by_path.get(identity)

    def _spellings(self, path: str) -> Iterator[str]:
        yield path
        yield path.strip("/")
        yield unquote(path).strip("/")

    def _is_known(self, key: str) -> bool:
        """Whether there is such a file or folder, or a folder above it is left out."""
        if not key:
            return False
        folders = (key[: n + 1] for n, character in enumerate(key) if character == "/")
        return key in self._keys or not self._keys.isdisjoint(folders) or self._is_folder(key)

    def _is_folder(self, key: str) -> bool:
        prefix = key.rstrip("/") + "/"
        return any(each.startswith(prefix) for each in self._keys)
