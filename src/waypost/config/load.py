"""Settings from a file, flags or inputs, checked into a Site; every mistake is reported at once."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from waypost.config import output_formats
from waypost.config.checks import HintOverride, InvalidValue, NewsSettings, Patterns
from waypost.config.generator_presets import PRESETS, SourceMapping
from waypost.config.output_formats import XML
from waypost.config.schema import SETTINGS, Setting
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.hashing import content_digest
from waypost.core.urls import origin_of

_MISSING = "the URL of the site's root folder: `base_url` in waypost.toml, --base-url, or the input base-url"
_NOT_PUBLISHED = ("skip_gitignored", "preset", "sources", "state", "cache_control", "templates")
"""Settings that leave the published bytes of a bucket's sitemaps as they are; templates count by their texts."""
_BY_KEY = {setting.key: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class FileLimits:
    """How much a file may hold: bytes are counted uncompressed (sitemaps.org 0.9, "Sitemap index")."""

    urls: int
    sitemaps: int
    bytes: int


LIMITS = {
    "strict": FileLimits(urls=50_000, sitemaps=1_000, bytes=10_485_760),
    "current": FileLimits(urls=50_000, sitemaps=50_000, bytes=52_428_800),
}


@dataclass(frozen=True, slots=True)
class Site:
    """The checked settings; `settings.SETTINGS` says what each is for."""

    base_url: str
    include: Patterns
    exclude: Patterns
    pages: frozenset[str]
    index_files: tuple[str, ...]
    drop_html: bool
    trailing_slash: str
    skip_gitignored: bool
    respect_robots: bool
    foreign_canonical: str
    lastmod: str
    precision: str
    page_dates: bool
    preset: str | None
    sources: tuple[SourceMapping, ...]
    state: str | None
    overrides: tuple[HintOverride, ...]
    groups: tuple[tuple[str, Patterns], ...]
    name: str
    formats: tuple[str, ...]
    stylesheet: bool
    alternates: bool
    images: bool
    image_hosts: tuple[str, ...]
    videos: bool
    news: NewsSettings | None
    gzip: bool
    limits: str
    robots_sitemaps: bool
    cache_control: str | None
    templates: str | None

    @property
    def file_limits(self) -> FileLimits:
        """The numbers of the limits profile."""
        return LIMITS[self.limits]

    @property
    def digest(self) -> str:
        """Of the settings that decide what is published; two sites of one digest publish the same."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self) if field.name not in _NOT_PUBLISHED)
        sure = [(name, sorted(value) if isinstance(value, frozenset) else value) for name, value in values]
        return content_digest(repr(sure).encode())

    @property
    def source_mappings(self) -> tuple[SourceMapping, ...]:
        """Which tracked files pages are made of: the site's own rows, then the preset's."""
        return self.sources + (PRESETS[self.preset] if self.preset else ())


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """Raw settings from one place: a file (with its text, to find lines in), flags, or inputs.

    `names` says how that place spells a key (`base_url` is `--base-url` on the command line).
    """

    name: str
    values: Mapping[str, Any]
    text: str = ""
    spellings: Mapping[str, str] | None = None

    def issue(self, key: str, problem: str, allowed: str = "") -> ConfigIssue:
        """A mistake at a key of this layer, with its line where the text shows it."""
        top = re.split(r"[.\[]", key)[0]
        pattern = rf"^\s*(\[+\s*(tool\.waypost\.)?)?[\"']?{re.escape(top)}[\"']?\s*[]=.]"
        start = max(self.text.find("[tool.waypost"), 0)
        found = re.compile(pattern, re.MULTILINE).search(self.text, start)
        line = self.text.count("\n", 0, found.end()) + 1 if found else None
        return ConfigIssue(self.name, (self.spellings or {}).get(key, key), problem, allowed, line)


def parse_toml(text: str, where: str) -> ConfigSource | None:
    """The layer in a TOML file: the whole of it, or `[tool.waypost]` of a pyproject.toml.

    None where a pyproject.toml has no such table. Raises ConfigurationError for bad TOML.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        raise ConfigurationError(
            (ConfigIssue(where, "TOML", str(error), line=int(line[1]) if line else None),)
        ) from None
    if not where.endswith("pyproject.toml"):
        return ConfigSource(where, values, text)
    tool = values.get("tool")
    if not isinstance(tool, dict) or "waypost" not in tool:
        return None
    if not isinstance(tool["waypost"], dict):
        raise ConfigurationError((ConfigIssue(where, "tool.waypost", "it is not a table"),))
    return ConfigSource(where, tool["waypost"], text)


def check_settings(sources: Sequence[ConfigSource]) -> Site:
    """Check all layers, of which a later one beats those before; raises ConfigurationError."""
    issues: list[ConfigIssue] = []
    checked = {setting.key: _default(setting) for setting in SETTINGS}
    placed: dict[str, ConfigSource] = {}
    for layer in sources:
        for key, value in layer.values.items():
            setting = _BY_KEY.get(key)
            if setting is None:
                issues.append(layer.issue(key, "this setting is not known", _suggestion(key)))
                continue
            placed[key] = layer
            try:
                checked[key] = setting.check(value)
            except InvalidValue as wrong:
                issues += [layer.issue(key + below, problem, setting.allowed) for below, problem in wrong.problems]
    if "state" in placed and "lastmod" not in placed:
        checked["lastmod"] = "content"
    bottom = sources[0] if sources else ConfigSource("settings", {})
    if "base_url" not in placed:
        where = next((layer.name for layer in sources if layer.name.endswith(".toml")), "settings")
        issues.append(ConfigIssue(where, "base_url", "it is missing", _MISSING))
    elif not issues:
        issues += _conflicts(Site(**checked), placed, bottom)
    if issues:
        raise ConfigurationError(tuple(issues))
    return Site(**checked)


def _default(setting: Setting) -> Any:
    return None if setting.default is None else setting.check(setting.default)


def _suggestion(key: str) -> str:
    close = get_close_matches(key.lower().replace("-", "_"), _BY_KEY, n=1)
    return f"did you mean {close[0]}?" if close else "the README lists them all"


def _conflicts(site: Site, placed: Mapping[str, ConfigSource], bottom: ConfigSource) -> list[ConfigIssue]:
    """Settings that are each right but cannot hold together."""
    origin = origin_of(site.base_url) if site.base_url else ""
    by_git = 'sources date pages only with lastmod = "git"'
    robots = f"crawlers read robots.txt at {origin}/ alone, which is not base_url"
    formats = list(output_formats.chosen(site.formats))
    found = [
        ("lastmod", site.lastmod == "content" and not site.state, "content needs `state`, the file that remembers it"),
        (
            "state",
            site.lastmod != "content" and "state" in placed and placed["state"] is placed.get("lastmod"),
            'a state is kept only with lastmod = "content"',
        ),
        ("preset", site.preset is not None and site.lastmod != "git", by_git),
        ("sources", bool(site.sources) and site.lastmod != "git", by_git),
        ("formats", not any(each.is_for_crawlers for each in formats), "crawlers read none of these; add xml or text"),
        ("stylesheet", site.stylesheet and XML not in formats, "a stylesheet needs XML to show"),
        ("news", site.news is not None and XML not in formats, "news are listed in XML alone"),
        (
            "groups",
            site.news is not None and any(name == "news" for name, _ in site.groups),
            "the group `news` would have the names of the news sitemap",
        ),
        ("robots_sitemaps", bool(origin) and site.robots_sitemaps and site.base_url != f"{origin}/", robots),
    ]
    return [placed.get(key, bottom).issue(key, problem) for key, wrong, problem in found if wrong]
