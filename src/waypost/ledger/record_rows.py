"""What a page says of itself, as lines of JSON, one a record; the page's name in them is a byte.

A page's links to itself, to its versions and to its images often contain the name of its file or folder. The byte 1,
which no JSON text contains, is in its place: then most lines are the same, and compress well.
"""

from collections.abc import Sequence

import msgspec

from waypost.core.urls import encode_path
from waypost.rules.html_head import Head
from waypost.rules.media import Media


class RecordRow(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What a page says in its text, None for what it does not say; None as `alternates` are the head's."""

    head: Head | None = None
    alternates: tuple[tuple[str, str], ...] | None = None
    media: Media | None = None


_NAME = b"\1"
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(RecordRow)


def dump_rows(rows: Sequence[RecordRow], keys: Sequence[str]) -> list[bytes]:
    """The lines of these rows, without their ends; none if there are no rows."""
    if not rows:
        return []
    return [_ENCODER.encode(row).replace(name, _NAME) for row, name in zip(rows, _names(keys), strict=True)]


def load_rows(lines: Sequence[bytes], keys: Sequence[str]) -> list[RecordRow]:
    """The rows in these lines; raises ValueError or MsgspecError if they are damaged."""
    if not lines:
        return []
    return [_DECODER.decode(line.replace(_NAME, name)) for line, name in zip(lines, _names(keys), strict=True)]


def _names(keys: Sequence[str]) -> list[bytes]:
    """The files' names without extensions, or the folders' of index pages, as in URLs."""
    names = [key.removesuffix("/index.html").rpartition("/")[2].partition(".")[0] for key in keys]
    return [name or _NAME for name in encode_path("/".join(names)).encode().split(b"/")]
