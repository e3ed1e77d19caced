"""`waypost diff`: reads two lists of URLs, compares them, and prints the changes."""

import sys
from collections.abc import Iterator, Sequence

import click

from waypost.build.answers import count_noun
from waypost.build.diff_answer import DiffAnswer, diff_answer, diff_markdown, diff_summary, has_changes
from waypost.cli import options as site_options
from waypost.cli.output import EXIT_FOUND, errors, print_answer
from waypost.cli.target_opener import read_listed_urls
from waypost.cli.terminal import echo
from waypost.core.diff import MoveGroup, SectionChanges
from waypost.core.errors import RemovedUrlsError
from waypost.core.model import printable
from waypost.core.private_hosts import PrivateHosts
from waypost.validate import FieldChange

_COLUMNS = {"added": "added", "removed": "removed", "lastmod_changed": "lastmod", "metadata_changed": "metadata"}
"""The kinds of change, each with its name in text."""
_MAX_FIELDS, _MAX_VALUE = 3, 100
"""The most changed fields of a URL, and characters of a value, that are shown."""


def diff_lines(answer: DiffAnswer, most: int) -> Iterator[str]:
    """The summary, the changes by section, and at most `most` URLs of each kind of change; 0 is all."""
    yield diff_summary(answer)
    yield from _section_lines(answer.sections)
    kinds = (
        ("+", "added", "green", [(loc, "") for loc in answer.added]),
        ("-", "removed", "red", [(loc, "") for loc in answer.removed]),
        (">", "moved", "cyan", list(map(_move, answer.move_groups))),
        ("~", "lastmod", None, [(each.loc, _values(each.old, each.new)) for each in answer.lastmod_changed]),
        ("*", "metadata", None, [(each.loc, _fields(each.fields)) for each in answer.metadata_changes]),
    )
    for mark, name, colour, changes in kinds:
        shown = changes[: most or None]
        for url, detail in shown:
            yield click.style(f"{mark} {printable(url)}", fg=colour) + (f"  {printable(detail)}" if detail else "")
        if len(changes) > len(shown):
            yield f"{mark} … and {len(changes) - len(shown):,} more ({name})"


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


def _percent(_context: click.Context, _option: click.Parameter, value: str | None) -> float | None:
    """A share from 0 to 100 that is written with or without `%`."""
    if value is None:
        return None
    try:
        number = float(value.removesuffix("%"))
    except ValueError:
        number = -1
    if not 0 <= number <= 100:
        raise click.BadParameter(f"{value!r} is not a percentage from 0 to 100")
    return number


@click.command()
@click.argument("old")
@click.argument("new")
@site_options.number_option("--most", "Print at most N URLs of each kind of change; 0: all. [default: 50]", 50)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything changed.")
@click.option(
    "--fail-if-removed",
    callback=_percent,
    metavar="N%",
    help="Exit with 9 if more than N% of the URLs in OLD were removed; moves do not count.",
)
@site_options.allow_private
@click.option(
    "--format",
    "output",
    default="text",
    type=click.Choice(("text", "json", "markdown")),
    help="How to print the changes; Markdown fits in a comment on GitHub. [default: text]",
)
@click.option("--json", "output", flag_value="json", help="The same as --format json.")
def diff(
    old: str,
    new: str,
    *,
    most: int,
    exit_code: bool,
    fail_if_removed: float | None,
    private: PrivateHosts,
    output: str,
) -> None:
    """Compare the URLs that OLD and NEW list.

    Each is a file, a folder, s3://bucket/key, an http(s) URL, a file of a commit such as HEAD~1:sitemap.xml, or `-`.

    Prints which URLs were added and removed, which pages moved to another URL, and which have another date or other
    metadata: changefreq, priority, alternates, images, videos or news.
    """
    with errors():
        answer = diff_answer(*(read_listed_urls(target, private) for target in (old, new)))
        if output == "markdown":
            echo(diff_markdown(answer, most).rstrip("\n"))
        else:
            print_answer(answer, diff_lines(answer, most), as_json=output == "json")
        _refuse_removals(answer, fail_if_removed)
        if exit_code and has_changes(answer):
            sys.exit(EXIT_FOUND)


def _refuse_removals(answer: DiffAnswer, max_removed: float | None) -> None:
    """Raise RemovedUrlsError if more than `max_removed` percent of the old URLs are removed."""
    removed, listed = len(answer.removed), answer.url_count.old
    if max_removed is not None and removed * 100 > max_removed * listed:
        raise RemovedUrlsError(
            f"{removed:,} of {count_noun(listed, 'URL')} were removed ({answer.removed_percent:g}%), and "
            f"--fail-if-removed allows {max_removed:g}%; a moved URL does not count"
        )
