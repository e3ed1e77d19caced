"""Reads a Jekyll site's configuration: `_config.yml`, `_config.yaml` or `_config.toml`, over Jekyll's defaults."""

import posixpath
import re
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from waypost.core import data_files, tree_files
from waypost.core.data_files import DataError, YamlError, load_toml
from waypost.core.errors import SourceError
from waypost.core.model import Item
from waypost.files.folder_source import FolderSource
from waypost.pages.jekyll_defaults import DefaultSet, is_true, read_default_sets
from waypost.pages.jekyll_front_matter import Values, load_yaml, parse_time
from waypost.pages.jekyll_permalinks import STYLES

PAGINATE, REDIRECT_FROM = "jekyll-paginate", "jekyll-redirect-from"
README_INDEX, OPTIONAL_FRONT_MATTER = "jekyll-readme-index", "jekyll-optional-front-matter"
GITHUB_PAGES = "github-pages"
"""The gem that gives a site the plugins and the fixed settings of GitHub Pages."""
IMPLEMENTED = frozenset({PAGINATE, REDIRECT_FROM, README_INDEX, OPTIONAL_FRONT_MATTER})
ON_GITHUB_PAGES = frozenset({PAGINATE, README_INDEX, OPTIONAL_FRONT_MATTER})
"""The implemented plugins that GitHub Pages always runs."""
BUILD_ADVICE = "build the site (`bundle exec jekyll build`) and run Waypost over it, usually `waypost build _site`"
_NAME = re.compile(r":jekyll_plugins\b")
_GROUP = (re.compile(r"\bgroup\b"), _NAME, re.compile(r"\bdo\b"))
_OWN_GROUP = (re.compile(r"\bgroups?(?::|\s*=>)"), _NAME)
_GEM = re.compile(r"""\bgem\b[\s(]*["']([\w-]+)["']""")
Profile = Literal["jekyll", "github-pages"]
FILES = ("_config.yml", "_config.yaml", "_config.toml")
_EXCLUDE = (
    ".sass-cache",
    ".jekyll-cache",
    "gemfiles",
    "Gemfile",
    "Gemfile.lock",
    "node_modules",
    "vendor/bundle/",
    "vendor/cache/",
    "vendor/gems/",
    "vendor/ruby/",
)
_NEW_EXCLUDE = frozenset({".sass-cache", ".jekyll-cache", "gemfiles"})
"""The entries that Jekyll 3 lacks."""
_MOST_PATTERNS, _MOST_PATTERN = 1_000, 1_000
_MOST_PLUGIN_FOLDERS = 20
_MARKDOWN = "markdown,mkdown,mkdn,mkd,md"


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALLOWED_BY_GITHUB_PAGES = IMPLEMENTED | _names(
    """
    jekyll-avatar jekyll-coffeescript jekyll-commonmark-ghpages jekyll-default-layout jekyll-feed jekyll-gist
    jekyll-github-metadata jekyll-include-cache jekyll-mentions jekyll-octicons jekyll-relative-links
    jekyll-remote-theme jekyll-seo-tag jekyll-sitemap jekyll-titles-from-headings jemoji
    """
)
"""GitHub Pages ignores all others."""

