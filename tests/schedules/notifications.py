"""The invariants of notifying subscribers: each change is sent at least once, after it was published."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from waypost.core.diff import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from waypost.announce.base import PublishResult
    from waypost.ledger.manifest import Manifest


class Notifications:
    """What the subscriber of one ledger has yet to be notified of: URLs and files, by the generation of the change.

    A URL changes when a manifest lists it and the one before it did not, the other way round, or with another date or
    other alternates; a file when it ceases to be pending, or to exist.
    """

    def __init__(self) -> None:
        self.urls: dict[str, int] = {}
        self.files: dict[str, int] = {}
        self._listed: Mapping[str, object] | None = None
        self._settings: object = None
        self._generation_of: dict[str, int] = {}

    def note_manifest(self, manifest: Manifest, listed: Mapping[str, object], *, is_known: bool) -> None:
        """Take the next manifest and the URLs that it lists, each with what readers see of it.

        `is_known` is false where records are damaged.
        """
        for each in manifest.outbox:
            self._generation_of.setdefault(each.name, manifest.generation)
        settings = (manifest.config_digest, manifest.robots_rules, manifest.url_form, bool(manifest.built_at))
        is_same = settings == self._settings and manifest.is_complete and is_known
        if not (is_same and manifest.built_at) or self._listed is None:
            self.urls.clear()
        else:
            changed = {url for url, _ in self._listed.items() ^ listed.items()}
            self.urls |= dict.fromkeys(changed, manifest.generation)
        self._settings = settings
        self._listed = listed if manifest.is_complete and is_known else None

    def note_file(self, name: str, generation: int) -> None:
        """A process has written or deleted a published file under a manifest of this generation."""
        self.files[name] = generation

    def note_result(self, result: PublishResult) -> None:
        """The subscriber got a result."""
        name = result.address.removeprefix("s3://state/")
        generation = self._generation_of[name]
        for url in chain.from_iterable(getattr(result.changes, kind) for kind in KINDS):
            if self.urls.get(url, generation + 1) <= generation:
                del self.urls[url]
        for file in (*result.written, *result.removed):
            if self.files.get(file, generation + 1) <= generation:
                del self.files[file]
