"""How many pages updates remove within an hour: that is published, since it is true, and told."""

from msgspec.structs import replace

from waypost.core.model import Changes
from waypost.ledger.manifest import Manifest, RemovedPages


def with_removed_pages(manifest: Manifest, listed: int, changes: Changes, now: float) -> Manifest:
    """The manifest after an update of a site with so many `listed` pages, at a time in Unix seconds.

    The hour begins with the first page that comes or goes after an hour without a beginning. Pages that were added
    count against those that were removed: most of them have only moved.
    """
    before, count = manifest.removed, len(changes.removed) - len(changes.added)
    if not (changes.removed or changes.added):
        return manifest
    if before and before.is_counted(now):
        return replace(manifest, removed=replace(before, count=before.count + count))
    return replace(manifest, removed=RemovedPages(now, count, listed))
