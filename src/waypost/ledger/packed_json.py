"""Packs JSON texts: the ledger's files contain little but digests, and names that repeat.

Each run of 32 hexadecimal digits becomes a zero byte, which no JSON text contains; the 16 bytes that it replaces
follow the rest, in order. A packed text is two zlib streams (RFC 1950): the rest, then these bytes. Builds of zlib
differ in the bytes of the first, so two machines may pack one text differently.
"""

import re
import zlib

_LEVEL = 4
"""Level 6 saves a fiftieth more and takes twice as long; level 2 is a twentieth larger (`benchmarks/records.py`)."""
_MAX_RATIO, _ALWAYS_ALLOWED = 128, 16_777_216
"""A packed text becomes at most so many times as long, and 16 MiB more: damaged data must not fill the memory."""


def pack(text: bytes, before_digest: bytes = b"") -> bytes:
    """Pack a JSON text.

    With `before_digest`, only runs of digits after that byte are replaced, which takes a third to half of the time.
    """
    parts = re.split(re.escape(before_digest) + b"([0-9a-f]{32})", text)
    rest = (before_digest + b"\0").join(parts[::2])
    digests = zlib.compress(bytes.fromhex(b"".join(parts[1::2]).decode()), 0)
    packed = zlib.compress(rest, _LEVEL) + digests
    return packed if len(rest) <= _max_length(packed) else zlib.compress(rest, 0) + digests


def unpack(packed: bytes) -> bytes:
    """The JSON text; raises ValueError if the data are damaged, or are not a packed text."""
    rest, after = _decompress(packed, _max_length(packed))
    digests, after = _decompress(after, len(after))
    if after or len(digests) != 16 * rest.count(b"\0"):
        raise ValueError("its compressed data are incomplete, or other data follow them")
    digits = digests.hex().encode()
    pieces = [b""] * (len(digests) // 8 + 1)
    pieces[::2] = rest.split(b"\0")
    pieces[1::2] = [digits[start : start + 32] for start in range(0, len(digits), 32)]
    return b"".join(pieces)


def _max_length(packed: bytes) -> int:
    return _MAX_RATIO * len(packed) + _ALWAYS_ALLOWED


def _decompress(data: bytes, max_length: int) -> tuple[bytes, bytes]:
    """The content of a zlib stream, and what follows it."""
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(data, max_length + 1)
    except zlib.error as error:
        raise ValueError(f"its compressed data are damaged: {error}") from None
    if not stream.eof or len(content) > max_length:
        raise ValueError("its compressed data are incomplete or too long")
    return content, stream.unused_data
