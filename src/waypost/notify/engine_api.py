"""Sends requests to the APIs of search engines, with limits of time and of bytes, and reads what they answer."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from waypost import __version__
from waypost.core.errors import AnnounceError, TryLaterError
from waypost.files import http_requests
from waypost.files.guarded_http import Timeouts
from waypost.files.http_client import HttpRequest
from waypost.files.http_requests import StatusError

Answer = TypeVar("Answer")
_TIMEOUTS = Timeouts(idle=30, total=60)
_MOST_BYTES = 1_048_576
_MOST_TEXT = 300
"""The most characters of a server's text that a message has."""
RETRY_AFTER = 60.0


def send(
    engine: str,
    method: str,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None = None,
    timeouts: Timeouts = _TIMEOUTS,
) -> bytes:
    """The body of an answer.

    Raises StatusError for a status of 400 or more, TryLaterError if there is no answer, and AnnounceError if it is too
    large, or a redirect of what must not be sent elsewhere.
    """
    sent = {"User-Agent": f"waypost/{__version__}", "Accept": "application/json", **headers}
    try:
        content = http_requests.send(HttpRequest(method, url, sent, body), timeouts=timeouts, most=_MOST_BYTES + 1)
    except StatusError as error:
        if error.status < 400:
            raise AnnounceError(
                f"{engine} answers {error.status}, a redirect, which is not followed; "
                "look whether a proxy answers for it"
            ) from None
        raise
    except OSError as error:
        raise TryLaterError(f"{engine} does not answer: {error.strerror or error}", RETRY_AFTER) from None
    if len(content) > _MOST_BYTES:
        raise AnnounceError(f"the answer of {engine} is larger than {_MOST_BYTES:,} bytes, and was not read")
    return content


def decode(engine: str, content: bytes, kind: type[Answer]) -> Answer:
    """An answer of this kind; numbers may be written as text. Raises AnnounceError if it is something else."""
    try:
        return msgspec.json.decode(content, type=kind, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise AnnounceError(f"the answer of {engine} is not what its documentation says: {error}") from None


def decode_error(content: bytes, kind: type[Answer]) -> Answer:
    """What the body of a refusal says, or its defaults if it says something else."""
    try:
        return msgspec.json.decode(content, type=kind, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return kind()


def short(text: str) -> str:
    """A server's text as one line of at most 300 characters, without a full stop at the end."""
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= _MOST_TEXT else f"{line[:_MOST_TEXT]}…"
