"""Decides which published files a commit must write, and which files nothing names any more."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from waypost.ledger import shard_entries
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry, UnreferencedFile

ROBOTS = "robots.txt"


def with_pending_files(
    after: Manifest, published: Mapping[str, PublishedFile], now: float, names: Collection[str] = ()
) -> Manifest:
    """The manifest with the files that differ from the `published` ones among its pending files, and these `names`.

    They become pending with the manifest's generation. Files that it no longer names are unreferenced since `now`.
    While it lists no page that time is left open, because published indexes name them until there is a page again.
    """
    files = after.files
    changed = {name for name, file in files.items() if name not in published or published[name].digest != file.digest}
    added = {name: PendingFile(name, after.generation) for name in (*changed, *names)}
    wanted = {file.name: file for file in after.pending if file.name in files or file.name == ROBOTS} | added
    return replace(
        after,
        pending=tuple(wanted[name] for name in sorted(wanted)),
        unreferenced=tuple(_unreferenced(after, published, now)),
    )


def _unreferenced(after: Manifest, published: Mapping[str, PublishedFile], now: float) -> Iterator[UnreferencedFile]:
    since = {file.name: file.since for file in after.unreferenced}
    files = after.files
    for name in sorted({*since, *published} - files.keys()):
        yield UnreferencedFile(name, since.get(name, 0) or (now if after.is_publishable else 0))


def range_ends(entries: Sequence[ShardEntry], indexes: Sequence[PublishedFile]) -> dict[str, str]:
    """Where the range of each sitemap and each index ends, by name: the first key of the next one; `""` is the end."""
    ends = {index.name: index.end for index in indexes}
    for members in shard_entries.by_group(entries).values():
        for entry, following in pairwise((*members, None)):
            if entry:
                ends |= {file.name: following.first_key if following else "" for file in entry.files}
    return ends


def gains_range(end: str, published_end: str) -> bool:
    """Whether a range that ends at `end` holds more than one that ends at `published_end`."""
    return published_end != "" and (end == "" or end > published_end)
