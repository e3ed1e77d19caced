"""Recognises what a folder is: a site as it is, a Jekyll source, or the source of another generator's site.

Recognition is careful: a folder is taken for the source of a generator only by the generator's own configuration file,
or by its package in package.json. It reads only a few files of the folder.
"""

import re
from pathlib import Path
from typing import Literal

from waypost.core.model import SourceKind
from waypost.project.generator import Generator, generators
from waypost.project.project_folder import ProjectFolder

_INDEXES = ("index.html", "index.htm")
_JEKYLL_CONFIGS = ("_config.yml", "_config.yaml", "_config.toml")
_GITHUB_GEM = r"""^[ \t]*gem\s*+(?:\(\s*+)?["']github-pages["']"""
_JEKYLL_GEM = r"""^[ \t]*gem\s*+(?:\(\s*+)?["']jekyll["']"""
Profile = Literal["jekyll", "github-pages"]
_RUNS_JEKYLL = re.compile(r"^[^#\n]*\b(jekyll (build|b)\b|jekyll-action|jekyll-deploy)", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n")
_NOT_TEXT = re.compile(r"<!--|<(script|style|pre|code|textarea|template)\b", re.IGNORECASE)

_TEMPLATE = re.compile(r"\{\{|\{%|<%|%PUBLIC_URL%")
_SOURCE_SCRIPT = re.compile(
    r"""<script\b[^>]{0,500}\bsrc=["']?[^"'>\s]{1,300}\.(?:tsx?|jsx|vue|svelte|scss)["'\s>]""", re.IGNORECASE
)
_SOURCE_FOLDER = re.compile(r"""<script\b[^>]{0,500}\bsrc=["']?(?:\.?/)?src/""", re.IGNORECASE)


def recognize(folder: Path, source_kind: str = "auto") -> SourceKind:
    """What a folder is; a `source_kind` other than `auto` decides it. Raises no error if a file cannot be read."""
    project = ProjectFolder(folder)
    if source_kind == "static":
        return SourceKind("static", file="source_kind", reason="the setting says so")
    if source_kind in ("jekyll", "github-pages"):
        profile: Profile = "jekyll" if source_kind == "jekyll" else "github-pages"
        return _jekyll(project, profile, "source_kind", "the setting says so")
    return (
        _site_as_it_is(project)
        or _by_configuration(project)
        or _jekyll_source(project)
        or _by_dependency(project)
        or _github_pages_source(project)
        or SourceKind("static", reason="no configuration of a generator is in it")
    )


def source_of_generator(folder: Path, name: str) -> SourceKind | None:
    """The source of a generator with this name, whose configuration is in a folder that seems to be a site as it is."""
    return _by_configuration(ProjectFolder(folder), name)


def project_above(folder: Path, root: Path) -> Path:
    """The nearest folder above this one, down from the repository's root, that a generator builds; else the root."""
    for above in folder.parents:
        project = ProjectFolder(above)
        if _by_configuration(project) or _by_dependency(project) or _jekyll_source(project):
            return above
        if above == root:
            break
    return root


def generators_in(project: ProjectFolder) -> list[tuple[str, str]]:
    """The generators whose configuration is in a folder, or else their packages, each with the folder of its output."""
    configured = [(each, config) for each in generators() if (config := each.config_in(project))]
    named = [(each, None) for each in generators() if each.dependency_of(project)]
    found = [(each.name, each.output(project, config)) for each, config in configured or named]
    jekyll = _jekyll_source(project)
    return [*found, (jekyll.generator, jekyll.output)] if jekyll else found


def _site_as_it_is(project: ProjectFolder) -> SourceKind | None:
    """A folder that is published without a build: with a complete page as its index, or with .nojekyll.

    Projects keep that file beside a generator's configuration, too.
    """
    index = next((name for name in _INDEXES if is_complete_page(project.text(name))), None)
    is_page = index is not None and not _is_bundled(project, project.text(index))
    if project.has_file(".nojekyll") and (is_page or not _by_configuration(project)):
        return SourceKind("static", file=".nojekyll", reason="it says that the folder is published as it is")
    if not is_page or index is None:
        return None
    return _jekyll_source(project) or SourceKind("static", file=index, reason="it is a complete page")


def _is_bundled(project: ProjectFolder, text: str) -> bool:
    """Whether an index is what a bundler builds a page from: its script is a source that no browser can run."""
    if _SOURCE_SCRIPT.search(text):
        return True
    return bool(_SOURCE_FOLDER.search(text)) and any(each.config_in(project) for each in generators())


def is_complete_page(text: str) -> bool:
    """Whether an HTML file is a page as it is, with a title, and neither front matter nor template tags."""
    if not re.search(r"<!doctype\s+html|<html[\s>]", text, re.IGNORECASE) or _FRONT_MATTER.match(text):
        return False
    return bool(re.search(r"<title[\s>]", text, re.IGNORECASE)) and not _TEMPLATE.search(_without_code(text))


def _without_code(text: str) -> str:
    """The text without comments and without elements that may show code; one that does not end is kept."""
    parts: list[str] = []
    unclosed: set[str] = set()
    end = place = 0
    while found := _NOT_TEXT.search(text, place):
        place = found.end()
        name = (found[1] or "").lower()
        closing = None if name in unclosed else re.compile(rf"</{name}\s*+>" if name else "-->", re.IGNORECASE)
        if closing and (closed := closing.search(text, place)):
            parts.append(text[end : found.start()])
            end = place = closed.end()
        else:
            unclosed.add(name)
    return "".join([*parts, text[end:]])


def _by_configuration(project: ProjectFolder, name: str = "") -> SourceKind | None:
    """The source of the first generator, or of the one with this name, whose configuration is in a folder."""
    for generator in generators():
        if name in ("", generator.name) and (config := generator.config_in(project)):
            return _generator_source(project, generator, config, f"it is the configuration of {generator.name}", config)
    return None


def _by_dependency(project: ProjectFolder) -> SourceKind | None:
    for generator in generators():
        if package := generator.dependency_of(project):
            return _generator_source(project, generator, "package.json", f"it names {package} as a dependency", None)
    return None


def _generator_source(
    project: ProjectFolder, generator: Generator, file: str, reason: str, config: str | None
) -> SourceKind:
    output, has_server = generator.output(project, config), generator.has_server(project, config)
    return SourceKind(
        "generator",
        generator.name,
        file,
        reason,
        generator.build_command(project, has_server=has_server),
        output,
        output_exists=project.has_folder(output),
        has_server=has_server,
    )


def _jekyll_source(project: ProjectFolder) -> SourceKind | None:
    """A Jekyll source, by its configuration, its gem, or its folders; Hexo and Jupyter Book are not Jekyll."""
    config = next(filter(project.has_file, _JEKYLL_CONFIGS), None)
    if config and not any(config in each.configs and each.config_in(project) for each in generators()):
        return _jekyll(project, _profile(project), config, "it is the configuration of Jekyll")
    if project.matches("Gemfile", f"{_JEKYLL_GEM}|{_GITHUB_GEM}"):
        return _jekyll(project, _profile(project), "Gemfile", "it names Jekyll")
    if project.has_folder("_posts") and project.has_folder("_layouts"):
        return _jekyll(project, _profile(project), "_posts", "Jekyll has its posts in this folder")
    return None


def _github_pages_source(project: ProjectFolder) -> SourceKind | None:
    """A folder without a sign of a generator that only Jekyll can publish: its index has front matter."""
    index = next((name for name in ("index.html", "index.md") if _FRONT_MATTER.match(project.text(name))), None)
    return _jekyll(project, "github-pages", index, "it begins with front matter") if index else None


def _jekyll(project: ProjectFolder, profile: Profile, file: str, reason: str) -> SourceKind:
    command = "bundle exec jekyll build" if project.has_file("Gemfile") else "jekyll build"
    return SourceKind(profile, "Jekyll", file, reason, command, "_site", output_exists=project.has_folder("_site"))


def _profile(project: ProjectFolder) -> Profile:
    """`github-pages` if GitHub Pages builds the site, with plugins of its own; `jekyll` if the project does.

    The gem github-pages builds as GitHub Pages does, and so does the action jekyll-build-pages.
    """
    has_own_gems = project.has_file("Gemfile") and not project.matches("Gemfile", _GITHUB_GEM)
    return "jekyll" if has_own_gems or any(map(_RUNS_JEKYLL.search, project.workflows)) else "github-pages"
