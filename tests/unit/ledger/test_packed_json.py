"""JSON texts in a short form: nothing is lost, and damage is an error that costs little memory."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.ledger.packed_json import pack, unpack

DIGEST = "0123456789abcdef" * 2
DIGESTS = st.binary(min_size=7, max_size=33).map(bytes.hex)
NAMES = st.tuples(DIGESTS, DIGESTS).map("-".join)
TEXTS = st.lists(st.text() | DIGESTS | NAMES | st.sampled_from([f'"{DIGEST}-3"', DIGEST.upper(), f"{DIGEST}{DIGEST}0"]))
LIMIT = 16 * 2**20


@given(TEXTS, st.sampled_from([b'"', b'"-']))
def test_every_json_text_is_unpacked_unchanged(texts: list[str], before_digits: bytes) -> None:
    text = json.dumps(texts).encode()
    assert unpack(pack(text, before_digits)) == text


@given(st.binary())
def test_other_data_are_an_error_and_no_other_one(data: bytes) -> None:
    with pytest.raises(ValueError, match="its compressed data are"):
        unpack(data)


@given(st.data())
def test_a_changed_byte_is_an_error_unless_it_does_not_matter(data: st.DataObject) -> None:
    packed = bytearray(pack(TEXT))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = unpack(bytes(packed))
    except ValueError:
        return
    assert found == TEXT


TEXT = json.dumps([DIGEST, f'"{DIGEST}"', "a text", "\0"]).encode()


@pytest.mark.parametrize("length", range(len(pack(TEXT))))
def test_a_text_that_was_cut_off_anywhere_is_an_error(length: int) -> None:
    with pytest.raises(ValueError, match="incomplete"):
        unpack(pack(TEXT)[:length])


@pytest.mark.parametrize(
    "data",
    [
        pack(TEXT) + b"\0",
        pack(TEXT) * 2,
        zlib.compress(b"[]") + zlib.compress(bytes(16), 0),
        zlib.compress(b"[\0]") + zlib.compress(bytes(7), 0),
        zlib.compress(b"[\0]") + zlib.compress(bytes(16), 0),
    ],
)
def test_data_that_follow_and_a_wrong_number_of_digests_are_errors(data: bytes) -> None:
    with pytest.raises(ValueError, match="other data follow"):
        unpack(data)


@pytest.mark.parametrize("size", [8, 16])
@pytest.mark.parametrize(("name", "before_digits"), [("{}", b'"'), ('"{}"', b'"'), ("sitemap-{}.xml", b'"-')])
def test_a_digest_takes_little_more_than_its_bytes(size: int, name: str, before_digits: bytes) -> None:
    texts = [name.format(Random(n).randbytes(size).hex()) for n in range(256)]
    assert len(pack(json.dumps(texts).encode(), before_digits)) < 256 * size + 100


@pytest.mark.parametrize(
    "data",
    [
        zlib.compress(bytes(2**27), 9) + zlib.compress(b"", 0),
        zlib.compress(b"[]") + zlib.compress(bytes(2**27), 9),
        zlib.compress(b"\0" * 2**23) + zlib.compress(b"", 0),
    ],
    ids=["text", "digests", "places for digests"],
)
def test_data_that_would_become_huge_are_an_error_before_they_fill_the_memory(data: bytes) -> None:
    assert len(data) < 2**18
    tracemalloc.start()
    with pytest.raises(ValueError, match="its compressed data are incomplete"):
        unpack(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * LIMIT


def test_a_text_that_repeats_more_than_may_be_unpacked_is_kept_uncompressed() -> None:
    text = b"[" + b" " * (2 * LIMIT) + b"]"
    assert len(pack(text)) > len(text)
    assert unpack(pack(text)) == text
    assert len(pack(text[LIMIT:])) < len(text) // 500
