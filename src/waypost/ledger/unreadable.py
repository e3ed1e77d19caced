"""Which objects of a bucket could not be read when they were looked at last."""

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from waypost.ledger.manifest import Manifest, UnreadableObject

MOST = 1_000
"""How many are remembered: enough to see what they have in common."""
_MOST_TEXT = 300


def with_unreadable(manifest: Manifest, seen: Collection[str], failed: Mapping[str, str]) -> Manifest:
    """The manifest after the objects with the keys in `seen` were read, or are gone; `failed` has errors by key."""
    kept = {each.key: each for each in manifest.unreadable if each.key not in seen}
    kept |= {key: UnreadableObject(key, error[:_MOST_TEXT]) for key, error in failed.items()}
    found = tuple(kept[key] for key in sorted(kept)[:MOST])
    return manifest if found == manifest.unreadable else replace(manifest, unreadable=found)
