"""The answer of `waypost diff` as Markdown for a comment on a pull request, the most important changes first."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from waypost.build.diff_answer import DiffAnswer, LastmodChange, MetadataChange, diff_summary, has_changes
from waypost.build.formatting import count_noun
from waypost.core.model import printable
from waypost.core.moves import MoveGroup
from waypost.validate import FieldChange

LIMIT = 60_000
"""The most characters; GitHub allows 65,536 in a comment, and its writer may add some."""
_FRAME = 300
"""More characters than a part has besides its lines."""
_MAX_TEXT, _MAX_FIELDS = 300, 3
"""The most characters of a URL or value, and changed fields of a URL, that are shown."""


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
