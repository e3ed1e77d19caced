"""What `waypost diff` does: it reads two lists of URLs, compares them, and prints the changes."""

from collections.abc import Sequence
from contextlib import closing
from typing import Literal

from waypost.app.answers import DiffAnswer
from waypost.app.diff_answer import diff_answer, has_changes
from waypost.app.diff_markdown import diff_markdown
from waypost.app.formatting import count_noun
from waypost.app.job import now
from waypost.cli.diff_text import diff_lines
from waypost.cli.exits import print_json
from waypost.cli.reading_progress import ReadingProgress
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import echo
from waypost.core.errors import RemovedUrlsError, SourceError
from waypost.validate.file_validator import FileResult
from waypost.validate.findings import FindingReport
from waypost.validate.rules import Severity
from waypost.validate.sitemap_entry import Content, SitemapEntry
from waypost.validate.validator import Validator

DiffFormat = Literal["text", "json", "markdown"]
_INCOMPLETE = ("too-large", "nested-index")
"""Findings after which a part of the list may not have been read."""


def diff(old: str, new: str, most: int, output: DiffFormat, *, max_removed: float | None, may_be_private: bool) -> bool:
    """Compare what two targets list and print the changes, at most `most` of each kind; whether there are any.

    Raises RemovedUrlsError, after it has printed them, if more than `max_removed` percent of the old URLs are removed.
    """
    answer = diff_answer(*(_read(target, may_be_private=may_be_private) for target in (old, new)))
    if output == "json":
        print_json(answer)
    else:
        markdown = diff_markdown(answer, most) if output == "markdown" else ""
        echo(markdown.rstrip("\n") or "\n".join(diff_lines(answer, most)))
    _refuse_removals(answer, max_removed)
    return has_changes(answer)


def _refuse_removals(answer: DiffAnswer, max_removed: float | None) -> None:
    removed, listed = len(answer.removed), answer.url_count.old
    if max_removed is not None and removed * 100 > max_removed * listed:
        raise RemovedUrlsError(
            f"{removed:,} of {count_noun(listed, 'URL')} were removed ({answer.removed_percent:g}%), and "
            f"--fail-if-removed allows {max_removed:g}%; a moved URL does not count"
        )


def _read(target: str, *, may_be_private: bool) -> dict[str, tuple[str, tuple[Content, ...]]]:
    """The URLs that a target lists, with date and metadata.

    Raises SourceError if any of them cannot be read, because those would look removed.
    """
    pages: dict[str, tuple[str, tuple[Content, ...]]] = {}
    shared: dict[tuple[Content, ...], tuple[Content, ...]] = {}

    def add_entries(entries: Sequence[SitemapEntry]) -> None:
        for entry in entries:
            if entry.loc:
                metadata = entry.metadata
                if not entry.extensions:  # there are few different ones, which many pages share
                    metadata = shared.setdefault(metadata, metadata)
                pages[entry.loc] = (entry.lastmod or "", metadata)

    opener, report, progress = TargetOpener(may_be_private=may_be_private), FindingReport(1), ReadingProgress()
    validator = Validator(now(), report, opener.child, add_entries, on_read=progress.on_read)
    with closing(validator.url_index):
        files = list(progress.shown(validator.validate(opener.open_target(target))))
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
