"""The bytes of a file as they arrive: out of gzip, no more than a limit, and what they look like."""

import zlib
from collections.abc import Iterable, Iterator
from typing import NoReturn

from waypost.validate.xml_reader import ReadingStoppedError, ReportFinding

_GZIP = 16 + zlib.MAX_WBITS
_STEP = 262_144
"""So many bytes come out of gzip at a time, however far a few expand."""
_TELLING = 4
"""So many bytes tell a file's encoding, and whether it is packed."""
_MARKS = (
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
    (b"<\0", "UTF-16"),
    (b"\0<", "UTF-16"),
    (b"\xef\xbb\xbf", ""),
)


class DecompressedChunks:
    """A file's bytes uncompressed, some at a time; `size` counts them. None is read behind `limit`."""

    def __init__(self, chunks: Iterable[bytes], name: str, limit: int, say: ReportFinding) -> None:
        self._chunks, self._name, self._limit, self._say = iter(chunks), name, limit, say
        self.size = 0

    def __iter__(self) -> Iterator[bytes]:
        """The chunks; raises OSError, and Stopped where they are damaged or of another encoding."""
        first = b""
        for chunk in self._chunks:
            first += chunk
            if len(first) >= _TELLING:
                break
        is_packed = first.startswith(b"\x1f\x8b")
        if self._name.endswith(".gz") and not is_packed:
            self._say("not-compressed")
        for n, chunk in enumerate(_begun(self._inflated(first) if is_packed else self._all(first))):
            self.size += len(chunk)
            if self.size > self._limit:
                raise ReadingStoppedError
            yield self._unmarked(chunk) if n == 0 else chunk

    def _all(self, first: bytes) -> Iterator[bytes]:
        if first:
            yield first
        yield from self._chunks

    def _inflated(self, first: bytes) -> Iterator[bytes]:
        """Members one behind the other are one file (RFC 1952, 2.2)."""
        inflater, is_begun, taken = zlib.decompressobj(_GZIP), False, 0
        for chunk in self._all(first):
            left, taken = chunk, taken + len(chunk)
            if taken > self._limit:
                self._damaged(f"{self._limit:,} bytes of it hold less than that")
            while left := left if is_begun else left.lstrip(b"\0"):  # what pads an archive is no member
                is_begun = True
                yield self._some(inflater, left)
                left = inflater.unconsumed_tail
                if inflater.eof:
                    left, inflater, is_begun = inflater.unused_data, zlib.decompressobj(_GZIP), False
        if is_begun:
            yield inflater.flush()
            if not inflater.eof:
                self._damaged("its end is missing")

    def _some(self, inflater: "zlib._Decompress", data: bytes) -> bytes:
        try:
            return inflater.decompress(data, _STEP)
        except zlib.error as error:
            self._damaged(str(error))

    def _damaged(self, why: str) -> NoReturn:
        self._say("gzip-damaged", why=why)
        raise ReadingStoppedError

    def _unmarked(self, chunk: bytes) -> bytes:
        for mark, encoding in _MARKS:
            if chunk.startswith(mark):
                if encoding:
                    self._say("wrong-encoding", encoding=encoding)
                    raise ReadingStoppedError
                self._say("byte-order-mark", 1)
                return chunk.removeprefix(mark)
        return chunk


def _begun(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, of which the first tell what a file is: enough of them, and not white space alone."""
    first = bytearray()
    for chunk in chunks:
        first += chunk
        if (len(first) >= _TELLING and chunk.strip()) or len(first) > _STEP:
            break
    if first:
        yield bytes(first)
    yield from chunks
