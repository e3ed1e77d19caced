"""What a request with a delimiter lists, for sources in memory."""

from collections.abc import Callable, Sequence

from waypost.core.model import Item
from waypost.sources.base import FolderListing


def folder_listing(keys: Sequence[str], folder: str, item: Callable[[str], Item], limit: int) -> FolderListing:
    """The first of what these sorted keys have directly in a folder."""
    names = (key[len(folder) :].partition("/") for key in keys if key.startswith(folder))
    entries = list(dict.fromkeys(f"{folder}{name}{slash}" for name, slash, _ in names))[:limit]
    return FolderListing(
        [item(entry) for entry in entries if not entry.endswith("/")],
        [entry for entry in entries if entry.endswith("/")],
    )
