import threading
from collections.abc import Iterator

from waypost.core.concurrency import map_concurrently
from waypost.core.model import Body, Item
from waypost.files.one_at_a_time import OneAtATime


class Meeting:
    """A source of which each read waits for as many others."""

    width, has_etags = 4, True

    def __init__(self) -> None:
        self._all = threading.Barrier(self.width, timeout=60)

    def items(self, prunes: object) -> Iterator[Item]:
        del prunes
        yield Item("a", "a")

    def read(self, item: Item, size: int | None = None) -> Body:
        del item, size
        self._all.wait()
        return Body(b"x")

    def find(self, key: str) -> bytes | None:
        return key.encode()


def test_items_are_read_at_the_same_time_and_used_one_after_another() -> None:
    source = OneAtATime(Meeting())
    inside = most = 0

    def use(n: int) -> bytes:
        nonlocal inside, most
        with source:
            found = source.read(Item(str(n), str(n)))
            inside += 1
            most = max(most, inside)
            inside -= 1
        return found.data

    assert map_concurrently(use, range(8), source.width) == [b"x"] * 8
    assert most == 1
