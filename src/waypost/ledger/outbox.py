"""The changes that a ledger has published and of which subscribers have yet to be notified.

Each is a file of its own, which the manifest names until all subscribers that want it were notified. A run claims the
oldest of these files with the replacement of the manifest that ends the publisher's lease, and then the next ones, so
that no other run notifies of the same changes at the same time. If it dies, its claim ends by the clock, and a later
run claims them.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice

from msgspec.structs import replace

from waypost.ledger.manifest import Manifest, OutboxFile

FOLDER = "outbox/"
CLAIM_SECONDS = 900.0
"""How long a run may notify subscribers: as long as a call of the function may take (Lambda, "Quotas")."""
MAX_CLAIMED = 50
"""How many files of one subscriber a run claims at once; it reads them in a few seconds."""
LONGEST_WAIT = 604_800.0
"""After a week, search engines have found the changes by themselves."""


def with_outbox_file(manifest: Manifest, name: str, waiting: tuple[str, ...], now: float) -> Manifest:
    """The manifest with one more file, of which some subscribers wait to be notified."""
    return replace(manifest, outbox=(*manifest.outbox, OutboxFile(name, now, waiting)))


def is_claimable(manifest: Manifest, now: float) -> bool:
    """Whether there are files that no live run has claimed."""
    return any(_is_free(each, now) for each in manifest.outbox)


def claimed(manifest: Manifest, owner: str, now: float) -> Manifest:
    """The manifest with free files claimed: the oldest ones that each subscriber waits for.

    Nothing is claimed before all that is pending is published.
    """
    if manifest.pending or not is_claimable(manifest, now):
        return manifest
    free = [each for each in manifest.outbox if _is_free(each, now)]
    subscribers = {name for each in free for name in each.waiting}
    claims = {each.name for name in subscribers for each in _oldest(free, name)}
    expires = now + CLAIM_SECONDS
    files = (replace(each, owner=owner, expires=expires) if each.name in claims else each for each in manifest.outbox)
    return replace(manifest, outbox=tuple(files))


def _oldest(files: Iterable[OutboxFile], subscriber: str) -> Iterator[OutboxFile]:
    return islice((each for each in files if subscriber in each.waiting), MAX_CLAIMED)


def claimed_by(manifest: Manifest, owner: str, now: float) -> list[OutboxFile]:
    """The files that a run has claimed and may still notify subscribers of."""
    return [each for each in manifest.outbox if each.owner == owner and now < each.expires]


def without_notified(manifest: Manifest, notified: Mapping[str, Set[str]], owner: str) -> Manifest:
    """The manifest after a run has notified subscribers, by the file's name; its claims end.

    Files of which no subscriber waits to be notified any more are no longer named.
    """
    left = []
    for each in manifest.outbox:
        waiting = tuple(name for name in each.waiting if name not in notified.get(each.name, ()))
        if waiting and each.owner == owner:
            left.append(replace(each, waiting=waiting, owner="", expires=0.0))
        elif waiting:
            left.append(replace(each, waiting=waiting))
    return replace(manifest, outbox=tuple(left))


def _is_free(file: OutboxFile, now: float) -> bool:
    return not file.owner or now >= file.expires
