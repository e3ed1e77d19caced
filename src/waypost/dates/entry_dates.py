"""Dates lists by their entries: when one appeared, or changed what lists show of it, which is its title and summary."""

import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import NamedTuple

from msgspec.structs import replace

from waypost.core.model import History
from waypost.core.page_changes import PageChange, Read, Verdicts, Version
from waypost.dates.commit_dates import NoDateReason, date_of, significant
from waypost.dates.source_changes import SourceChanges, are_alike
from waypost.pages import frontmatter

_SHOWN = re.compile(
    r"^(?:\.\. |:|#\+)?[\"']?(title|description|summary|excerpt|draft|published|hidden)[\"']?[ \t]*[:=]"
    r"(.*(?:\n[ \t]+\S.*)*)",
    re.MULTILINE | re.IGNORECASE,
)
"""The fields that lists show, each with the further lines of its value, and those that decide whether it is listed."""
_HEADING = re.compile(
    r"^(?:#{1,2}|={1,2}) +(\S.*)|^(\S.*)\n([=\-~*#^])\3{2,}[ \t]*$|<(?:title|h1)\b[^<>]*>([^<]+)", re.MULTILINE
)
_LATER_PAGES = re.compile(
    r"(?:^|/)(?:(?:page|p)/?-?|(?:index|posts?|blog|news)-?)(\d{1,6})(?:/index)?\.html?$|(?:^|/)page/(\d{1,6})/",
    re.IGNORECASE,
)
_MARKS = "\"'>|+- "
"""What may be around a value in YAML and TOML."""
_UNPUBLISHED = "_drafts/"
"""The folder of Jekyll from which a post that is published is moved."""


def is_later_page(key: str) -> bool:
    """Whether a page is, by its path, one of a pagination after the first."""
    found = _LATER_PAGES.search(key)
    return found is not None and int(found[1] or found[2]) > 1


def shown_in_lists(data: bytes) -> bytes:
    """What lists show of an entry, of its source: the fields of its front matter, or its first heading as its title."""
    fields, text = frontmatter.front_matter(data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))
    found = {name.lower(): " ".join(value.split()).strip(_MARKS) for name, value in _SHOWN.findall(fields)}
    if "title" not in found and (heading := _HEADING.search(text)):
        found["title"] = next(filter(None, (heading[1], heading[2], heading[4])), "")
    return "\n".join(f"{name}: {value}" for name, value in sorted(found.items())).encode("utf-8", "replace")


class EntryChanges(SourceChanges):
    """Compares what lists show of source files before and after each commit; a draft that is moved appears then."""

    def __init__(self, read: Read, budget: int, read_ahead: Callable[[Sequence[Version]], object]) -> None:
        super().__init__(read, budget, read_ahead, is_alike=_are_alike)

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the undecided files whether the commit changed what lists show, or published them."""
        found = super().check(changes, undecided)
        published = {each.path for each in changes if _is_draft(each.old_path) and not _is_draft(each.at or each.path)}
        return replace(found, unchanged=found.unchanged - published)


def _are_alike(path: str, one: bytes, other: bytes) -> bool:
    return are_alike(path, shown_in_lists(one), shown_in_lists(other))


def _is_draft(path: str) -> bool:
    return f"/{path}".find(f"/{_UNPUBLISHED}") >= 0


class NewestEntry(NamedTuple):
    """The source of the entry that appeared or changed last, and when."""

    file: str
    date: str


class EntryDates:
    """The dates of entries by the history of their sources, in which `EntryChanges` decided what counts.

    `prefix` is the path of the site's folder, or of the one to which settings are relative, in that history.
    """

    def __init__(self, history: History, now: int, prefix: str = "") -> None:
        self._times, self._uncommitted = significant(history)
        self._unread, self._now, self.prefix = history.beyond_budget | history.unread, now, prefix

    def newest(self, files: Iterable[str]) -> NewestEntry | None:
        """The newest of these entries; None if there is none, or if it is not known of all when they changed."""
        times = {file: self._time(file) for file in files}
        known = {file: time for file, time in times.items() if time is not None}
        if not known or len(known) < len(times):
            return None
        newest = max(known, key=lambda file: (known[file], file))
        date = date_of([known[newest]], self._now)
        return None if isinstance(date, NoDateReason) else NewestEntry(newest, date)

    def _time(self, file: str) -> int | None:
        return None if file in self._uncommitted or file in self._unread else self._times.get(file)
