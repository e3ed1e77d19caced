"""The recipes in docs/recipes.md: for each generator, the lines that add its sitemap wherever the site is deployed."""

import posixpath

from waypost import SHOWN_ACTION, SHOWN_PACKAGE
from waypost.cli.recipes import KNOWN_TO_READ_THE_DOCS, Recipe, Site, Tool, recipes
from waypost.project.generator import Generator, generators

TOOL = Tool(SHOWN_PACKAGE, SHOWN_ACTION)
JEKYLL = Generator("Jekyll", "bundle exec jekyll build", ("_site",), "node", ("_config.yml",))
_COMMAND, _OUTPUT = "COMMAND", "OUTPUT"


def sites() -> list[Site]:
    """The generators of sites, by name."""
    found: dict[str, Site] = {}
    for each in (*generators(), JEKYLL):
        if not each.is_application and each.name not in found:
            output = posixpath.join(each.base, each.outputs[0])
            is_node = each.toolchain == "node" and each is not JEKYLL
            found[each.name] = Site(each.name, each.command, output, is_node=is_node)
    return sorted(found.values(), key=lambda site: site.name.lower())


def page() -> str:
    """A table of the generators, and then each host's recipe for all of them."""
    shown = [Site("", _COMMAND, _OUTPUT, is_node=False), Site("", _COMMAND, _OUTPUT, is_node=True)]
    shown.append(shown[0]._replace(name=KNOWN_TO_READ_THE_DOCS[0]))
    rows = [f"| {site.name} | `{site.command}` | `{site.output}` |" for site in sites()]
    parts = ["\n".join(["| generator | `COMMAND` | `OUTPUT` |", "|---|---|---|", *rows]) + "\n"]
    host = ""
    for plain, node, known in zip(*(recipes(site, TOOL) for site in shown), strict=True):
        heading, host = "" if plain.host == host else f"### {plain.host}\n\n", plain.host
        parts.append(f"{heading}{plain.place}:\n\n{_block(plain)}\n")
        if node.text != plain.text:
            parts.append(f"With Node (`npx`):\n\n{_block(node)}\n")
        if known.text != plain.text:
            parts.append(f"For {' and '.join(KNOWN_TO_READ_THE_DOCS)}:\n\n{_block(known)}\n")
        parts.append(f"{plain.sentence}\n")
    return "\n".join(parts).rstrip()


def _block(recipe: Recipe) -> str:
    return f"```{recipe.language}\n{recipe.text}\n```"
