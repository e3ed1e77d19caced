"""Loads settings from a file, from flags and from inputs into a checked Site, and reports every issue at once."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Any

from waypost.core.data_files import DataError, load_toml
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.private_hosts import named_hosts
from waypost.core.urls import origin_of
from waypost.settings import output_formats
from waypost.settings.checks import InvalidValue
from waypost.settings.output_formats import XML, begins_with_stem
from waypost.settings.schema import Site
from waypost.settings.setting import Setting, settings_of

_MOST_ISSUES = 100
_KEY = re.compile(
    r"""^[ \t]*+(?:\[++[ \t]*+(?:tool\.waypost\.)?)?"""
    r"""(?:(?P<quote>["'])(?P<quoted>[^"'\n]*+)(?P=quote)|(?P<bare>[\w-]++))[ \t]*+[]=.]""",
    re.MULTILINE,
)
"""The beginning of a line with a setting, or with the header of a table."""


@dataclass(frozen=True, slots=True)
class ConfigSource:
    """Raw settings from one place: a file (with its text, to find lines in), flags, or inputs.

    `spellings` says how that place spells a key: `base_url` is `--base-url` on the command line. `is_trusted` says that
    whoever started the run gave these settings: by flags, inputs or variables, and not by a file of a repository.
    """

    name: str
    values: Mapping[str, Any]
    text: str = ""
    spellings: Mapping[str, str] | None = None
    is_trusted: bool = False

    def issue(self, key: str, problem: str, allowed: str = "") -> ConfigIssue:
        """An issue at a key of this source, with the line if the text contains the key."""
        line = _lines_of_keys(self.text).get(re.split(r"[.\[]", key)[0])
        return ConfigIssue(self.name, (self.spellings or {}).get(key, key), problem, allowed, line)


@lru_cache(8)
def _lines_of_keys(text: str) -> dict[str, int]:
    """The line of the first setting or table of each name, in a pyproject.toml below the first table of Waypost."""
    lines: dict[str, int] = {}
    line, end = 1, 0
    for found in _KEY.finditer(text, max(text.find("[tool.waypost"), 0)):
        line, end = line + text.count("\n", end, found.end()), found.end()
        lines.setdefault(found["quoted"] or found["bare"] or "", line)
    return lines


_TOML_MISTAKES = {
    "Illegal character '\\n'": "a quotation mark is missing at the end of the line",
    "Invalid value": "a text is in quotation marks, a list in brackets",
}
"""What people have usually written where Python's reader of TOML says this."""


def parse_toml(text: str, file_name: str) -> ConfigSource | None:
    """The settings in a TOML file: all of it, or `[tool.waypost]` of a pyproject.toml.

    None if a pyproject.toml has no such table. Raises ConfigurationError for invalid TOML.
    """
    try:
        values = load_toml(text)
    except DataError as error:
        line = re.search(r"at line (\d+)", str(error))
        meant = next((text for sign, text in _TOML_MISTAKES.items() if str(error).startswith(sign)), "")
        issue = ConfigIssue(file_name, "TOML", str(error), meant, line=int(line[1]) if line else None)
        raise ConfigurationError((issue,)) from None
    if not file_name.endswith("pyproject.toml"):
        return ConfigSource(file_name, values, text)
    tool = values.get("tool")
    if not isinstance(tool, dict) or "waypost" not in tool:
        return None
    if not isinstance(tool["waypost"], dict):
        raise ConfigurationError((ConfigIssue(file_name, "tool.waypost", "it is not a table"),))
    return ConfigSource(file_name, tool["waypost"], text)


def check_settings(sources: Sequence[ConfigSource], schema: type[Site] = Site) -> Site:
    """Check the settings of all sources; a later source overrides those before it.

    Returns an instance of `schema`. Raises ConfigurationError with every issue of every source, up to a hundred.
    """
    settings = {each.name: each for each in settings_of(schema)}
    checked: dict[str, Any] = {}
    given_by = {key: source for source in sources for key in source.values}
    found = (issue for source in sources for issue in _check_source(source, settings, checked))
    issues = list(islice(found, _MOST_ISSUES))
    if "state" in given_by and "lastmod" not in given_by:
        checked["lastmod"] = "content"
    issues += _missing(settings.values(), given_by, sources)
    if not issues:
        named = named_hosts(source.values for source in sources if source.is_trusted)
        site = schema(**checked, private_hosts=named)
        issues = [given_by.get(key, sources[0]).issue(key, problem) for key, problem in _conflicts(site, given_by)]
    if issues:
        raise ConfigurationError(tuple(issues))
    return site


def _check_source(
    source: ConfigSource, settings: Mapping[str, Setting], checked: dict[str, Any]
) -> Iterator[ConfigIssue]:
    """Check the values of one source into `checked`; yields the issues."""
    for key, value in source.values.items():
        if key not in settings:
            yield source.issue(key, "unknown setting", _suggestion(key, settings))
            continue
        try:
            checked[key] = settings[key].check(value)
        except InvalidValue as invalid:
            for below, problem in invalid.problems:
                yield source.issue(key + below, problem, settings[key].allowed)


def _suggestion(key: str, names: Iterable[str]) -> str:
    close = get_close_matches(key[:64].lower().replace("-", "_"), names, n=1)
    return f"did you mean {close[0]}?" if close else "`waypost init` writes a file with all settings"


def _missing(
    settings: Iterable[Setting], given: Iterable[str], sources: Sequence[ConfigSource]
) -> Iterator[ConfigIssue]:
    file_name = next((source.name for source in sources if source.name.endswith(".toml")), "settings")
    for each in settings:
        if each.is_required and each.name not in given:
            places = f"`{each.name}` in waypost.toml, --{each.input_name}, or the input {each.input_name}"
            yield ConfigIssue(file_name, each.name, "it is missing", f"set {places}")


def _conflicts(site: Site, given_by: Mapping[str, ConfigSource]) -> list[tuple[str, str]]:
    """The settings that contradict one another, as pairs of the key to change and the problem."""
    origin = origin_of(site.base_url)
    is_by_content, is_by_git = site.lastmod == "content", site.lastmod == "git"
    has_pointless_state = "state" in given_by and given_by["state"] is given_by.get("lastmod") and not is_by_content
    has_news_group = any(name == "news" for name, _ in site.groups)
    formats = list(output_formats.chosen(site.formats))
    has_crawled_format = any(each.is_for_crawlers for each in formats)
    rules = [
        ("lastmod", is_by_content and not site.state, "content needs a `state`, the file that stores the dates"),
        ("state", has_pointless_state, 'a state needs lastmod = "content"'),
        ("lists", site.lists == "newest" and not is_by_git, 'newest needs lastmod = "git"'),
        ("sources", bool(site.sources) and not is_by_git, 'it needs lastmod = "git"'),
        ("formats", not has_crawled_format, "search engines read none of these formats; add xml or text"),
        ("name", any(begins_with_stem(site.name, stem) for stem in output_formats.stems()), "llms.txt has that name"),
        ("stylesheet", site.stylesheet and XML not in formats, "a stylesheet needs the format xml"),
        ("news", site.news is not None and XML not in formats, "news sitemaps need the format xml"),
        ("groups", site.news is not None and has_news_group, "a group `news` would have the news sitemap's file name"),
        (
            "robots_sitemaps",
            site.robots_sitemaps and site.base_url != f"{origin}/",
            f"crawlers read robots.txt only at {origin}/, and base_url is below it",
        ),
    ]
    return [(key, problem) for key, is_violated, problem in rules if is_violated]
