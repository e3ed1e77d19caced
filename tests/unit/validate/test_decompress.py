"""Compressed and plain bytes: gzip is undone in bounded pieces, damage is told, and so is the encoding."""

import gzip
from itertools import chain, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, Given, Result, cut, examine, seen, url, urlset

BODY = urlset("".join(url(path=f"{n}") for n in range(20)))
MARK = b"\xef\xbb\xbf"
CUTS = st.lists(st.integers(0, 400), max_size=8)


def why(result: Result) -> list[str]:
    return [each.message.partition(": ")[2] for each in result.findings if each.code == "gzip-damaged"]


@given(
    st.sampled_from([b"", MARK, b"\xff\xfe", b"\n \n", b"\xef", b"\x1f"]),
    st.sampled_from([BODY, BODY.partition(b"\n")[2], f"{BASE}\n".encode(), b"", b"<"]),
    CUTS,
    st.sampled_from(["plain", "gzip", "members"]),
)
def test_a_file_is_the_same_however_it_is_cut_and_in_however_many_members(
    start: bytes, rest: bytes, places: list[int], form: str
) -> None:
    body = start + rest
    members = {"plain": body, "gzip": gzip.compress(body)}
    members["members"] = b"".join(gzip.compress(part) for part in cut(body, places))
    whole, in_pieces = examine(body), examine(cut(members[form], places))
    assert in_pieces.entries == whole.entries
    assert seen(in_pieces.findings) == seen(whole.findings)
    assert in_pieces.examined.size == whole.examined.size or whole.examined.is_broken


@pytest.mark.parametrize(
    ("content", "name", "codes"),
    [
        (b"", "sitemap.xml.gz", ["not-compressed", "empty"]),
        (gzip.compress(BODY), "sitemap.xml", []),
        (gzip.compress(BODY) + bytes(512), "sitemap.xml.gz", []),
    ],
    ids=["nothing", "another name", "padded with zeros"],
)
def test_a_name_that_ends_with_gz_needs_gzip_and_gzip_needs_no_such_name(
    content: bytes, name: str, codes: list[str]
) -> None:
    assert examine(content, name).codes == codes


@pytest.mark.parametrize("length", [11, 15, 60, -1, -4, -7, -8])
def test_gzip_that_is_cut_short_gives_what_there_is_and_tells(length: int) -> None:
    result = examine(gzip.compress(BODY)[:length])
    assert (why(result), result.examined.is_broken) == (["its end is missing"], True)
    assert result.examined.size == len(BODY) or length > 0


@pytest.mark.parametrize("at", [2, 3, -8, -4])
def test_gzip_with_a_byte_that_is_wrong_is_damaged(at: int) -> None:
    packed = bytearray(gzip.compress(BODY))
    packed[at] ^= 0xFF
    result = examine(bytes(packed))
    assert (result.codes, result.examined.is_broken) == (["gzip-damaged"], True)


def test_what_stands_behind_gzip_and_is_none_is_damage() -> None:
    result = examine(gzip.compress(BODY) + b"more")
    assert (result.codes, len(result.entries)) == (["gzip-damaged"], 20)


@given(st.binary(max_size=300), CUTS)
def test_whatever_stands_behind_the_mark_of_gzip_is_judged(data: bytes, places: list[int]) -> None:
    assert {"gzip-damaged", "empty"} & set(examine(cut(b"\x1f\x8b" + data, places)).codes)


LONG_NAME = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\xff"
"""The header of a gzip member whose name has no end."""


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (gzip.compress(b"") * 50, "it has more than 10,000 parts"),
        (LONG_NAME, "more than 209,715,200 compressed bytes contain less data than that"),
    ],
    ids=["members", "name"],
)
def test_gzip_that_holds_nothing_has_an_end_too(member: bytes, reason: str) -> None:
    rest = b"a" * 1_000_000 if member is LONG_NAME else member
    file = Given(chain([member], repeat(rest)))
    assert why(examine(file)) == [reason]
    assert file.taken <= 209_715_200 + 1_000_000
