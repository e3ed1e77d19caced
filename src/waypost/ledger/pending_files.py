"""Decides which published files a commit must write, and which files nothing names any more."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from waypost.ledger import shard_entries
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile, ShardEntry, UnreferencedFile

ROBOTS = "robots.txt"


def with_pending_files(
    after: Manifest, published: Mapping[str, PublishedFile], names: Collection[str] = (), *, is_from_build: bool = False
) -> Manifest:
    """The manifest with the files that differ from the `published` ones among its pending files, and these `names`.

    They become pending with the manifest's generation; `is_from_build` is set at the end of a build. Files that the
    manifest no longer names become unreferenced.
    """
    files = after.files
    changed = {name for name, file in files.items() if name not in published or published[name].digest != file.digest}
    built = {each.name for each in after.pending if each.is_from_build}
    added = {name: PendingFile(name, after.generation, is_from_build or name in built) for name in (*changed, *names)}
    pending = {file.name: file for file in after.pending if file.name in files or file.name == ROBOTS} | added
    unreferenced = {name: unreferenced_file(file) for name, file in published.items()} | {
        each.name: each for each in after.unreferenced
    }
    return replace(
        after,
        pending=tuple(pending[name] for name in sorted(pending)),
        unreferenced=tuple(unreferenced[name] for name in sorted(unreferenced.keys() - files.keys())),
    )


def unreferenced_file(file: PublishedFile) -> UnreferencedFile:
    """A published file as one that a manifest ceases to name; without its ETag, what is published is not known."""
    return UnreferencedFile(file.name, digest=file.digest if file.etag else "", etag=file.etag)


def with_dated_unreferenced_files(manifest: Manifest, now: float) -> Manifest:
    """The manifest of which all is published: since `now` (Unix seconds) no index names its unreferenced files."""
    if manifest.pending or not manifest.is_publishable:
        return manifest
    dated = (replace(file, since=file.since or now) for file in manifest.unreferenced)
    return replace(manifest, unreferenced=tuple(dated))


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
