"""The files that Jekyll writes, and their URLs: pages, static files, posts and the documents of other collections.

What Jekyll wrote for small sites is recorded in tests/fixtures/jekyll, and all modules of Jekyll give the same.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Literal

from msgspec import Struct

from waypost.core.model import Item
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults, is_true, merged
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, Values, parse_time
from waypost.pages.jekyll_permalinks import (
    decoded,
    document_url,
    extension_of,
    page_url,
    permalink_extension,
    slugified,
    with_style_suffix,
    without_extension,
    written_file,
)

_HTML = (".html", ".xhtml", ".htm")
_STYLES = (".scss", ".sass")
_DATED_NAME = re.compile(r"(\d{2,4}-\d{1,2}-\d{1,2})-([^/]*)\Z", re.ASCII)
_NEW_PLACEHOLDERS = frozenset(
    {"long_month", "w_year", "week", "w_day", "short_day", "long_day", "slugified_categories"}
)
"""The placeholders that Jekyll 3 does not know."""


class SourceFile(Struct, frozen=True):
    """A file of the source: `path` is relative to Jekyll's source.

    Jekyll renders files that have a header, the first line of front matter, and posts without one. `has_loops` says
    that the text after the front matter may have loops.
    """

    path: str
    item: Item
    has_header: bool = False
    front_matter: JekyllFrontMatter = JekyllFrontMatter({})
    has_loops: bool = False

    @property
    def name(self) -> str:
        """The last segment of its path."""
        return self.path.rpartition("/")[2]


Kind = Literal["rendered", "static", "redirect"]
"""How Jekyll makes a file: it renders it, copies it, or a plugin makes a page that redirects."""


class WrittenFile(Struct, frozen=True):
    """A file that Jekyll writes: `key` is its path below the site's root, `url` the URL that Jekyll gives it.

    `values` are its front matter over the defaults. A redirect has a `target`, and no `source` if it is not made of a
    file. `in_collection` is only said of static files.
    """

    key: str
    url: str
    kind: Kind
    source: SourceFile | None = None
    values: Values = {}
    target: str = ""
    in_collection: bool = False


def _output_extension(extension: str, permalink: str, config: JekyllConfig) -> str:
    """The extension of what Jekyll renders from a file: the permalink's own, or what the file is converted into."""
    if prescribed := permalink_extension(permalink):
        return prescribed
    if extension.lower() in config.markdown_extensions:
        return ".html"
    return ".css" if extension.lower() in _STYLES else extension


def rendered_page(
    file: SourceFile, config: JekyllConfig, defaults: FrontMatterDefaults, folder: str | None = None
) -> WrittenFile:
    """The file that Jekyll writes for a page; `folder` is the one that the page is to be in, if not its own."""
    front = file.front_matter
    by_default = defaults.of(file.path, "pages")
    permalink = {**by_default, **front.values}.get("permalink")
    literal = str(permalink) if is_true(permalink) else ""
    stem = without_extension(file.name).rstrip(".")
    output = _output_extension(extension_of(file.name), literal, config)
    folder = file.path.rpartition("/")[0] if folder is None else folder
    placeholders = {"path": folder, "basename": stem, "output_ext": output}
    url = page_url(literal or _template(stem, output, config.permalink), placeholders)
    return WrittenFile(written_file(url, output), url, "rendered", file, merged(by_default, front.values))


def _template(stem: str, extension: str, permalink: str) -> str:
    if extension not in _HTML:
        return "/:path/:basename:output_ext"
    return "/:path/" if stem == "index" else with_style_suffix("/:path/:basename", permalink)


def static_file(file: SourceFile, defaults: FrontMatterDefaults) -> WrittenFile:
    """The copy of a file that has no front matter."""
    url = "/" + without_extension(file.path).rstrip(".") + extension_of(file.path)
    return WrittenFile(decoded(url).lstrip("/"), url, "static", file, defaults.of(file.path, None))


def collection_static_file(
    path: str, file: SourceFile, collection: Collection, config: JekyllConfig, defaults: FrontMatterDefaults
) -> WrittenFile:
    """The copy of a collection's file that has no front matter; `path` is relative to the folder of the collections."""
    clean = without_extension(path).rstrip(".")
    placeholders = {
        "collection": collection.label,
        "path": clean.replace(f"_{collection.label}", "", 1),
        "output_ext": "",
        "name": clean.rpartition("/")[2],
        "title": "",
    }
    template = collection.permalink or with_style_suffix("/:collection/:path", config.permalink)
    url = page_url(template, placeholders).removesuffix("/") + extension_of(path)
    values = defaults.of(path, collection.label)
    return WrittenFile(decoded(url).lstrip("/"), url, "static", file, values, in_collection=True)


def dated_name(path: str) -> re.Match[str] | None:
    """The date and the rest of a post's name, in the segment of the path with its last dot; None for another name."""
    dot = _last_dot(path)
    start = path.rfind("/", 0, dot or 0) + 1
    return _DATED_NAME.match(path, start, dot) if dot and "\n" not in path[:start] else None


def is_dateless_name(path: str) -> bool:
    """Whether a path is one of a draft, whose name needs only an ending."""
    dot = _last_dot(path)
    return dot is not None and "\n" not in path[:dot]


def _last_dot(path: str) -> int | None:
    dot = path.rfind(".")
    return dot if 0 <= dot < len(path) - 1 else None


