"""A bucket whose objects are listed from sorted runs of a report, and read from the bucket itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from waypost.model import Body, Item, Reason, Skipped
from waypost.sources import ObjectSource
from waypost.sources.runs import ReadPart, Run, merged

_SOME = 5_000


class Reported:
    """The objects that a report told of; whatever is asked about one of them, the bucket answers as it is now.

    A report knows nothing of what changed since it was made: what events tell of since then must be looked at.
    """

    def __init__(self, runs: Sequence[Run], read_part: ReadPart, bucket: ObjectSource) -> None:
        self._runs, self._read_part, self._bucket = runs, read_part, bucket
        self.width, self.has_etags = bucket.width, bucket.has_etags

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The objects in the order of their keys; `prunes` is not asked, as in the bucket. Raises SourceError."""
        del prunes
        for some in self.walk("", ()):
            yield from some

    def walk(self, after: str, cuts: Iterable[str], upto: str | None = None) -> Iterator[Sequence[Item | Skipped]]:
        """The objects behind a key, up to and with another, in order, some thousands at a time.

        `cuts` are not needed: the runs' indexes tell where to read. Raises SourceError.
        """
        del cuts
        found = merged(self._runs, self._read_part, after, upto)
        while some := list(islice(found, _SOME)):
            yield some

    def following(self, key: str) -> str | None:
        """The first key in the bucket behind another, or None where there is none; raises SourceError."""
        return self._bucket.following(key)

    def beginning(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys that the bucket has in a range, and whether those are all; raises SourceError."""
        return self._bucket.beginning(after, upto, most)

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's first `size` bytes or so, or all of them; raises OSError."""
        return self._bucket.read(item, size)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The ETags of the objects that have these keys now, None where there is none; raises SourceError."""
        return self._bucket.etags(keys)

    def find(self, key: str) -> bytes | None:
        """A whole object by its key, or None where there is none; raises OSError."""
        return self._bucket.find(key)
