"""What an update has committed and not yet published."""

from collections.abc import Mapping

from waypost.core.model import Document
from waypost.ledger.manifest import Manifest
from waypost.ledger.manifest_update import ManifestUpdate
from waypost.ledger.pending_files import range_ends
from waypost.ledger.store import LedgerVersion
from waypost.sync.published_files import NO_FILE, PresentFile
from waypost.sync.publisher_lease import PublisherLeaseHolder


class PublishingWork:
    """The commits of one run: the last version, rendered documents, and what is published under the pending names.

    What is known saves a HEAD request for each file. It is only what a manifest says of files that nobody else can have
    written since: this run has had the publisher's lease from that manifest on.
    """

    def __init__(self, lease: PublisherLeaseHolder) -> None:
        self._lease = lease
        self.version: LedgerVersion | None = None
        self.documents: dict[str, Document] = {}
        self._known: dict[str, PresentFile] = {}
        self._last_generation = 0

    def note_commit(self, before: Manifest, version: LedgerVersion, update: ManifestUpdate) -> None:
        """Add what a commit has rendered, and what the manifest before it knew of the files that became pending."""
        after = version.manifest
        known = _known_files(before, after) if self._lease.is_held(after) else {}
        if self._lease.is_held(before) and self._lease.is_held(after):
            known |= self.known_by(before)
        in_doubt = {*update.files_of_moved_urls, *_possibly_deleted(known, after)}
        self._known = {name: each for name, each in known.items() if name not in in_doubt}
        self.version, self._last_generation = version, after.generation
        self.documents |= update.documents

    def known_by(self, manifest: Manifest) -> dict[str, PresentFile]:
        """What is published under names, except what others have made pending since the last commit.

        They may have seen that it was replaced.
        """
        by_others = {each.name for each in manifest.pending if each.generation > self._last_generation}
        return {name: each for name, each in self._known.items() if name not in by_others}


def _known_files(before: Manifest, after: Manifest) -> dict[str, PresentFile]:
    """What is published under the names that only the last commit made pending."""
    if not before.is_complete:
        return {}
    files, ends = before.files, range_ends(before.entries, before.indexes)
    unreferenced = {each.name: each for each in before.unreferenced}
    known: dict[str, PresentFile] = {}
    sitemaps = before.sitemap_names
    for name in {each.name for each in after.pending} - {each.name for each in before.pending}:
        if name in unreferenced:
            if unreferenced[name].since and unreferenced[name].etag:
                known[name] = PresentFile(unreferenced[name].etag, unreferenced[name].digest, is_unreferenced=True)
        elif name not in files:
            known[name] = NO_FILE
        elif files[name].etag:
            known[name] = PresentFile(files[name].etag, files[name].digest, ends.get(name, ""), name in sitemaps)
    return known


def _possibly_deleted(known: Mapping[str, PresentFile], after: Manifest) -> set[str]:
    """The files that no index names and that would be right as they are: a pass may have died after deleting them."""
    files = after.files
    unreferenced = (name for name, each in known.items() if each.is_unreferenced and name in files)
    return {name for name in unreferenced if known[name].digest == files[name].digest}
