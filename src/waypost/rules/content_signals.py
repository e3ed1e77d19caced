"""What is wrong with the `Content-Signal` lines of robots.txt (contentsignals.org)."""

import re
from collections.abc import Iterator, Mapping

from waypost.rules import robots

_YES_OR_NO = ("yes", "no")
_SIGNALS: Mapping[str, tuple[str, ...]] = {
    "search": _YES_OR_NO,
    "ai-input": _YES_OR_NO,
    "ai-train": _YES_OR_NO,
    "use": ("immediate", "reference", "full"),
}
"""The values of each signal; Cloudflare adds `use` to the robots.txt that it manages."""
_LINE = re.compile(r"content[-_ ]?signals?[ \t]*:(.*)", re.IGNORECASE)
"""A line that was meant as a `Content-Signal`, also if its name is misspelt."""
_NAME = re.compile(r"content-signal[ \t]*:", re.IGNORECASE)
_PATH = re.compile(r"/\S*[ \t]+")
"""The beginning of the URLs' paths that a line is about, if it is not about all."""
_MAX_SHOWN = 120


def problems(text: bytes) -> list[str]:
    """What crawlers do not understand of the `Content-Signal` lines, each with its line."""
    found: list[str] = []
    in_group = False
    for line in robots.read_lines(text):
        in_group = in_group or robots.is_agent_line(line)
        if match := _LINE.match(line):
            found += (f"`{line[:_MAX_SHOWN]}`: {problem}" for problem in _problems(line, match[1], in_group=in_group))
    return found


def _problems(line: str, value: str, *, in_group: bool) -> Iterator[str]:
    if not _NAME.match(line):
        yield "the name of the line is Content-Signal"
    if not in_group:
        yield "it belongs below a User-agent line"
    value = value.strip()
    path = _PATH.match(value)
    for signal in (value[path.end() :] if path else value).split(","):
        name, _, chosen = (part.strip().lower() for part in signal.partition("="))
        if name not in _SIGNALS:
            yield f"{name[:_MAX_SHOWN] or 'nothing'} is no signal; there are {', '.join(_SIGNALS)}"
        elif chosen not in _SIGNALS[name]:
            yield f"{name} is {' or '.join(_SIGNALS[name])}"
