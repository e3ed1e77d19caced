"""Rows for pages whose paths are made from a template such as `:year/:month/:title/`."""

import re
from collections.abc import Mapping, Sequence

from waypost.config.generator_presets import SourceMapping
from waypost.rules.presets.page_tree import choice, is_plain

_NAME = re.compile(r"\{(?:\*\*|#)?([a-z_]+)\}")


def permalink_rows(
    template: str, tokens: Mapping[str, str], stems: Sequence[str], endings: Sequence[str]
) -> tuple[SourceMapping, ...]:
    """Rows for the pages of a template: `tokens` are the patterns by token; one that may be empty ends with `?`.

    A file whose pattern needs a name that the template does not have is left out. A template with a token that is not
    known, or with a wildcard of its own, has no rows.
    """
    if not is_plain(template):
        return ()
    pages = [template]
    for token in dict.fromkeys(re.findall(r":([a-z_]+)", template)):
        if token not in tokens:
            return ()
        pages = [page for each in pages for page in _filled(each, token, tokens[token])]
    return tuple(row for page in dict.fromkeys(map(_output, pages)) for row in _rows(page, stems, endings))


def _filled(page: str, token: str, pattern: str) -> list[str]:
    filled = re.sub(rf":{token}(?![a-z_])", lambda _: pattern.removesuffix("?"), page)
    without = re.sub(rf":{token}(?![a-z_])/?", "", page)
    return [filled, without] if pattern.endswith("?") else [filled]


def _output(page: str) -> str:
    """The file that is written for a URL path."""
    path = re.sub("/{2,}", "/", page).removeprefix("/")
    if path.endswith("/"):
        return f"{path}index.html"
    return path if path.endswith(".html") else f"{path}.html"


def _rows(page: str, stems: Sequence[str], endings: Sequence[str]) -> tuple[SourceMapping, ...]:
    captured = set(_NAME.findall(page))
    known = [stem for stem in stems if captured.issuperset(_NAME.findall(stem))]
    return (choice(page, known, endings),) if known else ()
