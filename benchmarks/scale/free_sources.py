"""Sources for what the simulator itself must know: their requests are not counted."""

from collections.abc import Sequence
from typing import Any

from scale import synthetic_bucket
from waypost.core.model import Body, Item


class FreeKeyListing:
    """The keys of a synthetic bucket, listed without counting requests."""

    width = 1

    def __init__(self, bucket: synthetic_bucket.SyntheticBucket) -> None:
        self._bucket = bucket

    def first_key_after(self, key: str) -> str | None:
        """The first key after another."""
        number = synthetic_bucket.first_number_after(self._bucket, key)
        return self._bucket.key(number) if number < self._bucket.size else None

    def first_keys(self, start_after: str, through: str | None, limit: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys of a range, and whether those are all."""
        start = synthetic_bucket.first_number_after(self._bucket, start_after) if start_after else 0
        stop = self._bucket.size if through is None else synthetic_bucket.first_number_after(self._bucket, through)
        return list(self._bucket.keys(start, min(stop, start + limit))), stop - start <= limit


class OneObjectSource:
    """A source of one object."""

    width, has_etags = 1, True

    def __init__(self, body: Body) -> None:
        self._body = body

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object."""
        del item, size
        return self._body

    def find(self, key: str) -> bytes | None:
        """Nothing: there is no other object."""

    def items(self, prunes: Any) -> Any:
        """Nothing: this source is never listed."""
