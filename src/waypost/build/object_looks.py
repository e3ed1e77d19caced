"""What a run over a bucket looks at: which objects differ from the state, and what they are now."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import BucketState
from waypost.core import concurrency
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.files.one_at_a_time import OneAtATime
from waypost.files.source import ItemChangedError, ObjectSource
from waypost.pages import page_facts
from waypost.pages.page_facts import ObjectSnapshot
from waypost.settings.schema import Site

Snapshots = Mapping[str, ObjectSnapshot | None]
"""What objects are now, by key; None means an object that is gone."""
_BATCH = 1_000
"""So many objects are read before the deadline is looked at again."""


def read_objects(
    source: ObjectSource, site: Site, items: Sequence[Item], retry: Retry = ONE_ATTEMPT
) -> tuple[dict[str, ObjectSnapshot | None], dict[str, str]]:
    """The snapshots of these objects, and for objects that could not be read the error after the last attempt.

    Only reads that may succeed later are repeated.
    """
    one_at_a_time = OneAtATime(source)

    def read(item: Item) -> ObjectSnapshot | OSError | None:
        try:
            with one_at_a_time:
                return page_facts.read_item(one_at_a_time, site, item)
        except FileNotFoundError:
            return None
        except OSError as error:
            return error

    answers: dict[str, ObjectSnapshot | OSError | None] = {}
    for _ in retry.attempts():
        found = concurrency.map_concurrently(read, items, source.width)
        answers |= zip((item.key for item in items), found, strict=True)
        items = [item for item in items if isinstance(answers[item.key], TimeoutError | ItemChangedError)]
        if not items:
            break
    snapshots = {key: each for key, each in answers.items() if not isinstance(each, OSError)}
    failed = {key: each.strerror or str(each) for key, each in answers.items() if isinstance(each, OSError)}
    return snapshots, failed


class ObjectLooks:
    """Looks at objects for one run; `count` is how many it has read.

    What was read under a state counts for that state. Under another one each object is asked again: another run may
    have looked at it later.
    """

    def __init__(self, bucket: BucketSite, retry: Retry) -> None:
        self._bucket, self._retry = bucket, retry
        self._read: dict[str, ObjectSnapshot | None] = {}
        self._failed: dict[str, str] = {}
        self._under: str | None = ""
        self.count = 0

    def look(self, keys: Collection[str], stored: BucketState) -> tuple[Snapshots, Mapping[str, str]]:
        """What these objects are now, and the errors of those that cannot be read, as far as there is time."""
        if stored.etag != self._under:
            self._forget_changed(keys)
        self._under = stored.etag
        # Under other settings the state may have objects that are no pages any more: they are as good as gone.
        self._read |= dict.fromkeys(key for key in keys if self._bucket.exclusion_reason(key))
        wanted = [key for key in keys if key not in self._read and key not in self._failed]
        for start in range(0, len(wanted), _BATCH):
            if self.count and self._retry.deadline_reached():
                break
            items = [Item(key, key) for key in wanted[start : start + _BATCH]]
            found, failed = read_objects(self._bucket.objects, self._bucket.site, items, self._retry)
            self._read |= found
            self._failed |= failed
            self.count += len(items)
        return {key: self._read[key] for key in keys if key in self._read}, dict(self._failed)

    def _forget_changed(self, keys: Collection[str]) -> None:
        """Forget what was read of objects that have changed since, and what could not be read."""
        read = [key for key in keys if key in self._read]
        are_same = concurrency.map_concurrently(self._is_same, read, self._bucket.objects.width)
        self._read = {key: self._read[key] for key, is_same in zip(read, are_same, strict=True) if is_same}
        self._failed = {}

    def _is_same(self, key: str) -> bool:
        """Whether an object is still what was read (a HEAD request)."""
        before = self._read[key]
        try:
            now = self._bucket.objects.read(Item(key, key), 0)
        except FileNotFoundError:
            return before is None
        except OSError:
            return False
        return before is not None and (now.etag, now.modified) == (before.etag, before.uploaded_at)


def unreported(stored: BucketState, items: Iterable[Item], before: float) -> int:
    """How many objects are not as the state has them, though events should have come of them.

    These are uploads before a time (Unix seconds), and deletions that an earlier rebuild has found.
    """
    known = {each.key: (each.etag, each.modified) for each in stored.memory.objects}
    limit = format_unix_time(int(before))
    late = (item for item in items if item.modified and item.modified < limit)
    return sum((item.etag, item.modified) != known.get(item.key) for item in late) + len(stored.head.unreported)


def differing_keys(stored: BucketState, items: Iterable[Item], read_as: str) -> list[str]:
    """The keys whose objects are not as the state has them; all that were read for other facts than `read_as`."""
    head = stored.head
    known = {each.key: each for each in stored.memory.objects}
    has_facts, goes_on = head.read_as == read_as and not head.reading_as, head.reading_as == read_as
    found = list[str]()
    for item in items:
        record = known.pop(item.key, None)
        is_same = record and not record.error and (record.etag, record.modified) == (item.etag, item.modified)
        if not (is_same and record and (has_facts or (goes_on and record.is_of_build))):
            found.append(item.key)
    return [*found, *known]
