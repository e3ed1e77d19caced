"""Finds the project from which a site was built, and the preset of its generator."""

import posixpath
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from waypost.config.generator_presets import PRESETS, SourceMapping
from waypost.rules.presets.antora import antora
from waypost.rules.presets.docusaurus import docusaurus
from waypost.rules.presets.hexo import hexo
from waypost.rules.presets.hugo import hugo
from waypost.rules.presets.javascript_generators import astro, eleventy, nextjs, starlight, sveltekit, vitepress
from waypost.rules.presets.jekyll import jekyll
from waypost.rules.presets.mdbook import mdbook
from waypost.rules.presets.page_tree import UnusableConfigurationError
from waypost.rules.presets.python_generators import mkdocs, pelican, sphinx
from waypost.sources.project_folder import ProjectFolder
from waypost.sources.source_kind import generators_in

_BY_NAME: Mapping[str, Callable[[ProjectFolder], tuple[SourceMapping, ...]]] = {
    "hugo": hugo,
    "jekyll": jekyll,
    "mkdocs": mkdocs,
    "docusaurus": docusaurus,
    "astro": astro,
    "starlight": starlight,
    "eleventy": eleventy,
    "sphinx": sphinx,
    "vitepress": vitepress,
    "mdbook": mdbook,
    "hexo": hexo,
    "nextjs": nextjs,
    "sveltekit": sveltekit,
    "pelican": pelican,
    "antora": antora,
}


def preset_mappings(name: str, project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """The rows of a preset for a project; paths are relative to its folder. Raises KeyError for another name.

    There are none if the project's configuration has wildcards in its paths, or too much of something.
    """
    try:
        return _BY_NAME[name](project)
    except UnusableConfigurationError:
        return ()


@dataclass(frozen=True, slots=True)
class ProjectPreset:
    """The preset of a project, the project's folder, and rows with paths relative to that folder."""

    name: str
    folder: Path
    mappings: tuple[SourceMapping, ...]

    def mappings_from(self, base: Path) -> tuple[SourceMapping, ...]:
        """The rows with paths relative to a folder at or above the project's; raises ValueError for another."""
        prefix = self.folder.relative_to(base).as_posix()
        return self.mappings if prefix == "." else tuple(_below(prefix, row) for row in self.mappings)


def _below(prefix: str, row: SourceMapping) -> SourceMapping:
    files, also = (tuple(posixpath.join(prefix, file) for file in files) for files in (row.files, row.also))
    return replace(row, files=files, also=also)


def detected_preset(output: Path, root: Path) -> ProjectPreset | None:
    """The preset of the nearest project above a built site, up to the repository's root; both paths are absolute.

    None if no project is found, if its generator has no preset, or if the project has several generators and the
    output does not belong to one of them alone.
    """
    for folder in _folders_above(output, root):
        project = ProjectFolder(folder)
        if found := generators_in(project):
            name = _only_preset(project, found, output)
            return _preset(name, project) if name else None
    return None


def project_preset(name: str, output: Path, root: Path) -> ProjectPreset:
    """A preset for the nearest project above a built site, up to a root, whose generator has it; else for the root."""
    for folder in _folders_above(output, root):
        project = ProjectFolder(folder)
        if any(preset_name(project, generator) == name for generator, _ in generators_in(project)):
            return _preset(name, project)
    return _preset(name, ProjectFolder(root))


def _folders_above(output: Path, root: Path) -> Iterator[Path]:
    return (folder for folder in output.parents if folder.is_relative_to(root))


def _preset(name: str, project: ProjectFolder) -> ProjectPreset:
    return ProjectPreset(name, project.root, preset_mappings(name, project))


def _only_preset(project: ProjectFolder, found: list[tuple[str, str]], output: Path) -> str | None:
    """The preset of the project's only generator, or of the only one that writes to this folder."""
    names = {name for name, _ in found}
    if len(names) > 1:
        names = {name for name, folder in found if output.is_relative_to(project.root / folder)}
    preset = preset_name(project, names.pop()) if len(names) == 1 else None
    return preset if preset in PRESETS else None


def preset_name(project: ProjectFolder, generator: str) -> str:
    """The name of a generator's preset, whether there is one or not."""
    endings = ("js", "ts", "mjs", "mts", "cjs", "cts")
    if generator == "Astro" and any("@astrojs/starlight" in project.text(f"astro.config.{end}") for end in endings):
        return "starlight"
    return generator.lower().replace(".", "")
