"""What the robots.txt of a site says of its sitemaps; crawlers read it only at the host's root (RFC 9309, 2.3)."""

import re
from collections.abc import Iterable, Iterator, Mapping

from waypost.core.finding_types import site_warning
from waypost.core.model import Example, Plan, SiteWarning, printable
from waypost.core.urls import is_host_root, page_identity
from waypost.pages import robots
from waypost.settings.schema import Site

_YES_OR_NO = ("yes", "no")
_SIGNALS: Mapping[str, tuple[str, ...]] = {
    "search": _YES_OR_NO,
    "ai-input": _YES_OR_NO,
    "ai-train": _YES_OR_NO,
    "use": ("immediate", "reference", "full"),
}
"""The values of each signal; Cloudflare adds `use` to the robots.txt that it manages."""
_SIGNAL_LINE = re.compile(r"content[-_ ]?signals?[ \t]*:(.*)", re.IGNORECASE)
"""A line that was meant as a `Content-Signal`, also if its name is misspelt."""
_SIGNAL_NAME = re.compile(r"content-signal[ \t]*:", re.IGNORECASE)
_SIGNAL_PATH = re.compile(r"/\S*[ \t]+")
"""The beginning of the URLs' paths that a line is about, if it is not about all."""
_MAX_SHOWN = 120


def content_signal_problems(text: bytes) -> list[str]:
    """What crawlers do not understand of the `Content-Signal` lines, each with its line."""
    found: list[str] = []
    in_group = False
    for line in robots.read_lines(text):
        in_group = in_group or robots.is_agent_line(line)
        if match := _SIGNAL_LINE.match(line):
            found += (
                f"`{line[:_MAX_SHOWN]}`: {problem}" for problem in _signal_problems(line, match[1], in_group=in_group)
            )
    return found


def _signal_problems(line: str, value: str, *, in_group: bool) -> Iterator[str]:
    if not _SIGNAL_NAME.match(line):
        yield "the name of the line is Content-Signal"
    if not in_group:
        yield "it belongs below a User-agent line"
    value = value.strip()
    path = _SIGNAL_PATH.match(value)
    for signal in (value[path.end() :] if path else value).split(","):
        name, _, chosen = (part.strip().lower() for part in signal.partition("="))
        if name not in _SIGNALS:
            yield f"{name[:_MAX_SHOWN] or 'nothing'} is no signal; there are {', '.join(_SIGNALS)}"
        elif chosen not in _SIGNALS[name]:
            yield f"{name} is {' or '.join(_SIGNALS[name])}"


def named_sitemaps(robots_txt: bytes, site: Site) -> list[str]:
    """The URLs of this site that robots.txt names."""
    if not is_host_root(site.base_url):
        return []
    urls = sorted(set(robots.named_sitemaps(robots_txt)))
    return [url for url in urls if page_identity(url).startswith(f"{page_identity(site.base_url)}/")]


def blocked_sitemaps(robots_txt: bytes, site: Site, urls: Iterable[str]) -> list[str]:
    """Those of these URLs of sitemaps that robots.txt keeps from all crawlers, or from Google's."""
    return robots.blocked(robots_txt, urls) if robots_txt and is_host_root(site.base_url) else []


def warnings(plan: Plan, robots_txt: bytes, site: Site) -> Iterator[SiteWarning]:
    """What is wrong with a robots.txt for the sitemaps of a plan, and what crawlers read in different ways."""
    urls = [document.loc for document in plan.documents if document.kind not in ("robots", "llms")]
    if found := blocked_sitemaps(robots_txt, site, urls):
        yield site_warning("sitemap-disallowed", [Example("robots.txt", url) for url in found])
    if robots_txt and is_host_root(site.base_url):
        yield from _misunderstood(robots_txt)


def _misunderstood(robots_txt: bytes) -> Iterator[SiteWarning]:
    """What crawlers read in different ways, or not at all."""
    for code, found in (
        ("robots-groups", robots.joined_groups(robots_txt)),
        ("content-signal", content_signal_problems(robots_txt)),
    ):
        if found:
            yield site_warning(code, [Example("robots.txt", printable(each)) for each in found])
