"""The sources of mdBook's pages."""

import re

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.config_text import table
from waypost.rules.presets.page_tree import choice, copied, folder_name, is_plain, page_tree
from waypost.sources.project_folder import ProjectFolder

_CHAPTER = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?\[[^\]\n]*\]\(\s*+<?(?:\./)?([^)>\n]+?\.md)>?\s*+\)", re.MULTILINE)


def mdbook(project: ProjectFolder) -> tuple[SourceMapping, ...]:
    """The chapters that the summary names; the first is also the home page, if no chapter is an index."""
    book = table(project, ("book.toml",)).get("book")
    source = book.get("src") if isinstance(book, dict) else None
    folder = folder_name(source if isinstance(source, str) else None, "src")
    chapters = _CHAPTER.findall(project.text(f"{folder}SUMMARY.md"))
    home = next((each for each in chapters if each.lower() in ("index.md", "readme.md")), *chapters[:1] or [None])
    rows = page_tree("", [folder], (".md",), ("index", "README"))[1:]
    return (*([choice("index.html", [folder + home])] if home and is_plain(home) else []), *rows, copied(folder))
