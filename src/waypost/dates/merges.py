"""Tells whether a merge only combines what its parents have of a file, as Git does where these are not in conflict."""

from collections import Counter
from collections.abc import Sequence, Set

from waypost.core.page_changes import PageChange, Read


def combined(by_parent: Sequence[Sequence[PageChange]], undecided: Set[str], read: Read) -> Set[str]:
    """The undecided files that a merge changed compared with each parent, and each line of which it has from them."""
    of_files: dict[str, list[PageChange]] = {}
    for changes in by_parent:
        for change in changes:
            if change.path in undecided:
                of_files.setdefault(change.path, []).append(change)
    changed_in_all = {path: changes for path, changes in of_files.items() if len(changes) == len(by_parent)}
    return {path for path, changes in changed_in_all.items() if _is_combined(changes, read)}


def _is_combined(changes: Sequence[PageChange], read: Read) -> bool:
    versions = [changes[0].after, *(change.before for change in changes)]
    contents = [data for data in read(versions) if data is not None]
    return len(contents) == len(versions) and _combines(*contents)


def _combines(merge: bytes, *parents: bytes) -> bool:
    """Whether a merge has each line that some parent has, and no other, unless they disagree about it.

    Of a line that a parent has several times, such as a heading of each month, each may have added or removed some.
    """
    lines, *older = map(_lines, (merge, *parents))
    counts = {line: [each[line] for each in older] for line in {*lines, *(line for each in older for line in each)}}
    return all(
        min(count) <= lines[line] <= max(count) if max(count) <= 1 else lines[line] <= sum(count)
        for line, count in counts.items()
    )


def _lines(data: bytes) -> Counter[bytes]:
    return Counter(stripped for line in data.split(b"\n") if (stripped := line.strip()))
