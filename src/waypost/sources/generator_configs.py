"""Whether a file with a name that several programs use is the configuration of a site generator."""

import posixpath
import re

from waypost.sources.generator import Condition
from waypost.sources.project_folder import ProjectFolder

_MODULE = re.compile(r"""<script\b[^>]{0,500}\bsrc=["']?(?:\.?/)?(?:src/|main\.[cm]?[jt]s)""", re.IGNORECASE)
"""A module of the source, with which Vite's own templates begin."""


def says(*patterns: str) -> Condition:
    """A configuration whose text matches each of these patterns."""
    return lambda folder, path: folder.matches(path, *patterns)


def is_beside(name: str) -> Condition:
    """A configuration in a folder with a file of this name."""
    return lambda folder, path: folder.has_file(posixpath.join(posixpath.dirname(path), name))


def is_vite_project(folder: ProjectFolder, path: str) -> bool:
    """A configuration of Vite's beside an index, or a package.json that runs Vite without one, beside such an index."""
    if not folder.has_file("index.html"):
        return False
    is_run = any(re.search(r"\bvite build\b", script) for script in folder.scripts.values())
    return path != "package.json" or (is_run and bool(_MODULE.search(folder.text("index.html"))))


def is_hugo_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with two of Hugo's keys, or beside Hugo's folders."""
    if folder.has_folder("content") and any(map(folder.has_folder, ("archetypes", "layouts", "themes"))):
        return True
    own_key = "languageCode|theme|publishDir|enableRobotsTXT|enableGitInfo|defaultContentLanguage|disqusShortname"
    return folder.matches(path, r"""^[ \t]*["']?baseURL["']?\s*[:=]""", rf"""^[ \t]*["']?({own_key})["']?\s*[:=]""")


def is_zola_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with the key that Zola requires, and another of its keys or its folder."""
    if not folder.matches(path, r"^base_url\s*="):
        return False
    own_key = r"^(\[markdown\]|(compile_sass|build_search_index|generate_feeds?)\s*=)"
    return folder.has_folder("content") or folder.matches(path, own_key)


def is_sphinx_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration with a key of Sphinx, beside the document at the root of its contents."""
    beside = posixpath.dirname(path)
    indexes = (posixpath.join(beside, f"index.{ending}") for ending in ("rst", "md", "txt"))
    return folder.matches(path, r"^[ \t]*(extensions|html_theme)\s*(:.*)?=") and any(map(folder.has_file, indexes))


def is_hexo_config(folder: ProjectFolder, path: str) -> bool:
    """A configuration beside Hexo's folders, or in a project that depends on Hexo."""
    del path
    has_folders = folder.has_folder("source/_posts") and folder.has_folder("scaffolds")
    return has_folders or "hexo" in folder.dependencies


def has_svelte_kit(folder: ProjectFolder, path: str) -> bool:
    """A configuration of SvelteKit: one of Svelte alone builds no site."""
    return "@sveltejs/kit" in folder.dependencies or folder.matches(path, r"\bkit\s*:|@sveltejs/adapter")
