"""Outputs as gzip files: the same bytes in, the same out."""

from __future__ import annotations

import gzip
import random
import sys
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.gzip import compress, decompress_if_gzip


@given(st.binary(max_size=5_000))
def test_compressing_loses_nothing_and_is_always_the_same(body: bytes) -> None:
    packed = compress(body)
    assert gzip.decompress(packed) == body
    assert decompress_if_gzip("sitemap.xml.gz", packed) == body
    assert compress(body) == packed


def test_a_gzip_file_holds_no_time_no_name_and_no_system() -> None:
    assert compress(b"x")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def test_compressing_without_the_faster_library_gives_the_same_bytes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b"<url><loc>https://example.org/</loc></url>\n" * 1_000
    faster = compress(body)
    monkeypatch.setitem(sys.modules, "isal", None)
    packed = compress(body)
    assert gzip.decompress(packed) == body
    assert packed[:10] == faster[:10]
    assert packed[10:-8] == zlib.compress(body, 6)[2:-4]


@given(st.binary(max_size=200))
def test_a_file_that_is_no_gzip_is_read_as_it_is(content: bytes) -> None:
    damaged = compress(b"some text " * 20)[:40] + content
    assert decompress_if_gzip("sitemap.xml.gz", damaged) == damaged
    assert decompress_if_gzip("sitemap.xml", content) == content
    assert isinstance(decompress_if_gzip("sitemap.xml.gz", b"\x1f\x8b" + content), bytes)


@given(st.lists(st.binary(max_size=100), min_size=1, max_size=5), st.integers(0, 3))
def test_several_members_are_one_file_and_zeros_after_them_are_nothing(bodies: list[bytes], zeros: int) -> None:
    packed = (b"\0" * zeros).join(map(compress, bodies)) + b"\0" * zeros
    assert decompress_if_gzip("a.gz", packed) == b"".join(bodies) == gzip.decompress(packed)


@pytest.mark.parametrize("size", [16_384, 16_385])
def test_a_file_of_any_size_is_decompressed(size: int) -> None:
    body = random.Random(size).randbytes(size)
    assert decompress_if_gzip("a.gz", compress(body)) == body


def test_many_members_count_as_damaged() -> None:
    packed = compress(b"") * 1_000_000
    assert decompress_if_gzip("a.gz", packed) is packed
    assert decompress_if_gzip("a.gz", compress(b"x") * 10_000) == b"x" * 10_000


@pytest.mark.slow
def test_no_more_is_decompressed_than_a_file_may_have() -> None:
    zeros = compress(b"\0" * 10_000_000)
    assert decompress_if_gzip("a.gz", zeros * 22) == zeros * 22
    assert len(decompress_if_gzip("a.gz", zeros * 20)) == 200_000_000
