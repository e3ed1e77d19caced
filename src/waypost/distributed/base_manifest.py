"""The ledger that a distributed rebuild compares the site with: the one at its start."""

from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Ledger


def base_manifest(ledger: Ledger, present: Manifest) -> Manifest:
    """The manifest that the run has archived; the current one if the archived one is damaged."""
    archived = ledger.read_archived(present.previous) if present.previous else Manifest()
    return present if present.is_complete and not archived.built_at else archived
