"""Deletes published files that no manifest has named for 20 hours; crawlers may have read an index over them since."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from waypost.config import output_names
from waypost.core import concurrency
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.ledger.manifest import Manifest, UnreferencedFile
from waypost.ledger.store import UNREFERENCED_SECONDS
from waypost.sync.published_files import PublishedFiles
from waypost.sync.publisher_lease import PublisherLeaseHolder


class Deletion(NamedTuple):
    """The files that are gone, and the error of each one that the store refused to delete, by name."""

    gone: list[UnreferencedFile]
    refused: dict[str, str]


def delete_unreferenced(manifest: Manifest, files: PublishedFiles, lease: PublisherLeaseHolder) -> Deletion:
    """Delete what has been unreferenced for 20 hours and is this ledger's.

    A file that another writer has replaced is left, and is no longer remembered. What the lease has no time for, and
    what cannot be deleted, is left to the next pass. A deletion without an answer has taken effect, or never will, when
    this returns: the file may be published again after that.
    """
    refused: dict[str, str] = {}
    unanswered: list[str] = []
    due = [each for each in manifest.unreferenced if each.since and lease.now() - each.since >= UNREFERENCED_SECONDS]

    def delete(each: UnreferencedFile) -> bool:
        # Another writer may have put a file of its own here since: only our own bytes are deleted, by their ETag.
        present = files.present(each.name, manifest)
        if present.etag is None or not present.is_ours:
            return True
        if not lease.has_time():
            return False
        try:
            files.store.delete_if_match(each.name, present.etag)
        except ConflictError:  # 409 says only that another request was under way (S3, "Conditional requests")
            found = files.present(each.name, manifest)
            return found.etag is None or not found.is_ours
        return True

    def try_to_delete(each: UnreferencedFile) -> bool:
        try:
            return delete(each)
        except StoreError as error:
            refused[each.name] = str(error)
            unanswered.extend([each.name] if isinstance(error, UncertainError) else [])
            return False

    # Delete in steps: the manifest is still this process's only while its lease lasts.
    gone: list[UnreferencedFile] = []
    for some in _steps(due):
        is_gone = concurrency.map_concurrently(try_to_delete, some, files.store.width)
        gone += [each for each, done in zip(some, is_gone, strict=True) if done]
        if not all(is_gone):
            break
    # A deletion that is still under way must not hit a file that is published again later.
    if unanswered:
        lease.wait_out_margin()
    return Deletion(gone, refused)


def _steps(due: Sequence[UnreferencedFile]) -> Iterator[list[UnreferencedFile]]:
    """The files in an order in which no index names files that are gone, whatever is published under their names.

    An index has the shortest name of its site, or a name of its own; the sitemap of a whole group has a longer one.
    """
    shards = [each for each in due if output_names.is_shard_name(each.name)]
    others = [each for each in due if not output_names.is_shard_name(each.name)]
    yield from ([each] for each in sorted(others, key=lambda each: ("-index-" not in each.name, len(each.name))))
    yield shards
