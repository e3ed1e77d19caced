"""Counts how many listed pages of a folder have a title and a description, which the sitemaps do not need."""

from collections.abc import Sequence
from typing import NamedTuple

from waypost.build.page_reader import Progress
from waypost.config.values import PAGE_TYPES
from waypost.core import concurrency
from waypost.core.model import Item, Page
from waypost.rules.head_texts import HeadTexts, read_head_texts
from waypost.sources.base import Source

_HEAD_BYTES = 65_536
_BATCH = 1_000


class HeadCounts(NamedTuple):
    """How many HTML pages could be read, and how many of them have a title and a description."""

    pages: int = 0
    titles: int = 0
    descriptions: int = 0


def count_heads(
    source: Source, pages: Sequence[Page], progress: Progress = lambda stage, done, total: None
) -> HeadCounts:
    """Read the beginnings of the HTML pages of a source; one that can no longer be read is not counted."""
    keys = [page.key for page in pages if page.key.lower().endswith(PAGE_TYPES["html"])]

    def read(key: str) -> HeadTexts | None:
        try:
            return read_head_texts(source.read(Item(key, key), _HEAD_BYTES).data)
        except OSError:
            return None

    found = list[HeadTexts]()
    for n, texts in enumerate(concurrency.map_in_batches(read, keys, source.width, _BATCH)):
        progress("reading titles", n, len(keys))
        if texts:
            found.append(texts)
    return HeadCounts(len(found), sum(each.has_title for each in found), sum(each.has_description for each in found))
