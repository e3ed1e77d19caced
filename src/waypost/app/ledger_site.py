"""A site in a bucket with a ledger, which the commands and the function share."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from waypost.config.schema import Site
from waypost.rules import page_url
from waypost.rules.url_shapes import stem_of
from waypost.sitemaps.render import Renderer
from waypost.stores.base import Store
from waypost.sync.updater import Updater


@dataclass(frozen=True)
class LedgerSite:
    """A site with its ledger; `site_uri` is the location of its root.

    `dry_run_updater` makes an updater that writes nothing.
    """

    site: Site
    site_uri: str
    updater: Updater
    dry_run_updater: Callable[[], Updater]
    state: Store
    renderer: Renderer

    def key(self, path: str) -> str:
        """The site's key of an object's URI, of a page's URL, or of a key below the prefix."""
        if not path.startswith(self.site.base_url):
            return path.removeprefix(self.site_uri)
        url_path = unquote(path.removeprefix(self.site.base_url))
        keys = page_url.keys_at(stem_of(url_path), self.site)
        return next((key for key in keys if page_url.page_url(key, self.site) == path), url_path)
