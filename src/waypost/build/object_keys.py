"""Finds the key of the object that a person means by a path, a URI or a URL."""

from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from waypost.build.bucket_site import BucketSite
from waypost.core.places import is_web
from waypost.core.urls import page_identity, path_identity
from waypost.pages import page_url
from waypost.pages.url_shapes import stem_of
from waypost.settings.schema import Site


def object_key(path: str, site: Site, site_uri: str) -> str:
    """The site's key of an object's URI, of a page's URL, or of a key below the prefix."""
    if not path.startswith(site.base_url):
        return path.removeprefix(site_uri)
    url_path = unquote(path.removeprefix(site.base_url))
    keys = sorted(page_url.keys_at(stem_of(url_path), site))
    found = [key for key in keys if page_url.page_url(key, site) == path]
    usual = [key for key in found if key.endswith(".html")]
    return min(usual or found, key=lambda key: page_url.duplicate_rank(key, site), default=url_path)


def existing_key(path: str, bucket: BucketSite) -> str:
    """The key of the object that exists among those that a path or a URL may mean, in whatever form it is written.

    If none exists, the result is that of `object_key`. Raises SourceError.
    """
    key = object_key(path, bucket.site, bucket.site_uri)
    if _first_existing([key], bucket):
        return key
    return _first_existing(list(_possible_keys(path, bucket)), bucket) or key


def _first_existing(keys: Sequence[str], bucket: BucketSite) -> str | None:
    etags = bucket.objects.etags(keys)
    return next((key for key in keys if etags[key] is not None), None)


def _possible_keys(path: str, bucket: BucketSite) -> Iterator[str]:
    """The keys, of files that servers answer a path or a URL with, in the order in which they are tried."""
    site = bucket.site
    below = path.removeprefix(bucket.site_uri)
    if is_web(path):
        if not page_identity(path).startswith(page_identity(site.base_url)):
            return
        plain = path.partition("#")[0].partition("?")[0]
        below = "/".join(plain.split("/")[site.base_url.count("/") :])
    for spelling in dict.fromkeys((below.strip("/"), unquote(below).strip("/"))):
        stem = path_identity(spelling)
        keys = [spelling, f"{stem}.html", f"{stem}.htm", *(f"{stem}/{name}" for name in site.index_files)]
        yield from (key.strip("/") for key in keys if key not in (".html", ".htm", ""))
