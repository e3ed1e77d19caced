"""Repairs published files that another writer has overwritten or deleted, when events report it.

Each file that a publication writes causes such an event, too: then a look at the file's metadata is all that is done.
"""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from waypost.build.contested_files import DELETED, REPLACED, counted_again, is_contested
from waypost.core.model import Example, SiteWarning
from waypost.ledger.manifest import Manifest, RepairedFile
from waypost.ledger.pending_files import ROBOTS, with_pending_files
from waypost.ledger.store import LedgerVersion
from waypost.sync.bucket_context import BucketContext
from waypost.sync.published_files import DIFFERS, MISSING
from waypost.sync.site_warnings import warnings_of
from waypost.sync.status_answers import Problem

_CONTESTED = "another writer has replaced or deleted it again and again, so it is left as it is until the next rebuild"
_STOP = "find out who writes it, such as a generator or a second stack, stop that, and rebuild"


class Repairs(Struct, frozen=True):
    """What became of files that events name: the manifest with what is to be published, None if that is nothing.

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

    What runs wrote is left to the process that publishes it, if it is pending. What another writer wrote becomes
    pending again: that process may have written its own before. If nobody publishes, pending files are published now:
    the events may come from a process that died when it had repaired their files. Raises as `Updater.update`.
    """

    def attempt() -> Repairs:
        version = context.ledger.read()
        manifest = version.manifest
        context.require_built(manifest)
        wrong = _wrong_files(context, manifest, names)
        repaired, pending = {each.name: each for each in manifest.repaired}, {each.name for each in manifest.pending}
        now = context.lease_clock.time()
        counted = {
            name: counted_again(repaired.get(name), name, DELETED if problem == MISSING else REPLACED, now)
            for name, problem in wrong.items()
            if name not in pending  # else it is being repaired, and its event may have come again
        }
        contested = {name for name, each in counted.items() if is_contested(each)}
        is_noted = contested == wrong.keys() and all(repaired.get(name) == counted[name] for name in contested)
        if is_noted and not context.ledger.has_uncertain_commit:
            return Repairs(context.left_to_publish(version), tuple(sorted(contested)))
        after = replace(manifest, generation=manifest.generation + 1, repaired=_sorted(repaired | counted))
        after = with_pending_files(after, manifest.files, wrong.keys() - contested)
        return Repairs(context.commit(version, after, {}), tuple(sorted(contested)))

    return context.ledger.commit_with_retry(attempt)


def contested_files(repaired: Sequence[RepairedFile]) -> list[Problem]:
    """The problems of files that are left as others have made them."""
    return [Problem("store", each.name, _CONTESTED, _STOP) for each in repaired if is_contested(each)]


def _wrong_files(context: BucketContext, manifest: Manifest, names: Collection[str]) -> dict[str, str]:
    """What is wrong with each of these files, but for what runs wrote and a process is publishing again.

    Nothing says who wrote robots.txt.
    """
    wanted = {ROBOTS if context.site.robots_sitemaps else "", *manifest.files}.intersection(names)
    if not wanted or not manifest.is_publishable:
        return {}
    pending = {each.name for each in manifest.pending}
    problems = context.published_files(manifest).wrong_files(manifest, wanted)
    left = {name for name, problem in problems.items() if name in pending and problem == DIFFERS} - {ROBOTS}
    return {name: problem for name, problem in problems.items() if name not in left}


def _sorted(repaired: Mapping[str, RepairedFile]) -> tuple[RepairedFile, ...]:
    return tuple(repaired[name] for name in sorted(repaired))
