"""Has a ledger continue with the dates of another one, such as the same site's ledger before it was moved.

The next rebuild is then a build that takes over what the other ledger remembers, as after a change of settings: nothing
is published before it is complete.
"""

from typing import NamedTuple

from waypost.core import concurrency
from waypost.core.errors import LedgerError, WrongSiteError
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import unreferenced_file
from waypost.ledger.store import Ledger, LedgerVersion
from waypost.stores import ConditionalStore


class AdoptedLedger(NamedTuple):
    """What was adopted: the location of its site, and the names of the files that are published there."""

    site_uri: str
    files: tuple[str, ...]


def adopt(ledger: Ledger, store: ConditionalStore) -> AdoptedLedger:
    """Copy what the ledger in `store` remembers, and have the next build of `ledger` continue with it.

    `store` may be the ledger's own, if that belongs to another site; the other ledger is left unchanged otherwise.
    Raises LedgerError if there is no complete ledger in `store`, WrongSiteError if the place of `ledger` is taken by a
    third site's, StoreError, and ConflictError if other writers are always first.
    """
    other = Ledger(store, ledger.site_uri)
    present = other.read_of_any_site().manifest
    found = present if present.is_complete else other.read_archived(present.previous) if present.previous else present
    if not found.built_at:
        raise LedgerError("there is no complete ledger at the location to adopt; name the folder of its manifest.json")
    files = [*(entry.records_file for entry in found.entries), *([found.url_list] if found.url_list else [])]

    def copy(name: str) -> None:
        content = store.read(name)
        if content is not None:  # the build reads the pages of lost records again
            ledger.store.write(name, content)

    def attempt() -> None:
        version = ledger.read_of_any_site()
        _require_own_place(version, present, ledger.site_uri)
        ledger.commit(version, _adopting(version.manifest, found, ledger.archive(found), ledger.site_uri), {})

    concurrency.map_concurrently(copy, files, ledger.store.width)
    ledger.commit_with_retry(attempt)
    return AdoptedLedger(found.site_uri, tuple(sorted(found.files)))


def _require_own_place(version: LedgerVersion, other: Manifest, site_uri: str) -> None:
    """Raise WrongSiteError if a third site's ledger is in the place of this one."""
    before = version.manifest
    if before.site_uri not in ("", site_uri) and before.revision != other.revision:
        raise WrongSiteError(f"this is the ledger of {before.site_uri}; {site_uri} needs one of its own")


def _adopting(before: Manifest, found: Manifest, archived: str, site_uri: str) -> Manifest:
    """A manifest of no settings, which a rebuild replaces by one with the dates of the archived manifest.

    The ledger keeps its id, or gets the id of the other one: the files of a site that was copied have this in their
    metadata.
    """
    own = before.files.values() if before.site_uri == site_uri else ()
    unreferenced = {file.name: unreferenced_file(file) for file in own}
    unreferenced |= {each.name: each for each in (*found.unreferenced, *before.unreferenced)}
    return Manifest(
        ledger_id=before.ledger_id or found.ledger_id,
        site_uri=site_uri,
        generation=before.generation,
        pending=before.pending,
        unreferenced=tuple(unreferenced[name] for name in sorted(unreferenced)),
        builder=BuilderLease(position="", previous=archived),
        url_list=found.url_list,
        children=found.children,
        publisher=before.publisher,
    )
