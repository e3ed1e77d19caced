"""Repairs published files that somebody else has overwritten or deleted, when events report it.

Each file that a publication writes causes such an event, too: then a look at the file's metadata is all that is done.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from waypost.core.model import Example, SiteWarning
from waypost.ledger.manifest import Manifest, RepairedFile
from waypost.ledger.pending_files import ROBOTS, with_pending_files
from waypost.ledger.store import LedgerVersion
from waypost.sync.bucket_context import BucketContext
from waypost.sync.published_files import DIFFERS
from waypost.sync.site_warnings import warnings_of

_HOUR = 3_600
MAX_REPAIRS = 3
"""How often a file is repaired within an hour; then it is left until the next rebuild."""


class Repairs(Struct, frozen=True):
    """What became of files that events name: the manifest that has them pending, None if nothing is to be repaired.

    `contested` are files that others keep replacing.
    """

    version: LedgerVersion | None = None
    contested: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[SiteWarning, ...]:
        """The warning about contested files."""
        examples = [Example(name) for name in self.contested]
        return warnings_of({"contested": examples} if examples else {})


def repair_outputs(context: BucketContext, names: Collection[str]) -> Repairs:
    """Have those of these published files written again that are not as they should be.

    Files of this ledger that are pending are left to the process that publishes them. Raises as `Updater.update`.
    """

    def attempt() -> Repairs:
        version = context.ledger.read()
        manifest = version.manifest
        context.require_built(manifest)
        wrong = _wrong_names(context, manifest, names)
        repaired = {each.name: each for each in manifest.repaired}
        counted = {name: _counted(repaired.get(name), name, context.role_clock.time()) for name in wrong}
        contested = {name for name, each in counted.items() if each.count > MAX_REPAIRS}
        is_noted = all(repaired.get(name) == counted[name] for name in wrong)
        if is_noted and not context.ledger.has_uncertain_commit:
            return Repairs(None, tuple(sorted(contested)))
        after = replace(manifest, generation=manifest.generation + 1, repaired=_sorted(repaired | counted))
        after = with_pending_files(after, manifest.files, wrong - contested)
        return Repairs(context.commit(version, after, {}), tuple(sorted(contested)))

    return context.ledger.commit_with_retry(attempt)


def _wrong_names(context: BucketContext, manifest: Manifest, names: Collection[str]) -> set[str]:
    wanted = {ROBOTS if context.site.robots_sitemaps else "", *manifest.files}.intersection(names)
    if not wanted or not manifest.is_publishable:
        return set()
    pending = {each.name for each in manifest.pending}
    problems = context.published_files(manifest).wrong_files(manifest, wanted)
    return {name for name, problem in problems.items() if not (name in pending and problem == DIFFERS)}


def _counted(before: RepairedFile | None, name: str, now: float) -> RepairedFile:
    """A file that is wrong once more; a contested one stays as it is."""
    if before is None or (before.count <= MAX_REPAIRS and now - before.since >= _HOUR):
        return RepairedFile(name, now, 1)
    return before if before.count > MAX_REPAIRS else replace(before, count=before.count + 1)


def _sorted(repaired: Mapping[str, RepairedFile]) -> tuple[RepairedFile, ...]:
    return tuple(repaired[name] for name in sorted(repaired))
