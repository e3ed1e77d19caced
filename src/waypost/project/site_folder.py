"""Finds the folders of a project that hold its site, or the source of it."""

import posixpath
import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from waypost.core import tree_files
from waypost.core.model import SourceKind
from waypost.hosts import PROJECT_FILES, HostFiles
from waypost.sources.project_folder import ProjectFolder
from waypost.sources.source_kind import PROJECT_FOLDERS, recognize

_SITE_FOLDERS = ("docs", "public", "site", "www", "html", "htdocs", "web", "dist", "build", "out", "_site")
"""The folders in which projects usually keep a site that is published as it is."""
_DEPLOY_ACTIONS = "actions/upload-pages-artifact|peaceiris/actions-gh-pages|JamesIves/github-pages-deploy-action"
_DEPLOYS = re.compile(
    rf"^[ \t-]*uses:[ \t]*[\"']?(?:{_DEPLOY_ACTIONS})@"
    r"(?:[^\n]*\n(?![ \t]*-[ \t])){1,12}?"
    r"[ \t]*(?:path|publish_dir|folder):[ \t]*[\"']?(?:\./)?(?P<folder>[\w./-]+)[\"']?[ \t]*(?:#[^\n]*)?$",
    re.MULTILINE,
)
"""A step of a workflow that deploys a folder."""
_MONOREPO_FOLDERS = ("apps", "packages", "sites")
_MOST_PACKAGES = 50
_PROJECT_FILES = (
    *("package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "Makefile", "CMakeLists.txt", "src", "lib"),
    *("README.md", "README.rst", "README.txt", "README", ".git"),
)


class SiteFolder(Struct, frozen=True):
    """A folder with a site or with its source, and what it is.

    `is_known` is false if nothing shows that a site is there.
    """

    folder: Path
    kind: SourceKind
    is_known: bool = True

    @property
    def is_built(self) -> bool:
        """Whether the site must be built before its sitemaps are made; what GitHub Pages builds need not."""
        return self.kind.kind in ("generator", "jekyll")

    @property
    def output(self) -> Path:
        """The folder with the built site."""
        return self.folder / self.kind.output if self.is_built else self.folder


def find_sites(folder: Path, ignored: Container[str] = ()) -> Sequence[SiteFolder]:
    """The sites of a project: what its workflow deploys, else the folder itself, else those in usual folders below it.

    The folder itself is the site if it has pages or a generator's configuration.
    `ignored` are paths below the folder that Git ignores, with `/` at the end: a built site there is not committed.
    """
    if deployed := _deployed(folder):
        return (deployed,)
    own = recognize(folder)
    if has_pages(folder) or (own.file and own.kind != "static"):
        return (SiteFolder(folder, own),)
    return tuple(sites_below(folder, ignored)) or (
        SiteFolder(folder, own, is_known=bool(own.file) or not _is_project(folder)),
    )


def _deployed(folder: Path) -> SiteFolder | None:
    """The one folder that the workflows deploy to GitHub Pages, or a host's files name, if it holds a page as it is."""
    project = ProjectFolder(folder)
    workflows = project.workflows if (folder / ".git").exists() else ()
    named = {posixpath.normpath(found["folder"]) for text in workflows for found in _DEPLOYS.finditer(text)}
    texts = {name: project.text(name) for name in PROJECT_FILES if project.has_file(name)}
    named = named or HostFiles({}, texts).published_folders()
    if len(named) != 1 or (name := named.pop()).startswith(("..", "/")):
        return None
    if not tree_files.is_folder(folder / name, folder):
        return None
    kind = recognize(folder / name)
    return SiteFolder(folder / name, kind) if kind.kind == "static" and kind.file else None


def published_below(folder: Path) -> Sequence[SiteFolder]:
    """The sites as they are in the usual folders of a project that has no page itself."""
    return [each for each in sites_below(folder) if each.kind.kind == "static"] if _is_project(folder) else []


def sites_below(folder: Path, ignored: Container[str] = ()) -> Iterator[SiteFolder]:
    """The sites in a project's usual folders: sources of generators, else sites as they are, else those of packages."""
    names = [name for name in dict.fromkeys((*PROJECT_FOLDERS, *_SITE_FOLDERS)) if f"{name}/" not in ignored]
    found = [
        SiteFolder(folder / name, recognize(folder / name))
        for name in names
        if tree_files.is_folder(folder / name, folder)
    ]
    sources = [each for each in found if each.kind.kind != "static" and each.folder.name in PROJECT_FOLDERS]
    sites = [each for each in found if each.kind.kind == "static" and each.kind.file]
    yield from sources or sites or _of_packages(folder)


def _of_packages(folder: Path) -> Iterator[SiteFolder]:
    """The sources of sites among the packages of a repository that has several."""
    for name in _MONOREPO_FOLDERS:
        below = sorted(tree_files.names(folder / name)) if tree_files.is_folder(folder / name, folder) else []
        for package in (folder / name / each for each in below[:_MOST_PACKAGES]):
            if tree_files.is_folder(package, folder) and (kind := recognize(package)).kind == "generator":
                yield SiteFolder(package, kind)


def has_pages(folder: Path) -> bool:
    """Whether there is an HTML file in a folder itself."""
    return any(each.is_file() for each in folder.glob("*.htm*"))


def _is_project(folder: Path) -> bool:
    """Whether a folder has files of a project, and no page."""
    return not has_pages(folder) and any((folder / name).exists() for name in _PROJECT_FILES)
