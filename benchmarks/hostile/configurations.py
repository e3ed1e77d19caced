"""Hostile configurations, sources of Jekyll sites and events."""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC
from pathlib import Path
from typing import Any

from waypost.core.data_files import DataError, load_json, load_toml
from waypost.core.errors import WaypostError
from waypost.dates.source_mapping import SourceMapper, path_matcher
from waypost.files.folder_source import FolderSource
from waypost.files.s3_events import parse_messages
from waypost.pages import jekyll_globs
from waypost.pages.frontmatter import read_front_matter as read_markdown_front_matter
from waypost.pages.jekyll_config import gems_of_plugin_group
from waypost.pages.jekyll_defaults import FrontMatterDefaults, read_default_sets
from waypost.pages.jekyll_documents import dated_name, is_dateless_name
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, load_yaml, parse_time, read_front_matter
from waypost.pages.jekyll_permalinks import document_url, page_url
from waypost.pages.jekyll_source import JekyllSource, html_body
from waypost.pages.jekyll_source_tree import EntryFilter
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import UNKNOWN_RUN
from waypost.project.publications import publications
from waypost.project.source_kind import is_complete_page, recognize
from waypost.settings.load import check_settings, parse_toml
from waypost.settings.values import SourceMapping

Case = tuple[Callable[[int], Any], Callable[[Any], object], int]
NOW = 1_717_243_200


def _reading(read: Callable[[Any], object], *errors: type[Exception]) -> Callable[[Any], object]:
    """A reader whose errors for the user count as results."""

    def call(value: Any) -> object:
        with suppress(WaypostError, DataError, *errors):
            return read(value)
        return None

    return call


