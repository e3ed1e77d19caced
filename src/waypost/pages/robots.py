"""robots.txt: what every crawler may fetch, and the `Sitemap:` lines (RFC 9309; sitemaps.org 0.9)."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from waypost.pages.robots_rules import RobotsGroups


MOST_BYTES = 512_000
"""Crawlers read no more of a robots.txt (RFC 9309, 2.5)."""
AGENT_LINE = re.compile(r"user(?:-|\s+)?agent(?:\s*:|\s)(.*)", re.IGNORECASE)
"""A `User-agent` line, also in the spellings that some parsers accept."""
RULE_LINE = re.compile(r"(?:allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)(?:\s*:|\s)", re.IGNORECASE)
"""An `Allow` or `Disallow` line, also in the spellings that Google's parser accepts."""
_GOOGLE = "Googlebot"
_BOM = b"\xef\xbb\xbf"
_SITEMAP_LINES = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_SITEMAP_LINE = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)[ \t]*(?:#.*)?$", re.IGNORECASE)


@lru_cache(maxsize=1)
def disallowing(text: bytes) -> Callable[[str], bool] | None:
    """A check whether robots.txt disallows a URL for every crawler (`*`), or None if it disallows none.

    Raises SourceError for rules with too many wildcards.
    """
    rules = rules_for(text, ())
    return None if rules.allow_all("*") else lambda url: not rules.can_fetch(url, "*")


def is_disallowed_by(text: bytes) -> Callable[[str], bool]:
    """The same check, which always exists."""
    return disallowing(text) or (lambda url: False)


def rules_for(text: bytes, names: Iterable[str]) -> "RobotsGroups":
    """The rules of robots.txt for every crawler (`*`), and for crawlers with these names.

    Raises SourceError for rules with too many wildcards.
    """
    from waypost.pages.robots_rules import read_groups  # most small sites have no robots.txt

    return read_groups(read_lines(text), names)


def blocked(text: bytes, urls: Iterable[str]) -> list[str]:
    """Those of these URLs that robots.txt keeps from every crawler (`*`), or from Google's."""
    rules = rules_for(text, (_GOOGLE,))
    return [url for url in urls if not (rules.can_fetch(url, "*") and rules.can_fetch(url, _GOOGLE))]


def joined_groups(text: bytes) -> list[str]:
    """The `User-agent` lines that join a group because only a line that is no rule separates them from its head.

    Google reads them so, by RFC 9309; some other crawlers begin a new group.
    """
    found: list[str] = []
    between, in_head = "", False
    for line in read_lines(text):
        if AGENT_LINE.match(line):
            if in_head and between:
                found.append(f"`{line}` after `{between}`")
            between, in_head = "", True
        elif RULE_LINE.match(line):
            in_head = False
        elif line and not _SITEMAP_LINES.match(line):
            between = between or line
    return found


def read_lines(text: bytes) -> list[str]:
    """The lines that crawlers read, without comments."""
    return [line.partition("#")[0].strip() for line in _beginning(text).decode("utf-8-sig", "replace").splitlines()]


def is_agent_line(line: str) -> bool:
    """Whether a line names a crawler, and so begins a group or belongs to the head of one."""
    return AGENT_LINE.match(line) is not None


def _beginning(text: bytes) -> bytes:
    """The whole lines that crawlers read."""
    return text if len(text) <= MOST_BYTES else text[: text.rfind(b"\n", 0, MOST_BYTES) + 1]


def rules_for_all(text: bytes) -> str:
    """The rules of robots.txt, without comments and `Sitemap:` lines; the same rules give the same text."""
    lines = (line.partition("#")[0].strip() for line in text.decode("utf-8-sig", "replace").splitlines())
    return "\n".join(line for line in lines if line and not line.lower().startswith("sitemap"))


def named_sitemaps(text: bytes) -> list[str]:
    """What the `Sitemap:` lines name, as it is written, in their order."""
    return _SITEMAP_LINES.findall(text.decode("utf-8-sig", "replace"))


def with_sitemaps(text: bytes, lines: Sequence[bytes], is_ours: Callable[[str], bool]) -> bytes:
    """robots.txt with these `Sitemap:` lines and comments, and no other `Sitemap:` lines that are ours.

    Every other byte stays as it is. A line that is right keeps its place, a stale one is removed, and a missing one is
    added at the end with the file's own kind of line end.
    """
    newline = b"\r\n" if b"\r\n" in text else b"\n"
    wanted = {_sitemap(line) or line: line for line in lines if line.strip()}
    kept = []
    for line in text.splitlines(keepends=True):
        bare = line.rstrip(b"\r\n").removeprefix(_BOM)
        url = _sitemap(bare)
        is_wanted = wanted.pop(url or bare, None) is not None
        if is_wanted or url is None or not is_ours(url.decode("utf-8", "replace")):
            kept.append(line)
    body = b"".join(kept)
    if text.startswith(_BOM) and not body.startswith(_BOM):
        body = _BOM + body
    if wanted and body and not body.endswith((b"\n", b"\r")):
        body += newline
    return body + b"".join(line + newline for line in wanted.values())


def lists_only(lines: Sequence[bytes], urls: Sequence[str]) -> bool:
    """Whether lines for robots.txt name each URL once and contain nothing else but comments."""
    named = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")]
    return [_sitemap(line) for line in named] == [url.encode() for url in urls]


def _sitemap(line: bytes) -> bytes | None:
    """The URL of a `Sitemap:` line."""
    match = _SITEMAP_LINE.match(line)
    return match[1] if match else None
