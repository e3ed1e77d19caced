"""When a run would remove too many listed pages, and how the error says so: for folders and for buckets."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.core.errors import RemovalError
from waypost.core.model import printable
from waypost.core.reasons import Reason

MIN_LISTED = 20
"""Sitemaps that list fewer URLs may lose all of them: a small site is often rebuilt."""
_MAX_EXAMPLES = 10
ACCEPT = (
    'if the pages are to be removed, send {"action": "rebuild", "max_removed": 100} once, or run `waypost build` with '
    "--set max_removed=100"
)
_MOST = 50
"""The percent of a site's pages that its first build may leave out."""


def is_too_much(removed: int, listed: int, max_removed: int) -> bool:
    """Whether more than `max_removed` percent of the listed pages are removed."""
    return listed >= MIN_LISTED and removed * 100 > max_removed * listed


def check_first_build(
    listed: int,
    left_out: Mapping[Reason, int],
    max_removed: int,
    examples: Sequence[str] = (),
    advice: Sequence[str] = (),
) -> None:
    """Raise RemovalError if the first build of a site would leave out most of its pages by no setting of the user's.

    `left_out` counts them by their reasons. More than half are most, or more than `max_removed` percent if that is
    higher: 100 accepts all.
    """
    count = sum(left_out.values())
    if count and is_too_much(count, listed + count, max(max_removed, _MOST)):
        first = (
            f"{count:,} of the {listed + count:,} pages of the site would not be listed in its first sitemap, by no "
            "setting of yours, so nothing was written:"
        )
        reasons = (reason for reason, number in left_out.items() for _ in range(number))
        raise RemovalError("\n  ".join([first, *_details(count, examples, reasons, advice)]))


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
    share = f"{removed * 100 // listed}%, and max_removed is {max_removed}"
    end = ":" if examples else ""
    first = f"{removed:,} of the {listed:,} {subject} would no longer be listed ({share}), so nothing was written{end}"
    return RemovalError("\n  ".join([first, *_details(removed, examples, reasons, advice)]))


def _details(removed: int, examples: Sequence[str], reasons: Iterable[str], advice: Sequence[str]) -> Iterator[str]:
    yield from map(printable, examples[:_MAX_EXAMPLES])
    if examples and removed > min(len(examples), _MAX_EXAMPLES):
        yield f"… and {removed - min(len(examples), _MAX_EXAMPLES):,} more"
    if counts := Counter(reasons):
        yield "why: " + ", ".join(f"{number:,} {reason}" for reason, number in counts.most_common())
    yield from advice
