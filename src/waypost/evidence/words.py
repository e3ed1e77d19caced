"""Texts as sets of shingles: five words in a row, by which texts are compared."""

import re
from collections.abc import Iterable
from zlib import crc32

_LENGTH = 5
"""Words of a shingle: fewer are often the same by chance, more are lost by small edits."""
_WORD = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|(?:(?![\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])[^\W_])+"
)
"""A word; of scripts that write no spaces between words, a character."""
_ASCII_WORD = re.compile("[a-z0-9]+")


_REMEMBERED, _MAX_REMEMBERED = 500_000, 100
"""So many words are remembered, none of them longer than so many characters: the memory has a limit, too."""


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
    return (_ASCII_WORD if lower.isascii() else _WORD).findall(lower)
