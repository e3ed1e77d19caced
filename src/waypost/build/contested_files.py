"""Counts how often others replace or delete published files, and leaves a file that they contest."""

from collections.abc import Mapping

from msgspec.structs import replace

from waypost.build.bucket_state import Head, RepairedFile

_HOUR = 3_600
MAX_REPLACEMENTS = 3
"""How often a file that others replaced is repaired within an hour; then it is left until the next rebuild."""
REPLACED, DELETED = 10, 1
"""What counts how much: each deployment by `aws s3 sync --delete` deletes the sitemaps."""
_MOST = MAX_REPLACEMENTS * REPLACED


def with_repaired(head: Head, wrong: Mapping[str, int], now: float) -> tuple[Head, list[str]]:
    """The head in which wrong files are counted, and the names of those that are contested.

    Each file has `REPLACED`, `DELETED`, or 0 for what a run of the site has written.
    """
    known = {each.name: each for each in head.repaired}
    for name, weight in wrong.items():
        if weight:
            known[name] = counted_again(known.get(name), name, weight, now)
    contested = sorted(name for name in wrong if name in known and is_contested(known[name]))
    return replace(head, repaired=tuple(known[name] for name in sorted(known))), contested


def is_contested(file: RepairedFile) -> bool:
    """Whether others replaced or deleted a file so often that it is left as it is."""
    return file.count > _MOST


def counted_again(before: RepairedFile | None, name: str, weight: int, now: float) -> RepairedFile:
    """A file that is wrong once more; a contested one stays as it is."""
    if before is None or (not is_contested(before) and now - before.since >= _HOUR):
        return RepairedFile(name, now, weight)
    return before if is_contested(before) else replace(before, count=before.count + weight)
