"""Finds the site that `waypost init` is for: the folder itself, or one below it in a project."""

from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from waypost.core.model import SourceKind
from waypost.sources.source_kind import PROJECT_FOLDERS, recognize

_SITE_FOLDERS = ("docs", "public", "site", "www", "html", "htdocs", "web")
_PROJECT_FILES = (
    *("package.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml"),
    *("build.gradle", "build.gradle.kts", "composer.json", "Gemfile", "Makefile", "CMakeLists.txt", "src", "lib"),
)
_UNKNOWN = "public"


@dataclass(frozen=True, slots=True)
class SiteLocation:
    """Where a site or its source is, and what it is; `is_known` is false if it is only a guess."""

    folder: Path
    kind: SourceKind
    is_known: bool = True

    @property
    def is_built(self) -> bool:
        """Whether the site must be built before its sitemaps are made; what GitHub Pages builds need not."""
        return self.kind.kind in ("generator", "jekyll")


def find_site(folder: Path, ignored: Container[str] = ()) -> SiteLocation:
    """The site of a folder: itself if it is recognised, else one that is recognised in a usual subfolder.

    `ignored` are paths below the folder that Git ignores, with `/` at the end: a built site there is not committed.
    In a project without a site that can be recognised, the folder of the site is a guess.
    """
    own = recognize(folder)
    if own.file:
        return SiteLocation(folder, own)
    below = [(folder / name, recognize(folder / name)) for name in PROJECT_FOLDERS]
    sources = [SiteLocation(path, kind) for path, kind in below if kind.kind != "static"]
    sites = [folder / name for name in _SITE_FOLDERS if f"{name}/" not in ignored]
    complete = [SiteLocation(path, kind) for path in sites if (kind := recognize(path)).file]
    found = next(iter([*sources, *complete]), None)
    if found or not _is_project(folder):
        return found or SiteLocation(folder, own)
    return SiteLocation(folder / _UNKNOWN, own, is_known=False)


def _is_project(folder: Path) -> bool:
    """Whether a folder has files of a project, and no page."""
    has_page = any(folder.glob("*.htm*"))
    return not has_page and any((folder / name).exists() for name in _PROJECT_FILES)
