"""Reads the URLs that a sitemap, or an index with all that it lists, has with their dates and metadata."""

from collections.abc import Sequence
from contextlib import closing

from waypost.build.answers import count_noun
from waypost.build.job import now
from waypost.cli.target_opener import TargetOpener
from waypost.cli.terminal import ReadingProgress
from waypost.core.errors import SourceError
from waypost.core.finding_types import Severity
from waypost.core.private_hosts import PrivateHosts
from waypost.core.urls import with_path
from waypost.validate import Content, FileResult, FindingReport, ListedUrls, SitemapEntry, Validator

_INCOMPLETE = ("too-large", "nested-index")
"""Findings after which a part of the list may not have been read."""


def read_listed_urls(target: str, private: PrivateHosts) -> ListedUrls:
    """The URLs that a target lists, with date and metadata.

    Raises SourceError if any of them cannot be read, because those would look removed.
    """
    pages = dict[str, tuple[str, tuple[Content, ...]]]()

    def add_entries(entries: Sequence[SitemapEntry]) -> None:
        for entry in entries:
            if entry.loc:
                pages[with_path(entry.loc)] = (entry.lastmod or "", entry.metadata)

    opener, report, progress = TargetOpener(private=private), FindingReport(1), ReadingProgress()
    validator = Validator(now(), report, opener.child, add_entries, on_read=progress.on_read)
    with closing(validator):
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
