"""Reads the history that dates the pages of a folder."""

from msgspec.structs import replace

from waypost.config.schema import Site
from waypost.core.model import History
from waypost.git import GitFolder, PageVersions, read_history
from waypost.rules.significant_changes import SignificantChanges
from waypost.rules.wanted_versions import WantedVersions

_REACHES = (1, 2, 4, 8, 16, 32, 64, 128)
"""How many changes further back each fetch for a partial clone goes."""


def page_history(at: GitFolder, site: Site) -> History:
    """The history of the files below a folder, with the last significant change of each page unless bytes count."""
    if site.significance == "bytes" or site.has_source_mappings:
        return read_history(at)
    with PageVersions(at) as versions:
        if versions.remote is None:
            return read_history(at, _check(site, versions))
        return _history_of_partial_clone(at, site, versions)


def _history_of_partial_clone(at: GitFolder, site: Site, versions: PageVersions) -> History:
    """The history, read again after each fetch; pages that need more fetches are beyond the budget."""
    for reach in _REACHES:
        wanted = WantedVersions(_check(site, versions), versions.is_local, reach, site.date_budget)
        history = read_history(at, wanted)
        if not wanted.blobs:
            return history
        if not versions.fetch(wanted.blobs):
            return read_history(at, _check(site, versions))
    history = read_history(at, _check(site, versions))
    return replace(history, beyond_budget=history.beyond_budget | history.unread, unread=frozenset())


def _check(site: Site, versions: PageVersions) -> SignificantChanges:
    has_boilerplate = site.significance == "main"
    return SignificantChanges(
        versions.read, has_boilerplate=has_boilerplate, budget=site.date_budget, read_ahead=versions.read_ahead
    )
