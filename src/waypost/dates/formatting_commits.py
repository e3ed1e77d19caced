"""Tells whether a commit wrote many source files in another way, and left their words as they were.

Formatters and conversions of markup do so, in more ways than rules for each markup can tell. In a single file such a
change may as well be a correction by hand, so it counts there.
"""

import re
from collections.abc import Collection

from waypost.dates.source_text import MAX_BYTES

LEAST_EDITS, _LEAST_PERCENT = 5, 30
"""So many files must be written in another way, each by an edit of its own, and this share of those that are compared.

Of 2,190 pages of fifteen sites that no rule was made for, 11 are right by this alone (a mark of AsciiDoc's links, and
Hugo's shortcodes), and one is wrong. `LEAST_EDITS`: 4, `_LEAST_PERCENT`: 0 and 32,
`test_a_commit_that_writes_many_files_in_another_way_is_one_of_formatting`.
"""
_WORD = re.compile(r"[\w']+|[^\s\x00-\x7f\u2000-\u206f\u3000-\u303f\uff00-\uff0f]")
"""A word, or a sign such as an emoji, but no punctuation (Unicode, "General Punctuation" and that of wide scripts)."""

Texts = tuple[bytes, bytes]
"""Two versions of a file."""


def has_same_words(texts: Texts) -> bool:
    """Whether two versions of a file have the same words in the same order, unless one is too long to be compared."""
    if max(map(len, texts)) > MAX_BYTES:
        return False
    one, other = (_WORD.findall(text.decode("utf-8", "replace")) for text in texts)
    return one == other


def only_formats(sample: Collection[Texts]) -> bool:
    """Whether a commit that changed these files is one of formatting.

    The same edit counts once: a correction by hand may be made in each version of a documentation.
    """
    formatted = [texts for texts in sample if has_same_words(texts)]
    edits = {_changed_lines(*texts) for texts in formatted}
    return len(edits) >= LEAST_EDITS and len(formatted) * 100 >= _LEAST_PERCENT * len(sample)


def _changed_lines(one: bytes, other: bytes) -> frozenset[bytes]:
    """The lines that only one of two versions has, but for their indentation."""
    lines, others = ({line.strip() for line in text.split(b"\n")} for text in (one, other))
    return frozenset(lines ^ others)
