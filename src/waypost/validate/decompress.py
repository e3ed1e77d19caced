"""Decompresses a file in chunks, up to a limit, and detects its encoding."""

import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NoReturn

from waypost.core.gzip import MAX_MEMBERS
from waypost.validate.reading import ReadingStoppedError, ReportFinding

_GZIP = 16 + zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_MAX_CHUNK = 262_144
"""At most so many bytes are decompressed at a time, however well the data is compressed."""
_DETECTION_BYTES = 4
"""How many bytes are needed to detect gzip and the encoding."""
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
    (b"<\0", "UTF-16"),
    (b"\0<", "UTF-16"),
    (b"\xef\xbb\xbf", ""),
)
"""The first bytes of a file, with its encoding; `""` is UTF-8."""


class DecompressedChunks:
    """The decompressed bytes of a file in chunks; `size` counts them, and nothing is read beyond `limit`.

    `is_gzip` says whether they are compressed, once they are read.
    """

    def __init__(self, chunks: Iterable[bytes], name: str, limit: int, report: ReportFinding) -> None:
        self._chunks, self._name, self._limit, self._report = iter(chunks), name, limit, report
        self.size, self.is_gzip = 0, False

    def __iter__(self) -> Iterator[bytes]:
        """The chunks; raises OSError, or ReadingStoppedError if the data is damaged, too long or not UTF-8."""
        stored = _with_long_first_chunk(self._chunks)
        first = next(stored, b"")
        self.is_gzip = first.startswith(_GZIP_MAGIC)
        if self._name.endswith(".gz") and not self.is_gzip:
            self._report("not-compressed")
        chunks = chain([first] if first else [], stored)
        for n, chunk in enumerate(_with_long_first_chunk(self._decompress(chunks)) if self.is_gzip else chunks):
            if n == 0 and chunk.startswith(_GZIP_MAGIC):
                self._report("gzip-twice")
                raise ReadingStoppedError
            self.size += len(chunk)
            if self.size > self._limit:
                raise ReadingStoppedError
            yield self._without_mark(chunk) if n == 0 else chunk

    def _decompress(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Decompress gzip data, which may be several members one after another (RFC 1952, 2.2)."""
        decompressor, is_in_member, bytes_read = zlib.decompressobj(_GZIP), False, 0
        members = 0
        for chunk in chunks:
            rest, bytes_read = chunk, bytes_read + len(chunk)
            if bytes_read > self._limit:
                self._stop_damaged(f"more than {self._limit:,} compressed bytes contain less data than that")
            while rest := rest if is_in_member else rest.lstrip(b"\0"):  # archives are padded with zeros
                is_in_member = True
                yield self._decompress_some(decompressor, rest)
                rest = decompressor.unconsumed_tail
                if decompressor.eof:
                    rest, decompressor, is_in_member = decompressor.unused_data, zlib.decompressobj(_GZIP), False
                    members += 1
                    if members > MAX_MEMBERS:
                        self._stop_damaged(f"it has more than {MAX_MEMBERS:,} parts")
        if is_in_member:
            yield decompressor.flush()
            if not decompressor.eof:
                self._stop_damaged("its end is missing")

    def _decompress_some(self, decompressor: "zlib._Decompress", data: bytes) -> bytes:
        try:
            return decompressor.decompress(data, _MAX_CHUNK)
        except zlib.error as error:
            self._stop_damaged(str(error))

    def _stop_damaged(self, why: str) -> NoReturn:
        self._report("gzip-damaged", why=why)
        raise ReadingStoppedError

    def _without_mark(self, chunk: bytes) -> bytes:
        """The first chunk without a byte-order mark; raises ReadingStoppedError if it is not UTF-8."""
        for mark, encoding in _BYTE_ORDER_MARKS:
            if chunk.startswith(mark):
                if encoding:
                    self._report("wrong-encoding", encoding=encoding)
                    raise ReadingStoppedError
                self._report("byte-order-mark", 1)
                return chunk.removeprefix(mark)
        return chunk


def _with_long_first_chunk(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, with a first chunk that is long enough to detect the kind of file, and not only white space."""
    first = bytearray()
    for chunk in chunks:
        first += chunk
        if (len(first) >= _DETECTION_BYTES and chunk.strip()) or len(first) > _MAX_CHUNK:
            break
    if first:
        yield bytes(first)
    yield from chunks
