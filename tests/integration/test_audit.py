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


@pytest.mark.parametrize("name", sorted(BASE_URLS))
def test_what_is_found_in_the_output_of_a_generator_is_true_and_what_a_parser_finds(name: str, tmp_path: Path) -> None:
    site = unpack(name, tmp_path / "site")
    result = audit_folder(site.folder, site.base_url, audit_ignore=[f"*/{NOT_ARCHIVED}*"])
    errors = {finding.code for finding in result.findings if finding.severity is Severity.ERROR} - NOT_KEPT
    assert errors == ({"broken-link"} if name in BROKEN else set())
    broken = {unquote(target.removeprefix(site.base_url)) for target, _ in cases(result).get("broken-link", [])}
    assert broken == BROKEN.get(name, set())
    placed = list(result.placed())
    missing, linked = parsed_links(site, listed_pages(site))
    assert {
        (each.page, unquote(each.target.removeprefix(site.base_url))) for each in placed if each.code == "broken-link"
    } == missing
    assert not {each.page for each in placed if each.code == "unlinked"} & linked
    own, missing_fragments = parsed_fragments(site.folder)
    found = {(each.page, unquote(each.target.partition("#")[2])) for each in placed if each.code == "broken-fragment"}
    assert found & own == missing_fragments


def listed_pages(site: BuiltSite) -> dict[str, str]:
    """The URL of each page that a build lists."""
    pages: dict[str, str] = {}
    settings = check_settings([ConfigSource("test", {"base_url": site.base_url, "lastmod": "none"})])
    Lister(
        FolderSource(site.folder),
        settings,
        DateSources("2026-11-23T00:00:00Z"),
        lambda *stage: None,
        lambda read: pages.update({read.item.key: read.loc}),
    ).listing()
    return pages


def parsed_fragments(folder: Path) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The fragments of links to a part of the same page, by page, and those of them that name no part of it."""
    own, missing = set[tuple[str, str]](), set[tuple[str, str]]()
    for path in folder.rglob("*.html"):
        tree, page = LexborHTMLParser(path.read_bytes()), path.relative_to(folder).as_posix()
        ids = {node.attributes.get("id") for node in tree.css("[id]")}
        ids |= {node.attributes.get("name") for node in tree.css("a[name]")}
        own |= {(page, fragment) for fragment in own_fragments(tree)}
        missing |= {(page, each) for each in own_fragments(tree) - ids if not each.startswith(("/", "!"))}
    return own, missing


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
