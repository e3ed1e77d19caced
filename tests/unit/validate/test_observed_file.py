from collections.abc import Iterator

import pytest
from unit.validate.given import BASE, Given

from waypost.validate.observed_file import ObservedFile


class Broken(Given):
    """A file that cannot be read to its end, behind a redirect."""

    def chunks(self) -> Iterator[bytes]:
        self.redirected_to = f"{BASE}b.xml"
        yield b"12345"
        raise OSError("gone")


def test_each_chunk_of_a_file_is_made_known_before_it_is_used() -> None:
    seen: list[tuple[str, int]] = []
    file = ObservedFile(Given((b"123", b"45"), "a.xml", f"{BASE}a.xml"), lambda of, size: seen.append((of.name, size)))
    known_with = [(chunk, seen[-1]) for chunk in file.chunks()]
    assert known_with == [(b"123", ("a.xml", 3)), (b"45", ("a.xml", 5))]
    assert seen == [("a.xml", 0), ("a.xml", 3), ("a.xml", 5)]


def test_what_reading_tells_of_a_file_is_known_with_its_first_chunk_and_of_one_that_breaks_off() -> None:
    sizes: list[int] = []
    file = ObservedFile(Broken((), "a.xml", f"{BASE}a.xml"), lambda of, size: sizes.append(size))
    chunks = file.chunks()
    assert (next(chunks), file.redirected_to) == (b"12345", f"{BASE}b.xml")
    with pytest.raises(OSError, match="gone"):
        next(chunks)
    assert (file.name, file.loc, file.redirected_to, sizes) == ("a.xml", f"{BASE}a.xml", f"{BASE}b.xml", [0, 5])
