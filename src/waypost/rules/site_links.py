"""What the links of some pages say of a whole site."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from msgspec.structs import asdict

from waypost.config.schema import Site
from waypost.core import concurrency
from waypost.core.model import Item, LinkedShapes, UrlForm
from waypost.rules import link_votes
from waypost.rules.link_votes import LinkVote, Target
from waypost.rules.url_shapes import PageKind
from waypost.sources.base import Source

_GENERATOR = re.compile(rb"""<meta\s[^<>]{0,500}?\bname\s{0,9}=\s{0,9}["']?generator\b""", re.IGNORECASE)
_BATCH = 50
"""So many pages are read before it is decided whether more are needed."""
DRAFTS = "drafts/"
"""The folder into which generators write drafts, without a link to them."""


class LinkingPage(NamedTuple):
    """A page of the sample: the paths that it links to, and whether it says that a generator made it."""

    key: str
    paths: Sequence[str]
    is_generated: bool


class SiteLinks(NamedTuple):
    """The form of URLs that the links use, and whether a generator made the site with drafts that nothing links to."""

    votes: Sequence[LinkVote] = ()
    has_unlinked_drafts: bool = False

    def form(self) -> UrlForm:
        """The form of the site's URLs."""
        return UrlForm(**asdict(link_votes.shapes_of(self.votes, LinkedShapes())))


def read_page(key: str, data: bytes, site: Site) -> LinkingPage:
    """Read the links of one page."""
    return LinkingPage(key, tuple(link_votes.linked_paths(key, data, site)), bool(_GENERATOR.search(data)))


def links_of_sample(source: Source, items: Mapping[str, Item], site: Site) -> SiteLinks:
    """What the links of some of these items say; items that cannot be read say nothing."""
    sample = [items[key] for key in link_votes.sample(items)]
    if len(sample) < link_votes.MIN_PAGES:
        return SiteLinks()

    def read(item: Item) -> tuple[str, bytes]:
        try:
            return item.key, source.read(item, link_votes.MAX_BYTES).data
        except OSError:
            return item.key, b""

    # Only the reading is concurrent: many trees at the same time would take much memory.
    pages = (read_page(*each, site) for each in concurrency.map_in_batches(read, sample, source.width, _BATCH))
    found = site_links(pages, items, site)
    # Only if all pages were read, it is known that none links to the drafts.
    return found if len(sample) < link_votes.MAX_PAGES else found._replace(has_unlinked_drafts=False)


def site_links(pages: Iterable[LinkingPage], keys: Collection[str], site: Site) -> SiteLinks:
    """What these pages say; `keys` are those of all files that may be pages.

    No more pages are read where the first ones are clear about each kind of file that the site has and links to.
    """
    target = lru_cache(link_votes.REMEMBERED)(partial(link_votes.target, exists=keys.__contains__, site=site))
    kinds, has_drafts = link_votes.present_kinds(keys, site), any(key.startswith(DRAFTS) for key in keys)
    links: list[tuple[str, Target]] = []
    is_generated = False
    for number, page in enumerate(pages, 1):
        links += [(page.key, named) for path in page.paths if (named := target(path))]
        is_generated = is_generated or page.is_generated
        if number % _BATCH == 0 and not has_drafts and _are_clear(links, kinds):
            break
    are_linked = any(named.key.startswith(DRAFTS) and not page.startswith(DRAFTS) for page, named in links)
    return SiteLinks(link_votes.count_votes(links), has_drafts and is_generated and not are_linked)


def _are_clear(links: Collection[tuple[str, Target]], kinds: Collection[PageKind]) -> bool:
    linked = {named.kind for _, named in links}.intersection(kinds)
    return bool(linked) and link_votes.are_clear(link_votes.count_votes(links), linked)
