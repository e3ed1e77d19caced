"""Reads the sitemaps that the setting `compare` names: a file, a folder, or an http(s) URL."""

from collections.abc import Callable
from pathlib import Path

from waypost.build.present_sitemaps import name_in, usual_sitemaps, with_children
from waypost.core.errors import SourceError
from waypost.core.urls import origin_of
from waypost.stores import FolderStore


def compared_sitemaps(location: str, folder: Path) -> dict[str, bytes]:
    """The uncompressed sitemaps at a location, by name, with all that indexes among them list.

    A path is relative to `folder`. Nothing is found where there is no file yet. Raises SourceError for a URL that
    cannot be read, and StoreError for a file that cannot.
    """
    if location.startswith(("http://", "https://")):
        return with_children([location], _read_url, _of_same_origin(location))
    path = folder / location
    if path.is_dir():
        return usual_sitemaps(FolderStore(path))
    store = FolderStore(path.parent)
    return with_children([path.name], store.read, name_in(store))


def _read_url(url: str) -> bytes | None:
    from waypost.sources.http import HttpClient  # most sites compare with files, and start faster without it

    try:
        return b"".join(HttpClient(may_be_private=True).file(url).chunks())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceError(f"the sitemap {url}, which `compare` names, cannot be read: {error.strerror}") from error


def _of_same_origin(index: str) -> Callable[[str], str]:
    """Accepts only the sitemaps on the host of the index."""
    root = f"{origin_of(f'{index}/')}/"
    return lambda loc: loc if loc.startswith(root) else ""
