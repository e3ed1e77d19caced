"""Decodes what objects were compressed with before their upload, as readers of the site do (RFC 9110, 8.4)."""

import errno
import sys
import zlib
from collections.abc import Callable, Sequence

from waypost.core.model import Body

_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_NO_CODINGS = ("", "identity", "aws-chunked")
"""What a list of codings may name although nothing is encoded; SDKs leave the last one there (S3, "PutObject")."""


class UnknownCodingError(OSError):
    """The content has a coding that is not known here; `coding` is its name."""

    def __init__(self, coding: str) -> None:
        super().__init__(errno.ENOTSUP, f"its content coding {coding!r} is not known")
        self.coding = coding


def decode(header: str, data: bytes, most: int, *, is_whole: bool) -> Body:
    """The first `most` bytes of a content whose encoded bytes, or the first of them, are `data`.

    `header` is its Content-Encoding: a list of codings in the order in which they were applied. Raises
    UnknownCodingError, and OSError if the data is damaged or, where `is_whole` says that all of it is there, cut short.
    """
    found = Body(data, is_whole)
    for coding in reversed(_codings(header)):
        if coding not in _DECODERS:
            raise UnknownCodingError(coding)
        if found.data:
            found = _decode(coding, found, most)
    return found


def _codings(header: str) -> Sequence[str]:
    """The names of the codings, which are case-insensitive (RFC 9110, 8.4.1)."""
    names = (name.strip().lower() for name in header.split(","))
    return [name for name in names if name not in _NO_CODINGS]


def _decode(coding: str, encoded: Body, most: int) -> Body:
    try:
        data, has_ended, has_more = _DECODERS[coding](encoded.data, most)
    except OSError:
        raise
    except Exception as error:  # each library has an error of its own
        raise OSError(errno.EIO, f"its {coding} data is damaged: {error}") from error
    if encoded.is_whole and not has_ended and not has_more:
        raise OSError(errno.EIO, f"its {coding} data is cut short")
    return Body(data, encoded.is_whole and has_ended)


_Answer = tuple[bytes, bool, bool]
"""The data, whether the encoded data has ended, and whether there would be more than was asked for."""
_MOST_MEMBERS = 1_000
"""How many parts an encoded content may have, each of which is complete by itself: what follows a part is copied."""


def _inflate(data: bytes, most: int, window: int) -> _Answer:
    decompressor = zlib.decompressobj(window)
    found = decompressor.decompress(data, most)
    return found, decompressor.eof, bool(decompressor.unconsumed_tail) or len(found) >= most


def _gzip(data: bytes, most: int) -> _Answer:
    """All members; what follows them and is none is padding (RFC 1952, 2.2)."""
    found = bytearray()
    for _ in range(_MOST_MEMBERS):
        decompressor = zlib.decompressobj(_GZIP)
        found += decompressor.decompress(data, most - len(found))
        data = decompressor.unused_data
        if not decompressor.eof or len(found) >= most:
            return bytes(found), False, len(found) >= most
        if not data.startswith(_GZIP_MAGIC):
            return bytes(found), True, False
    raise OSError(errno.EIO, "its gzip data has too many members")


def _deflate(data: bytes, most: int) -> _Answer:
    """The format of zlib, or what some servers send in its place: the data alone (RFC 9110, 8.4.1.2)."""
    try:
        return _inflate(data, most, _ZLIB)
    except zlib.error:
        return _inflate(data, most, _RAW)


def _brotli(data: bytes, most: int) -> _Answer:
    try:
        import brotli
    except ImportError as error:
        raise UnknownCodingError("br") from error
    decompressor = brotli.Decompressor()
    found = decompressor.process(data, output_buffer_limit=most)
    return found[:most], decompressor.is_finished(), len(found) >= most


def _zstd(data: bytes, most: int) -> _Answer:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError as error:
        raise UnknownCodingError("zstd") from error
    found = bytearray()
    for _ in range(_MOST_MEMBERS):  # frames, some of which may hold nothing (RFC 8878, 3)
        decompressor = zstd.ZstdDecompressor()
        found += decompressor.decompress(data, max_length=most - len(found))
        data = decompressor.unused_data
        if not decompressor.eof or len(found) >= most:
            return bytes(found), decompressor.eof and not data, len(found) >= most
        if not data:
            return bytes(found), True, False
    raise OSError(errno.EIO, "its zstd data has too many frames")


_DECODERS: dict[str, Callable[[bytes, int], _Answer]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
