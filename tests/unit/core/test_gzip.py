"""Outputs as gzip files: the same bytes in, the same out."""

from __future__ import annotations

import gzip
import sys
import zlib
from subprocess import run

from hypothesis import given
from hypothesis import strategies as st

from waypost.core.gzip import compressed, decompressed


@given(st.binary(max_size=5_000))
def test_compressing_loses_nothing_and_is_always_the_same(body: bytes) -> None:
    packed = compressed(body)
    assert gzip.decompress(packed) == body
    assert decompressed("sitemap.xml.gz", packed) == body
    assert compressed(body) == packed


def test_a_gzip_file_holds_no_time_no_name_and_no_system() -> None:
    assert compressed(b"x")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


def test_compressing_without_the_faster_library_gives_the_same_bytes_back() -> None:
    program = (
        "import sys; sys.modules['isal'] = None; from waypost.core.gzip import compressed;"
        "sys.stdout.buffer.write(compressed(sys.stdin.buffer.read()))"
    )
    body = b"<url><loc>https://example.org/</loc></url>\n" * 1_000
    packed = run([sys.executable, "-c", program], input=body, capture_output=True, check=True).stdout
    assert gzip.decompress(packed) == body
    assert packed[:10] == compressed(body)[:10]
    assert packed[10:-8] == zlib.compress(body, 6)[2:-4]


@given(st.binary(max_size=200))
def test_a_file_that_is_no_gzip_is_read_as_it_is(content: bytes) -> None:
    damaged = compressed(b"some text " * 20)[:40] + content
    assert decompressed("sitemap.xml.gz", damaged) == damaged
    assert decompressed("sitemap.xml", content) == content
    assert isinstance(decompressed("sitemap.xml.gz", b"\x1f\x8b" + content), bytes)
