"""Deletes published files that no manifest has named for a day; crawlers may have read an index over them since."""

from collections.abc import Sequence
from contextlib import suppress

from waypost.core import concurrency
from waypost.core.errors import ConflictError
from waypost.ledger.manifest import Manifest, UnreferencedFile
from waypost.ledger.store import SECONDS_PER_DAY
from waypost.sync.published_files import PublishedFiles
from waypost.sync.publisher_lease import PublisherLease


def due_files(manifest: Manifest, now: float) -> list[UnreferencedFile]:
    """The files that have been unreferenced for a day at this time (Unix seconds)."""
    return [each for each in manifest.unreferenced if each.since and now - each.since >= SECONDS_PER_DAY]


def delete_files(
    due: Sequence[UnreferencedFile], manifest: Manifest, files: PublishedFiles, lease: PublisherLease
) -> None:
    """Delete those of these files that are this ledger's; one that somebody else has replaced is left.

    Raises LeaseExpiredError, and StoreError.
    """

    def delete(each: UnreferencedFile) -> None:
        present = files.present(each.name, manifest)
        if present.etag is not None and present.is_ours:
            lease.require()
            with suppress(ConflictError):
                files.store.delete_if_match(each.name, present.etag)

    concurrency.map_concurrently(delete, due, files.store.width)
