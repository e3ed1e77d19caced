"""Compares what two sitemaps list: the answer of `waypost diff`, in a line, and as Markdown for a comment."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET, Struct, UnsetType

from waypost.build.answers import SCHEMA_VERSION, count_noun
from waypost.core import diff
from waypost.core.diff import Move, MoveGroup, MoveKind, SectionChanges, find_moves
from waypost.core.model import Changes, printable
from waypost.validate import FieldChange, ListedUrls, field_changes

LIMIT = 60_000
"""The most characters; GitHub allows 65,536 in a comment, and its writer may add some."""
_FRAME = 300
"""More characters than a part has besides its lines."""
_MAX_TEXT, _MAX_FIELDS = 300, 3
"""The most characters of a URL or value, and changed fields of a URL, that are shown."""


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


class _Part(NamedTuple):
    """The URLs of a kind of change, a line each; a part that is not open is folded."""

    title: str
    lines: Sequence[str]
    total: int
    is_open: bool = False


def diff_markdown(answer: DiffAnswer, most: int, limit: int = LIMIT) -> str:
    """The changes in at most `limit` characters; of each kind, at most `most` are shown, or all if it is 0."""
    if not has_changes(answer):
        return f"The sitemap has not changed: {count_noun(answer.url_count.new, 'URL')}.\n"
    text = f"**{diff_summary(answer)}**\n"
    parts = [part for part in _parts(answer, most) if part.lines]
    for n, part in enumerate(parts):
        text += _part_text(part, limit - len(text) - _FRAME * (len(parts) - n))
    return text


def _parts(answer: DiffAnswer, most: int) -> Iterator[_Part]:
    end = most or None
    removed = f"Removed: {len(answer.removed):,} ({answer.removed_percent:g}% of the URLs)"
    yield _Part(removed, list(map(_code, answer.removed[:end])), len(answer.removed), is_open=True)
    yield _Part(
        f"Moved: {len(answer.moved):,}",
        list(map(_group_line, answer.move_groups[:end])),
        len(answer.move_groups),
        is_open=True,
    )
    yield _Part(f"Added: {len(answer.added):,}", list(map(_code, answer.added[:end])), len(answer.added))
    metadata = list(map(_metadata_line, answer.metadata_changes[:end]))
    yield _Part(f"Other metadata: {len(answer.metadata_changes):,}", metadata, len(answer.metadata_changes))
    dates = list(map(_date_line, answer.lastmod_changed[:end]))
    yield _Part(f"Another date: {len(answer.lastmod_changed):,}", dates, len(answer.lastmod_changed))


def _part_text(part: _Part, room: int) -> str:
    """A part with as many of its lines as have room."""
    shown: list[str] = []
    for line in part.lines:
        room -= len(line) + len("- \n")
        if room < 0:
            break
        shown.append(f"- {line}\n")
    if part.total > len(shown):
        shown.append(f"- … and {part.total - len(shown):,} more\n")
    body = "".join(shown)
    if part.is_open:
        return f"\n#### {part.title}\n\n{body}"
    return f"\n<details><summary>{part.title}</summary>\n\n{body}\n</details>\n"


def _group_line(group: MoveGroup) -> str:
    count = f"{count_noun(group.count, 'URL')}, " if group.count > 1 else ""
    return f"{_code(group.old)} → {_code(group.new)} ({count}{', '.join(group.kinds)})"


def _date_line(change: LastmodChange) -> str:
    return f"{_code(change.loc)}: {_value(change.old)} → {_value(change.new)}"


def _metadata_line(change: MetadataChange) -> str:
    more = len(change.fields) - _MAX_FIELDS
    fields = [*map(_field, change.fields[:_MAX_FIELDS]), *([f"and {more:,} more"] if more > 0 else [])]
    return f"{_code(change.loc)}: {', '.join(fields)}"


def _field(field: FieldChange) -> str:
    return f"{_code(field.name)} {_value(field.old)} → {_value(field.new)}"


def _value(text: str | None) -> str:
    return "none" if text is None else _code(text)


def _code(text: str) -> str:
    """The text as code, which GitHub neither formats nor links; its middle is left out if it is long."""
    shown = printable(text) or " "
    if len(shown) > _MAX_TEXT:
        shown = f"{shown[: _MAX_TEXT // 2]}…{shown[-_MAX_TEXT // 2 :]}"
    if "`" not in shown:
        return f"`{shown}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", shown))))
    return f"{fence} {shown} {fence}"
