"""What the outputs are called, and which names are Waypost's own."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from waypost.checks import DEFAULT_GROUP
from waypost.config import Site

MARK = "<!-- Rendered by Waypost; changes made by hand are lost. -->"
"""The line by which an XML output is known to be Waypost's when settings no longer name it."""


@dataclass(frozen=True)
class Names:
    """The outputs' names: a function of the settings and of the shards' ids alone."""

    stem: str
    suffix: str
    groups: tuple[str, ...]

    def sitemap(self, group: str, shard: str | None, ending: str = "xml") -> str:
        """The name of a sitemap; `shard` is None where its group needs only one."""
        parts = [self.stem, (group or DEFAULT_GROUP) if self.groups else "", shard or ""]
        return "-".join(filter(None, parts)) + f".{ending}{self.suffix}"

    def index(self, shard: str | None = None) -> str:
        """The name of a sitemap index; those past the first are named like shards."""
        return (f"{self.stem}-index-{shard}" if shard else self.stem) + f".xml{self.suffix}"

    def are_configured(self, name: str) -> bool:
        """Whether these settings could write an output of this name."""
        return self._configured.fullmatch(name) is not None

    def may_be_ours(self, name: str) -> bool:
        """Whether any settings of this stem could; such a file is ours only if more than its name says so."""
        return re.fullmatch(rf"{re.escape(self.stem)}(-[a-z0-9-]+)?\.(xml|txt)(\.gz)?", name) is not None

    def are_of_text(self, name: str, formats: Collection[str]) -> bool:
        """Whether a text sitemap of this name is ours: its name is a shard's, or one that these formats ask for."""
        is_shard = re.search(r"-[0-9a-f]{16}\.txt(\.gz)?$", name) is not None
        return ".txt" in name and (is_shard or ("text" in formats and self.are_configured(name)))

    @cached_property
    def _configured(self) -> re.Pattern[str]:
        groups = "|".join(map(re.escape, (*self.groups, DEFAULT_GROUP))) if self.groups else "(?!)"
        shard = "[0-9a-f]{16}"
        middle = rf"(-({groups}))?(-{shard})?|-index-{shard}"
        return re.compile(rf"{re.escape(self.stem)}({middle})\.(xml|txt)(\.gz)?")


def names(site: Site) -> Names:
    """The names for a site."""
    return Names(site.name, ".gz" if site.gzip else "", tuple(name for name, _ in site.groups))
