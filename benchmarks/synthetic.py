"""Buckets of any size that take no memory: each key is worked out from its number, and its number from the key.

Three shapes: a catalogue, whose categories are of very different sizes; an archive of news, a folder a day; a wiki,
whose titles begin with some letters far more often than with others, and not with ASCII alone. All is seeded.
"""

import argparse
import random
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Protocol

LIMIT = 50_000
DATA = Path(__file__).with_name("data")
_SEED = 20_261_121
_MIX = 0x9E3779B97F4A7C15
_PART = 2_000_000


class Bucket(Protocol):
    """Keys that are strictly increasing in their numbers."""

    name: str
    size: int

    def key(self, n: int) -> str:
        """The key of this number."""

    def keys(self, start: int, stop: int) -> Iterator[str]:
        """The keys of these numbers, in order."""

    def find(self, key: str) -> int | None:
        """The number of a key, or None where there is no such key."""


def behind(bucket: Bucket, key: str) -> int:
    """The number of the first key behind this one."""
    return bisect_right(range(bucket.size), key, key=bucket.key)


def _mixed(n: int, most: int) -> int:
    return ((n * _MIX & 0xFFFFFFFFFFFFFFFF) >> 24) % most


def _words(count: int, chance: random.Random) -> list[str]:
    """So many words of four to nine letters, in order, none of which is another."""
    vowels, others = "aeiou", "bcdfghklmnprstvw"
    found: set[str] = set()
    while len(found) < count:
        length = chance.randint(4, 9)
        found.add("".join(chance.choice(others if n % 2 == 0 else vowels) for n in range(length)))
    return sorted(found)


def _shares(weights: Sequence[float], size: int) -> list[int]:
    """Numbers at which folders of these weights begin, and the last one's end."""
    whole = sum(weights)
    return [0, *(round(size * part / whole) for part in accumulate(weights))]


class Foldered:
    """Keys in folders that hold so many each."""

    name = ""
    size = 0
    _folders: Sequence[str]
    _starts: Sequence[int]

    def key(self, n: int) -> str:
        """The key of this number."""
        folder = bisect_right(self._starts, n) - 1
        return self._key(folder, n - self._starts[folder])

    def keys(self, start: int, stop: int) -> Iterator[str]:
        """The keys of these numbers, in order."""
        folder = bisect_right(self._starts, start) - 1
        while start < stop:
            begin, end = self._starts[folder], min(self._starts[folder + 1], stop)
            yield from self._some(folder, start - begin, end - begin)
            start, folder = max(start, end), folder + 1

    def find(self, key: str) -> int | None:
        """The number of a key, or None where there is no such key."""
        try:
            folder, n = self._guess(key)
        except (ValueError, KeyError, IndexError):
            return None
        n += self._starts[folder]
        return n if n < self._starts[folder + 1] and self.key(n) == key else None

    def _key(self, folder: int, n: int) -> str:
        return next(self._some(folder, n, n + 1))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: n for n, name in enumerate(self._folders)}

    def _step(self, folder: int) -> int:
        """How far the keys of a folder lie apart in 40 bits."""
        return (1 << 40) // max(self._starts[folder + 1] - self._starts[folder], 1)

    def _guess(self, key: str) -> tuple[int, int]:
        """The folder of a key, and its place there."""
        raise NotImplementedError

    def _some(self, folder: int, start: int, stop: int) -> Iterator[str]:
        raise NotImplementedError


class Catalogue(Foldered):
    """`products/<category>/<number>.html`: 400 categories, of which the largest has a seventh of all."""

    name = "catalogue"

    def __init__(self, size: int) -> None:
        chance = random.Random(_SEED)
        self.size = size
        self._folders = _words(400, chance)
        weights = [1 / rank for rank in range(1, 401)]
        chance.shuffle(weights)
        self._starts = _shares(weights, size)

    def _some(self, folder: int, start: int, stop: int) -> Iterator[str]:
        stem = f"products/{self._folders[folder]}/"
        return (f"{stem}{n * 37 + ((n * _MIX & 0xFFFFFFFFFFFFFFFF) >> 24) % 37:012}.html" for n in range(start, stop))

    def _guess(self, key: str) -> tuple[int, int]:
        _, folder, name = key.split("/")
        return self._places[folder], int(name[:12]) // 37


