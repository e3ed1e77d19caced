"""The values that the modules of this package exchange: files of the source, and files that Jekyll writes."""

from enum import StrEnum

from msgspec import Struct

from waypost.core.model import Item
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, Values


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
