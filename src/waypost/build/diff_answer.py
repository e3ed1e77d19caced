"""Compares what two sitemaps list: the answer of `waypost diff`, and its summary in a line."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost.build.answers import SCHEMA_VERSION
from waypost.build.formatting import count_noun
from waypost.core import diff
from waypost.core.diff import SectionChanges
from waypost.core.model import Changes
from waypost.core.moves import Move, MoveGroup, MoveKind, find_moves
from waypost.validate import FieldChange, ListedUrls, field_changes


class UrlCounts(Struct, frozen=True):
    """How many URLs each side of a comparison lists."""

    old: int
    new: int


class LastmodChange(Struct, frozen=True):
    """A URL that both sides list with different dates; null is no date."""

    loc: str
    old: str | None
    new: str | None


class DatePair(Struct, frozen=True):
    """The old and the new date of a page; null is no date."""

    old: str | None
    new: str | None


class MetadataChange(Struct, frozen=True):
    """A URL that both sides list with different metadata, and the values that differ."""

    loc: str
    fields: Sequence[FieldChange]


class MovedUrl(Struct, frozen=True):
    """A page that both sides list at different URLs, and the kinds of differences between the two.

    `group` is the index of its group in `move_groups`. `lastmod` and `fields` are absent if the date or the metadata is
    the same.
    """

    old: str
    new: str
    kinds: Sequence[MoveKind]
    group: int
    lastmod: DatePair | UnsetType = UNSET
    fields: Sequence[FieldChange] | UnsetType = UNSET


class DiffAnswer(Struct, frozen=True):
    """What `waypost diff` found: the URLs of each kind of change, and how many there are by section of the site.

    A URL that only the old side lists is in `removed`, or an old URL in `moved`. One that only the new side lists is in
    `added`, or a new URL in `moved`. `unchanged_count` counts the URLs that have the same date and metadata on both
    sides. `removed_percent` is the share of the old URLs that are in `removed`. `metadata_changes` has the URLs of
    `metadata_changed`, with old and new values. `sections` does not count moves.
    """

    schema_version: int
    url_count: UrlCounts
    unchanged_count: int
    removed_percent: float
    added: Sequence[str]
    removed: Sequence[str]
    moved: Sequence[MovedUrl]
    move_groups: Sequence[MoveGroup]
    lastmod_changed: Sequence[LastmodChange]
    metadata_changed: Sequence[str]
    metadata_changes: Sequence[MetadataChange]
    sections: Sequence[SectionChanges]


def diff_answer(old: ListedUrls, new: ListedUrls) -> DiffAnswer:
    """The changes from `old` to `new`: each URL of a side is removed or added, moved, or on both sides."""
    changes = diff.compare(old, new)
    moves, groups = find_moves(changes.removed, changes.added)
    changes = _without_moves(changes, moves)
    changed = {*changes.lastmod_changed, *changes.metadata_changed}
    return DiffAnswer(
        schema_version=SCHEMA_VERSION,
        url_count=UrlCounts(len(old), len(new)),
        unchanged_count=len(old) - len(changes.removed) - len(moves) - len(changed),
        removed_percent=round(100 * len(changes.removed) / len(old), 2) if old else 0.0,
        added=changes.added,
        removed=changes.removed,
        moved=[_moved_url(move, old, new) for move in moves],
        move_groups=groups,
        lastmod_changed=[
            LastmodChange(loc, old[loc][0] or None, new[loc][0] or None) for loc in changes.lastmod_changed
        ],
        metadata_changed=changes.metadata_changed,
        metadata_changes=[
            MetadataChange(loc, field_changes(old[loc][1], new[loc][1])) for loc in changes.metadata_changed
        ],
        sections=diff.sections(changes),
    )


def diff_summary(answer: DiffAnswer) -> str:
    """How many URLs each side lists and how many changed, in one line."""
    counts = ", ".join(_counts(answer))
    return f"{count_noun(answer.url_count.old, 'URL')} before, {answer.url_count.new:,} now: {counts}"


def has_changes(answer: DiffAnswer) -> bool:
    """Whether the two sides differ."""
    return bool(answer.sections or answer.moved)


def _without_moves(changes: Changes, moves: Sequence[Move]) -> Changes:
    olds, news = {move.old for move in moves}, {move.new for move in moves}
    return Changes(
        added=tuple(loc for loc in changes.added if loc not in news),
        removed=tuple(loc for loc in changes.removed if loc not in olds),
        lastmod_changed=changes.lastmod_changed,
        metadata_changed=changes.metadata_changed,
    )


def _moved_url(move: Move, old: ListedUrls, new: ListedUrls) -> MovedUrl:
    (old_date, old_metadata), (new_date, new_metadata) = old[move.old], new[move.new]
    return MovedUrl(
        move.old,
        move.new,
        move.kinds,
        move.group,
        UNSET if old_date == new_date else DatePair(old_date or None, new_date or None),
        field_changes(old_metadata, new_metadata) or UNSET,
    )


def _counts(answer: DiffAnswer) -> Iterator[str]:
    yield f"{len(answer.added):,} added"
    yield f"{len(answer.removed):,} removed"
    if answer.moved:
        dated = sum(each.lastmod is not UNSET for each in answer.moved)
        yield f"{len(answer.moved):,} moved" + (f" ({dated:,} with another date)" if dated else "")
    yield f"{len(answer.lastmod_changed):,} with another date"
    if answer.metadata_changed:
        yield f"{len(answer.metadata_changed):,} with other metadata"
