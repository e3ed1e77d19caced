"""The sources of Jekyll's pages."""

from collections.abc import Iterator, Mapping
from typing import Any

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table
from waypost.rules.presets.page_tree import choice, copied, folder_name, limited, page_tree, plain
from waypost.rules.presets.permalinks import permalink_rows
from waypost.sources.project_folder import ProjectFolder

_ENDINGS = (".md", ".markdown", ".html")
_MOST_COLLECTIONS = 1_000
_STYLES = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "none": "/:categories/:title:output_ext",
}
_TOKENS = {
    "categories": "{**categories}?",
    "year": "{#y}",
    "month": "{#m}",
    "day": "{#d}",
    "title": "{slug}",
    "slug": "{slug}",
    "output_ext": ".html",
}


def jekyll(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Posts by their dates and permalinks, the documents of collections, pages, and files that are copied."""
    config = table(project, ("_config.yml", "_config.yaml", "_config.toml"))
    source = folder_name(_text(config, "source"), ".")
    collections = source + folder_name(_text(config, "collections_dir"), ".")
    return (
        *_posts(_text(config, "permalink") or "date", collections),
        *_collections(config, collections),
        *page_tree("", [source], _ENDINGS, ("index", "README")),
        choice("{**path}/index.html", [f"{collections}_{{**path}}"], _ENDINGS),
        choice("{**path}.html", [f"{collections}_{{**path}}"], _ENDINGS),
        copied(source),
    )


def _text(config: Mapping[str, Any], key: str) -> str | None:
    found = config.get(key)
    return found if isinstance(found, str) else None


def _posts(permalink: str, folder: str) -> Iterator[SourceMapping]:
    """Rows for posts: by the whole date where the permalink has it, otherwise by the name alone, if it is unique."""
    stems = [f"{folder}**/_posts/{{#y}}-{{#m}}-{{#d}}-{{slug}}", f"{folder}**/_posts/????-??-??-{{slug}}"]
    for template in dict.fromkeys([_STYLES.get(permalink, permalink), _STYLES["date"], _STYLES["pretty"]]):
        is_dated = all(part in template for part in (":year", ":month", ":day"))
        yield from permalink_rows(template, _TOKENS, stems[:1] if is_dated else stems[1:], _ENDINGS)


def _collections(config: Mapping[str, Any], folder: str) -> Iterator[SourceMapping]:
    """Rows for the documents of collections that have a permalink of their own."""
    found = config.get("collections")
    limited(len(found) if isinstance(found, Mapping) else 0, _MOST_COLLECTIONS)
    for name, each in found.items() if isinstance(found, Mapping) else ():
        permalink = _text(each, "permalink") if isinstance(each, Mapping) else None
        if permalink and plain(str(name)) != "posts":
            tokens = {"collection": str(name), "path": "{**path}", "output_ext": ".html"}
            names = dict.fromkeys(("name", "title", "slug"), "{slug}")
            stems = [f"{folder}_{name}/{{**path}}", f"{folder}_{name}/**/{{slug}}"]
            yield from permalink_rows(permalink, tokens | names, stems, _ENDINGS)
