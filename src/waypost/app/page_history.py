"""Reads the histories that date pages: of the files of a site, and of the files that built pages are made of."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import History
from waypost.core.page_changes import ChangeCheck
from waypost.evidence import SourceChanges
from waypost.git import GitFolder, OtherFiles, PageVersions, read_history, with_others
from waypost.rules.significant_changes import SignificantChanges

_REACHES = (1, 2, 4, 8, 16, 32, 64, 128)
"""How many changes further back each fetch for a partial clone goes."""
_MakeCheck = Callable[[PageVersions], ChangeCheck]
_Read = Callable[[ChangeCheck], History]


def page_history(at: GitFolder, site: Site) -> History:
    """The history of the files below a folder, with the last significant change of each page unless bytes count."""

    def check(versions: PageVersions) -> ChangeCheck:
        has_boilerplate = site.significance == "main"
        return SignificantChanges(
            versions.read, has_boilerplate=has_boilerplate, budget=site.date_budget, read_ahead=versions.read_ahead
        )

    return _history(at, site, check, lambda made: read_history(at, made))


def source_history(at: GitFolder, site: Site, others: Sequence[OtherFiles] = ()) -> History:
    """The history of a project's files, with the last change of each text by which pages change unless bytes count.

    `others` are files of other repositories, whose histories are read, too.
    """

    def check(versions: PageVersions) -> ChangeCheck:
        return SourceChanges(versions.read, site.date_budget, versions.read_ahead)

    def history(at: GitFolder) -> History:
        return _history(at, site, check, lambda made: read_history(at, made, follows_moves=True))

    return with_others(history(at), [(other, history(other.at)) for other in others])


def _history(at: GitFolder, site: Site, make_check: _MakeCheck, read: _Read) -> History:
    if site.significance == "bytes":
        return read_history(at)
    with PageVersions(at) as versions:
        if versions.remote is None:
            return read(make_check(versions))
        return _history_of_partial_clone(site, versions, make_check, read)


def _history_of_partial_clone(site: Site, versions: PageVersions, make_check: _MakeCheck, read: _Read) -> History:
    """The history, read again after each fetch; pages that need more fetches are beyond the budget."""
    from waypost.rules.wanted_versions import WantedVersions  # most clones have all objects

    for reach in _REACHES:
        wanted = WantedVersions(make_check(versions), versions.is_local, reach, site.date_budget)
        history = read(wanted)
        if not wanted.blobs:
            return history
        if not versions.fetch(wanted.blobs):
            return read(make_check(versions))
    history = read(make_check(versions))
    return replace(history, beyond_budget=history.beyond_budget | history.unread, unread=frozenset())
