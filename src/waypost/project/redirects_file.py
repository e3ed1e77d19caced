"""Reads `_redirects` and `_headers`, which Netlify and Cloudflare read by different rules.

Sources: Netlify, "Redirect options" and "Custom headers"; Cloudflare Pages, "Redirects" and "Headers"; the parsers of
both, which are open (netlify/build, packages/redirect-parser; cloudflare/workers-sdk, packages/workers-shared).
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from waypost.project.host_paths import UnreadablePattern, has_wildcards, redirects_pattern
from waypost.settings.host_rules import HeaderRule, PathPattern, PathRule

Syntax = Callable[[str], PathPattern]
"""Reads a pattern of paths as a host writes it; raises UnreadablePattern."""
Report = Callable[[str], None]
"""Takes what of a file cannot be read."""
READ_HEADERS = ("x-robots-tag", "link")
"""The headers that say whether a page is to be indexed, and at which URL."""
_CLOUDFLARE_STATIC, _CLOUDFLARE_DYNAMIC, _CLOUDFLARE_HEADERS = 2_000, 100, 100
"""The most rules that Cloudflare reads; after the first one with a wildcard, all count as dynamic."""
_STATUS = re.compile(r"(\d{3})(!?)")
_CONDITION = re.compile(r"(country|language|role|cookie)=", re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
REDIRECTS = range(300, 400)
"""The statuses of redirects."""
_netlify_pattern = partial(redirects_pattern, ignores_slash=True)


class RedirectLine(NamedTuple):
    """A line of a `_redirects` file; `status` is None if it names none.

    `is_netlifys` if only Netlify reads it: a forced redirect, or one with a condition.
    """

    source: str
    target: str
    status: int | None
    is_forced: bool
    is_conditional: bool
    is_netlifys: bool


def redirect_lines(text: str) -> Iterator[RedirectLine]:
    """The lines of a `_redirects` file that have a source and a target."""
    for line in text.splitlines():
        source, *rest = _COMMENT.sub("", line).split() or [""]
        at = next((n for n, part in enumerate(rest) if part.startswith("/") or "://" in part), None)
        if at is None:
            continue
        query, target, options = rest[:at], rest[at], rest[at + 1 :]
        status = next((found for part in options if (found := _STATUS.fullmatch(part))), None)
        others = [part for part in options if not _STATUS.fullmatch(part)]
        is_forced = bool(status and status[2])
        is_netlifys = is_forced or any(map(_CONDITION.match, others))
        number = int(status[1]) if status else None
        yield RedirectLine(source, target, number, is_forced, bool(query or others), is_netlifys)


def is_netlifys(text: str) -> bool:
    """Whether a `_redirects` file has what only Netlify understands: a forced redirect, or a condition."""
    return any(each.is_netlifys for each in redirect_lines(text))


def netlify_redirects(text: str, host: str, report: Report) -> Iterator[PathRule]:
    """Netlify's rules of a `_redirects` file that decide at the path of an existing file."""
    for line in redirect_lines(text):
        if not line.is_conditional:
            yield from netlify_rule(
                line.source, line.target, line.status or 301, host, report, is_forced=line.is_forced
            )


def netlify_rule(
    source: str, target: str, status: int, host: str, report: Report, *, is_forced: bool
) -> Iterator[PathRule]:
    """A rule of Netlify's: only a forced one goes before an existing file, and the first that fits a path decides."""
    path = _own_path(source, host)
    if path and not _is_for_other_domains(path, target, host):
        redirects = is_forced and status in REDIRECTS
        if found := read_pattern(_netlify_pattern, path, report):
            yield PathRule(found, target if redirects else "")


def cloudflare_redirects(text: str, host: str, report: Report) -> Iterator[PathRule]:
    """Cloudflare's rules of a `_redirects` file, which go before existing files."""
    for line in _lines_for_cloudflare(text, report):
        if _is_for_other_domains(line.source, line.target, host):
            continue
        redirects = (line.status or 302) in REDIRECTS
        if found := read_pattern(redirects_pattern, line.source, report):
            yield PathRule(found, line.target if redirects else "")


def _lines_for_cloudflare(text: str, report: Report) -> Iterator[RedirectLine]:
    """The lines of a `_redirects` file that Cloudflare does not ignore."""
    static, dynamic = 0, 0
    for line in redirect_lines(text):
        if line.is_forced or line.is_conditional or not line.source.startswith("/"):
            continue
        is_static = not dynamic and not has_wildcards(line.source)
        static, dynamic = static + is_static, dynamic + (not is_static)
        if dynamic > _CLOUDFLARE_DYNAMIC:
            report(f"{line.source} and what follows: Cloudflare reads {_CLOUDFLARE_DYNAMIC} rules with wildcards")
            return
        if is_static and static > _CLOUDFLARE_STATIC:
            report(f"{line.source}: Cloudflare reads {_CLOUDFLARE_STATIC:,} rules without wildcards")
            continue
        yield line


def netlify_headers(text: str, report: Report) -> Iterator[HeaderRule]:
    """The header rules of a `_headers` file as Netlify reads them."""
    for line in _header_lines(text):
        is_read = line.path.startswith("/") and line.value
        if is_read and (found := read_pattern(_netlify_pattern, line.path, report)):
            yield HeaderRule(found, line.name, line.value)


def cloudflare_headers(text: str, host: str, report: Report) -> Iterator[HeaderRule]:
    """The same as Cloudflare reads them: `! Name` takes a header away, and a block may be for one host."""
    for line in _header_lines(text):
        if line.block > _CLOUDFLARE_HEADERS:
            report(f"{line.path} and what follows: Cloudflare reads {_CLOUDFLARE_HEADERS} rules")
            return
        own = _own_path(line.path, host)
        if own and (found := read_pattern(redirects_pattern, own, report)):
            yield HeaderRule(found, line.name, line.value)


class HeaderLine(NamedTuple):
    """A header of a `_headers` file: its name in small letters, and its value, which is empty if it is taken away.

    `path` is the path of its block, and `block` the number of that.
    """

    block: int
    path: str
    name: str
    value: str


def _header_lines(text: str) -> Iterator[HeaderLine]:
    """The headers that are read."""
    block, path = 0, ""
    for line in text.splitlines():
        shown = line.strip()
        if not shown or shown.startswith("#"):
            continue
        if shown.startswith(("/", "https://", "http://")) and not line[0].isspace():
            block, path = block + 1, shown
            continue
        name, colon, value = shown.removeprefix("!").partition(":")
        if path and name.strip().lower() in READ_HEADERS and (colon or shown.startswith("!")):
            yield HeaderLine(block, path, name.strip().lower(), "" if shown.startswith("!") else value.strip())


def _own_path(source: str, host: str) -> str:
    """The path of a rule that holds at the site's host; empty for a rule of another host."""
    if source.startswith("/"):
        return source
    named, path = _host_and_path(source)
    return (path or "/*") if named and named == host else ""


def _is_for_other_domains(path: str, target: str, host: str) -> bool:
    """Whether a rule sends paths to the same ones at the site's own host: it is for the host's other domains."""
    found = _host_and_path(target)
    return path.endswith("/*") and found == (host, f"{path[:-1]}:splat")


def _host_and_path(url: str) -> tuple[str, str]:
    """The host and the path of a URL; both are empty if it is none."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""


def read_pattern(syntax: Syntax, text: str, report: Report) -> PathPattern | None:
    """The pattern of a path in a host's syntax, or None if it cannot be read, which is reported."""
    try:
        if text:
            return syntax(text)
    except UnreadablePattern:
        pass
    report(text or "a rule without `source`")
    return None
