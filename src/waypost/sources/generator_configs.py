"""Rules for files with names that several programs use: which of them configure a site generator."""

import posixpath
import re
from collections.abc import Callable, Mapping

from waypost.sources.project_folder import ProjectFolder

Condition = Callable[[ProjectFolder, str], bool]
"""Whether a file with the name of a generator's configuration is one: the folder, and the file's path in it."""
_MODULE = re.compile(r"""<script\b[^>]{0,500}\bsrc=["']?(?:\.?/)?(?:src/|main\.[cm]?[jt]s)""", re.IGNORECASE)
"""A module of the source, with which Vite's own templates begin."""


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


CONDITIONS: Mapping[str, Condition] = {
    "vite": is_vite_project,
    "hugo": is_hugo_config,
    "zola": is_zola_config,
    "sphinx": is_sphinx_config,
    "hexo": is_hexo_config,
    "svelte-kit": has_svelte_kit,
}
"""The rules that a row of `generators.toml` may name."""
