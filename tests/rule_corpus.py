"""Files of every kind that a rule decides on, and what the rules make of each under several settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from waypost.core.model import Body, Item, Page, Skipped
from waypost.core.reasons import Reason
from waypost.pages import page_facts, page_url
from waypost.pages.decision import decide
from waypost.pages.facts import RULES_VERSION
from waypost.pages.html_head import alternates
from waypost.pages.page_metadata import news_article, with_metadata
from waypost.pages.robots import rules_for
from waypost.pages.selection import Selection
from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site

GOLDEN = Path(__file__).parent / "golden" / "rules" / "outcomes.jsonl"
NOW = "2026-03-01T12:00:00Z"
_BASE = "https://example.org/"
_ROBOTS = b"User-agent: *\nDisallow: /private/\nDisallow: /*.pdf$\nAllow: /private/open.html\n"

Outcome = dict[str, Any]
Recorded = dict[str, dict[str, Outcome]]
"""What the rules make of each case, by the case's name and the name of the settings."""


class Case(NamedTuple):
    """A file, and the headers that a bucket sends with it."""

    name: str
    key: str
    data: bytes = b""
    redirect: str = ""
    robots_header: str = ""


class _OneFile:
    """A source of one file, which is read in parts as an object of a bucket is."""

    width = 1

    def __init__(self, case: Case, *, has_etags: bool) -> None:
        self._case, self.has_etags = case, has_etags

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        del prunes
        yield self.item

    def find(self, key: str) -> bytes | None:
        return _ROBOTS if key == "robots.txt" else None

    @property
    def item(self) -> Item:
        data = self._case.data
        return Item(self._case.key, self._case.key, len(data), "etag" if self.has_etags else "")

    def read(self, item: Item, size: int | None = None) -> Body:
        data = self._case.data
        is_whole = size is None or len(data) <= size
        return Body(data[:size], is_whole, self._case.redirect, self._case.robots_header, item.etag)


def _site(**values: Any) -> Site:
    return load.check_settings([ConfigSource("corpus", {"base_url": _BASE, **values})])


SETTINGS: Mapping[str, Site] = {
    "default": _site(lastmod="none"),
    "content": _site(lastmod="content", state="state.jsonl", page_dates=True, precision="date"),
    "everything": _site(
        alternates=True,
        images=True,
        image_hosts=["cdn.example.net", ".img.example"],
        videos=True,
        news={"name": "The Example Times", "language": "en", "pages": ["/news/", "*.html"]},
        formats=["xml", "text", "html"],
        gzip=True,
        stylesheet=True,
        respect_robots=True,
        robots_sitemaps=True,
    ),
    "addresses": _site(
        drop_html=True,
        trailing_slash="always",
        index_files=["index.html", "home.html", "README.md"],
        pages=["html", "pdf", "markdown", ".txt"],
        foreign_canonical="skip",
    ),
    "no slash": _site(drop_html=True, trailing_slash="never", pages=["html"]),
    "patterns": _site(
        include=["/docs/", "*.html", "*.pdf"],
        exclude=["drafts/", "*.bak.html", "!_kept.html", "!404.html", "!.well-known/", "!*.css"],
        groups={"blog": ["/blog/"], "docs": ["/docs/", "!/docs/api/"]},
        overrides=[
            {"match": ["/blog/"], "changefreq": "daily", "priority": 0.8},
            {"match": ["*.pdf"], "priority": 0.1},
        ],
        name="map",
        pages=["html", "pdf", "markdown"],
    ),
    "git": _site(lastmod="git", page_dates=True),
}
"""Settings that ask different rules; `default` leaves all but the dates as they are."""


def outcomes(cases: Iterable[Case]) -> Recorded:
    """What the rules make of some cases under all settings."""
    return {case.name: {name: _outcome(case, site) for name, site in SETTINGS.items()} for case in cases}


def _outcome(case: Case, site: Site) -> Outcome:
    """What the rules make of a file: why it is left out, or how it is listed, and all that was read of it."""
    selection = Selection(site)
    folders = [case.key[: n + 1] for n, char in enumerate(case.key) if char == "/"]
    found: Outcome = {"folders": {each: selection.folder_exclusion_reason(each) for each in folders}}
    found["folders"] = {folder: str(reason) for folder, reason in found["folders"].items() if reason}
    if reason := selection.exclusion_reason(case.key):
        return _shown(found | {"reason": str(reason), "by": "key"})
    loc = page_url.page_url(case.key, site)
    if isinstance(loc, Reason):
        return _shown(found | {"reason": str(loc), "by": "loc"})
    for name, has_etags in (("file", False), ("object", True)):
        found |= {name: _shown(_read(case, site, selection, has_etags=has_etags))}
    if found["object"] == found["file"]:
        del found["object"]
    return _shown(found)


def _read(case: Case, site: Site, selection: Selection, *, has_etags: bool) -> Outcome:
    source = _OneFile(case, has_etags=has_etags)
    facts = page_facts.read_item(source, site, source.item).facts
    loc = str(page_url.page_url(case.key, site, facts.head))
    decision = decide(case.key, loc, facts, site, NOW)
    page = Page(case.key, loc, selection.group(case.key), None, *selection.changefreq_and_priority(case.key))
    listed = None if decision.skipped else with_metadata(page, facts, site, NOW)
    return {
        "loc": loc,
        "disallowed": site.respect_robots and not rules_for(_ROBOTS)["*"].allow(loc),
        "facts": msgspec.to_builtins(facts),
        "reason": str(decision.skipped.reason) if decision.skipped else "",
        "detail": decision.skipped.detail if decision.skipped else "",
        "dates": msgspec.to_builtins(decision.own_dates),
        "warnings": msgspec.to_builtins(decision.warnings),
        "page": _shown(msgspec.to_builtins(listed)) if listed else None,
        "news": msgspec.to_builtins(news_article(case.key, facts, site)),
        "alternates": list(alternates(facts.head, loc)),
    }


def _shown(found: Outcome) -> Outcome:
    """What is worth recording: a value that says something. Lone surrogates are written as escapes."""
    text = msgspec.json.encode({name: value for name, value in _printable(found).items() if value})
    return dict(msgspec.json.decode(text))


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_printable(name): _printable(each) for name, each in value.items()}
    return [_printable(each) for each in value] if isinstance(value, list | tuple) else value


def load_outcomes(data: bytes) -> tuple[int, Recorded]:
    """The version of the rules that a recording was made by, and what it holds."""
    header, *lines = (msgspec.json.decode(line) for line in data.splitlines())
    recorded: Recorded = {}
    for name, settings, outcome in lines:
        recorded.setdefault(name, {}).update(dict.fromkeys(settings, outcome))
    return int(header["rules_version"]), recorded


def dump_outcomes(recorded: Recorded) -> bytes:
    """A recording as text: a header, then each case with the settings that make the same of it, a line each."""
    lines: list[Any] = [{"rules_version": RULES_VERSION}]
    for name in sorted(recorded):
        same: dict[bytes, list[str]] = {}
        for settings, outcome in recorded[name].items():
            same.setdefault(msgspec.json.encode(outcome, order="deterministic"), []).append(settings)
        lines += [[name, settings, msgspec.Raw(outcome)] for outcome, settings in same.items()]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def changed_outcomes(recorded: Recorded, present: Recorded) -> list[str]:
    """The recorded cases of which the rules now make something else, as `case (settings)`."""
    return [
        f"{name} ({settings})"
        for name, by_settings in recorded.items()
        for settings, outcome in by_settings.items()
        if present.get(name, {}).get(settings) != outcome
    ]
