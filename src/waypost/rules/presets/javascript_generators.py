"""The sources of pages that Astro, Starlight, Eleventy, VitePress, Next.js and SvelteKit make."""

import re
from collections.abc import Sequence
from itertools import product

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import block, script, scripts, value
from waypost.rules.presets.page_tree import choice, copied, folder_name, page_tree
from waypost.sources.project_folder import ProjectFolder

_ASTRO = (".astro", ".md", ".mdx", ".html")
_ELEVENTY = (".md", ".njk", ".liquid", ".html", ".hbs", ".11ty.js", ".webc")
_INPUT = re.compile(r".*--input[= ]([\w./-]+)", re.DOTALL)
_NEXT = (".js", ".jsx", ".ts", ".tsx", ".md", ".mdx")


def astro(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Pages below `src/pages`, and collections whose pages have the paths of their files."""
    config = script(project, scripts("astro.config"))
    source = folder_name(value(config, "srcDir"), "src")
    return (*page_tree("", [f"{source}pages/", f"{source}content/"], _ASTRO), _public(value(config, "publicDir")))


def starlight(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Documents, other languages in folders of their own, and the pages of Astro."""
    source = folder_name(value(script(project, scripts("astro.config")), "srcDir"), "src")
    documents = page_tree("", [f"{source}content/docs/"], (".md", ".mdx", ".mdoc", ".markdown"))
    return (*documents, *astro(project))


def eleventy(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Templates below the input folder that the configuration or a script of package.json names, or the usual ones."""
    config = script(project, [*scripts("eleventy.config"), ".eleventy.js", ".eleventy.cjs"])
    named = _input_option(" ".join(project.scripts.values())) or value(config, "input")
    folders = ["", "src/"] if named is None else [folder_name(named, ".")]
    return (*page_tree("", folders, _ELEVENTY), *map(copied, folders))


def _input_option(commands: str) -> str | None:
    """The folder that the first command with the option names last."""
    for command in re.split("[&|;]", commands):
        name = re.search(r"\beleventy\b", command)
        option = _INPUT.match(command, name.end()) if name else None
        if option:
            return option[1]
    return None


def vitepress(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Markdown below the folder with `.vitepress`, or below `srcDir` in it."""
    stems = (".vitepress/config", ".vitepress/config/index")
    base = "" if any(map(project.has_file, scripts(*stems))) else "docs/"
    config = script(project, scripts(*(f"{base}{stem}" for stem in stems)))
    folder = base + folder_name(value(config, "srcDir"), ".")
    return (*page_tree("", [folder], (".md",)), copied(f"{folder}public/"))


def nextjs(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Routes of `app` and of `pages`, at the root or below `src`; the folders of route groups are not in the path."""
    del project
    names = [f"page{ending}" for ending in _NEXT]
    routes = [row for source in ("", "src/") for row in _routes(f"{source}app/", names)]
    index = choice("{**path}.html", ["pages/{**path}/index", "src/pages/{**path}/index"], _NEXT)
    return (*routes, *page_tree("", ["pages/", "src/pages/"], _NEXT), index, _public(None))


def sveltekit(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Routes, whose pages are made of a component and of the script that loads its data."""
    config = script(project, scripts("svelte.config"))
    folder = folder_name(value(block(config, "files"), "routes"), "src/routes")
    components = [f"+page{layout}{ending}" for layout in ("", "@*") for ending in (".svelte", ".md", ".svx")]
    loading = ["+page.js", "+page.ts", "+page.server.js", "+page.server.ts"]
    return (*_routes(folder, components, loading), copied("static/"))


def _public(folder: str | None) -> SourceMapping:
    return copied(folder_name(folder, "public"))


def _routes(folder: str, names: Sequence[str], also: Sequence[str] = ()) -> list[SourceMapping]:
    """Rows for routes, each of which is a folder with a file of one of these names; `(group)` is no part of a path."""
    home = [f"{folder}{group}" for group in ("", "(*)/")]
    whole = [f"{folder}{group}{{**path}}/" for group in ("", "(*)/")]
    inner = [f"{folder}{{**path}}/{end}/" for end in ("(*)/{last}", "{last}/(*)")]
    rows = [("index.html", home)]
    rows += [(f"{{**path}}{end}", whole) for end in ("/index.html", ".html")]
    rows += [(f"{{**path}}/{{last}}{end}", inner) for end in ("/index.html", ".html")]
    return [
        SourceMapping(page, tuple(map("".join, product(stems, names))), True, tuple(map("".join, product(stems, also))))
        for page, stems in rows
    ]
