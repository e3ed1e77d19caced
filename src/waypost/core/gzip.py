"""Compresses outputs as gzip files, and decompresses files."""

import struct
import zlib

from waypost.core.tree_files import MOST_BYTES

_GZIP = 16 + zlib.MAX_WBITS
_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 16_384
"""How many compressed bytes are decompressed at a time: what follows a member is copied."""
MAX_MEMBERS = 10_000
"""Files of several members have a few hundred, because each has at least some kilobytes."""


def compress(body: bytes) -> bytes:
    """A gzip file (RFC 1952) without a name or a time, so that the same bytes always give the same file."""
    header = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
    return header + _deflate(body) + struct.pack("<II", zlib.crc32(body), len(body) & 0xFFFFFFFF)


def compress_if_gzip(name: str, body: bytes) -> bytes:
    """The bytes of a file: compressed if its name ends with `.gz`."""
    return compress(body) if name.endswith(".gz") else body


def _deflate(body: bytes) -> bytes:
    """Deflate with isal level 1 if it is installed: 12% larger than zlib level 6, in a tenth of the time."""
    try:
        from isal import isal_zlib
    except ImportError:  # the `speed` extra is not installed
        compressor = zlib.compressobj(level=6, wbits=-zlib.MAX_WBITS)
        return compressor.compress(body) + compressor.flush()
    isal_compressor = isal_zlib.compressobj(level=1, wbits=-zlib.MAX_WBITS)
    return isal_compressor.compress(body) + isal_compressor.flush()


def decompress_if_gzip(name: str, content: bytes) -> bytes:
    """The decompressed bytes of a file named `.gz`; the bytes as they are for other files and for damaged gzip data.

    Data that is longer than a file may be counts as damaged.
    """
    if not name.endswith(".gz") or not content.startswith(_GZIP_MAGIC):
        return content
    try:
        return _decompress(content)
    except zlib.error:
        return content


def _decompress(content: bytes) -> bytes:
    """The data of all members (RFC 1952, 2.2); raises zlib.error if they are damaged, too many or too large."""
    found, members, is_in_member = bytearray(), 0, False
    decompressor = zlib.decompressobj(_GZIP)
    for start in range(0, len(content), _CHUNK):
        rest = content[start : start + _CHUNK]
        while rest := rest if is_in_member else rest.lstrip(b"\0"):  # archives are padded with zeros
            found += decompressor.decompress(rest, MOST_BYTES - len(found) + 1)
            if len(found) > MOST_BYTES or members > MAX_MEMBERS:
                raise zlib.error("it is too large")
            rest, is_in_member = decompressor.unconsumed_tail, True
            if decompressor.eof:
                rest, members, is_in_member = decompressor.unused_data, members + 1, False
                decompressor = zlib.decompressobj(_GZIP)
    if is_in_member:
        raise zlib.error("its end is missing")
    return bytes(found)


def decompress_start(data: bytes) -> bytes:
    """The first bytes of a file, decompressed if they are gzip data: at most 64 KiB, `b""` if they are damaged."""
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        return zlib.decompressobj(_GZIP).decompress(data, 65_536)
    except zlib.error:
        return b""
