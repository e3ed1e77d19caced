"""Reads the sitemaps that are published now: those at the usual names, or a given one, and the children of indexes."""

from collections.abc import Callable, Iterable
from urllib.parse import unquote, urlsplit

from waypost.core.gzip import decompress_if_gzip
from waypost.stores.base import Store
from waypost.validate import sitemap_content

Read = Callable[[str], bytes | None]
"""Reads a sitemap by its name; None if there is none."""
_USUAL_NAMES = tuple(
    name + ending for name in ("sitemap.xml", "sitemap_index.xml", "sitemap-index.xml") for ending in ("", ".gz")
)
_MAX_FILES = 1_000
"""So many sitemaps are read at most; an index may list 50,000."""
_ENDINGS = (".xml", ".xml.gz", ".txt", ".txt.gz")


def usual_sitemaps(store: Store) -> dict[str, bytes]:
    """The uncompressed sitemaps at the usual names, by name, with all that indexes among them list.

    Raises StoreError.
    """
    present = set(store.names("sitemap"))
    return with_children([name for name in _USUAL_NAMES if name in present], store.read, name_in(store))


def with_children(names: Iterable[str], read: Read, name_of: Callable[[str], str]) -> dict[str, bytes]:
    """These sitemaps, uncompressed, and those that indexes among them list; `name_of` a loc is `""` if unknown."""
    left, found = list(names), dict[str, bytes]()
    while left and len(found) < _MAX_FILES:
        name = left.pop(0)
        content = None if name in found else read(name)
        if content is not None:
            found[name] = decompress_if_gzip(name, content)
            left += filter(None, map(name_of, sitemap_content.listed_sitemaps(name, found[name])))
    return found


def name_in(store: Store) -> Callable[[str], str]:
    """How a sitemap's URL becomes a name in a store: by the longest end of its path that the store has.

    Its beginning does not count, because the URL of the folder may have changed.
    """

    def name_of(loc: str) -> str:
        try:
            parts = unquote(urlsplit(loc).path).strip("/").split("/")
        except ValueError:
            return ""
        if ".." in parts or not parts[-1].endswith(_ENDINGS) or "\0" in loc:
            return ""
        ends = ("/".join(parts[n:]) for n in range(len(parts)))
        return next((end for end in ends if store.read(end) is not None), "")

    return name_of
