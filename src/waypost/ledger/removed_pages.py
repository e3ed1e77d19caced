"""How many pages updates remove within an hour: that is published, since it is true, and told."""

from msgspec.structs import replace

from waypost.core.model import Changes
from waypost.ledger.manifest import Manifest, RemovedPages

_HOUR = 3_600


def with_removed_pages(manifest: Manifest, listed: int, changes: Changes, now: float) -> Manifest:
    """The manifest after an update of a site with so many `listed` pages, at a time in Unix seconds.

    The hour begins with the first removal after an hour without a beginning. Pages that were added count against
    those that were removed: most of them have only moved.
    """
    before, count = manifest.removed, len(changes.removed) - len(changes.added)
    if before and now - before.since < _HOUR:
        after = replace(before, count=max(0, before.count + count))
        return manifest if after == before else replace(manifest, removed=after)
    return replace(manifest, removed=RemovedPages(now, count, listed)) if count > 0 else manifest
