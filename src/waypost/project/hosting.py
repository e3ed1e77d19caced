"""Collects the files with the rules of a site's host, from its folder and from the folders of its project."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from waypost.project.host_files import PROJECT_FILES, SITE_FILES, HostFiles
from waypost.project.host_recognition import FoundHost, recognise_host
from waypost.project.project_folder import ProjectFolder

_DEPLOYS_PAGES = re.compile(r"^(?>[^#\n]*?\buses:)[^\n]*\bactions/deploy-pages\b", re.MULTILINE)
_MENTIONS_PAGES = re.compile(r"gh-pages|github-pages|gh-deploy|deploy-pages|\bmike deploy\b")


class Hosting(NamedTuple):
    """What a project says of the host of its site.

    `deploys_pages` if a workflow deploys to GitHub Pages by GitHub's own action, `mentions_pages` if a workflow or a
    script names GitHub Pages, and `branch` is the one that is checked out.
    """

    files: HostFiles
    deploys_pages: bool
    mentions_pages: bool
    branch: str = ""

    def host(self, setting: str, base_url: str) -> FoundHost:
        """The host of the site at a base URL, and what its rules say."""
        return recognise_host(setting, base_url, self.files, deploys_pages=self.deploys_pages, branch=self.branch)


def read_hosting(site: Path, root: Path, branch: str = "") -> Hosting:
    """What the project of the site in a folder, which reaches up to `root`, says of its host."""
    folder = ProjectFolder(site)
    files = HostFiles(_texts(folder, SITE_FILES), _project_files(site, root))
    is_mentioned = mentions_pages(folder) or mentions_pages(ProjectFolder(root))
    return Hosting(files, deploys_pages(folder), is_mentioned, branch)


def mentions_pages(folder: ProjectFolder) -> bool:
    """Whether a workflow of the repository that contains a folder, or its package.json, names GitHub Pages."""
    return any(map(_MENTIONS_PAGES.search, [*folder.workflows, folder.text("package.json")]))


def deploys_pages(folder: ProjectFolder) -> bool:
    """Whether a workflow of the repository that contains a folder deploys to GitHub Pages."""
    return any(map(_DEPLOYS_PAGES.search, folder.workflows))


def _project_files(site: Path, root: Path) -> Mapping[str, str]:
    """The files in the nearest folder above the site, down from the root, that has one with this name."""
    found: dict[str, str] = {}
    for folder in _up_to(site.resolve(), root.resolve()):
        found = {**_texts(ProjectFolder(folder), PROJECT_FILES), **found}
    return found


def _up_to(folder: Path, root: Path) -> Iterator[Path]:
    yield folder
    for above in folder.parents if folder != root and folder.is_relative_to(root) else ():
        yield above
        if above == root:
            return


def _texts(folder: ProjectFolder, names: tuple[str, ...]) -> dict[str, str]:
    return {name: folder.text(name) for name in names if folder.has_file(name)}
