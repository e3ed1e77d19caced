"""Sites as generators build them, audited: what is found is what an HTML parser finds too."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from audits import audit_folder, cases
from generator_fixtures import BASE_URLS, BuiltSite, unpack
from selectolax.lexbor import LexborHTMLParser

from waypost.build.lister import DateSources, Lister
from waypost.core.finding_types import Severity
from waypost.files.folder_source import FolderSource
from waypost.settings.load import ConfigSource, check_settings

if TYPE_CHECKING:
    from pathlib import Path

SITES = pytest.mark.parametrize("name", sorted(BASE_URLS))
NOT_ARCHIVED = "_sources/"
"""Sphinx copies its sources to this folder, which the fixtures lack."""
NOT_KEPT = {"missing-script", "missing-style"}
"""The fixtures have pages, and not what they load."""
BROKEN = {
    "hexo": {"atom.xml"},
    "vitepress": {
        f"de/{name}.html" for name in ("guide/\xe9quipement", "guide/trails", "guide/weather", "install", "safety")
    },
}
"""The theme of Hexo links to a feed that needs a plugin, and VitePress to translations that do not exist."""


@SITES
def test_the_only_errors_in_the_output_of_generators_are_true(name: str, tmp_path: Path) -> None:
    site = unpack(name, tmp_path / "site")
    result = audit_folder(site.folder, site.base_url)
    errors = {finding.code for finding in result.findings if finding.severity is Severity.ERROR} - NOT_KEPT
    assert errors == ({"broken-link"} if name in BROKEN else set())
    broken = {unquote(target.removeprefix(site.base_url)) for target, _ in cases(result).get("broken-link", [])}
    assert broken == BROKEN.get(name, set())


@SITES
def test_a_parser_finds_the_same_links_to_nothing_and_links_to_no_unlinked_page(name: str, tmp_path: Path) -> None:
    site = unpack(name, tmp_path / "site")
    pages: dict[str, str] = {}
    settings = check_settings([ConfigSource("test", {"base_url": site.base_url, "lastmod": "none"})])
    dates = DateSources("2026-11-23T00:00:00Z")
    Lister(
        FolderSource(site.folder),
        settings,
        dates,
        lambda *stage: None,
        lambda read: pages.update({read.item.key: read.loc}),
    ).listing()
    missing, linked = parsed_links(site, pages)
    placed = list(audit_folder(site.folder, site.base_url).placed())
    broken = {
        (each.page, unquote(each.target.removeprefix(site.base_url))) for each in placed if each.code == "broken-link"
    }
    assert broken == missing
    assert not {each.page for each in placed if each.code == "unlinked"} & linked


@SITES
def test_a_parser_finds_the_same_fragments_to_nothing(name: str, tmp_path: Path) -> None:
    site = unpack(name, tmp_path / "site")
    parsed = {path: LexborHTMLParser(path.read_bytes()) for path in site.folder.rglob("*.html")}
    ids = {path: {node.attributes.get("id") for node in tree.css("[id]")} for path, tree in parsed.items()}
    ids = {
        path: ids[path] | {node.attributes.get("name") for node in tree.css("a[name]")} for path, tree in parsed.items()
    }
    placed = [each for each in audit_folder(site.folder, site.base_url).placed() if each.code == "broken-fragment"]
    found = {(each.page, unquote(each.target.partition("#")[2])) for each in placed}
    own = {(path, fragment) for path, tree in parsed.items() for fragment in own_fragments(tree)}
    broken = {(path.relative_to(site.folder).as_posix(), name) for path, name in own if name not in ids[path]}
    assert {each for each in found if (site.folder / each[0], each[1]) in own} == {
        each for each in broken if not each[1].startswith(("/", "!"))
    }


def own_fragments(tree: LexborHTMLParser) -> set[str]:
    """The fragments of links to a part of the same page."""
    hrefs = (node.attributes.get("href") or "" for node in tree.css("a[href^='#']"))
    return {unquote(href[1:]) for href in hrefs if len(href) > 1 and href != "#top"}


def parsed_links(site: BuiltSite, pages: dict[str, str]) -> tuple[set[tuple[str, str]], set[str]]:
    """The links to nothing, as page and path, and the files that other pages link to; `pages` has the URL of each."""
    missing, linked = set[tuple[str, str]](), set[str]()
    for key, loc in pages.items():
        for node in LexborHTMLParser((site.folder / key).read_bytes()).css("a[href], area[href], iframe[src]"):
            reference = (node.attributes.get("href") or node.attributes.get("src") or "").strip()
            url = urldefrag(urljoin(loc, reference)).url.partition("?")[0]
            if not url.startswith(site.base_url) or NOT_ARCHIVED in url:
                continue
            path = unquote(url.removeprefix(site.base_url))
            if found := answering_file(site.folder, path):
                linked |= {found} - {key}
            else:
                missing.add((key, path))
    return missing, linked


def answering_file(folder: Path, path: str) -> str:
    """The file, or the folder, that a server may answer at a path; `""` if there is none."""
    bare = path.strip("/")
    for name in (path, f"{bare}/index.html" if bare else "index.html", f"{bare}.html", bare or "."):
        if (folder / name).is_file() or (name == (bare or ".") and (folder / name).is_dir()):
            return name
    return ""
