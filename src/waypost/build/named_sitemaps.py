"""Reads the sitemaps that a setting names: a file, a folder, or an http(s) URL."""

import errno
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from waypost.build.present_sitemaps import name_in, usual_sitemaps, with_children
from waypost.core.errors import SourceError
from waypost.core.places import place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.core.tree_files import MOST_BYTES
from waypost.core.urls import origin_of
from waypost.files import FolderStore

Locate = Callable[[str], Path]
"""Where a path leads; raises ConfigurationError for one that must not be opened."""


def named_sitemaps(location: str, locate: Locate, setting: str, private: PrivateHosts) -> dict[str, bytes]:
    """The uncompressed sitemaps at a location, by name, with all that indexes among them list.

    `locate` opens paths. Nothing is found where there is no file yet. `private` are the hosts of private networks that
    may be asked. Raises SourceError for a URL that cannot be read, and StoreError for a file that cannot.
    """
    place = place_of(location)
    if place.kind == "bucket":
        raise SourceError(f"{location}, which `{setting}` names, is in a bucket; name a file or an http(s) URL")
    if place.kind == "web":
        read = partial(_read_url, setting=setting, private=private)
        return with_children([place.text], read, _of_same_origin(place.text))
    path = locate(location)
    if path.is_dir():
        return usual_sitemaps(FolderStore(path))
    store = FolderStore(path.parent)
    return with_children([path.name], store.read, name_in(store))


def _read_url(url: str, *, setting: str, private: PrivateHosts) -> bytes | None:
    from waypost.files.http_client import HttpClient  # most sites name files, and start faster without it
    from waypost.files.http_files import HttpFile

    try:
        return _bounded(HttpFile(HttpClient(private), url).chunks())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"the sitemap {url}, which `{setting}` names, cannot be read: {error.strerror}") from error


def _bounded(chunks: Iterable[bytes]) -> bytes:
    """All of an answer; raises OSError if it is larger than any sitemap."""
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > MOST_BYTES:
            raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES:,} bytes")
    return bytes(body)


def _of_same_origin(index: str) -> Callable[[str], str]:
    """Accepts only the sitemaps on the host of the index."""
    root = f"{origin_of(f'{index}/')}/"
    return lambda loc: loc if loc.startswith(root) else ""
