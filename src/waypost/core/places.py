"""Decides what a text names: a path, a URL of the web, or a place in a bucket. Nothing else decides that.

Everything that is no URL is a path: a repository may have a folder with the name `x:`, so `x://a` is one, too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

BUCKET_SCHEMES = {"s3"}
"""The schemes of buckets; the modules that open them are in `build.locations.SCHEMES`."""
_WEB_SCHEMES = {"http", "https"}
_URL = re.compile(r"([A-Za-z][A-Za-z0-9]*)://")  # no letter outside of ASCII, such as the long s, is one of a scheme


class Place(NamedTuple):
    """What a text names, and the text, in which the scheme of a URL is in lower case."""

    kind: Literal["path", "web", "bucket"]
    text: str


def place_of(text: str) -> Place:
    """A URL begins with `http://`, `https://` or, in a bucket, `s3://`, in any case; everything else is a path."""
    found = _URL.match(text)
    scheme = found[1].lower() if found else ""
    if found is None or scheme not in _WEB_SCHEMES | BUCKET_SCHEMES:
        return Place("path", text)
    return Place("web" if scheme in _WEB_SCHEMES else "bucket", f"{scheme}://{text[found.end() :]}")


def is_web(text: str) -> bool:
    """Whether a text is a URL of the web."""
    return place_of(text).kind == "web"


def places_in(value: object) -> Iterator[Place]:
    """What each text in a value of settings names: the value, or what is in its lists and tables."""
    if isinstance(value, str):
        yield place_of(value)
    elif isinstance(value, Mapping):
        yield from places_in(value.values())
    elif isinstance(value, Iterable) and not isinstance(value, bytes):
        for each in value:
            yield from places_in(each)
