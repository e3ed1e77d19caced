"""A site in a bucket with a ledger, which the commands and the function share."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from waypost.app.bucket_website import website_warnings
from waypost.app.locations import Locations, parse_location
from waypost.config.schema import Site
from waypost.core.model import Example, SiteWarning
from waypost.core.page_identity import page_identity, path_identity
from waypost.core.places import is_web
from waypost.ledger.adoption import adopt
from waypost.rules import page_url
from waypost.rules.url_shapes import stem_of
from waypost.sitemaps.render import Renderer
from waypost.stores import Store
from waypost.sync.site_warnings import warnings_of
from waypost.sync.updater import Updater


@dataclass(frozen=True)
class LedgerSite:
    """A site with its ledger; `site_uri` is the location of its root.

    `dry_run_updater` makes an updater that writes nothing. `locations` opens other ledgers.
    """

    site: Site
    site_uri: str
    updater: Updater
    dry_run_updater: Callable[[], Updater]
    state: Store
    renderer: Renderer
    locations: Locations = field(default_factory=Locations)

    def website_warnings(self) -> Sequence[SiteWarning]:
        """The warning of settings that the bucket's website configuration contradicts."""
        return website_warnings(self.site, parse_location(self.site_uri), self.locations)

    def adopt(self, updater: Updater, uri: str, where: str, name: str) -> tuple[SiteWarning, ...]:
        """Have this updater's next rebuild continue with the dates of the ledger at `uri`.

        Returns the warning about the files that are published at another location. Raises ConfigurationError about the
        argument `name` if `uri` is no location, and as `adoption.adopt`.
        """
        adopted = adopt(updater.ledger, self.locations.store(parse_location(uri, where, name)))
        left = adopted.files if adopted.site_uri != self.site_uri else ()
        return warnings_of({"adopted": [Example(adopted.site_uri + file) for file in left]} if left else {})

    def key(self, path: str) -> str:
        """The site's key of an object's URI, of a page's URL, or of a key below the prefix."""
        if not path.startswith(self.site.base_url):
            return path.removeprefix(self.site_uri)
        url_path = unquote(path.removeprefix(self.site.base_url))
        keys = sorted(page_url.keys_at(stem_of(url_path), self.site))
        found = [key for key in keys if page_url.page_url(key, self.site) == path]
        usual = [key for key in found if key.endswith(".html")]
        return min(usual or found, key=lambda key: page_url.duplicate_rank(key, self.site), default=url_path)

    def existing_key(self, path: str) -> str:
        """The key of the object that exists among those that a path or a URL may mean, in whatever form it is written.

        If none exists, the result is `key`'s. Raises SourceError.
        """
        key = self.key(path)
        if self._first_existing([key]):
            return key
        return self._first_existing(list(self._possible_keys(path))) or key

    def _first_existing(self, keys: Sequence[str]) -> str | None:
        etags = self.updater.source.etags(keys)
        return next((key for key in keys if etags[key] is not None), None)

    def _possible_keys(self, path: str) -> Iterator[str]:
        """The keys, of files that servers answer a path or a URL with, in the order in which they are tried."""
        below = path.removeprefix(self.site_uri)
        if is_web(path):
            if not page_identity(path).startswith(page_identity(self.site.base_url)):
                return
            plain = path.partition("#")[0].partition("?")[0]
            below = "/".join(plain.split("/")[self.site.base_url.count("/") :])
        for spelling in dict.fromkeys((below.strip("/"), unquote(below).strip("/"))):
            stem = path_identity(spelling)
            keys = [spelling, f"{stem}.html", f"{stem}.htm", *(f"{stem}/{name}" for name in self.site.index_files)]
            yield from (key.strip("/") for key in keys if key not in (".html", ".htm", ""))
