"""Packs JSON texts: the ledger's files contain little but digests and ids, and names that repeat.

Of each run of 16 or 32 hexadecimal digits that follows a quotation mark, 16 digits become a zero byte, which no JSON
text contains; the 8 bytes that they stand for follow the rest, in order. A packed text is two zlib
streams (RFC 1950): the rest, then these bytes. Builds of zlib differ in the bytes of the first, so two machines may
pack one text differently.
"""

import re
import zlib

_LEVEL = 4
"""Level 6 saves a thirtieth more and takes up to half as long again; level 2 is up to a sixteenth larger."""
_MAX_RATIO, _ALWAYS_ALLOWED = 128, 16_777_216
"""A packed text becomes at most so many times as long, and 16 MiB more: damaged data must not fill the memory."""
_DIGITS, _BYTES = 16, 8
"""How many digits a zero byte replaces, and how many bytes they are."""


def pack(text: bytes, before_digits: bytes = b'"') -> bytes:
    """Pack a JSON text; runs of digits may follow any of the bytes `before_digits`."""
    parts = re.split(b"([" + before_digits + b"])([0-9a-f]{32}|[0-9a-f]{16})", text)
    digits = parts[2::3]
    parts[2::3] = [b"\0" * (len(each) // _DIGITS) for each in digits]
    rest, digests = b"".join(parts), zlib.compress(bytes.fromhex(b"".join(digits).decode()), 0)
    packed = zlib.compress(rest, _LEVEL) + digests
    return packed if len(rest) <= _max_length(packed) else zlib.compress(rest, 0) + digests


def unpack(packed: bytes) -> bytes:
    """The JSON text; raises ValueError if the data are damaged, or are not a packed text."""
    rest, after = _decompress(packed, _max_length(packed))
    digests, after = _decompress(after, len(after))
    count = rest.count(b"\0")
    if after or len(digests) != _BYTES * count:
        raise ValueError("its compressed data are incomplete, or other data follow them")
    pieces = [b""] * (2 * count + 1)
    pieces[::2] = rest.split(b"\0")
    pieces[1::2] = digests.hex(" ", _BYTES).encode().split()
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
