"""The sources of pages that MkDocs, Sphinx and Pelican make."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table, value
from waypost.rules.presets.page_tree import choice, copied, folder_name, limited, page_tree, plain
from waypost.sources.project_folder import ProjectFolder

_MKDOCS = (".md", ".markdown")
_SPHINX = (".rst", ".md", ".txt", ".ipynb")
_PELICAN = (".md", ".rst", ".html", ".markdown", ".mkd")
_MOST_LANGUAGES = 500
_LONGEST_TEMPLATE = 1_000
_DATE_PARTS = {"%Y": "{#y}", "%m": "{#m}", "%d": "{#d}"}


def mkdocs(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Markdown below `docs_dir`; with the plugin i18n, a file may have the language in its name (`page.fr.md`)."""
    config = table(project, ("mkdocs.yml", "mkdocs.yaml"))
    named = config.get("docs_dir")
    folder = folder_name(named if isinstance(named, str) else None, "docs")
    endings = [("", _MKDOCS), *((at, tuple(f".{name}{end}" for end in _MKDOCS)) for name, at in _languages(config))]
    trees = [row for at, each in endings for row in page_tree(at, [folder], each, ("index", "README"))]
    return (*trees, copied(folder))


def _languages(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The languages of the plugin i18n, each with the path of its pages: the default language's path is empty."""
    plugins = config.get("plugins")
    tables = [each for each in plugins if isinstance(each, Mapping)] if isinstance(plugins, list) else [plugins or {}]
    options: object = next((each["i18n"] for each in tables if isinstance(each, Mapping) and each.get("i18n")), None)
    languages = options.get("languages") if isinstance(options, Mapping) else None
    languages = languages if isinstance(languages, list) else []
    limited(len(languages), _MOST_LANGUAGES)
    for each in languages:
        if isinstance(each, Mapping) and isinstance(name := each.get("locale"), str):
            yield plain(name), "" if each.get("default") else f"{name}/"


def sphinx(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Documents below the folder with `conf.py`, which is the project's, or `source` in it."""
    folder = "" if project.has_file("conf.py") or not project.has_file("source/conf.py") else "source/"
    return page_tree("", [folder], _SPHINX)


def pelican(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """Articles and pages whose slug is the name of a file, which must be the only one below the content folder."""
    text = project.text("pelicanconf.py")
    folder = folder_name(value(text, "PATH"), "content")
    templates = (
        (value(text, "PAGE_SAVE_AS") or "pages/{slug}.html", f"{folder}pages/**/{{slug}}"),
        (value(text, "ARTICLE_SAVE_AS") or "{slug}.html", f"{folder}**/{{slug}}"),
    )
    return tuple(choice(page, [stem], _PELICAN) for each, stem in templates if (page := _page_pattern(each)))


def _page_pattern(template: str) -> str | None:
    """The pattern of the pages of a template; None if a part of it but the slug and numbers of the date is free."""
    if len(template) > _LONGEST_TEMPLATE or "*" in template:
        return None
    dated = re.sub(r"\{date:([^}]*)\}", lambda date: re.sub("%[A-Za-z]", _date_part, date[1]), template)
    names = re.findall(r"\{(?!#)([^}]*)\}", dated)
    return posixpath.normpath(dated) if names == ["slug"] else None


def _date_part(found: re.Match[str]) -> str:
    return _DATE_PARTS.get(found[0], "{unknown}")
