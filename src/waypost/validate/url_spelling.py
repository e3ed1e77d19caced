"""Brings URLs into the one spelling that all share which are the same (RFC 3986, 6.2.2 and 6.2.3)."""

import re
from collections.abc import Iterable, Sequence

from waypost.core import urls
from waypost.validate import url_checks

_LOC_STARTS = re.compile(r"^https?://[a-z0-9.-]+/", re.MULTILINE)
_NORMAL_LOC = re.compile(r"https?://[a-z0-9.-]+/(?:[A-Za-z0-9\-._~:/?@!$&'()*+,;=]|%[89A-F][0-9A-F]|%20)*")
"""A URL whose spelling is normal, as most are."""
_ANY_BASE = "https://example.org/"
"""A base for absolute URLs, which need none."""


def normal_spellings(locs: Sequence[str]) -> Iterable[str]:
    """Each of many URLs in its normal spelling, which nearly all of them have."""
    text = "\n".join(locs)
    are_plain = "%" not in text and "/." not in text and url_checks.are_well_spelled(text, len(locs))
    if are_plain and sum(1 for _ in _LOC_STARTS.finditer(text)) == len(locs):
        return locs
    return map(normal_spelling, locs)


def normal_spelling(loc: str) -> str:
    """A URL in its normal spelling; what is no URL of a server stays as it is."""
    if _NORMAL_LOC.fullmatch(loc) and "/." not in loc:
        return loc
    plain, _, fragment = loc.partition("#")
    normal = urls.normalize(plain, _ANY_BASE) if "://" in plain else None
    return f"{normal}#{fragment}" if normal and fragment else normal or loc
