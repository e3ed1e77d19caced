"""Finds the form of a folder's URLs from the links on some of its pages."""

from collections.abc import Iterable, Iterator

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.model import Item
from waypost.rules import link_votes
from waypost.rules.link_votes import Link, LinkVote
from waypost.sources.base import Source


def votes(source: Source, items: Iterable[Item], site: Site) -> list[LinkVote]:
    """What the site's links say about the kinds of URLs that the settings leave open; unreadable pages say nothing."""
    if not link_votes.needs_links(site):
        return []
    by_key = {item.key: item for item in items}
    sample = [by_key[key] for key in link_votes.sample(by_key)]
    if len(sample) < link_votes.MIN_PAGES:
        return []

    def read(item: Item) -> list[str]:
        try:
            data = source.read(item, link_votes.MAX_BYTES).data
        except OSError:
            return []
        return list(link_votes.linked_paths(item.key, data, site))

    paths = concurrency.map_concurrently(read, sample, source.width)

    def found() -> Iterator[Link]:
        for item, linked in zip(sample, paths, strict=True):
            yield from link_votes.links(item.key, linked, by_key.__contains__, site)

    return link_votes.count_votes(found())
