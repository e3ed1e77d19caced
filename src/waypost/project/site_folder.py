"""Finds the folders of a project that hold its site, or the source of it."""

import fnmatch
import posixpath
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import tree_files
from waypost.core.languages import is_two_letter_name
from waypost.core.model import SourceKind
from waypost.core.versions import is_version
from waypost.project.declared_folder import DeclaredFolder, declared_folders
from waypost.project.host_files import PROJECT_FILES
from waypost.project.project_folder import ProjectFolder
from waypost.project.source_kind import PROJECT_FOLDERS, recognize

_MOST_FOLDERS = 500
_SITE_FOLDERS = ("docs", "public", "site", "www", "html", "htdocs", "web", "dist", "build", "out", "_site")
"""The folders in which projects usually keep a site that is published as it is."""
_COPIES = re.compile(r"\b(?:cp|mv|rsync)\s+(?P<arguments>[^;&|]+)")
_OF_GITHUB_PAGES = ("CNAME", ".nojekyll")
_LOC = re.compile(rb"<loc>([^<]{1,2048})</loc>")
_SITEMAP_BYTES, _MOST_SITEMAPS = 1 << 16, 20
_MONOREPO_FOLDERS = ("apps", "packages", "sites")
_MOST_PACKAGES = 50
_PROJECT_FILES = (
    *("package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "Makefile", "CMakeLists.txt", "src", "lib"),
    *("README.md", "README.rst", "README.txt", "README", ".git"),
)


def find_parts(site: Path) -> Mapping[str, Sequence[str]]:
    """The folders of `versions` and `languages` of a site that hold a page of their own: none, or two of a kind."""
    names = sorted(each.name for each in site.iterdir() if each.is_dir())[:_MOST_FOLDERS] if site.is_dir() else []
    folder = ProjectFolder(site)
    pages = [name for name in names if folder.has_file(f"{name}/index.html")]
    parts = {"versions": list(filter(is_version, pages)), "languages": list(filter(is_two_letter_name, pages))}
    return {kind: folders for kind, folders in parts.items() if len(folders) > 1}


class SiteFolder(Struct, frozen=True):
    """A folder with a site or with its source, and what it is.

    `is_known` is false if nothing shows that a site is there, and `is_declared` true if a file says that its output is
    published.
    """

    folder: Path
    kind: SourceKind
    is_known: bool = True
    is_declared: bool = False

    @property
    def is_built(self) -> bool:
        """Whether the site must be built before its sitemaps are made; what GitHub Pages builds need not."""
        return self.kind.kind in ("generator", "jekyll")

    @property
    def output(self) -> Path:
        """The folder with the built site."""
        return self.folder / self.kind.output if self.is_built else self.folder


def find_sites(folder: Path, ignored: Container[str] = ()) -> Sequence[SiteFolder]:
    """The sites of a project: what it declares as published, else the folder itself, else those in usual folders.

    The folder itself is the site if it has pages or a generator's configuration. What is declared and does not exist is
    never replaced by another folder: it is the source of a site that must be built.
    `ignored` are paths below the folder that Git ignores, with `/` at the end: a built site there is not committed.
    """
    project = ProjectFolder(folder)
    declared = declared_folders(project)
    if deployed := _deployed(declared, project):
        return (deployed,)
    found = _undeclared(folder, ignored)
    if not declared or any(each.exists for each in declared):
        return found
    kept = [replace(each, is_declared=True) for each in found if _is_declared(each, declared, project)]
    return kept or _unbuilt(declared, project)


def _undeclared(folder: Path, ignored: Container[str]) -> Sequence[SiteFolder]:
    """The sites of a project by its files: the folder itself, else those in usual folders below it."""
    own = recognize(folder)
    if has_pages(folder) or (own.file and own.kind != "static"):
        return (SiteFolder(folder, own),)
    return tuple(sites_below(folder, ignored)) or (
        SiteFolder(folder, own, is_known=bool(own.file) or not _is_project(folder)),
    )


def _deployed(declared: Sequence[DeclaredFolder], project: ProjectFolder) -> SiteFolder | None:
    """The one folder that is declared as published, if it holds a page as it is."""
    if len({each.paths for each in declared}) != 1 or not declared[0].exists:
        return None
    folder = project.root / declared[0].paths[0]
    kind = recognize(folder)
    return SiteFolder(folder, kind) if kind.kind == "static" and kind.file else None


def _is_declared(site: SiteFolder, declared: Sequence[DeclaredFolder], project: ProjectFolder) -> bool:
    """Whether what is declared, and is not there yet, is what a site becomes.

    It is the output of the site's generator, what Jekyll makes of a source that Waypost reads itself, or a copy of the
    site's files. Where GitHub Pages publishes the site as it is, the file of another host is a remainder.
    """
    if site.kind.kind in ("jekyll", "github-pages"):
        return True
    path = posixpath.normpath(site.output.relative_to(project.root).as_posix())
    if site.is_built:
        return any(path in each.paths for each in declared)
    if not site.kind.file:
        return False
    is_of_pages = any(tree_files.is_file(site.folder / name, project.root) for name in _OF_GITHUB_PAGES)
    is_of_others = all(each.file in PROJECT_FILES for each in declared)
    return (is_of_pages and is_of_others) or any(_copies(path, each.commands) for each in declared)


def _copies(path: str, commands: Sequence[str]) -> bool:
    """Whether commands copy the pages of a folder: all of its files, or its index."""
    pages = {".", "*", "*.html", "index.html"} if path == "." else {path, f"{path}/*", f"{path}/*.html"}
    arguments = (each for command in commands for found in _COPIES.finditer(command) for each in found[1].split()[:-1])
    return any(posixpath.normpath(each.strip("\"'")) in pages for each in arguments)


def _unbuilt(declared: Sequence[DeclaredFolder], project: ProjectFolder) -> Sequence[SiteFolder]:
    """The folders that are declared as published, and that the project must build first."""
    by_path = {each.paths[0]: each for each in reversed(declared)}
    return [
        SiteFolder(project.root, _of_declared(each, project), is_declared=True) for _, each in sorted(by_path.items())
    ]


def _of_declared(declared: DeclaredFolder, project: ProjectFolder) -> SourceKind:
    """The source of a site of which only the folder is known that it is built into."""
    path = declared.paths[0]
    has_script = "build" in project.scripts
    command = declared.command or (f"{project.package_manager} run build" if has_script else "")
    exists = project.has_folder(path)
    reason = f"it publishes {path}, which {'has no file' if exists else 'does not exist'}"
    return SourceKind("generator", "", declared.file, reason, command, path, output_exists=exists)


def published_below(folder: Path) -> Sequence[SiteFolder]:
    """The sites as they are in the usual folders of a project that has no page itself, or the one that is a root.

    The only folder with a home page is a site's root, if its own sitemaps list pages without the name of the folder.
    """
    if _is_project(folder):
        return [each for each in sites_below(folder) if each.kind.kind == "static"]
    below = sorted(tree_files.names(folder)) if tree_files.is_folder(folder, folder) else []
    homes = list(islice((name for name in below if tree_files.is_file(folder / name / "index.html", folder)), 2))
    return [SiteFolder(folder / name, recognize(folder / name)) for name in homes if _is_root(folder, homes)]


def _is_root(folder: Path, homes: Sequence[str]) -> bool:
    if len(homes) != 1:
        return False
    root = folder / homes[0]
    sitemaps = fnmatch.filter(sorted(tree_files.names(root)), "sitemap*.xml")[:_MOST_SITEMAPS]
    read = (tree_files.read_start(root / name, folder, size=_SITEMAP_BYTES) for name in sitemaps)
    locs = [loc for start in read for loc in _LOC.findall(start)]
    return bool(locs) and not any(f"/{homes[0]}".encode() in loc for loc in locs)


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
