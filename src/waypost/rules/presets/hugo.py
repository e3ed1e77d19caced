"""The sources of Hugo's pages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table, tables
from waypost.rules.presets.page_tree import choice, copied, folder_name, limited, plain
from waypost.rules.presets.permalinks import permalink_rows
from waypost.sources.project_folder import ProjectFolder

_ENDINGS = (".md", ".markdown", ".html", ".adoc", ".org", ".rst")
_MOST_SECTIONS = 2_000
"""The limit of the product of languages and of sections with a permalink."""
_DEFAULT = "config/_default"
_NAMES = ("contentbasename", "slugorcontentbasename", "filename", "slugorfilename")
_TOKENS = {"year": "{#y}", "month": "{#m}", "day": "{#d}", **dict.fromkeys(_NAMES, "{name}")}


@dataclass(frozen=True, slots=True)
class _Language:
    """A language: where its pages are in the site, the folder of its content, and whether file names must name it."""

    name: str
    at: str
    folder: str
    is_named_in_files: bool


def hugo(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Pages below `content`, or the content folders of the configuration, and files below `static`."""
    config = _lower(table(project, tables("hugo", "config", f"{_DEFAULT}/hugo", f"{_DEFAULT}/config")))
    config = {
        name: _lower(table(project, tables(f"{_DEFAULT}/{name}"))) for name in ("languages", "module", "permalinks")
    } | config
    if _has_other_mounts(config):
        return (copied("static/"),)
    languages = list(_languages(config))
    permalinks = _permalinks(config)
    limited(len(languages) * max(len(permalinks), 1), _MOST_SECTIONS)
    rows = [row for language in languages for row in (*_pages(language), *_sections(language, permalinks))]
    return (*rows, copied("static/"), *(copied(language.folder) for language in languages if not language.at))


def _lower(found: Mapping[str, Any]) -> dict[str, Any]:
    """A table with its keys as Hugo reads them: without regard to upper and lower case."""
    return {str(key).lower(): _lower(each) if isinstance(each, Mapping) else each for key, each in found.items()}


def _has_other_mounts(config: Mapping[str, Any]) -> bool:
    """Whether the configuration mounts other folders as content, which may change every path."""
    module = config.get("module")
    mounts = module.get("mounts") if isinstance(module, Mapping) else None
    named = mounts if isinstance(mounts, list) else []
    return any(isinstance(each, Mapping) and "content" in str(each.get("target")) for each in named)


def _languages(config: Mapping[str, Any]) -> Iterator[_Language]:
    content = folder_name(_text(config, "contentdir"), "content")
    default = _text(config, "defaultcontentlanguage") or "en"
    languages = config.get("languages")
    named = languages.items() if isinstance(languages, Mapping) else ()
    tables = {name: each for name, each in named if isinstance(each, Mapping)}
    has_hosts = any("baseurl" in each for each in tables.values())
    is_below = config.get("defaultcontentlanguageinsubdir") is True or has_hosts
    for name, each in (tables or {plain(default): {}}).items():
        is_default = name == default.lower()
        own = _text(each, "contentdir")
        at = f"{plain(name)}/" if tables and (is_below or not is_default) else ""
        yield _Language(name, at, folder_name(own, content or "."), not is_default and not own)


def _text(found: Mapping[str, Any], key: str) -> str | None:
    value = found.get(key)
    return value if isinstance(value, str) else None


def _pages(language: _Language) -> Iterator[SourceMapping]:
    endings = [f".{language.name}{ending}" for ending in _ENDINGS]
    endings += [] if language.is_named_in_files else _ENDINGS
    at, folder = language.at, language.folder
    stems = [f"{folder}{{**path}}{end}" for end in ("/_index", "/index", "")]
    yield choice(f"{at}index.html", [f"{folder}_index"], endings)
    yield choice(f"{at}{{**path}}/index.html", stems, endings)
    yield choice(f"{at}{{**path}}.html", [f"{folder}{{**path}}"], endings)


def _permalinks(config: Mapping[str, Any]) -> dict[str, str]:
    """The templates of the paths of a section's pages, by section."""
    found = config.get("permalinks")
    if not isinstance(found, Mapping):
        return {}
    pages = found.get("page")
    own = dict(pages) if isinstance(pages, Mapping) else {}
    return {section: each for section, each in (dict(found) | own).items() if isinstance(each, str)}


def _sections(language: _Language, permalinks: Mapping[str, str]) -> Iterator[SourceMapping]:
    """Rows for sections whose pages have paths with the names of their files."""
    endings = [f".{language.name}{ending}" for ending in _ENDINGS] if language.is_named_in_files else _ENDINGS
    for section, template in permalinks.items():
        plain(section)
        stems = [f"{language.folder}{section}/**/{{name}}", f"{language.folder}{section}/**/{{name}}/index"]
        yield from permalink_rows(language.at + template, _TOKENS | {"section": section}, stems, endings)
