"""The invariants of notifying subscribers: each change is sent at least once, after it was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waypost.announce.base import PublishResult
    from waypost.ledger.manifest import Manifest


class Notifications:
    """What the subscriber of one ledger has yet to be notified of: URLs and files, by the generation of the change.

    A URL changes when a manifest lists it and the one before it did not, or the other way round; a file when it ceases
    to be pending, or to exist.
    """

    def __init__(self) -> None:
        self.urls: dict[str, int] = {}
        self.files: dict[str, int] = {}
        self._listed: frozenset[str] | None = None
        self._settings: object = None
        self._generation_of: dict[str, int] = {}

    def note_manifest(self, manifest: Manifest, listed: frozenset[str], *, is_known: bool) -> None:
        """Take the next manifest and the URLs that it lists; `is_known` is false where records are damaged."""
        for each in manifest.outbox:
            self._generation_of.setdefault(each.name, manifest.generation)
        settings = (manifest.config_digest, manifest.robots_rules, manifest.url_form, bool(manifest.built_at))
        is_same = settings == self._settings and manifest.is_complete and is_known
        if not (is_same and manifest.built_at) or self._listed is None:
            self.urls.clear()
        else:
            self.urls |= dict.fromkeys(self._listed ^ listed, manifest.generation)
        self._settings = settings
        self._listed = listed if manifest.is_complete and is_known else None

    def note_file(self, name: str, generation: int) -> None:
        """A process has written or deleted a published file under a manifest of this generation."""
        self.files[name] = generation

    def note_result(self, result: PublishResult) -> None:
        """The subscriber got a result."""
        name = result.address.removeprefix("s3://state/")
        generation = self._generation_of[name]
        for urls in (result.changes.added, result.changes.removed, result.changes.lastmod_changed):
            for url in urls:
                if self.urls.get(url, generation + 1) <= generation:
                    del self.urls[url]
        for file in (*result.written, *result.removed):
            if self.files.get(file, generation + 1) <= generation:
                del self.files[file]
