"""Counts how often others replace or delete published files, and leaves a file that they contest."""

from collections.abc import Mapping

from msgspec.structs import replace

from waypost.build.bucket_state import Head, RepairedFile

_HOUR = 3_600
_MOST = 30
"""Of a file so many deletions, or a tenth of that of replacements, are repaired within an hour; then it is left until
the next rebuild. Each deployment by `aws s3 sync --delete` deletes the sitemaps."""
REPLACED, DELETED = 10, 1


def with_repaired(head: Head, wrong: Mapping[str, int], now: float) -> tuple[Head, list[str]]:
    """The head in which wrong files are counted, and the names of those that are contested.

    Each file has `REPLACED`, `DELETED`, or 0 for what a run of the site has written.
    """
    known = {each.name: each for each in head.repaired}
    for name, weight in wrong.items():
        if weight:
            known[name] = _counted(known.get(name), name, weight, now)
    contested = sorted(name for name in wrong if name in known and known[name].count > _MOST)
    return replace(head, repaired=tuple(known[name] for name in sorted(known))), contested


def _counted(before: RepairedFile | None, name: str, count: int, now: float) -> RepairedFile:
    """A file that is wrong once more; a contested one stays as it is."""
    if before is None or (before.count <= _MOST and now - before.since >= _HOUR):
        return RepairedFile(name, now, count)
    return before if before.count > _MOST else replace(before, count=before.count + count)
