"""Collects the older versions of pages that a partial clone lacks, so that they can be fetched together."""

from collections.abc import Callable, Sequence, Set

from waypost.core.page_changes import ChangeCheck, PageChange, Verdicts, Version


class WantedVersions:
    """Decides by another check, and goes on where that lacks versions, to collect those that it would read next.

    From the first missing version of a page, the versions before and after its next `reach` changes are wanted, and
    the versions of the pages with which they are compared to find the boilerplate; at most `limit` blobs in all.
    """

    def __init__(self, check: ChangeCheck, is_local: Callable[[Version], bool], reach: int, limit: int) -> None:
        self.endings = check.endings
        self.blobs: set[bytes] = set()
        self._check, self._is_local, self._limit = check, is_local, limit
        self._full_reach = reach
        self._reach: dict[str, int] = {}

    def begin(self, page_count: int) -> None:
        """Prepare the other check."""
        self._check.begin(page_count)

    def expect(self, changes: Sequence[PageChange]) -> None:
        """Prepare the other check; what it lacks is not read."""
        self._check.expect(changes)

    def sample(self, changes: Sequence[PageChange]) -> Sequence[PageChange]:
        """The sample of the other check."""
        return self._check.sample(changes)

    def check(self, changes: Sequence[PageChange], undecided: Set[str]) -> Verdicts:
        """Decide for the pages whose versions are there; others count as unchanged within their reach."""
        found = self._check.check(changes, undecided - self._reach.keys())
        self._reach |= dict.fromkeys(found.unread, self._full_reach)
        lacking = (undecided & self._reach.keys()) - found.beyond_budget
        within = {path for path in lacking if self._reach[path] > 0 and len(self.blobs) < self._limit}
        self._reach |= {path: self._reach[path] - 1 for path in within}
        if within:
            self._want([change for change in changes if change.path in within])
            self._want(self._check.sample(changes))
        return Verdicts(found.unchanged | within, found.beyond_budget, lacking - within)

    def _want(self, changes: Sequence[PageChange]) -> None:
        for change in sorted(changes):
            for version in (change.after, change.before):
                if isinstance(version, bytes) and not self._is_local(version) and len(self.blobs) < self._limit:
                    self.blobs.add(version)
