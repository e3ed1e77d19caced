"""Whether a merge only combines what its parents have of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from waypost.core.page_changes import PageChange
from waypost.dates.merges import combined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from waypost.core.page_changes import Version


def is_combined(merge: bytes | None, *parents: bytes | None) -> bool:
    contents = {b"m": merge, **{str(n).encode(): each for n, each in enumerate(parents)}}

    def read(versions: Sequence[Version]) -> Iterator[bytes | None]:
        return iter([contents[each] for each in versions if isinstance(each, bytes)])

    by_parent = [[PageChange("a.md", str(n).encode(), b"m")] for n in range(len(parents))]
    return combined(by_parent, {"a.md"}, read) == {"a.md"}


@pytest.mark.parametrize(
    ("merge", "parents"),
    [
        (b"ours\nb\ntheirs\n", (b"ours\nb\nc\n", b"a\nb\ntheirs\n")),
        (b"  ours\r\n\r\nb\n\ntheirs", (b"ours\nb\nc\n", b"a\nb\ntheirs\n")),
        (b"b\n", (b"a\nb\n", b"b\nc\n")),
        (b"a\na\nx\n", (b"a\nx\n", b"a\na\na\n")),
        (b"1\n2\n3\n", (b"1\nb\nc\n", b"a\n2\nc\n", b"a\nb\n3\n")),
        (b"#\na\n#\nours\n#\ntheirs\n", (b"#\na\n#\nours\n", b"#\na\n#\ntheirs\n")),
        (b"a\n", (b"a\n#\n#\n", b"#\na\n#\n")),
    ],
    ids=[
        *("a line of each", "white space", "lines that one removed", "a number between", "three parents"),
        *("a repeated line that each added", "a repeated line that each removed"),
    ],
)
def test_a_merge_combines_if_each_line_is_in_a_parent_and_what_all_have_is_in_it(
    merge: bytes, parents: tuple[bytes, ...]
) -> None:
    assert is_combined(merge, *parents)


@pytest.mark.parametrize(
    ("merge", "parents"),
    [
        (b"own\nb\n", (b"a\nb\n", b"b\nc\n")),
        (b"a\nc\n", (b"a\nb\n", b"b\nc\n")),
        (b"a\na\nb\n", (b"a\nb\n", b"b\na\n")),
        (b"a\na\na\na\na\n", (b"a\na\n", b"a\na\nb\n")),
        (b"b\n", (b"b\na\n", None)),
        (None, (b"b\na\n", b"b\n")),
    ],
    ids=[
        *("a line of its own", "a line less", "a line more", "a repeated line more"),
        *("an unread parent", "an unread merge"),
    ],
)
def test_any_other_merge_changes_the_file_itself(merge: bytes | None, parents: tuple[bytes | None, ...]) -> None:
    assert not is_combined(merge, *parents)


def test_a_file_that_one_of_the_parents_lacks_is_no_combination() -> None:
    assert combined([[PageChange("a.md", b"0", b"m")], []], {"a.md"}, lambda _: iter([b"a", b"a"])) == set()
