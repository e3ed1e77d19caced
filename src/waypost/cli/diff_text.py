"""The answer of `waypost diff` as text for a terminal."""

from collections.abc import Iterator, Sequence

import click

from waypost.app.diff_answer import DiffAnswer, diff_summary
from waypost.app.formatting import count_noun
from waypost.core.diff import SectionChanges
from waypost.core.model import printable
from waypost.core.moves import MoveGroup
from waypost.validate.metadata_changes import FieldChange

_COLUMNS = {"added": "added", "removed": "removed", "lastmod_changed": "lastmod", "metadata_changed": "metadata"}
"""The kinds of change, each with its name in text."""
_MAX_FIELDS, _MAX_VALUE = 3, 100
"""The most changed fields of a URL, and characters of a value, that are shown."""


def diff_lines(answer: DiffAnswer, most: int) -> Iterator[str]:
    """The summary, the changes by section, and at most `most` URLs of each kind of change; 0 is all."""
    yield diff_summary(answer)
    yield from _section_lines(answer.sections)
    end = most or None
    kinds = (
        ("+", "added", "green", [(loc, "") for loc in answer.added[:end]], len(answer.added)),
        ("-", "removed", "red", [(loc, "") for loc in answer.removed[:end]], len(answer.removed)),
        (">", "moved", "cyan", list(map(_move, answer.move_groups[:end])), len(answer.move_groups)),
        (
            "~",
            "lastmod",
            None,
            [(each.loc, _values(each.old, each.new)) for each in answer.lastmod_changed[:end]],
            len(answer.lastmod_changed),
        ),
        (
            "*",
            "metadata",
            None,
            [(each.loc, _fields(each.fields)) for each in answer.metadata_changes[:end]],
            len(answer.metadata_changes),
        ),
    )
    for mark, name, colour, urls, count in kinds:
        for url, detail in urls:
            yield click.style(f"{mark} {printable(url)}", fg=colour) + (f"  {printable(detail)}" if detail else "")
        if count > len(urls):
            yield f"{mark} … and {count - len(urls):,} more ({name})"


def _section_lines(sections: Sequence[SectionChanges]) -> Iterator[str]:
    """A table of the changes by section, if there are any."""
    if not sections:
        return
    width = max(len("section"), *(len(section.name) for section in sections))
    yield f"  {'section':<{width}}" + "".join(f"{title:>10}" for title in _COLUMNS.values())
    for section in sections:
        yield f"  {section.name:<{width}}" + "".join(f"{getattr(section, kind):>10,}" for kind in _COLUMNS)


def _move(group: MoveGroup) -> tuple[str, str]:
    count = f"{count_noun(group.count, 'URL')}, " if group.count > 1 else ""
    return f"{group.old} → {group.new}", f"({count}{', '.join(group.kinds)})"


def _fields(fields: Sequence[FieldChange]) -> str:
    shown = [f"{field.name} {_values(field.old, field.new)}" for field in fields[:_MAX_FIELDS]]
    more = [f"and {len(fields) - _MAX_FIELDS:,} more"] if len(fields) > _MAX_FIELDS else []
    return ", ".join(shown + more)


def _values(old: str | None, new: str | None) -> str:
    return " → ".join("none" if text is None else _cut(text) for text in (old, new))


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_VALUE else f"{text[: _MAX_VALUE - 1]}…"
