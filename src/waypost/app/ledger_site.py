"""A site in a bucket with a ledger, which the commands and the function share."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote

from waypost.config.schema import Site
from waypost.rules import page_url
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
        folder = url_path if not url_path or url_path.endswith("/") else f"{url_path}/"
        stem = url_path.removesuffix("/")
        keys = [*(folder + name for name in self.site.index_files), f"{stem}.html", f"{stem}.htm", url_path]
        return next((key for key in keys if page_url.page_url(key, self.site) == path), url_path)