@contextmanager
def _folder(files: Mapping[str, str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        for path, text in files.items():
            file = Path(name, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        yield Path(name)


def _settings(text: str) -> object:
    source = parse_toml(text, "waypost.toml")
    return check_settings([source]) if source else None


def _jekyll(files: Mapping[str, str]) -> object:
    with _folder(files) as folder:
        source = JekyllSource(FolderSource(folder), "github-pages", NOW)
        return list(source.items(lambda _: None))


def _project(files: Mapping[str, str]) -> object:
    with _folder(files) as folder:
        return recognize(folder)


def _workflow(text: str) -> object:
    with _folder({".github/workflows/a.yml": text}) as folder:
        return publications(ProjectFolder(folder), UNKNOWN_RUN)


def _html(text: str) -> object:
    return html_body(JekyllFrontMatter({}, f"<html>{text}"), is_html=True)


def _defaults(paths: list[str]) -> object:
    sets = read_default_sets([{"scope": {"path": "d/**/*"}, "values": {"a": 1}}])
    defaults = FrontMatterDefaults(sets, paths, "")
    return [defaults.of(path, None) for path in paths]


def _entries(patterns: list[str]) -> object:
    entries = EntryFilter([f"i{each}" for each in patterns], patterns, lambda _: False)
    return [entries.exclusion_reason(f"x{n}") for n in range(100)]


def _time(text: str) -> object:
    return parse_time(text, UTC)


def _scope(path: str) -> object:
    return jekyll_globs.path_pattern("**/a/" * 40 + "*b").fullmatch(path)


def _scope_pattern(pattern: str) -> object:
    return jekyll_globs.path_pattern(pattern).fullmatch("a/" * 100)


def _event(body: str) -> object:
    return parse_messages({"Records": [{"eventSource": "aws:sqs", "body": body}]})


def _walked(files: Mapping[str, str]) -> object:
    with _folder(files) as folder:
        return list(FolderSource(folder).items(lambda _: None))


def _names(path: str) -> object:
    return dated_name(path), is_dateless_name(path)


def _page(template: str) -> object:
    return page_url(template, {"path": "p" * 1_000})


def _document(template: str) -> object:
    return document_url(template, {"slug": lambda: "s" * 1_000})


def _file(name: str, make: Callable[[int], str]) -> Callable[[int], dict[str, str]]:
    return lambda n: {name: make(n)}


def _named(n: int) -> list[str]:
    return [f"d/{each}/a.md" for each in range(n)]


CONFIGURATIONS: dict[str, Case] = {
    "toml-brackets": (lambda n: "a = " + "[" * n, _reading(load_toml), 5_000),
    "toml-number": (lambda n: "a = " + "1" * n, _reading(load_toml), 5_000),
    "toml-hexadecimal": (lambda n: "a = 0x" + "f" * n, _reading(load_toml), 5_000),
    "toml-dotted-key": (lambda n: "a." * n + "b = 1", _reading(load_toml), 5_000),
    "toml-dotted-header": (lambda n: "[" + "a." * n + "b]", _reading(load_toml), 5_000),
    "toml-dotted-keys": (
        lambda n: "".join(f"k{each}.a.a.a.a.a.a.a.a = 1\n" for each in range(n)),
        _reading(load_toml),
        500,
    ),
    "toml-words": (lambda n: "a" * n, _reading(load_toml), 10_000),
    "toml-quotes": (lambda n: '"' * n, _reading(load_toml), 10_000),
    "toml-array": (lambda n: "a = [" + "1," * n + "]", _reading(load_toml), 5_000),
    "json-brackets": (lambda n: "[" * n, _reading(load_json), 100_000),
    "json-number": (lambda n: "1" * n, _reading(load_json), 5_000),
    "json-array": (lambda n: "[" + "[]," * n + "1]", _reading(load_json), 10_000),
    "yaml-brackets": (lambda n: "[" * n, _reading(load_yaml), 50_000),
    "yaml-dashes": (lambda n: "- " * n, _reading(load_yaml), 50_000),
    "yaml-list": (lambda n: "- 1\n" * n, _reading(load_yaml), 5_000),
    "yaml-alias-of-itself": (lambda n: "a: &a [" + "*a," * n + "]", _reading(load_yaml), 1_000),
    "yaml-aliases": (
        lambda n: "\n".join(f"- &a{k} [{', '.join([f'*a{k - 1}'] * 10 if k else 'x')}]" for k in range(n)),
        _reading(load_yaml),
        10,
    ),
    "yaml-merge-keys": (
        lambda n: f"a: &a {{{', '.join(f'k{k}: 1' for k in range(n))}}}\nb: {{<<: [{'*a,' * n}]}}",
        _reading(load_yaml),
        500,
    ),
    "yaml-sexagesimal": (lambda n: "a: 1" + ":1" * n, _reading(load_yaml), 1_000),
    "yaml-sexagesimal-float": (lambda n: "a: 1" + ":1" * n + ".0", _reading(load_yaml), 1_000),
    "yaml-numbers-of-one-hash": (
        lambda n: "".join(f"{k * (2**61 - 1)}: 1\n" for k in range(1, n)),
        _reading(load_yaml),
        500,
    ),
    "yaml-tag-directives": (
        lambda n: "".join(f"%TAG !a{k}! tag:x\n" for k in range(n)) + "---\na",
        _reading(load_yaml),
        1_000,
    ),
    "settings-unknown": (lambda n: "".join(f"k{k} = 1\n" for k in range(n)), _reading(_settings), 500),
    "settings-brackets": (lambda n: "a = " + "[" * n, _reading(_settings), 5_000),
    "front-matter-newlines": (lambda n: b"---\n" + b"\n" * n + b"x", read_front_matter, 10_000),
    "front-matter-no-end": (lambda n: b"---\n" + b"---   x\n" * n, read_front_matter, 10_000),
    "front-matter-spaces": (lambda n: b"---" + b" " * n, read_front_matter, 10_000),
    "markdown-date": (
        lambda n: b"---\ndate: '2020-01-01" + b" " * n + b"x'\n---\n",
        read_markdown_front_matter,
        10_000,
    ),
    "glob-braces": (lambda n: "{a,b}" * n, _reading(_scope_pattern, ValueError), 10),
    "glob-stars": (lambda n: "*a" * n + "b", _reading(_scope_pattern, ValueError), 10),
    "glob-folders": (lambda n: "a/" * n + "c", _scope, 50),
    "default-scopes": (_named, _defaults, 500),
    "exclude-and-include": (lambda n: [f"e{k}" for k in range(n)], _entries, 1_000),
    "dated-name": (lambda n: "a/" * n + "x.md", _names, 10),
    "dateless-name": (lambda n: "a/" * n + "x", _names, 10),
    "ruby-date-months": (lambda n: "jan" * n, _reading(_time, ValueError), 10_000),
    "ruby-date-dashes": (lambda n: "1 - " * n + "2020-01-01 1:1" + " " * n, _reading(_time, ValueError), 10_000),
    "page-permalink": (lambda n: "/:path" * n, _reading(_page), 100),
    "document-permalink": (lambda n: "/:slug" * n, _reading(_document), 100),
    "liquid-unclosed": (lambda n: "{%" * n, _html, 10_000),
    "liquid-spaces": (lambda n: "{%" + " " * n, _html, 10_000),
    "liquid-words": (lambda n: "{% aaaaaaaa" * n, _html, 5_000),
    "liquid-in-tag": (lambda n: "<a " + "{{" * n, _html, 10_000),
    "liquid-output": (lambda n: "{{ " * n, _html, 10_000),
    "gemfile-group": (lambda n: "group " * n + ":jekyll_plugins " * n, gems_of_plugin_group, 2_000),
    "gemfile-own-group": (lambda n: "gem 'a' " + "group: " * n, gems_of_plugin_group, 5_000),
    "jekyll-readmes": (lambda n: {f"d{k}/README.md": "x" for k in range(n)}, _reading(_jekyll), 100),
    "jekyll-collection": (
        lambda n: {"_config.yml": "collections: [c]"} | {f"_c/{k}.txt": "x" for k in range(n)},
        _reading(_jekyll),
        100,
    ),
    "jekyll-categories": (
        lambda n: {"_posts/2024-01-01-a.md": f"---\ncategories: {list(range(n))}\npermalink: /a/\n---\n"},
        _reading(_jekyll),
        1_000,
    ),
    "jekyll-default-values": (
        lambda n: {"a.html": "---\n---\n", "_config.yml": json.dumps({"defaults": [{"values": {"a": 1}}] * n})},
        _reading(_jekyll),
        100,
    ),
    "gemfile-newlines": (_file("Gemfile", lambda n: "\n" * n), _project, 10_000),
    "gemfile-spaces": (_file("Gemfile", lambda n: "gem" + " " * n), _project, 10_000),
    "hugo-newlines": (_file("config.toml", lambda n: "\n" * n), _project, 10_000),
    "zensical-newlines": (_file("mkdocs.yml", lambda n: "site_name: x" + "\n" * n), _project, 10_000),
    "mdbook-newlines": (_file("book.toml", lambda n: "\n" * n), _project, 10_000),
    "quarto-newlines": (_file("_quarto.yml", lambda n: "\n" * n), _project, 10_000),
    "package-scripts": (
        _file(
            "package.json",
            lambda n: json.dumps(
                {
                    "dependencies": {"astro": "1"},
                    "scripts": {f"s{k}": "astro build" for k in range(n)} | {"build": "x " * 10 * n},
                }
            ),
        ),
        _project,
        500,
    ),
    "package-eleventy": (
        _file(
            "package.json",
            lambda n: json.dumps(
                {"dependencies": {"@11ty/eleventy": "1"}, "scripts": {"a": "eleventy " * n + "--serve"}}
            ),
        ),
        _project,
        1_000,
    ),
    "package-brackets": (_file("package.json", lambda n: "[" * n), _project, 100_000),
    "page-comments": (lambda n: "<!doctype html><title>x</title>" + "<!--" * n, is_complete_page, 10_000),
    "page-scripts": (lambda n: "<!doctype html><title>x</title>" + "<script " * n, is_complete_page, 10_000),
    "page-pre": (lambda n: "<!doctype html><title>x</title>" + "<pre>" * n, is_complete_page, 10_000),
    "workflow-uses": (lambda n: "uses: " * n, _workflow, 5_000),
    "sources-stars": (lambda n: "*a" * n + "b", lambda template: path_matcher(template)("a" * 255), 6),
    "sources-names": (
        lambda n: "".join(f"{{**n{'x' * k}}}-" for k in range(n)),
        lambda page: list(SourceMapper([SourceMapping(page, ("a.md",))]).files("a-" * 500 + "!", ["a.md"])),
        4,
    ),
    "event-brackets": (lambda n: "[" * n, _event, 100_000),
    "deep-folders": (lambda n: {"a/" * n + "x.html": "x"}, _walked, 20),
}
"""By name: what makes the input of size n, what reads it, and a size to begin with."""
