"""Contents that were compressed before their upload."""

from __future__ import annotations

import gzip
import sys
import zlib

import brotli
import pytest

from waypost.core.content_codings import UnknownCodingError, decode
from waypost.core.model import Body

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b"".join(b"<p>Line %d</p>" % n for n in range(40_000))
MOST = 4_194_304
COMPRESSED = pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
SKIPPABLE = b"\x50\x2a\x4d\x18\x04\x00\x00\x00\x00\x00\x00\x00"
PARTS = {
    "gzip": gzip.compress(b"") + gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]) + bytes(20),
    "zstd": SKIPPABLE + zstd.compress(TEXT[:9]) + SKIPPABLE + zstd.compress(TEXT[9:]),
}


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


ENCODED = {
    "gzip": gzip.compress(TEXT, mtime=0),
    "x-gzip": gzip.compress(TEXT, mtime=0),
    "GZIP": gzip.compress(TEXT, mtime=0),
    "gzip, identity": gzip.compress(TEXT, mtime=0),
    "gzip,aws-chunked": gzip.compress(TEXT, mtime=0),
    "deflate": zlib.compress(TEXT),
    "Deflate": raw_deflate(TEXT),
    "br": brotli.compress(TEXT, quality=1),
    "zstd": zstd.compress(TEXT),
    "br, gzip": gzip.compress(brotli.compress(TEXT, quality=1), mtime=0),
    "": TEXT,
    "identity": TEXT,
    "aws-chunked": TEXT,
}
CODINGS = pytest.mark.parametrize(("coding", "data"), ENCODED.items(), ids=[name or "none" for name in ENCODED])


@CODINGS
def test_a_content_is_decoded_as_readers_do(coding: str, data: bytes) -> None:
    assert decode(coding, data, MOST, is_whole=True) == Body(TEXT, is_whole=True)


@CODINGS
def test_the_beginning_of_a_content_is_the_beginning_of_its_text(coding: str, data: bytes) -> None:
    found = decode(coding, data[: len(data) // 2], MOST, is_whole=False)
    assert found.data
    assert TEXT.startswith(found.data)
    assert not found.is_whole


@COMPRESSED
def test_no_more_is_decoded_than_is_wanted(coding: str) -> None:
    bomb = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstd.compress}[coding]
    found = decode(coding, bomb(bytes(1_000_000)), 1_000, is_whole=True)
    assert found == Body(bytes(1_000), is_whole=False)


@COMPRESSED
def test_what_is_cut_short_or_damaged_is_an_error_that_names_the_coding(coding: str) -> None:
    with pytest.raises(OSError, match=f"its {coding} data is cut short"):
        decode(coding, ENCODED[coding][:-9], MOST, is_whole=True)
    with pytest.raises(OSError, match=f"its {coding} data is"):
        decode(coding, b"\xff" * 99, MOST, is_whole=True)


@pytest.mark.parametrize("coding", ["compress", "exi", "gzip, secret"])
def test_an_unknown_coding_is_named(coding: str) -> None:
    with pytest.raises(UnknownCodingError, match="content coding") as raised:
        decode(coding, b"x", MOST, is_whole=True)
    assert raised.value.coding == coding.rpartition(" ")[2]


def test_an_empty_object_has_no_coding_to_decode() -> None:
    assert decode("br", b"", MOST, is_whole=True) == Body(b"", is_whole=True)


@pytest.mark.parametrize("coding", PARTS)
def test_all_parts_of_a_content_are_decoded(coding: str) -> None:
    assert decode(coding, PARTS[coding], MOST, is_whole=True) == Body(TEXT, is_whole=True)
    assert decode(coding, PARTS[coding], 1_000, is_whole=True) == Body(TEXT[:1_000], is_whole=False)


@pytest.mark.parametrize(
    ("coding", "part"), [("gzip", gzip.compress(b"", mtime=0)), ("zstd", SKIPPABLE)], ids=["gzip", "zstd"]
)
def test_no_more_parts_are_decoded_than_real_files_have(coding: str, part: bytes) -> None:
    with pytest.raises(OSError, match="too many"):
        decode(coding, part * 1_001, MOST, is_whole=True)
