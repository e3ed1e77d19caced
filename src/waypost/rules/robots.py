"""robots.txt: what every crawler may fetch, and the `Sitemap:` lines (RFC 9309; sitemaps.org 0.9)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import lru_cache

from waypost.rules.robots_rules import CrawlerRules, Rule, delay_of

MOST_BYTES = 512_000
"""Crawlers read no more of a robots.txt (RFC 9309, 2.5)."""
_AGENT_LINE = re.compile(r"user(?:-|\s+)?agent(?:\s*:|\s)(.*)", re.IGNORECASE)
"""A `User-agent` line, also in the spellings that some parsers accept."""
_RULE_LINE = re.compile(r"(?:allow|disallow|dissallow|dissalow|disalow|diasllow|disallaw)(?:\s*:|\s)", re.IGNORECASE)
"""An `Allow` or `Disallow` line, also in the spellings that Google's parser accepts."""
_DELAY_LINE = re.compile(r"crawl[- ]delay(?:\s*:|\s)", re.IGNORECASE)
_GOOGLE = "Googlebot"
_BOM = b"\xef\xbb\xbf"
_SITEMAP_LINES = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_SITEMAP_LINE = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)[ \t]*(?:#.*)?$", re.IGNORECASE)


@lru_cache(maxsize=1)
def is_disallowed_by(text: bytes) -> Callable[[str], bool]:
    """A check whether robots.txt disallows a URL for every crawler (`*`)."""
    rules = rules_for(text, ())

    def is_disallowed(url: str) -> bool:
        return not rules.can_fetch(url, "*")

    return is_disallowed


def rules_for(text: bytes, names: Iterable[str]) -> "RobotsGroups":
    """The rules of robots.txt for every crawler (`*`), and for crawlers with these names.

    Raises SourceError for rules with too many wildcards.
    """
    lines = read_lines(text)
    agents = {_agent(match[1]) for line in lines if (match := _AGENT_LINE.match(line))} - {"*", ""}
    chosen = {name: max(filter(name.lower().startswith, agents), key=len, default="*") for name in names} | {"*": "*"}
    groups = _groups(lines, frozenset(chosen.values()))
    return RobotsGroups({name: groups.get(agent, _Group()) for name, agent in chosen.items()})


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
        if _AGENT_LINE.match(line):
            if in_head and between:
                found.append(f"`{line}` after `{between}`")
            between, in_head = "", True
        elif _RULE_LINE.match(line):
            in_head = False
        elif line and not _SITEMAP_LINES.match(line):
            between = between or line
    return found


def read_lines(text: bytes) -> list[str]:
    """The lines that crawlers read, without comments."""
    return [line.partition("#")[0].strip() for line in _beginning(text).decode("utf-8-sig", "replace").splitlines()]


def is_agent_line(line: str) -> bool:
    """Whether a line names a crawler, and so begins a group or belongs to the head of one."""
    return _AGENT_LINE.match(line) is not None


class _Group:
    """The rules and the delay of the groups for one crawler."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.delay = 0.0


def _groups(lines: Iterable[str], wanted: Set[str]) -> dict[str, _Group]:
    """The groups of the wanted crawlers by their names: several of one name count as one (RFC 9309, 2.2.1).

    Only a rule ends the names at the head of a group, and lines that are none do not interfere (2.2.4).
    """
    found: dict[str, _Group] = {}
    head: list[_Group] = []
    has_rules, delay = False, 0.0
    for line in (*lines, "Disallow:"):  # a last rule ends the last group
        if agent := _AGENT_LINE.match(line):
            if has_rules:
                head, has_rules, delay = [], False, 0.0
            if (name := _agent(agent[1])) in wanted:
                head.append(found.setdefault(name, _Group()))
        elif begun := _RULE_LINE.match(line) or _DELAY_LINE.match(line):
            value, is_rule = line[begun.end() :].strip(), begun.re is _RULE_LINE
            has_rules = has_rules or is_rule
            delay = delay if is_rule else delay_of(value) or delay
            for group in head if has_rules else ():
                group.delay = delay or group.delay
                if is_rule and value:
                    group.rules.append(Rule(line[0] in "aA", value))
    return found


class RobotsGroups:
    """The rules of a robots.txt for every crawler (`*`) and for some by their names."""

    def __init__(self, groups: Mapping[str, _Group]) -> None:
        self._delays = {name: group.delay for name, group in groups.items()}
        made = {id(group): CrawlerRules(group.rules) for group in groups.values()}
        self._rules = {name: made[id(group)] for name, group in groups.items()}

    def can_fetch(self, url: str, name: str) -> bool:
        """Whether a crawler may fetch a URL."""
        return self._rules[name].allow(url)

    def crawl_delay(self, name: str) -> float:
        """The seconds between two requests that the rules ask of a crawler, or 0."""
        return self._delays[name]


def _agent(value: str) -> str:
    """The name in a `User-agent` line, without the wildcards that some write after it."""
    agent = value.strip().lower()
    return agent if agent == "*" else agent.replace("*", "")


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