class News(Foldered):
    """`news/YYYY/MM/DD/<slug>-<hash>.html`: thirty years, of which each has a tenth more than the one before."""

    name = "news"

    def __init__(self, size: int) -> None:
        first, days = date(1996, 1, 1), 11_000
        self.size = size
        dates = [first + timedelta(n) for n in range(days)]
        self._folders = [f"{day:%Y/%m/%d}" for day in dates]
        self._starts = _shares([1.1 ** (n / 365) * (0.5 if dates[n].weekday() > 4 else 1) for n in range(days)], size)
        self._slugs = _words(1 << 10, random.Random(_SEED))

    def _some(self, folder: int, start: int, stop: int) -> Iterator[str]:
        stem, slugs = f"news/{self._folders[folder]}/", self._slugs
        step = self._step(folder)
        for n in range(start, stop):
            place = n * step + _mixed(n + folder, step)
            yield f"{stem}{slugs[place >> 30]}-{place & 0x3FFFFFFF:08x}.html"

    def _guess(self, key: str) -> tuple[int, int]:
        folder, (slug, rest) = self._places[key[5:15]], key[16:-5].split("-")
        return folder, (bisect_left(self._slugs, slug) << 30 | int(rest, 16)) // self._step(folder)


class Wiki(Foldered):
    """`wiki/<title>.html`: titles in Latin, Greek, Cyrillic and Chinese, some first letters far oftener than others."""

    name = "wiki"
    _LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÉÖΑΛΣАВМПС中北大日"  # noqa: RUF001 (they are meant)

    def __init__(self, size: int) -> None:
        chance = random.Random(_SEED)
        self.size = size
        pairs = [(letter, second) for letter in self._LETTERS for second in _words(24, chance)]
        self._folders = [letter + second for letter, second in pairs]
        letters = {letter: 4 * chance.random() ** 3 + 0.02 for letter in self._LETTERS}
        self._starts = _shares([letters[letter] * chance.random() ** 2 for letter, _ in pairs], size)
        self._ends = _words(1 << 10, chance)

    def _some(self, folder: int, start: int, stop: int) -> Iterator[str]:
        stem, ends = f"wiki/{self._folders[folder]}_", self._ends
        step = self._step(folder)
        for n in range(start, stop):
            place = n * step + _mixed(n + folder, step)
            yield f"{stem}{ends[place >> 30]}_({place & 0x3FFFFFFF:08x}).html"

    def _guess(self, key: str) -> tuple[int, int]:
        name, end, rest = key[5:-6].split("_")
        folder = self._places[name]
        return folder, (bisect_left(self._ends, end) << 30 | int(rest[1:], 16)) // self._step(folder)


SHAPES = {shape.name: shape for shape in (Catalogue, News, Wiki)}


def bucket(shape: str, size: int) -> Bucket:
    """A bucket of this shape and size."""
    return SHAPES[shape](size)


def boundaries(shape: str, size: int) -> list[int]:
    """The numbers of all keys at which segments begin: kept in `data/` where there are many keys, else found now."""
    file = DATA / f"{shape}-{size}.bin"
    if file.exists():
        return list(accumulate(_deltas(zlib.decompress(file.read_bytes()))))
    parts = [(shape, size, start) for start in range(0, size, _PART)]
    if len(parts) == 1:
        return _found(parts[0])
    with ProcessPoolExecutor() as pool:
        return list(chain.from_iterable(pool.map(_found, parts)))


def _found(part: tuple[str, int, int]) -> list[int]:
    """The boundaries of one part: as `sharding.begins_segment` tells them, without a call for each key."""
    shape, size, start = part
    keys, every = bucket(shape, size).keys(start, min(start + _PART, size)), LIMIT // 2
    return [
        n
        for n, key in enumerate(keys, start)
        if not int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) % every
    ]


def _deltas(data: bytes) -> Iterator[int]:
    return (int.from_bytes(data[n : n + 3]) for n in range(0, len(data), 3))


def keep(shape: str, size: int) -> Path:
    """Find all boundaries and keep them: how far each lies behind the one before, three bytes each, compressed."""
    found = boundaries(shape, size)
    data = b"".join((each - before).to_bytes(3) for before, each in pairwise([0, *found]))
    DATA.mkdir(exist_ok=True)
    file = DATA / f"{shape}-{size}.bin"
    file.write_bytes(zlib.compress(data, 9))
    return file


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Find where segments begin in a bucket, and keep it in data/.")
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("size", type=lambda text: int(float(text)))
    given = parser.parse_args()
    print(keep(given.shape, given.size))