WITHOUT_PAGES = _names(
    """
    github-pages jekyll-admin jekyll-algolia jekyll-assets jekyll-autolinks jekyll-avatar jekyll-cloudinary
    jekyll-coffeescript jekyll-commonmark jekyll-commonmark-ghpages jekyll-compose jekyll-compress-images
    jekyll-data jekyll-default-layout jekyll-diagrams jekyll-email-protect jekyll-environment-variables jekyll-feed
    jekyll-figure jekyll-gist jekyll-git-authors jekyll-github-metadata jekyll-graphviz jekyll-image-size
    jekyll-include-cache jekyll-inline-svg jekyll-katex jekyll-last-modified-at jekyll-livereload
    jekyll-loading-lazy jekyll-mentions jekyll-mermaid jekyll-minifier jekyll-octicons jekyll-postcss
    jekyll-postcss-v2 jekyll-relative-links jekyll-remote-theme jekyll-sass-converter jekyll-seo-tag jekyll-sitemap
    jekyll-spaceship jekyll-swiss jekyll-target-blank jekyll-theme-architect jekyll-theme-cayman jekyll-theme-dinky
    jekyll-theme-hacker jekyll-theme-leap-day jekyll-theme-merlot jekyll-theme-midnight jekyll-theme-minimal
    jekyll-theme-modernist jekyll-theme-primer jekyll-theme-slate jekyll-theme-tactile jekyll-theme-time-machine
    jekyll-tidy jekyll-time-to-read jekyll-timeago jekyll-titles-from-headings jekyll-toc jekyll-twitter-plugin
    jekyll-watch jekyll-webp jekyll-youtube jekyll_picture_tag jemoji just-the-docs kramdown-math-katex
    kramdown-parser-gfm minima minimal-mistakes-jekyll rouge tzinfo-data webrick
    """
)
"""Plugins and themes that change no URL of a page; feeds and sitemaps are not pages."""
PAGE_MAKERS = _names(
    """
    amp-jekyll jekyll-amp jekyll-archives jekyll-archives-v2 jekyll-asciidoc jekyll-auto-authors
    jekyll-category-pages jekyll-collection-pages jekyll-datapage-generator jekyll-haml jekyll-language-plugin
    jekyll-multiple-languages jekyll-multiple-languages-plugin jekyll-notion jekyll-org jekyll-paginate-content
    jekyll-paginate-v2 jekyll-pandoc jekyll-polyglot jekyll-pug jekyll-rst jekyll-scholar jekyll-slim jekyll-tagging
    jekyll-textile-converter
    """
)
"""Plugins that make pages, render other types of files into pages, or change permalinks."""


def gems_of_plugin_group(gemfile: str) -> frozenset[str]:
    """The gems of a Gemfile's group `jekyll_plugins`, which Jekyll loads like the gems in the setting `plugins`."""
    gems: set[str] = set()
    is_in_group = False
    for line in gemfile.splitlines():
        code = line.partition("#")[0]
        if _has_in_order(code, _GROUP):
            is_in_group = True
        elif code.strip() == "end":
            is_in_group = False
        elif (gem := _GEM.search(code)) and (is_in_group or _has_in_order(code, _OWN_GROUP)):
            gems.add(gem[1])
    return frozenset(gems)


