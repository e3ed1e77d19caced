"""The presets by their names, and the preset of a project."""

from collections.abc import Callable, Mapping

from waypost.config.generator_presets import SourceMapping
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
