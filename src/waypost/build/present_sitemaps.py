"""Reads published sitemaps: those at the usual names, or those that a setting names, and the children of indexes."""

import errno
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path

from waypost.core.errors import SourceError, StoreError
from waypost.core.gzip import decompress_if_gzip
from waypost.core.places import place_of
from waypost.core.private_hosts import PrivateHosts
from waypost.core.tree_files import MOST_BYTES
from waypost.core.urls import LOC_LIMIT, decoded_path, origin_of
from waypost.files import FolderStore, Store
from waypost.validate import sitemap_content

Read = Callable[[str], bytes | None]
"""Reads a sitemap by its name; None if there is none."""
USUAL_NAMES = tuple(
    name + ending for name in ("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml") for ending in ("", ".gz")
)
_MAX_FILES = 1_000
"""How many sitemaps are read at most; an index may list 50,000."""
_MAX_BYTES = 1_073_741_824
"""The most bytes that all of them may have together, uncompressed."""
_MAX_ENDS, _MAX_LOOKUPS, _MAX_NAME = 32, 50_000, 255
"""How many ends of a path are looked for, and how many in all; the most bytes of a name in most file systems."""
_ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz")
Locate = Callable[[str], Path]
"""Where a path leads; raises ConfigurationError for one that must not be opened."""


def usual_sitemaps(store: Store) -> dict[str, bytes]:
    """The uncompressed sitemaps at the usual names, by name, with all that indexes among them list.

    Raises StoreError.
    """
    present = set(store.names("sitemap"))
    return with_children([name for name in USUAL_NAMES if name in present], store.read, name_in(store))


def with_children(
    names: Iterable[str], read: Read, name_of: Callable[[str], str], most: int = _MAX_BYTES
) -> dict[str, bytes]:
    """These sitemaps, uncompressed, and those that indexes among them list; `name_of` a loc is `""` if unknown.

    Raises StoreError if they have more than `most` bytes together.
    """
    found, seen, size = dict[str, bytes](), {""}, 0
    waiting = deque([iter(names)])
    while waiting and len(found) < _MAX_FILES:
        name = next(waiting[0], None)
        if name is None:
            waiting.popleft()
        elif name not in seen:
            seen.add(name)
            if (content := read(name)) is not None:
                found[name] = decompress_if_gzip(name, content)
                size += len(found[name])
                waiting.append(map(name_of, sitemap_content.listed_sitemaps(name, found[name])))
        if size > most:
            raise StoreError(f"the current sitemaps have over {most:,} bytes together; remove those of no use")
    return found


def name_in(store: Store) -> Callable[[str], str]:
    """How a sitemap's URL becomes a name in a store: by the longest end of its path that the store has.

    Its beginning does not count, because the URL of the folder may have changed.
    """

    @lru_cache(_MAX_LOOKUPS)
    def is_present(name: str) -> bool:
        return is_present.cache_info().misses <= _MAX_LOOKUPS and store.read(name) is not None

    def name_of(loc: str) -> str:
        path = decoded_path(loc) if len(loc) < LOC_LIMIT else None
        parts = [part for part in (path or "").split("/") if part]
        if not parts or not parts[-1].endswith(_ENDINGS) or not all(map(_may_be_name, parts)):
            return ""
        ends = ("/".join(parts[n:]) for n in range(max(0, len(parts) - _MAX_ENDS), len(parts)))
        return next(filter(is_present, ends), "")

    return name_of


def _may_be_name(part: str) -> bool:
    """Whether a part of a path may be the name of a file or a folder below another."""
    return part != ".." and "\0" not in part and len(part.encode(errors="replace")) <= _MAX_NAME


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
