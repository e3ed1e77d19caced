"""robots.txt: what every crawler may fetch, and the `Sitemap:` lines (RFC 9309; sitemaps.org 0.9)."""

import re
from collections.abc import Callable, Sequence

from protego import Protego

_SITEMAP_LINE = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)[ \t]*(?:#.*)?$", re.IGNORECASE)


def disallows(text: bytes) -> Callable[[str], bool]:
    """A check of whether robots.txt keeps every crawler (`*`) from a URL."""
    rules = Protego.parse(text.decode("utf-8-sig", "replace"))

    def is_disallowed(url: str) -> bool:
        return not rules.can_fetch(url, "*")

    return is_disallowed


def with_sitemaps(text: bytes, lines: Sequence[bytes], is_ours: Callable[[str], bool]) -> bytes:
    """robots.txt with exactly these `Sitemap:` lines among those that are ours.

    Every other byte stays: a right line keeps its place, a stale one goes, a missing one is
    added at the end in the file's own kind of line ending.
    """
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    wanted = {line.partition(b":")[2].strip(): line for line in lines}
    kept = []
    for line in text.splitlines(keepends=True):
        match = _SITEMAP_LINE.match(line.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf"))
        if match is None or not is_ours(match[1].decode("utf-8", "replace")):
            kept.append(line)
        elif match[1] in wanted:
            del wanted[match[1]]
            kept.append(line)
    body = b"".join(kept)
    if wanted and body and not body.endswith((b"\n", b"\r")):
        body += newline
    return body + b"".join(line + newline for line in wanted.values())
