"""The sources of Hexo's pages."""

from collections.abc import Iterator

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table
from waypost.rules.presets.page_tree import copied, folder_name, page_tree
from waypost.rules.presets.permalinks import permalink_rows
from waypost.sources.project_folder import ProjectFolder

_ENDINGS = (".md", ".markdown", ".html", ".ejs", ".njk", ".swig")
_NUMBERS = {
    "year": "{#y}",
    "month": "{#m}",
    "day": "{#d}",
    "i_month": "{#m}",
    "i_day": "{#d}",
    "hour": "{#h}",
    "minute": "{#n}",
    "second": "{#s}",
}
_TOKENS = _NUMBERS | {"category": "{**category}"}


def hexo(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Posts by the permalink of the configuration, and pages below `source`."""
    config = table(project, ("_config.yml", "_config.yaml", "_config.json"))
    source = folder_name(_text(config.get("source_dir")), "source")
    permalink = _text(config.get("permalink")) or ":year/:month/:day/:title/"
    file_name = _text(config.get("new_post_name")) or ":title.md"
    return (*_posts(permalink, file_name, f"{source}_posts/"), *page_tree("", [source], _ENDINGS), copied(source))


def _text(found: object) -> str | None:
    return found if isinstance(found, str) else None


def _posts(permalink: str, file_name: str, folder: str) -> Iterator[SourceMapping]:
    """Rows for posts whose files have their titles as names; with other names the title is not known."""
    if file_name == ":title.md":
        whole = permalink_rows(permalink, _TOKENS | {"title": "{**title}"}, [f"{folder}{{**title}}"], _ENDINGS)
        yield from whole or permalink_rows(permalink, _TOKENS | {"name": "{name}"}, [f"{folder}**/{{name}}"], _ENDINGS)
    elif file_name == ":year-:month-:day-:title.md":
        stems = [f"{folder}{{#y}}-{{#m}}-{{#d}}-{{title}}"]
        yield from permalink_rows(permalink, _TOKENS | {"title": "{title}"}, stems, _ENDINGS)
