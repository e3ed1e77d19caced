"""Synthetic buckets of any size that use no memory: a key is computed from its number, and its number from the key.

There are three shapes: a shop's catalogue, whose categories are of very different sizes; a news archive, with one
folder a day; and a wiki, whose titles begin with some letters far more often than with others, and not only with ASCII
letters. Everything is seeded.

`python -m scale.synthetic_bucket SHAPE SIZE`, in `benchmarks/`, finds where segments begin and writes that to `data/`.
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

MAX_URLS = 50_000
"""The most URLs of a sitemap."""
DATA = Path(__file__).with_name("data")
_SEED = 20_261_121
_MULTIPLIER = 0x9E3779B97F4A7C15
_CHUNK = 2_000_000


class SyntheticBucket(Protocol):
    """Keys that strictly increase with their numbers, which begin at 0."""

    name: str
    size: int

    def key(self, number: int) -> str:
        """The key with this number."""

    def keys(self, start: int, stop: int) -> Iterator[str]:
        """The keys with the numbers from `start` up to but not including `stop`, in order."""

    def number_of(self, key: str) -> int | None:
        """The number of a key, or None if the bucket has no such key."""


def first_number_after(bucket: SyntheticBucket, key: str) -> int:
    """The number of the first key that sorts after this text, or the bucket's size."""
    return bisect_right(range(bucket.size), key, key=bucket.key)


def _pseudo_random(number: int, limit: int) -> int:
    """A number below `limit` that depends on `number` alone and looks random."""
    return ((number * _MULTIPLIER & 0xFFFFFFFFFFFFFFFF) >> 24) % limit


def _words(count: int, rng: random.Random) -> list[str]:
    """`count` different words of four to nine letters, sorted."""
    vowels, consonants = "aeiou", "bcdfghklmnprstvw"
    words: set[str] = set()
    while len(words) < count:
        length = rng.randint(4, 9)
        words.add("".join(rng.choice(consonants if n % 2 == 0 else vowels) for n in range(length)))
    return sorted(words)


def _folder_starts(weights: Sequence[float], size: int) -> list[int]:
    """The number of the first key of each folder, if folders have these weights; then the bucket's size."""
    total = sum(weights)
    return [0, *(round(size * weight / total) for weight in accumulate(weights))]


class FolderedBucket:
    """Keys in folders of given sizes; a subclass says how the keys of a folder are written and read."""

    name = ""
    size = 0
    _folders: Sequence[str]
    _starts: Sequence[int]

    def key(self, number: int) -> str:
        """The key with this number."""
        folder = bisect_right(self._starts, number) - 1
        place = number - self._starts[folder]
        return next(self._keys_of_folder(folder, place, place + 1))

    def keys(self, start: int, stop: int) -> Iterator[str]:
        """The keys with the numbers from `start` up to but not including `stop`, in order."""
        folder = bisect_right(self._starts, start) - 1
        while start < stop:
            first, end = self._starts[folder], min(self._starts[folder + 1], stop)
            yield from self._keys_of_folder(folder, start - first, end - first)
            start, folder = max(start, end), folder + 1

    def number_of(self, key: str) -> int | None:
        """The number of a key, or None if the bucket has no such key."""
        try:
            folder, place = self._parse(key)
        except (ValueError, KeyError, IndexError):
            return None
        number = self._starts[folder] + place
        return number if number < self._starts[folder + 1] and self.key(number) == key else None

    @cached_property
    def _folder_numbers(self) -> dict[str, int]:
        return {name: n for n, name in enumerate(self._folders)}

    def _spacing(self, folder: int) -> int:
        """The distance between two keys of a folder in a space of 40 bits."""
        return (1 << 40) // max(self._starts[folder + 1] - self._starts[folder], 1)

    def _parse(self, key: str) -> tuple[int, int]:
        """A key's folder, and its place in that folder, if it is a key at all."""
        raise NotImplementedError

    def _keys_of_folder(self, folder: int, start: int, stop: int) -> Iterator[str]:
        raise NotImplementedError


class Catalogue(FolderedBucket):
    """`products/<category>/<number>.html`: 400 categories, the largest with a seventh of all pages."""

    name = "catalogue"

    def __init__(self, size: int) -> None:
        rng = random.Random(_SEED)
        self.size = size
        self._folders = _words(400, rng)
        weights = [1 / rank for rank in range(1, 401)]
        rng.shuffle(weights)
        self._starts = _folder_starts(weights, size)

    def _keys_of_folder(self, folder: int, start: int, stop: int) -> Iterator[str]:
        prefix = f"products/{self._folders[folder]}/"
        return (f"{prefix}{n * 37 + _pseudo_random(n, 37):012}.html" for n in range(start, stop))

    def _parse(self, key: str) -> tuple[int, int]:
        _, folder, name = key.split("/")
        return self._folder_numbers[folder], int(name[:12]) // 37


