"""Reads the histories that date pages: of the files of a site, and of the files that built pages are made of."""

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress

from msgspec.structs import replace

from waypost.core.errors import StoreError
from waypost.core.hashing import content_digest
from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck, PageChange, Verdicts, Version
from waypost.dates import part_changes
from waypost.dates.entry_dates import EntryChanges
from waypost.dates.significant_changes import SignificantChanges
from waypost.dates.source_changes import SourceChanges
from waypost.files import FolderStore, KeptFile, keep_file, read_kept
from waypost.git import GitFolder, OtherFiles, PageVersions, ignored_commits, read_history, read_newer, with_others
from waypost.pages.facts import RULES_VERSION
from waypost.settings.schema import Site

_REACHES = (1, 2, 4, 8, 16, 32, 64, 128)
"""How many changes further back each fetch for a partial clone goes; no date depends on it."""
_DATE_RULES = 12
"""Raise it where a rule changes that only histories follow, so that kept ones are read again."""
_MOST_KEPT_BYTES = 67_108_864
"""A longer kept history is read anew; no test has one."""
_MakeCheck = Callable[[PageVersions], ChangeCheck]
_Read = Callable[[ChangeCheck], History]


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

    def combined(self, by_parent: Sequence[Sequence[PageChange]], undecided: Set[str]) -> Set[str]:
        """What the other check finds of the pages whose versions are there."""
        return self._check.combined(by_parent, undecided - self._reach.keys())

    def _want(self, changes: Sequence[PageChange]) -> None:
        for change in sorted(changes):
            for version in (change.after, change.before):
                if isinstance(version, bytes) and not self._is_local(version) and len(self.blobs) < self._limit:
                    self.blobs.add(version)


class KeptHistory(KeptFile, frozen=True, forbid_unknown_fields=True):
    """A history that an earlier run read; `read_as` says of what, and by which rules and settings."""

    format: str = "waypost-history"
    version: int = 1
    read_as: str = ""
    history: History = History()


class KeptHistories:
    """The histories that are kept in Git's own folder, so that the next run reads only the commits since then."""

    def __init__(self) -> None:
        self._read: list[tuple[GitFolder, KeptHistory]] = []

    def known(self, at: GitFolder, read_as: str) -> History | None:
        """What an earlier run read in the same way; None if there is none."""
        try:
            found = read_kept(_store(at), _name(read_as), KeptHistory())
        except StoreError:
            return None
        return found.history if found.read_as == read_as else None

    def note(self, at: GitFolder, read_as: str, history: History) -> None:
        """Remember a history that was read, if a later one can continue it."""
        unsure = history.uncommitted or history.beyond_budget or history.unread or history.is_shallow
        if history.head and not unsure:
            self._read.append((at, KeptHistory(read_as=read_as, history=history)))

    def keep(self) -> None:
        """Write what was read; a folder that cannot be written, or a name that is no text, only costs time."""
        for at, found in self._read:
            with suppress(StoreError, UnicodeEncodeError):
                keep_file(found, _store(at), _name(found.read_as))


def _store(at: GitFolder) -> FolderStore:
    return FolderStore(at.repository.common_dir / "waypost", _MOST_KEPT_BYTES)


def _name(read_as: str) -> str:
    """A name for what was read and how, but not for the rules: those of an older version are replaced."""
    return f"history-{content_digest(read_as.partition(' by ')[0].encode('utf-8', 'surrogateescape'))[:16]}.json"


def page_history(at: GitFolder, site: Site, kept: KeptHistories | None = None) -> History:
    """The history of the files below a folder, with the last significant change of each page unless bytes count."""

    def check(versions: PageVersions) -> ChangeCheck:
        has_boilerplate = site.significance == "main"
        return SignificantChanges(
            versions.read, has_boilerplate=has_boilerplate, budget=site.date_budget, read_ahead=versions.read_ahead
        )

    return _history(at, site, check, kept)


