"""What `waypost diff` does: it reads two lists of URLs, compares them, and prints the changes."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import click

from waypost.app.answers import SCHEMA_VERSION, DiffAnswer, LastmodChange, UrlCounts
from waypost.app.formatting import count_noun
from waypost.app.job import now
from waypost.cli.exits import print_json
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import echo
from waypost.cli.validate_command import with_progress
from waypost.core import diff as differences
from waypost.core.diff import SectionChanges
from waypost.core.errors import SourceError
from waypost.core.model import Changes, printable
from waypost.validate.file_validator import FileResult
from waypost.validate.findings import FindingReport
from waypost.validate.rules import Severity
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.validator import Validator

_INCOMPLETE = ("too-large", "nested-index")
"""Findings after which a part of the list may not have been read."""
_COLUMNS = {"added": "added", "removed": "removed", "lastmod_changed": "lastmod", "metadata_changed": "metadata"}
"""The kinds of change, each with its name in text."""
_MARKS = {"added": "+", "removed": "-", "lastmod_changed": "~", "metadata_changed": "*"}
_COLOURS = {"added": "green", "removed": "red"}


def diff(old: str, new: str, most: int, *, as_json: bool, may_be_private: bool) -> bool:
    """Compare what two targets list and print the changes, at most `most` of each kind; whether there are any."""
    old_pages, new_pages = (_read(target, may_be_private=may_be_private) for target in (old, new))
    changes = differences.compare(old_pages, new_pages)
    answer = _answer(changes, old_pages, new_pages)
    if as_json:
        print_json(answer)
    else:
        summary = differences.summary(changes)
        totals = f"{count_noun(answer.url_count.old, 'URL')} before, {answer.url_count.new:,} now: {summary}"
        echo("\n".join([totals, *_section_lines(answer.sections), *_change_lines(answer, most)]))
    return any(getattr(changes, kind) for kind in differences.KINDS)


def _read(target: str, *, may_be_private: bool) -> dict[str, tuple[str, object]]:
    """The URLs that a target lists, with date and metadata.

    Raises SourceError if any of them cannot be read, because those would look removed.
    """
    pages: dict[str, tuple[str, object]] = {}

    def add_entries(entries: Sequence[SitemapEntry]) -> None:
        pages.update({entry.loc: (entry.lastmod or "", entry.metadata) for entry in entries if entry.loc})

    opener, report = TargetOpener(may_be_private=may_be_private), FindingReport(1)
    validator = Validator(now(), report, opener.child, add_entries)
    with closing(validator.url_index):
        files = list(with_progress(validator.validate(opener.open_target(target))))
    _refuse_incomplete(files, report)
    if opener.unfollowed:
        count = count_noun(opener.unfollowed, "sitemap")
        raise SourceError(f"{target} lists {count} that cannot be opened beside it; name URLs to compare")
    return pages


def _refuse_incomplete(files: Sequence[FileResult], report: FindingReport) -> None:
    broken = {file.file for file in files if file.is_broken}
    for finding in report:
        if finding.code in _INCOMPLETE or (finding.file in broken and finding.severity == Severity.ERROR):
            raise SourceError(f"{finding.file}: {finding.message}; {finding.advice}")
    empty = next((file.file for file in files if file.kind in ("", "text") and not file.entries), None)
    if empty:
        raise SourceError(f"{empty} is not a sitemap; name a sitemap, an index, a text file, or an RSS or Atom feed")


def _answer(changes: Changes, old: differences.ListedPages, new: differences.ListedPages) -> DiffAnswer:
    return DiffAnswer(
        schema_version=SCHEMA_VERSION,
        url_count=UrlCounts(len(old), len(new)),
        added=changes.added,
        removed=changes.removed,
        lastmod_changed=[
            LastmodChange(loc, old[loc][0] or None, new[loc][0] or None) for loc in changes.lastmod_changed
        ],
        metadata_changed=changes.metadata_changed,
        sections=differences.sections(changes),
    )


def _section_lines(sections: Sequence[SectionChanges]) -> Iterator[str]:
    """A table of the changes by section, if there are any."""
    if not sections:
        return
    width = max(len("section"), *(len(section.name) for section in sections))
    yield f"  {'section':<{width}}" + "".join(f"{title:>10}" for title in _COLUMNS.values())
    for section in sections:
        yield f"  {section.name:<{width}}" + "".join(f"{getattr(section, kind):>10,}" for kind in _COLUMNS)


def _change_lines(answer: DiffAnswer, most: int) -> Iterator[str]:
    """The URLs of each kind of change, at most `most` of a kind; 0 is all."""
    changes: dict[str, list[tuple[str, str]]] = {
        "added": [(loc, "") for loc in answer.added],
        "removed": [(loc, "") for loc in answer.removed],
        "lastmod_changed": [(c.loc, f"  {c.old or 'none'} → {c.new or 'none'}") for c in answer.lastmod_changed],
        "metadata_changed": [(loc, "") for loc in answer.metadata_changed],
    }
    for kind, urls in changes.items():
        for loc, dates in urls[: most or None]:
            yield click.style(f"{_MARKS[kind]} {printable(loc)}", fg=_COLOURS.get(kind)) + printable(dates)
        if most and len(urls) > most:
            yield f"{_MARKS[kind]} … and {len(urls) - most:,} more ({_COLUMNS[kind]})"
