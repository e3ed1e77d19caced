"""The dates of pages, and of their sitemaps, from a repository's history."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Set
from enum import StrEnum

from waypost.core.dates import format_unix_time, may_be_commit
from waypost.core.model import History, Item, Shard
from waypost.dates.source_mapping import SourceMapper

GroupOf = Callable[[str], str | None]
"""Returns the group of a key; None if the key is no page of the site."""
LastTouch = Callable[[Shard, Mapping[str, str]], str | None]
"""When a shard's file last changed: the latest touch in its range of keys; None if there is none.

The second argument are the commit dates of its pages: some mappings give a page's files, but not a file's pages.
"""


class NoDateReason(StrEnum):
    """Why Git gives a page no date."""

    SHALLOW = "shallow"
    UNCOMMITTED = "uncommitted"
    UNTRACKED = "untracked"
    SUBMODULE = "submodule"
    SOURCELESS = "sourceless"
    WRONG_TIME = "wrong-commit-time"
    LIST_PAGE = "list-page"
    AMBIGUOUS = "ambiguous"
    NO_EVIDENCE = "no-evidence"
    WEAK_EVIDENCE = "weak-evidence"
    BEYOND_BUDGET = "beyond-budget"
    UNREAD = "unread-versions"
    NOT_LISTED = "not-listed"


UNKNOWN_SOURCES = (NoDateReason.UNTRACKED, NoDateReason.SOURCELESS)
"""Git tracks neither the page nor a file that the settings name for it."""


def date_of(times: Collection[int], now: int) -> str | NoDateReason:
    """The newest of the times at which the files of a page changed; none if that cannot be the time of a change."""
    return format_unix_time(max(times)) if may_be_commit(max(times), now) else NoDateReason.WRONG_TIME


def significant(history: History) -> tuple[Mapping[str, int | None], Set[str]]:
    """When each file last changed in what counts, and the files that have such a change which is not committed."""
    return history.commit_times | history.page_times, history.uncommitted - history.page_times.keys()


class CommitDates:
    """The dates of pages that are tracked themselves, or are built from tracked files that a SourceMapper names.

    Pages and sources have the time of their last significant change, if the history has it.
    A commit with a time after `now` (Unix seconds), or before the web began, dates nothing. `tracked` are the
    paths of the files, in order; empty without a SourceMapper.
    """

    def __init__(self, history: History, mapper: SourceMapper | None, now: int) -> None:
        self._history = history
        self._now = now
        self._mapper = mapper
        self._times, self._uncommitted = significant(history)
        self.tracked = sorted(history.commit_times.keys() | history.uncommitted) if mapper else []

    def of(self, item: Item) -> str | NoDateReason:
        """When the page last changed: the newest commit date of the files that it is made of.

        A list shows what changes in other files, so it has a date only by the files that the settings name.
        """
        if item.entries is not None and not self.files(item.key):
            return NoDateReason.LIST_PAGE
        if self._mapper is None:
            files = {item.read_key} | ({item.key} & self._history.commit_times.keys())
        else:
            files = set(self.files(item.key))
        if self._mapper is None and (reason := self._unread_reason(files)):
            return reason
        if files & self._uncommitted:
            return NoDateReason.UNCOMMITTED
        found = [self._times[file] for file in files if file in self._times]
        times = [time for time in found if time is not None]
        if times:
            return date_of(times, self._now)
        if found and self._history.is_shallow:
            return NoDateReason.SHALLOW
        if self._mapper is not None:
            return NoDateReason.SOURCELESS
        return NoDateReason.SUBMODULE if self._is_in_submodule(item.read_key) else NoDateReason.UNTRACKED

    @property
    def has_files(self) -> bool:
        """Whether Git tracks any file of the folder."""
        return bool(self._history.commit_times)

    def files(self, key: str) -> list[str]:
        """The tracked files that the settings name for a page."""
        return list(self._mapper.files(key, self.tracked)) if self._mapper else []

    def _unread_reason(self, files: Set[str]) -> NoDateReason | None:
        if files & self._history.beyond_budget:
            return NoDateReason.BEYOND_BUDGET
        return NoDateReason.UNREAD if files & self._history.unread else None

    def _is_in_submodule(self, path: str) -> bool:
        """Whether Git tracks a folder above the path like a file, as it does submodules."""
        ends = (n for n, char in enumerate(path) if char == "/")
        return any(path[:end] in self._history.commit_times for end in ends)

    def touches(self, present: GroupOf, removed: GroupOf) -> LastTouch:
        """The latest commits that touched or removed pages, by the shards that the pages are or were in.

        `present` and `removed` give the groups of keys of present and removed files.
        """
        latest: dict[tuple[str, str], int] = {}
        unread = frozenset() if self._mapper else self._history.beyond_budget | self._history.unread
        known = {path: time for path, time in self._times.items() if path not in unread}
        for times, group_of in ((known, present), (self._history.removal_times, removed)):
            for path, time in times.items():
                if time is None or not may_be_commit(time, self._now):
                    continue
                for key in (path,) if self._mapper is None else self._mapper.pages(path):
                    if (group := group_of(key)) is not None:
                        latest[group, key] = max(time, latest.get((group, key), time))
        keys = sorted(latest)

        def last_touch(shard: Shard, dates: Mapping[str, str]) -> str | None:
            start = bisect_left(keys, (shard.group, shard.first_key))
            # No key is between a group's last one and the name of a group that is longer by a NUL.
            end = (shard.group, shard.end_key) if shard.end_key is not None else (f"{shard.group}\0",)
            known = [date for page in shard.pages if (date := dates.get(page.key))]
            touched = keys[start : bisect_left(keys, end)]
            return max([*known, *(format_unix_time(latest[each]) for each in touched)], default=None)

        return last_touch