class JekyllDocument(Struct, frozen=True):
    """A post, or a document of another collection; `path` is relative to the folder of the collections."""

    path: str
    file: SourceFile
    collection: Collection
    values: Values
    slug: str
    date: datetime


def read_document(
    path: str, file: SourceFile, collection: Collection, config: JekyllConfig, defaults: FrontMatterDefaults
) -> JekyllDocument:
    """Derive what a document is from its path and its front matter; raises ValueError for a date that is none.

    If the front matter cannot be read, Jekyll takes neither slug nor date from the file's name: the slug is the name,
    and the date the time of the build.
    """
    front = file.front_matter
    values = defaults.of(path, collection.label)
    categories: list[object] = [*_path_categories(path, collection)]
    is_readable = not front.problem
    try:
        categories = _united(categories, values.get("categories"))
        categories = _united(categories, front.values.get("categories")) if is_readable else categories
    except TypeError:
        is_readable = False
    if not is_readable:
        broken = {**values, "categories": categories}
        return JekyllDocument(path, file, collection, broken, _stem(path), config.now)
    values = {**merged(values, front.values), "categories": categories}
    name = dated_name(path)
    date = values["date"] if "date" in values else name[1] if name else None
    slug = name[2].rstrip(".") if name else _stem(path).rstrip(".")
    time = config.now if date is None and "date" not in values else parse_time(date, config.zone)
    return JekyllDocument(path, file, collection, {**values, "categories": _all_categories(values)}, slug, time)


def document_file(document: JekyllDocument, config: JekyllConfig) -> WrittenFile:
    """The file that Jekyll writes for a document; raises SourceError if its permalink has an unknown placeholder."""
    permalink = document.values.get("permalink")
    literal = permalink if isinstance(permalink, str) else ""
    extension = _output_extension(extension_of(document.path), literal, config)
    template = literal or document.collection.permalink
    template = template or with_style_suffix("/:collection/:path", config.permalink)
    placeholders = _placeholders(document, extension)
    if config.is_jekyll_3:
        placeholders = {name: value for name, value in placeholders.items() if name not in _NEW_PLACEHOLDERS}
    url = document_url(template, placeholders)
    key = written_file(url, ".html" if url.endswith("/") else extension)
    return WrittenFile(key, url, "rendered", document.file, document.values)


def _placeholders(document: JekyllDocument, extension: str) -> Mapping[str, Callable[[], str]]:
    date, values, stem = document.date, document.values, _stem(document.path)
    slug = str(values["slug"]) if values.get("slug") is not None else document.slug
    categories = [str(each) for each in _list(values.get("categories"))]
    formats = {
        "month": "%m",
        "day": "%d",
        "hour": "%H",
        "minute": "%M",
        "second": "%S",
        "short_month": "%b",
        "long_month": "%B",
        "short_year": "%y",
        "w_year": "%G",
        "week": "%V",
        "w_day": "%u",
        "short_day": "%a",
        "long_day": "%A",
        "y_day": "%j",
    }
    return {
        **{name: partial(date.strftime, form) for name, form in formats.items()},
        "year": lambda: f"{date.year:04}",
        "i_day": lambda: str(date.day),
        "i_month": lambda: str(date.month),
        "collection": lambda: document.collection.label,
        "output_ext": lambda: extension,
        "path": lambda: _clean_path(document.path, document.collection),
        "name": lambda: slugified(stem).lower(),
        "slug": lambda: slugified(slug).lower(),
        "title": lambda: slugified(slug, keeps_punctuation=True),
        "categories": lambda: "/".join(dict.fromkeys(each.lower() for each in categories)),
        "slugified_categories": lambda: "/".join(dict.fromkeys(slugified(each).lower() for each in categories)),
    }


def _clean_path(path: str, collection: Collection) -> str:
    """A path without its extension, final dots and the folder of the collection."""
    return without_extension(path).replace(f"_{collection.label}", "", 1).rstrip(".")


def _path_categories(path: str, collection: Collection) -> list[str]:
    """The folders above `_posts` or `_drafts`, which are categories of a post."""
    special = "_drafts" if collection.label == "posts" and "_posts" not in path else f"_{collection.label}"
    above = "" if path.startswith(special) else path.partition(special)[0]
    return [folder for folder in above.split("/") if folder]


def _united(categories: list[object], more: object) -> list[object]:
    """The categories and more of them, each once; a text is split at white space. Raises TypeError for other values."""
    if more is None:
        return list(categories)
    if not isinstance(more, str | list):
        raise TypeError("the categories are neither text nor a list")
    return _unique([*categories, *(more.split() if isinstance(more, str) else more)])


def _all_categories(values: Values) -> list[object]:
    """The categories of `categories` and, flattened, of `category`, of which a text is one."""
    single = values.get("category")
    return _unique([*_flat(values.get("categories")), *(each for each in _flat(single) if each is not None)])


def _unique(values: list[object]) -> list[object]:
    found: dict[object, object] = {}
    for each in values:
        found.setdefault(_identity(each), each)
    return list(found.values())


def _identity(value: object) -> object:
    """A value by which equal ones can be found: itself, or its text if it is or may hold a list or a table."""
    return ("", repr(value)) if isinstance(value, dict | list | set | tuple | bytearray) else value


def _flat(value: object) -> Iterator[object]:
    if isinstance(value, list):
        for each in value:
            yield from _flat(each)
    elif value is not None and value is not False:
        yield value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _stem(path: str) -> str:
    """The name of a file without its extension."""
    return without_extension(path.rpartition("/")[2])
