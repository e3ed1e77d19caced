"""Outputs as gzip files: the same bytes in, the same out."""

from __future__ import annotations

import gzip
import sys
import zlib
from subprocess import run

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


def test_compressing_without_the_faster_library_gives_the_same_bytes_back() -> None:
    program = (
        "import sys; sys.modules['isal'] = None; from waypost.core.gzip import compress;"
        "sys.stdout.buffer.write(compress(sys.stdin.buffer.read()))"
    )
    body = b"<url><loc>https://example.org/</loc></url>\n" * 1_000
    packed = run([sys.executable, "-c", program], input=body, capture_output=True, check=True).stdout
    assert gzip.decompress(packed) == body
    assert packed[:10] == compress(body)[:10]
    assert packed[10:-8] == zlib.compress(body, 6)[2:-4]


@given(st.binary(max_size=200))
def test_a_file_that_is_no_gzip_is_read_as_it_is(content: bytes) -> None:
    damaged = compress(b"some text " * 20)[:40] + content
    assert decompress_if_gzip("sitemap.xml.gz", damaged) == damaged
    assert decompress_if_gzip("sitemap.xml", content) == content
    assert isinstance(decompress_if_gzip("sitemap.xml.gz", b"\x1f\x8b" + content), bytes)
