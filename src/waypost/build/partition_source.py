"""The objects of one part of a bucket."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from waypost.build.partitions import Part
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.sources.base import ObjectSource
from waypost.sources.parallel_listing import LAST_KEY


class PartitionSource:
    """A bucket that has only the objects of a part; files besides the pages are found wherever they are."""

    has_etags = True

    def __init__(self, objects: ObjectSource, part: Part) -> None:
        self._objects, self._part, self.width = objects, part, objects.width

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The part's objects."""
        return (each for each in self._objects.items(prunes) if self._part.holds(each.key))

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's bytes; what belongs to another part does not exist."""
        if not self._part.holds(item.key):
            raise FileNotFoundError(2, "it belongs to another partition", item.key)
        return self._objects.read(item, size)

    def find(self, key: str) -> bytes | None:
        """The content of any file of the site, such as robots.txt."""
        return self._objects.find(key)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The current ETags; what belongs to another part does not exist."""
        names = list(keys)
        return dict.fromkeys(names) | self._objects.etags([key for key in names if self._part.holds(key)])

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The part's objects in order; what belongs to other parts is not listed."""
        points = list(split_points)
        for first, last in self._ranges():
            begin, end = max(first, start_after), min(filter(None, (last, through)), default=None)
            if end is None or begin < end:
                yield from self._objects.list_items(begin, points, end)

    def first_key_after(self, key: str) -> str | None:
        """The first key of the bucket after another, whichever part it belongs to."""
        return self._objects.first_key_after(key)

    def _ranges(self) -> Iterator[tuple[str, str | None]]:
        """The ranges of the part's keys: after one key, and up to another, None for the end of the bucket."""
        begin, prefix = "", self._part.prefix
        if prefix:
            begin = _before(prefix)
        for inner in sorted(self._part.inner):
            if inner + LAST_KEY > begin:
                yield begin, _before(inner)
                begin = inner + LAST_KEY
        yield begin, prefix + LAST_KEY if prefix else None


def _before(prefix: str) -> str:
    """A string after all keys that are before the first one with a prefix."""
    last = ord(prefix[-1]) - 1
    return prefix[:-1] + (chr(0xD7FF if 0xD800 <= last <= 0xDFFF else last) + LAST_KEY if last > 0 else "")
