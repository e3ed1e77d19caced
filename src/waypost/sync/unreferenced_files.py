"""Deletes published files that no manifest has named for 20 hours; crawlers may have read an index over them since."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from waypost.config import output_names
from waypost.core import concurrency
from waypost.core.errors import ConflictError, StoreError
from waypost.ledger.manifest import Manifest, UnreferencedFile
from waypost.ledger.store import UNREFERENCED_SECONDS
from waypost.sync.published_files import PublishedFiles
from waypost.sync.publisher_lease import PublisherLease


class Deletion(NamedTuple):
    """The files that are gone, and the error of each one that the store refused to delete, by name."""

    gone: list[UnreferencedFile]
    refused: dict[str, str]


def delete_unreferenced(manifest: Manifest, files: PublishedFiles, lease: PublisherLease) -> Deletion:
    """Delete what has been unreferenced for 20 hours and is this ledger's.

    A file that somebody else has replaced is left, and is no longer remembered. What the lease has no time for, and
    what cannot be deleted, is left to the next pass.
    """
    refused: dict[str, str] = {}
    due = [each for each in manifest.unreferenced if each.since and lease.now() - each.since >= UNREFERENCED_SECONDS]

    def delete(each: UnreferencedFile) -> bool:
        present = files.present(each.name, manifest)
        if present.etag is not None and present.is_ours:
            if not lease.has_time():
                return False
            with suppress(ConflictError):
                files.store.delete_if_match(each.name, present.etag)
        return True

    def try_to_delete(each: UnreferencedFile) -> bool:
        try:
            return delete(each)
        except StoreError as error:
            refused[each.name] = str(error)
            return False

    gone: list[UnreferencedFile] = []
    for some in _steps(due):
        is_gone = concurrency.map_concurrently(try_to_delete, some, files.store.width)
        gone += [each for each, done in zip(some, is_gone, strict=True) if done]
        if not all(is_gone):
            break
    return Deletion(gone, refused)


def _steps(due: Sequence[UnreferencedFile]) -> Iterator[list[UnreferencedFile]]:
    """The files in an order in which no index names files that are gone, whatever is published under their names.

    An index has the shortest name of its site, or a name of its own; the sitemap of a whole group has a longer one.
    """
    shards = [each for each in due if output_names.is_shard_name(each.name)]
    others = [each for each in due if not output_names.is_shard_name(each.name)]
    yield from ([each] for each in sorted(others, key=lambda each: ("-index-" not in each.name, len(each.name))))
    yield shards
