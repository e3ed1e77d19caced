"""How many pages updates remove within an hour: that is published, since it is true, and told."""

from msgspec.structs import replace

from waypost.ledger.manifest import Manifest, RemovedPages


def with_removed_pages(before: Manifest, after: Manifest, now: float) -> Manifest:
    """The manifest after an update, at a time in Unix seconds, with the pages that are listed no longer counted.

    The hour begins with the first change of their number after an hour without a beginning. Pages that were added count
    against those that were removed: most of them have only moved. During a build the number says nothing.
    """
    count, removed = before.page_count - after.page_count, before.removed
    if count == 0 or not before.is_complete:
        return after
    if removed and removed.is_counted(now):
        return replace(after, removed=replace(removed, count=removed.count + count))
    return replace(after, removed=RemovedPages(now, count, before.page_count))
