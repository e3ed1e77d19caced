"""Pages and static files: the URLs that Jekyll derives from their paths."""

from enum import StrEnum

from msgspec import Struct

from waypost.core.model import Item
from waypost.pages.jekyll_config import Collection, JekyllConfig
from waypost.pages.jekyll_defaults import FrontMatterDefaults, is_true, merged
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, Values
from waypost.pages.jekyll_permalinks import (
    decoded,
    extension_of,
    page_url,
    permalink_extension,
    with_style_suffix,
    written_file,
)

_HTML = (".html", ".xhtml", ".htm")
_STYLES = (".scss", ".sass")


class SourceFile(Struct, frozen=True):
    """A file of the source: `path` is relative to Jekyll's source.

    Jekyll renders files that have a header, the first line of front matter, and posts without one.
    """

    path: str
    item: Item
    has_header: bool = False
    front_matter: JekyllFrontMatter = JekyllFrontMatter({})

    @property
    def folder(self) -> str:
        """The path of its folder, without a final slash."""
        return self.path.rpartition("/")[0]

    @property
    def name(self) -> str:
        """The last segment of its path."""
        return self.path.rpartition("/")[2]


class Kind(StrEnum):
    """How Jekyll makes a file: it renders it, copies it, or a plugin makes a page that redirects."""

    RENDERED = "rendered"
    STATIC = "static"
    REDIRECT = "redirect"


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


def output_extension(extension: str, permalink: str, config: JekyllConfig) -> str:
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
    extension = extension_of(file.name)
    stem = file.name[: len(file.name) - len(extension)].rstrip(".")
    output = output_extension(extension, literal, config)
    placeholders = {"path": file.folder if folder is None else folder, "basename": stem, "output_ext": output}
    url = page_url(literal or _template(stem, output, config.permalink), placeholders)
    return WrittenFile(written_file(url, output), url, Kind.RENDERED, file, merged(by_default, front.values))


def _template(stem: str, extension: str, permalink: str) -> str:
    if extension not in _HTML:
        return "/:path/:basename:output_ext"
    return "/:path/" if stem == "index" else with_style_suffix("/:path/:basename", permalink)


def static_file(file: SourceFile, defaults: FrontMatterDefaults) -> WrittenFile:
    """The copy of a file that has no front matter."""
    extension = extension_of(file.path)
    url = "/" + file.path[: len(file.path) - len(extension)].rstrip(".") + extension
    return WrittenFile(decoded(url).lstrip("/"), url, Kind.STATIC, file, defaults.of(file.path, None))


def collection_static_file(
    path: str, file: SourceFile, collection: Collection, config: JekyllConfig, defaults: FrontMatterDefaults
) -> WrittenFile:
    """The copy of a collection's file that has no front matter; `path` is relative to the folder of the collections."""
    extension = extension_of(path)
    clean = path[: len(path) - len(extension)].rstrip(".")
    placeholders = {
        "collection": collection.label,
        "path": clean.replace(f"_{collection.label}", "", 1),
        "output_ext": "",
        "name": clean.rpartition("/")[2],
        "title": "",
    }
    template = collection.permalink or with_style_suffix("/:collection/:path", config.permalink)
    url = page_url(template, placeholders).removesuffix("/") + extension
    values = defaults.of(path, collection.label)
    return WrittenFile(decoded(url).lstrip("/"), url, Kind.STATIC, file, values, in_collection=True)
