"""Texts as sets of shingles: five words in a row, by which texts are compared."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zlib import crc32

_LENGTH = 5
"""Words of a shingle: fewer are often the same by chance, more are lost by small edits."""
_WORD = re.compile(
    "[\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
    r"|(?:(?![\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff])[^\W_])+"
)
"""A word; of scripts that write no spaces between words, a character."""
_ASCII_WORD = re.compile("[a-z0-9]+")
_REMEMBERED_WORDS = 65_536


def shingles(blocks: Iterable[str]) -> set[int]:
    """The shingles of texts as hashes; none crosses the end of a block, and a shorter block is one shingle.

    The hashes are the same in every process.
    """
    found: set[int] = set()
    for block in blocks:
        words = [_word_hash(word) for word in _words(block)]
        if len(words) < _LENGTH:
            found.update([hash(tuple(words))] if words else [])
        else:
            found.update(map(hash, zip(words, words[1:], words[2:], words[3:], words[4:], strict=False)))
    return found


def _words(block: str) -> Iterator[str]:
    lower = block.lower()
    return iter((_ASCII_WORD if lower.isascii() else _WORD).findall(lower))


@lru_cache(_REMEMBERED_WORDS)
def _word_hash(word: str) -> int:
    """Not Python's own hash of a text, which differs from process to process."""
    return crc32(word.encode("utf-8", "surrogatepass"))
