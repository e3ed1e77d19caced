"""The names of the presets, and a row of their mappings: which tracked files a built page is made from.

`{name}` matches within one path segment, `{#name}` digits, and `{**name}` any number of segments. What the rows of a
preset are depends on the project: `rules/presets` makes them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceMapping:
    """Pages whose path matches `page` are made from the tracked files that `files` name.

    With `is_choice`, a page is made from the first of these files that is tracked, in this and later rows, and from
    those that `also` names, if there are such files beside the first.
    """

    page: str
    files: tuple[str, ...]
    is_choice: bool = False
    also: tuple[str, ...] = ()


PRESETS = (
    "hugo",
    "jekyll",
    "mkdocs",
    "docusaurus",
    "astro",
    "starlight",
    "eleventy",
    "sphinx",
    "vitepress",
    "mdbook",
    "hexo",
    "nextjs",
    "sveltekit",
    "pelican",
    "antora",
)
