"""When a run would remove too many listed pages, and how the error says so: for folders and for ledgers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from waypost.core.errors import RemovalError
from waypost.core.model import printable

MIN_LISTED = 20
"""Sitemaps that list fewer URLs may lose all of them: a small site is often rebuilt."""
_MAX_EXAMPLES = 10


def is_too_much(removed: int, listed: int, max_removed: int) -> bool:
    """Whether more than `max_removed` percent of the listed pages are removed."""
    return listed >= MIN_LISTED and removed * 100 > max_removed * listed


def removal_error(
    subject: str,
    removed: int,
    listed: int,
    max_removed: int,
    examples: Sequence[str] = (),
    reasons: Iterable[str] = (),
    advice: Sequence[str] = (),
) -> RemovalError:
    """The error of a run that would remove too much.

    `subject` says which pages are listed, `examples` are the first pages, `reasons` has one for each page that has one.
    """
    return RemovalError("\n  ".join(_lines(subject, removed, listed, max_removed, examples, reasons, advice)))


def _lines(
    subject: str,
    removed: int,
    listed: int,
    max_removed: int,
    examples: Sequence[str],
    reasons: Iterable[str],
    advice: Sequence[str],
) -> Iterator[str]:
    share = f"{removed * 100 // listed}%, and max_removed is {max_removed}"
    end = ":" if examples else ""
    yield f"{removed:,} of the {listed:,} {subject} would no longer be listed ({share}), so nothing was written{end}"
    yield from map(printable, examples[:_MAX_EXAMPLES])
    if examples and removed > min(len(examples), _MAX_EXAMPLES):
        yield f"… and {removed - min(len(examples), _MAX_EXAMPLES):,} more"
    if counts := Counter(reasons):
        yield "why: " + ", ".join(f"{number:,} {reason}" for reason, number in counts.most_common())
    yield from advice
