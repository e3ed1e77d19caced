"""Finds for each built page the tracked file of which it shows the text."""

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from itertools import chain
from zlib import crc32

from msgspec import Struct

from waypost.dates.paths import names_whole

_INDEXED = 64
"""At most about so many shingles of a file are searched for on the pages; then all are compared.

32: `test_the_file_with_the_path_of_the_page_is_compared_though_many_others_have_more_of_it`. More costs memory only.
"""
_CANDIDATES = 12
"""How many files are at most compared with a page.

6 and 24: `test_the_file_with_the_path_of_the_page_is_compared_though_many_others_have_more_of_it`, which has 29 files.
"""
_MOST_FILES = 100
"""Shingles that more files have, such as a licence's, find no file: time would grow with the square of these.

50 and 200: `test_a_text_that_too_many_files_have_finds_none`.
"""
_FEW_PAGES, _FEW_SHARE = 3, 0.4
"""A line that more pages than these, and more than this share of all pages, have is the boilerplate of the site.

The first: 1 and 6, the second: 0.2 and 0.8, `test_the_lines_of_many_pages_are_the_frame`.
"""


class TextMatch(Struct, frozen=True, gc=False):
    """How much of a file's text is on a page (`held`, a share), and of the page's own text in the file (`covered`).

    `common` counts the shingles that both have.
    """

    path: str
    common: int
    held: float
    covered: float

    @property
    def strength(self) -> str:
        """Both shares in words."""
        return f"{self.held:.0%} of its text, {self.covered:.0%} of the page's own"


def boilerplate_of(pages: Collection[Iterable[str]]) -> frozenset[str]:
    """The lines that a site's pages share: navigation, header and footer."""
    counts = Counter(chain.from_iterable(map(set, pages)))
    limit = max(_FEW_PAGES, len(pages) * _FEW_SHARE)
    return frozenset(line for line, count in counts.items() if count > limit)


class TextMatches:
    """The matches between the own shingles of pages, by key, and of files, by path."""

    def __init__(self, pages: Mapping[str, "array[int]"], files: Mapping[str, "array[int]"]) -> None:
        self._pages, self._files = pages, files
        self._paths = sorted(files)
        samples = [_sample(files[path]) for path in self._paths]
        self._indexed_counts = list(map(len, samples))
        self._index = _numbers_by_shingle(samples)

    def of(self, key: str) -> list[TextMatch]:
        """The files that a page has text of, the best first; of many with much the same text also those of its path."""
        own = set(self._pages[key])
        hits = Counter(chain.from_iterable(map(self._index.__getitem__, own & self._index.keys())))
        best = sorted(hits, key=lambda n: (-(hits[n] ** 2) / self._indexed_counts[n], n))
        named = [n for n in best[_CANDIDATES:] if names_whole(key, self._paths[n])]
        found = [self._match(own, self._paths[n]) for n in (*best[:_CANDIDATES], *named[:_CANDIDATES])]
        return sorted(found, key=lambda match: (-match.common, -match.held, match.path))

    def _match(self, own: set[int], path: str) -> TextMatch:
        file = self._files[path]
        common = len(own.intersection(file))
        return TextMatch(path, common, common / len(file), common / len(own))


def packed_shingles(blocks: Iterable[str], without: Set[int] = frozenset()) -> "array[int]":
    """The shingles of some blocks, in little memory."""
    found = shingles(blocks)
    found.difference_update(without)
    return array("q", found)


def _sample(file: "array[int]") -> Sequence[int]:
    """Some of the shingles of a file, chosen by their hashes, so that it does not matter what else there is."""
    mask = (1 << max(0, (len(file) // _INDEXED).bit_length())) - 1
    return [shingle for shingle in file if not shingle & mask] or file


def _numbers_by_shingle(samples: Sequence[Sequence[int]]) -> dict[int, Sequence[int]]:
    """The numbers of the samples that have a shingle, by that shingle; without those that too many have."""
    single: dict[int, tuple[int]] = {}
    several: dict[int, list[int]] = {}
    for n, sample in enumerate(samples):
        for shingle in sample:
            if shingle in several:
                several[shingle].append(n)
            elif shingle in single:
                several[shingle] = [*single.pop(shingle), n]
            else:
                single[shingle] = (n,)
    return single | {shingle: found for shingle, found in several.items() if len(found) <= _MOST_FILES}


_LENGTH = 5
"""Words of a shingle: fewer are often the same by chance, more are lost by small edits."""
WORD = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|(?:(?![\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])[^\W_])+"
)
"""A word; of scripts that write no spaces between words, a character."""
_ASCII_WORD = re.compile("[a-z0-9]+")


_REMEMBERED, _MAX_REMEMBERED = 500_000, 100
"""How many words are remembered, and how many characters each may have: the memory has a limit, too."""


class _WordHashes(dict[str, int]):
    """The hash of each word: not Python's own, which differs from process to process."""

    def __missing__(self, word: str) -> int:
        word_hash = crc32(word.encode("utf-8", "surrogatepass"))
        if len(self) >= _REMEMBERED:
            self.clear()
        if len(word) <= _MAX_REMEMBERED:
            self[word] = word_hash
        return word_hash


_WORD_HASHES = _WordHashes()


def shingles(blocks: Iterable[str]) -> set[int]:
    """The shingles of texts as hashes; none crosses the end of a block, and a shorter block is one shingle.

    The hashes are the same in every process.
    """
    found: set[int] = set()
    for block in blocks:
        words = list(map(_WORD_HASHES.__getitem__, _words(block)))
        if len(words) < _LENGTH:
            found.update([hash(tuple(words))] if words else [])
        else:
            found.update(map(hash, zip(words, words[1:], words[2:], words[3:], words[4:], strict=False)))
    return found


def _words(block: str) -> list[str]:
    lower = block.lower()
    return (_ASCII_WORD if lower.isascii() else WORD).findall(lower)
