"""Keys that updates leave to a distributed rebuild, in files that the manifest names."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from waypost.core.errors import LedgerError
from waypost.core.hashing import content_digest
from waypost.ledger.ledger_state import Run
from waypost.ledger.manifest import Manifest
from waypost.ledger.store import Ledger


def with_deferred_keys(manifest: Manifest, keys: Iterable[str]) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest with these keys added for the distributed rebuild, and the file that holds them.

    Nothing changes unless such a build is in progress.
    """
    builder = manifest.builder
    if builder is None or not builder.is_run:
        return manifest, {}
    data = msgspec.json.encode(sorted(keys))
    prefix = Run(builder.owner, builder.start_generation).prefix
    name = f"{prefix}deferred-{len(builder.deferred_keys):07}-{content_digest(data)}"
    return replace(manifest, builder=replace(builder, deferred_keys=(*builder.deferred_keys, name))), {name: data}


def read_deferred_keys(ledger: Ledger, name: str) -> list[str]:
    """The keys in one of these files; raises LedgerError if it is missing or damaged."""
    try:
        return msgspec.json.decode(ledger.store.read(name) or b"", type=list[str])
    except msgspec.MsgspecError as error:
        raise LedgerError(f"{name} is missing or damaged ({error}); start a rebuild to replace it") from None