def source_history(
    at: GitFolder, site: Site, others: Sequence[OtherFiles] = (), kept: KeptHistories | None = None
) -> History:
    """The history of a project's files, with the last change of each text by which pages change unless bytes count.

    `others` are files of other repositories, whose histories are read, too.
    """

    def check(versions: PageVersions) -> ChangeCheck:
        return SourceChanges(versions.read, site.date_budget, versions.read_ahead)

    def history(at: GitFolder, kept: KeptHistories | None = None) -> History:
        return _history(at, site, check, kept, follows_moves=True)

    return with_others(history(at, kept), [(other, history(other.at)) for other in others])


def part_times(
    at: GitFolder, site: Site, parts: Collection[str], kept: KeptHistories | None = None
) -> Mapping[str, int | None]:
    """When each of some parts of files last changed, by `core.page_changes.part_name`; none where bytes count."""
    if not parts or site.significance == "bytes":
        return {}

    def check(versions: PageVersions) -> ChangeCheck:
        endings = part_changes.endings_of(parts)
        return SourceChanges(
            versions.read, site.date_budget, versions.read_ahead, endings=endings, is_alike=part_changes.are_alike
        )

    return _compared_history(at, site, check, kept, parts=parts, follows_moves=True).page_times


def entry_history(at: GitFolder, site: Site, others: Sequence[OtherFiles] = ()) -> History:
    """The history of a project's files, with the last change of what lists show of each; it is read anew each time."""

    def check(versions: PageVersions) -> ChangeCheck:
        return EntryChanges(versions.read, site.date_budget, versions.read_ahead)

    def history(at: GitFolder) -> History:
        return _compared_history(at, site, check, None, follows_moves=True)

    return with_others(history(at), [(other, history(other.at)) for other in others])


def _history(
    at: GitFolder, site: Site, make_check: _MakeCheck, kept: KeptHistories | None, *, follows_moves: bool = False
) -> History:
    if site.significance == "bytes":
        return read_history(at)
    return _compared_history(at, site, make_check, kept, follows_moves=follows_moves)


def _compared_history(
    at: GitFolder,
    site: Site,
    make_check: _MakeCheck,
    kept: KeptHistories | None,
    *,
    parts: Collection[str] = (),
    follows_moves: bool,
) -> History:
    def read(check: ChangeCheck) -> History:
        return read_history(at, check, follows_moves=follows_moves, parts=parts)

    with PageVersions(at) as versions:
        if versions.remote is not None:
            return _history_of_partial_clone(site, versions, make_check, read)
        if kept is None:
            return read(make_check(versions))
        read_as = _read_as(at, site, parts, follows_moves=follows_moves)
        known = kept.known(at, read_as)
        check = make_check(versions)
        newer = read_newer(at, known, check, follows_moves=follows_moves, parts=parts) if known else None
        found = newer or read(make_check(versions))
        if known is None or known.head != found.head:
            kept.note(at, read_as, found)
        return found


def _read_as(at: GitFolder, site: Site, parts: Collection[str], *, follows_moves: bool) -> str:
    """Everything by which two histories of one commit may differ."""
    ignored = content_digest(b"\n".join(sorted(ignored_commits(at))))
    named = content_digest("\n".join(sorted(parts)).encode("utf-8", "surrogateescape")) if parts else ""
    rules = f"{RULES_VERSION}.{_DATE_RULES} {site.significance} {site.date_budget} {ignored} {named}".rstrip()
    kind = "parts" if parts else "sources" if follows_moves else "pages"
    return f"{kind} in {at.prefix} by {rules}"


def _history_of_partial_clone(site: Site, versions: PageVersions, make_check: _MakeCheck, read: _Read) -> History:
    """The history, read again after each fetch; pages that need more fetches are beyond the budget."""
    for reach in _REACHES:
        wanted = WantedVersions(make_check(versions), versions.is_local, reach, site.date_budget)
        history = read(wanted)
        if not wanted.blobs:
            return history
        if not versions.fetch(wanted.blobs):
            return read(make_check(versions))
    history = read(make_check(versions))
    return replace(history, beyond_budget=history.beyond_budget | history.unread, unread=frozenset())
