"""robots.txt: what every crawler may fetch, and the `Sitemap:` lines (RFC 9309; sitemaps.org 0.9)."""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlsplit

from waypost.core.errors import SourceError

MOST_WILDCARDS = 2_000
"""Of all rules for one crawler together. Large public files have some hundreds; each costs every page a microsecond."""
_KEPT_IN_PATH = "/%="
_DELAY_LINE = re.compile(r"crawl[- ]delay(?:\s*:|\s)", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_PLAIN = re.compile(r"[A-Za-z0-9_.~/=-]*")
_PLAIN_URL = re.compile(r"https?://[A-Za-z0-9.:-]+(/[A-Za-z0-9_.~/=-]*)")
"""A URL whose path needs no decoding, and that path."""
_INDEX = re.compile(r"(?<=/)index\.html?\Z")
MOST_BYTES = 512_000
"""Crawlers read no more of a robots.txt (RFC 9309, 2.5)."""
AGENT_LINE = re.compile(r"user(?:-|\s+)?agent(?:\s*:|\s)(.*)", re.IGNORECASE)
"""A `User-agent` line, also in the spellings that some parsers accept."""
RULE_LINE = re.compile(r"(?:allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)(?:\s*:|\s)", re.IGNORECASE)
"""An `Allow` or `Disallow` line, also in the spellings that Google's parser accepts."""
GOOGLE, _ALL = "Googlebot", "*"
_NO_TOKEN = re.compile(r"[^A-Za-z_-]")
_BOM = b"\xef\xbb\xbf"
_SITEMAP_LINES = re.compile(r"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_SITEMAP_LINE = re.compile(rb"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)[ \t]*(?:#.*)?$", re.IGNORECASE)


_Rule = tuple[bool, str]
"""Whether a line allows, and its pattern as it is written."""


class _Verdict(NamedTuple):
    """What a rule says, with its length; the longest that matches decides, and of equally long ones `Allow`."""

    length: int = -1
    is_allowed: bool = True


class _Wildcards(NamedTuple):
    """A rule with a wildcard inside: the texts between its wildcards."""

    verdict: _Verdict
    parts: Sequence[str]
    is_anchored: bool

    def matches(self, path: str) -> bool:
        """Whether the texts follow one another in a path, the last of an anchored rule at its end."""
        return follow_one_another(self.parts, path, is_anchored=self.is_anchored)


def follow_one_another(parts: Sequence[str], text: str, *, is_anchored: bool) -> bool:
    """Whether two or more parts between wildcards follow one another in a text, from its beginning.

    Each is as early as it can be, and the last one of an anchored pattern is at the end: time grows with the text.
    """
    first, *others = parts
    if not text.startswith(first):
        return False
    at = len(first)
    last = others.pop() if is_anchored else None
    for part in others:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return last is None or (text.endswith(last) and len(text) - len(last) >= at)


class CrawlerRules:
    """The rules for one crawler; raises SourceError for more wildcards than `MOST_WILDCARDS`.

    `delay` are the seconds between two requests that they ask for, or 0. `allows_all` says that they allow every URL.
    """

    def __init__(self, rules: Iterable[_Rule], delay: float) -> None:
        self.delay = delay
        self._beginnings: dict[str, _Verdict] = {}
        self._whole: dict[str, _Verdict] = {}
        wildcards: dict[tuple[Sequence[str], bool], _Wildcards] = {}
        for is_allowed, pattern in dict.fromkeys(each for rule in rules for each in _with_folder_of_index(rule)):
            text = _normal_pattern(pattern)
            verdict, is_anchored = _Verdict(len(text), is_allowed), text.endswith("$")
            parts = tuple(re.sub(r"\*+", "*", text.removesuffix("$")).split("*"))
            if not is_anchored and len(parts) > 1 and not parts[-1]:
                parts = parts[:-1]  # a rule goes on anyway
            if len(parts) == 1:
                found = self._whole if is_anchored else self._beginnings
                found[parts[0]] = max(verdict, found.get(parts[0], verdict))
            else:
                known = wildcards.get((parts, is_anchored))
                verdict = max(verdict, known.verdict) if known else verdict
                wildcards[parts, is_anchored] = _Wildcards(verdict, parts, is_anchored)
        if (count := sum(len(parts) - 1 for parts, _ in wildcards)) > MOST_WILDCARDS:
            raise SourceError(
                f"the rules of robots.txt for one crawler have {count:,} wildcards, and at most {MOST_WILDCARDS:,} are "
                "read; write the rules with fewer `*`"
            )
        verdicts = (*self._beginnings.values(), *self._whole.values(), *(each.verdict for each in wildcards.values()))
        self.allows_all = all(verdict.is_allowed for verdict in verdicts)
        self._lengths = sorted(set(map(len, self._beginnings)))
        self._wildcards = sorted(wildcards.values(), reverse=True)

    def allow(self, url: str) -> bool:
        """Whether the crawler may fetch a URL."""
        path = "/robots.txt" if self.allows_all else _normal_path(url)
        if path == "/robots.txt":
            return True
        best = self._whole.get(path, _Verdict())
        for length in self._lengths:
            if length > len(path):
                break
            best = max(best, self._beginnings.get(path[:length], best))
        for rule in self._wildcards:
            if rule.verdict < best:
                break
            if rule.matches(path):
                return rule.verdict.is_allowed
        return best.is_allowed


def _with_folder_of_index(rule: _Rule) -> Iterable[_Rule]:
    """A rule that allows a folder's index file allows the folder, too, as Google reads it."""
    is_allowed, pattern = rule
    yield rule
    if is_allowed and (found := _INDEX.search(pattern)):
        yield True, f"{pattern[: found.start()]}$"


def _delay(text: str) -> float | None:
    """The seconds that a line `Crawl-delay` asks for; None if it is no number of seconds."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _normal_path(url: str) -> str:
    """The path and the query of a URL, in which every character is percent-encoded that may be."""
    if (found := _PLAIN_URL.fullmatch(url)) is not None:  # most URLs, ten times as fast
        return found[1]
    try:
        parts = urlsplit(url.partition("#")[0])
    except ValueError:
        return "/"
    query = f"?{parts.query}" if "?" in url.partition("#")[0] else ""
    path = _normal(parts.path + query)
    return path if path.startswith("/") else f"/{path}"


def _normal_pattern(pattern: str) -> str:
    text = f"/{pattern}" if pattern.startswith(("https://", "http://")) else pattern
    anchor = "$" if text.endswith("$") else ""
    return "*".join(map(_normal, text.removesuffix("$").split("*"))) + anchor


def _normal(text: str) -> str:
    """A text in one spelling: what is percent-encoded and need not be is decoded, but for `/` and `%`."""
    if _PLAIN.fullmatch(text):
        return text
    kept = _ESCAPE.sub(lambda found: f"%25{found[1].upper()}" if found[1].upper() in ("2F", "25") else found[0], text)
    decoded = unquote_to_bytes(re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", kept))
    return quote(decoded, safe=_KEPT_IN_PATH)


class _Group:
    """The rules and the delay of the groups for one crawler."""

    def __init__(self) -> None:
        self.rules: list[_Rule] = []
        self.delay = 0.0


def _groups(lines: Iterable[str], wanted: Set[str]) -> dict[str, _Group]:
    """The groups of the wanted crawlers by their names: several of one name count as one (RFC 9309, 2.2.1).

    Only a rule ends the names at the head of a group, and lines that are none do not interfere (2.2.4).
    """
    found: dict[str, _Group] = {}
    head: list[_Group] = []
    has_rules, delay = False, 0.0
    for line in (*lines, "Disallow:"):  # a last rule ends the last group
        if agent := AGENT_LINE.match(line):
            if has_rules:
                head, has_rules, delay = [], False, 0.0
            if (name := _agent(agent[1])) in wanted:
                head.append(found.setdefault(name, _Group()))
        elif begun := RULE_LINE.match(line) or _DELAY_LINE.match(line):
            value, is_rule = line[begun.end() :].strip(), begun.re is RULE_LINE
            has_rules = has_rules or is_rule
            delay = delay if is_rule else _delay(value) or delay
            for group in head if has_rules else ():
                group.delay = delay or group.delay
                if is_rule and value:
                    group.rules.append((line[0] in "aA", value))
    return found


def rules_for(text: bytes, names: Iterable[str] = ()) -> Mapping[str, CrawlerRules]:
    """The rules of robots.txt for every crawler (`*`), and for crawlers with these names, by the names.

    A crawler follows the group of its own name, whatever its case is, or else that for every crawler (RFC 9309, 2.2.1);
    Google's crawlers for news and images follow Googlebot's before that (Google, "Overview of Google crawlers").
    Raises SourceError for rules with too many wildcards.
    """
    lines = read_lines(text)
    agents = {_agent(match[1]) for line in lines if (match := AGENT_LINE.match(line))}
    chosen = {name: next((each for each in _tokens(name) if each in agents), _ALL) for name in (*names, _ALL)}
    groups = _groups(lines, frozenset(chosen.values()))
    rules = {agent: CrawlerRules(group.rules, group.delay) for agent, group in groups.items()}
    return {name: rules.get(agent) or CrawlerRules((), 0.0) for name, agent in chosen.items()}


def _tokens(name: str) -> Sequence[str]:
    """The names of the groups that a crawler looks for, in their order."""
    google = GOOGLE.lower()
    return [name.lower(), *([google] if name.lower().startswith(f"{google}-") else [])]


def _agent(value: str) -> str:
    """The product token in a `User-agent` line, up to the first character that none has; `*` also before a space.

    So do Google's parser (google/robotstxt, `ExtractUserAgent` and `HandleUserAgent`) and RFC 9309, 2.2.1.
    """
    first, *_ = value.split() or [""]
    return _ALL if first == _ALL else _NO_TOKEN.split(first, maxsplit=1)[0].lower()


@lru_cache(maxsize=1)
def disallowing(text: bytes) -> Callable[[str], bool] | None:
    """A check whether robots.txt disallows a URL for every crawler (`*`) or for Google's, or None if it disallows none.

    Raises SourceError for rules with too many wildcards.
    """
    rules = [each for each in rules_for(text, (GOOGLE,)).values() if not each.allows_all]
    return (lambda url: not all(each.allow(url) for each in rules)) if rules else None


def blocked(text: bytes, urls: Iterable[str]) -> list[str]:
    """Those of these URLs that robots.txt keeps from every crawler (`*`), or from Google's."""
    is_disallowed = disallowing(text)
    return [url for url in urls if is_disallowed(url)] if is_disallowed else []


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
    """The lines that crawlers read, without comments: the whole ones of the beginning."""
    read = text if len(text) <= MOST_BYTES else text[: text.rfind(b"\n", 0, MOST_BYTES) + 1]
    return [line.partition("#")[0].strip() for line in read.decode("utf-8-sig", "replace").splitlines()]


def rules_for_all(text: bytes) -> str:
    """The rules of robots.txt, without comments and `Sitemap:` lines; the same rules give the same text."""
    lines = (line.partition("#")[0].strip() for line in text.decode("utf-8-sig", "replace").splitlines())
    return "\n".join(line for line in lines if line and not _SITEMAP_LINES.match(line))


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
