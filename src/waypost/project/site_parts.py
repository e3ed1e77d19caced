"""The versions and the languages of a built site, by the names of its folders."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from waypost.core.languages import is_two_letter_name
from waypost.core.versions import is_version
from waypost.sources.project_folder import ProjectFolder

_MOST_FOLDERS = 500


class SiteParts(NamedTuple):
    """The folders of versions and of languages that a site has: none, or at least two of a kind."""

    versions: Sequence[str] = ()
    languages: Sequence[str] = ()


def find_parts(site: Path) -> SiteParts:
    """The versions and languages among the folders of a site that hold a page of their own."""
    names = sorted(each.name for each in site.iterdir() if each.is_dir())[:_MOST_FOLDERS] if site.is_dir() else []
    folder = ProjectFolder(site)
    pages = [name for name in names if folder.has_file(f"{name}/index.html")]
    versions = [name for name in pages if is_version(name)]
    languages = [name for name in pages if is_two_letter_name(name)]
    return SiteParts(versions if len(versions) > 1 else (), languages if len(languages) > 1 else ())