def _has_in_order(code: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Whether a line has these patterns one after another."""
    end = 0
    for pattern in patterns:
        found = pattern.search(code, end)
        if found is None:
            return False
        end = found.end()
    return True


def refuse_page_makers(names: Iterable[str]) -> None:
    """Raise SourceError if one of the plugins makes pages that Waypost cannot derive from the source."""
    if found := sorted(PAGE_MAKERS.intersection(names)):
        plural = "s" if len(found) > 1 else ""
        raise SourceError(
            f"this Jekyll site uses the plugin{plural} {', '.join(found)}, whose pages cannot be derived from the "
            f"source; {BUILD_ADVICE}"
        )


def unknown(names: Iterable[str]) -> list[str]:
    """The plugins of which Waypost does not know whether they make pages."""
    return sorted(set(names) - IMPLEMENTED - WITHOUT_PAGES - PAGE_MAKERS)


class Collection(Struct, frozen=True):
    """A collection, whose documents are written only if `is_written`; `permalink` is its template, `""` without one."""

    label: str
    is_written: bool
    permalink: str = ""


class JekyllConfig(Struct, frozen=True):
    """What the configuration says about files and URLs.

    `source` is the path of the source below the folder, empty or with a final slash; `destination` is the path of
    the output below the source, `""` if it is elsewhere. GitHub Pages still builds with Jekyll 3. `zone` is UTC if the
    site's own is an `unknown_zone`. `now` is the time of the build. `plugins` are those that run, and `values` all
    settings as they are written.
    """

    source: str
    destination: str
    collections_dir: str
    collections: tuple[Collection, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    markdown_extensions: frozenset[str]
    permalink: str
    defaults: tuple[DefaultSet, ...]
    is_jekyll_3: bool
    zone: tzinfo
    unknown_zone: str
    now: datetime
    plugins: frozenset[str]
    unknown_plugins: tuple[str, ...]
    values: Values

    def is_on(self, name: str) -> bool:
        """Whether a setting is on."""
        return is_true(self.values.get(name))

    def number(self, name: str) -> int:
        """A setting that is a number, 0 without it."""
        value = self.values.get(name)
        return value if isinstance(value, int) else 0

    def option(self, group: str, name: str) -> object:
        """A setting of a plugin."""
        options = self.values.get(group)
        return options.get(name) if isinstance(options, dict) else None


def read_config(folder: FolderSource, profile: Profile, now: int) -> JekyllConfig:
    """Read the configuration in a folder; raises SourceError if it is not valid, or if the site cannot be derived."""
    values = _read_values(folder)
    gems = gems_of_plugin_group(_text(folder, "Gemfile"))
    is_github = profile == "github-pages" or GITHUB_PAGES in gems
    source = "" if is_github else _relative_path(values.get("source"), "source")
    destination = "_site/" if is_github else _relative_path(values.get("destination") or "_site", "destination")
    names = gems | frozenset(_strings(values.get("plugins")))
    if is_github:
        names |= frozenset(_strings(values.get("gems")))
    _refuse_own_plugins(folder, source, values, is_safe=is_true(values.get("safe")) and not is_github)
    running = _running(names, values, is_github=is_github)
    used = names if is_github else running
    refuse_page_makers(used)
    known_zone = _zone(values.get("timezone"))
    zone = known_zone or UTC
    permalink = _text_or(values.get("permalink"), "date")
    return JekyllConfig(
        source=source,
        destination=destination.removeprefix(source) if destination.startswith(source) else "",
        collections_dir=_text_or(values.get("collections_dir"), "").strip("/"),
        collections=_collections(values.get("collections"), _post_template(permalink, is_github)),
        include=_patterns(values, "include", (".htaccess",), replaces=True),
        exclude=_excluded(values, is_github),
        markdown_extensions=frozenset(
            f".{each.lower()}" for each in _text_or(values.get("markdown_ext"), _MARKDOWN).split(",")
        ),
        permalink=permalink,
        defaults=read_default_sets(values.get("defaults")),
        is_jekyll_3=is_github,
        zone=zone,
        unknown_zone="" if known_zone else str(values.get("timezone")),
        now=_now(values.get("time"), now, zone),
        plugins=running,
        unknown_plugins=tuple(unknown(used)),
        values=values,
    )


def _read_values(folder: FolderSource) -> Values:
    for name in FILES:
        if (data := folder.find(name)) is not None:
            values = _parse(name, data.decode("utf-8-sig", "replace"))
            if values is None:
                return {}
            if isinstance(values, dict):
                return {str(key): value for key, value in values.items()}
            raise SourceError(f"{folder.root / name} has no settings: Jekyll needs names with values")
    return {}


def _parse(name: str, text: str) -> object:
    if name.endswith(".toml"):
        try:
            return load_toml(text)
        except DataError as error:
            raise SourceError(f"{name}: not valid TOML: {error}") from error
    try:
        return load_yaml(text)
    except YamlError as error:
        raise SourceError(f"{name}:{error.line}: not valid YAML: {error.problem}") from error


def _text(folder: FolderSource, name: str) -> str:
    return (folder.find(name) or b"")[: data_files.MOST_BYTES].decode("utf-8", "replace")


def _refuse_own_plugins(folder: FolderSource, source: str, values: Values, *, is_safe: bool) -> None:
    """Raise SourceError if the site has plugins of its own, which may make any page."""
    names = _strings(values.get("plugins_dir")) or ["_plugins"]
    paths = [posixpath.join(source if name == "_plugins" else "", name) for name in names[:_MOST_PLUGIN_FOLDERS]]
    for path in [] if is_safe else dict.fromkeys(map(posixpath.normpath, paths)):
        if plugin := _first_plugin(_plugin_folder(folder, path), path):
            raise SourceError(
                f"this Jekyll site has a plugin of its own, {plugin}, which may make pages; {BUILD_ADVICE} "
                "(GitHub Pages ignores such plugins: if it builds the site, delete them)"
            )


def _plugin_folder(folder: FolderSource, path: str) -> Path:
    """Where a folder with plugins is; raises SourceError if that is outside of the site, where nothing is read."""
    try:
        return tree_files.real_path(folder.root / path, folder.root)
    except (OSError, ValueError) as error:
        raise SourceError(
            f"_config.yml: plugins_dir: {path[:80]} is outside of the folder, and plugins may make pages; "
            f"{BUILD_ADVICE}"
        ) from error


def _first_plugin(real: Path, path: str) -> str | None:
    """The first file in Ruby below a folder, or None."""
    if not real.is_dir():
        return None
    files = (item.key for item in FolderSource(real).items(lambda _: None) if isinstance(item, Item))
    name = next((key for key in files if key.endswith(".rb")), None)
    return posixpath.normpath(posixpath.join(path, name)) if name else None


def _running(names: frozenset[str], values: Values, *, is_github: bool) -> frozenset[str]:
    if is_github:
        return (names & ALLOWED_BY_GITHUB_PAGES) | ON_GITHUB_PAGES
    return names & frozenset(_strings(values.get("whitelist"))) if is_true(values.get("safe")) else names


def _post_template(permalink: str, is_jekyll_3: bool) -> str:
    """The template of posts; Jekyll 3 does not know the style `weekdate`."""
    return permalink if is_jekyll_3 and permalink == "weekdate" else STYLES.get(permalink, permalink)


def _excluded(values: Values, is_jekyll_3: bool) -> tuple[str, ...]:
    """The patterns that exclude files; in Jekyll 3 the site's own replace the defaults."""
    if is_jekyll_3:
        defaults = tuple(each for each in _EXCLUDE if each not in _NEW_EXCLUDE)
        return _patterns(values, "exclude", defaults, replaces=True)
    return _patterns(values, "exclude", _EXCLUDE, replaces=False)


def _collections(value: object, post_template: str) -> tuple[Collection, ...]:
    named = {str(each): None for each in value} if isinstance(value, list) else value
    options = {"posts": None, **named} if isinstance(named, dict) else {"posts": None}
    found = (_collection(str(name), each, post_template) for name, each in options.items())
    return tuple({each.label: each for each in found}.values())


def _collection(name: str, options: object, post_template: str) -> Collection:
    label = re.sub(r"[^a-z0-9_\-.]", "", name, flags=re.IGNORECASE)
    found = options if isinstance(options, dict) and label == name else {}
    if label == "posts":
        return Collection(label, True, _text_or(found.get("permalink"), "") or post_template)
    return Collection(label, is_true(found.get("output")), _text_or(found.get("permalink"), ""))


def _patterns(values: Values, name: str, defaults: tuple[str, ...], *, replaces: bool) -> tuple[str, ...]:
    value = values.get(name)
    if value is None:
        return defaults
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")]
    if not isinstance(value, list):
        raise SourceError(f"_config.yml: {name}: Jekyll needs a list, not {repr(value)[:200]}")
    own = tuple(each for each in value if isinstance(each, str))
    if len(own) > _MOST_PATTERNS or any(len(each) > _MOST_PATTERN for each in own):
        limits = f"{_MOST_PATTERNS:,} patterns of at most {_MOST_PATTERN:,} characters"
        raise SourceError(f"_config.yml: {name}: Waypost reads at most {limits}")
    return own if replaces else (*own, *defaults)


def _relative_path(value: object, name: str) -> str:
    """A folder of the settings, relative to the one of the configuration: empty, or with a final slash."""
    path = posixpath.normpath(str(value)) if value else "."
    if path == ".":
        return ""
    if path.startswith(("/", "..")):
        if name == "destination":
            return path
        raise SourceError(f"_config.yml: {name}: {value} is outside of the folder; point Waypost at that folder")
    return f"{path}/"


def _zone(value: object) -> tzinfo | None:
    """The time zone of the site, by default UTC, as where sites are built; None for one that is unknown."""
    try:
        return ZoneInfo(str(value)) if value else UTC
    except (KeyError, ValueError, OSError):
        return None


def _now(value: object, now: int, zone: tzinfo) -> datetime:
    try:
        return parse_time(value, zone) if value else datetime.fromtimestamp(now, zone)
    except ValueError as error:
        raise SourceError(f"_config.yml: time: {error}") from error


def _strings(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]


def _text_or(value: object, default: str) -> str:
    return default if value is None else str(value)
