"""Has a bucket's state continue with the dates of another one, such as the same site's before it was moved."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from waypost.build.bucket_state import BucketState, Memory, ObjectRecord, StateHead
from waypost.build.object_memory import NO_FACTS
from waypost.build.state_file import StateFile, StoredState
from waypost.core.errors import StateError


def read_other(file: StateFile) -> BucketState:
    """The state that is to be adopted; raises StateError if there is no complete one, and StoreError."""
    found = file.of_any_site().read().state
    if not found.head.built_at:
        raise StateError(f"there is no complete state at {file.where} to adopt; name the folder that has it")
    return found


def adopting(stored: StoredState, other: BucketState, site_uri: str) -> StoredState:
    """A state that remembers the contents, the dates and the lists of another one, too.

    It keeps its id, or gets the other's: the files of a site that was copied have this in their metadata. What is
    published by another site's state, which is in the place of this one, is not this site's.
    """
    head, memory = stored.head, stored.state.memory
    if head.site_uri not in ("", site_uri):
        head, memory = StateHead(number=head.number, site_id=head.site_id), Memory()
    memory = replace(
        memory,
        objects=tuple(_adopted(memory.objects, other.memory.objects)),
        rules_version=memory.rules_version or other.memory.rules_version,
        named=memory.named if memory.named.sources else other.memory.named,
    )
    head = replace(head, site_id=head.site_id or other.head.site_id)
    return replace(stored, state=BucketState(head, memory))


def _adopted(own: Sequence[ObjectRecord], others: Sequence[ObjectRecord]) -> Iterator[ObjectRecord]:
    """The records in the order of their keys; an object with the content that the other state knows has its date."""
    known = {each.key: each for each in own}
    for other in others:
        mine = known.get(other.key)
        if mine is None:
            known[other.key] = ObjectRecord(
                other.key, "", "", NO_FACTS, text_digest=other.text_digest, lastmod=other.lastmod
            )
        elif mine.text_digest == other.text_digest:
            known[other.key] = replace(mine, lastmod=other.lastmod)
    return (known[key] for key in sorted(known))
