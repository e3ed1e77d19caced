"""Reads the sitemaps that a setting names: a file, a folder, or an http(s) URL."""

import errno
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from waypost.build.present_sitemaps import name_in, usual_sitemaps, with_children
from waypost.core.errors import SourceError
from waypost.core.tree_files import MOST_BYTES
from waypost.core.urls import origin_of
from waypost.stores import FolderStore


def named_sitemaps(location: str, folder: Path, setting: str, *, may_be_private: bool) -> dict[str, bytes]:
    """The uncompressed sitemaps at a location, by name, with all that indexes among them list.

    A path is relative to `folder`. Nothing is found where there is no file yet. `may_be_private` allows URLs of private
    networks. Raises SourceError for a URL that cannot be read, and StoreError for a file that cannot.
    """
    if location.startswith(("http://", "https://")):
        read = partial(_read_url, setting=setting, may_be_private=may_be_private)
        return with_children([location], read, _of_same_origin(location))
    path = folder / location
    if path.is_dir():
        return usual_sitemaps(FolderStore(path))
    store = FolderStore(path.parent)
    return with_children([path.name], store.read, name_in(store))


def _read_url(url: str, *, setting: str, may_be_private: bool) -> bytes | None:
    from waypost.sources.http import HttpFiles  # most sites name files, and start faster without it

    try:
        return _bounded(HttpFiles(may_be_private=may_be_private).file(url).chunks())
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