class NewsArchive(FolderedBucket):
    """`news/YYYY/MM/DD/<slug>-<hash>.html`: thirty years, each with a tenth more than the year before."""

    name = "news"

    def __init__(self, size: int) -> None:
        first, days = date(1996, 1, 1), 11_000
        self.size = size
        dates = [first + timedelta(n) for n in range(days)]
        self._folders = [f"{day:%Y/%m/%d}" for day in dates]
        weights = [1.1 ** (n / 365) * (0.5 if dates[n].weekday() > 4 else 1) for n in range(days)]
        self._starts = _folder_starts(weights, size)
        self._slugs = _words(1 << 10, random.Random(_SEED))

    def _keys_of_folder(self, folder: int, start: int, stop: int) -> Iterator[str]:
        prefix, slugs = f"news/{self._folders[folder]}/", self._slugs
        spacing = self._spacing(folder)
        for n in range(start, stop):
            code = n * spacing + _pseudo_random(n + folder, spacing)
            yield f"{prefix}{slugs[code >> 30]}-{code & 0x3FFFFFFF:08x}.html"

    def _parse(self, key: str) -> tuple[int, int]:
        folder, (slug, rest) = self._folder_numbers[key[5:15]], key[16:-5].split("-")
        return folder, (bisect_left(self._slugs, slug) << 30 | int(rest, 16)) // self._spacing(folder)


class Wiki(FolderedBucket):
    """`wiki/<title>.html`: titles in Latin, Greek, Cyrillic and Chinese script, with uneven first letters."""

    name = "wiki"
    _LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÉÖΑΛΣАВМПС中北大日"  # noqa: RUF001 (look-alike letters of other scripts)

    def __init__(self, size: int) -> None:
        rng = random.Random(_SEED)
        self.size = size
        pairs = [(letter, second) for letter in self._LETTERS for second in _words(24, rng)]
        self._folders = [letter + second for letter, second in pairs]
        letters = {letter: 4 * rng.random() ** 3 + 0.02 for letter in self._LETTERS}
        self._starts = _folder_starts([letters[letter] * rng.random() ** 2 for letter, _ in pairs], size)
        self._endings = _words(1 << 10, rng)

    def _keys_of_folder(self, folder: int, start: int, stop: int) -> Iterator[str]:
        prefix, endings = f"wiki/{self._folders[folder]}_", self._endings
        spacing = self._spacing(folder)
        for n in range(start, stop):
            code = n * spacing + _pseudo_random(n + folder, spacing)
            yield f"{prefix}{endings[code >> 30]}_({code & 0x3FFFFFFF:08x}).html"

    def _parse(self, key: str) -> tuple[int, int]:
        name, ending, rest = key[5:-6].split("_")
        folder = self._folder_numbers[name]
        return folder, (bisect_left(self._endings, ending) << 30 | int(rest[1:], 16)) // self._spacing(folder)


SHAPES = {shape.name: shape for shape in (Catalogue, NewsArchive, Wiki)}


def make_bucket(shape: str, size: int) -> SyntheticBucket:
    """A bucket of this shape and size."""
    return SHAPES[shape](size)


def boundaries(shape: str, size: int) -> list[int]:
    """The numbers of all keys at which a segment begins: read from `data/` if they are there, else computed."""
    file = DATA / f"{shape}-{size}.bin"
    if file.exists():
        return list(accumulate(_distances(zlib.decompress(file.read_bytes()))))
    chunks = [(shape, size, start) for start in range(0, size, _CHUNK)]
    if len(chunks) == 1:
        return _boundaries_of_chunk(chunks[0])
    with ProcessPoolExecutor() as pool:
        return list(chain.from_iterable(pool.map(_boundaries_of_chunk, chunks)))


def _boundaries_of_chunk(chunk: tuple[str, int, int]) -> list[int]:
    """The boundaries of one chunk: the same as by `sharding.begins_segment`, without a function call for each key."""
    shape, size, start = chunk
    keys, every = make_bucket(shape, size).keys(start, min(start + _CHUNK, size)), MAX_URLS // 2
    return [
        n
        for n, key in enumerate(keys, start)
        if not int.from_bytes(blake2b(key.encode(), digest_size=8).digest()) % every
    ]


def _distances(data: bytes) -> Iterator[int]:
    return (int.from_bytes(data[n : n + 3]) for n in range(0, len(data), 3))


def save_boundaries(shape: str, size: int) -> Path:
    """Compute all boundaries and write the distance of each from the one before: three bytes each, compressed."""
    data = b"".join((each - before).to_bytes(3) for before, each in pairwise([0, *boundaries(shape, size)]))
    DATA.mkdir(exist_ok=True)
    file = DATA / f"{shape}-{size}.bin"
    file.write_bytes(zlib.compress(data, 9))
    return file


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Find where segments begin in a bucket, and write that to data/.")
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("size", type=lambda text: int(float(text)))
    arguments = parser.parse_args()
    print(save_boundaries(arguments.shape, arguments.size))
