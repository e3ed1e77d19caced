"""What the links of some pages say of a whole site."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from waypost.core import concurrency
from waypost.core.model import OPEN_SHAPES, OPEN_URL_FORM, Item, LinkedShapes, UrlForm
from waypost.core.urls import origin_of, page_identity, without_scheme
from waypost.files.source import Source
from waypost.pages import base_url_evidence, html_head, link_votes
from waypost.pages.html_head import NO_HEAD
from waypost.pages.link_votes import LinkVote, Target
from waypost.pages.url_shapes import PageKind
from waypost.settings.schema import Site

_GENERATOR = re.compile(rb"""<meta\s[^<>]{0,500}?\bname\s{0,9}=\s{0,9}["']?generator\b""", re.IGNORECASE)
_BATCH = 50
"""How many pages are read before it is decided whether more are needed."""
DRAFTS = "drafts/"
"""The folder into which generators write drafts, without a link to them."""


class LinkingPage(NamedTuple):
    """A page of the sample: the paths that it links to, and whether it says that a generator made it.

    `own_base` is the base URL that its own URL has, and `root_relative` are the paths of links from the host's root.
    """

    key: str
    paths: Sequence[str]
    is_generated: bool
    own_base: str | None = None
    root_relative: Collection[str] = ()


class SiteLinks(NamedTuple):
    """The form of URLs that the links use, and whether a generator made the site with drafts that nothing links to.

    `other_base` is the base URL on the same host below which the pages and their links are, if it is not the site's.
    """

    votes: Sequence[LinkVote] = ()
    has_unlinked_drafts: bool = False
    other_base: str = ""
    of_folders: tuple[tuple[str, LinkedShapes], ...] = ()

    def form(self) -> UrlForm:
        """The form of the site's URLs, and of those folders that another generator made, by their own links."""
        return replace(link_votes.shapes_of(self.votes, OPEN_URL_FORM), folders=self.of_folders)


def read_page(key: str, data: bytes, site: Site) -> LinkingPage:
    """Read the links of one page."""
    head = html_head.read_head(data, is_whole=True) or NO_HEAD
    paths = tuple(link_votes.linked_paths(key, data, site, head))
    base = base_url_evidence.own_base(head, key)
    return LinkingPage(key, paths, bool(_GENERATOR.search(data)), base, base_url_evidence.root_relative_paths(data))


def read_site_links(source: Source, items: Iterable[Item], site: Site) -> SiteLinks:
    """What the site's links say of what the settings leave open; pages that cannot be read say nothing."""
    by_key = {item.key: item for item in items}
    if not link_votes.needs_links(site) and not any(key.startswith(DRAFTS) for key in by_key):
        return SiteLinks()
    return _links_of_sample(source, by_key, site)


def _links_of_sample(source: Source, items: Mapping[str, Item], site: Site) -> SiteLinks:
    """What the links of some of these items say; items that cannot be read say nothing."""
    sample = [items[key] for key in link_votes.sample(items)]
    if len(sample) < link_votes.MIN_PAGES:
        return SiteLinks()

    contents = zip(sample, page_contents(source, sample), strict=True)
    found = site_links((read_page(item.key, content, site) for item, content in contents), items, site)
    # Only if all pages were read, it is known that none links to the drafts.
    return found if len(sample) < link_votes.MAX_PAGES else found._replace(has_unlinked_drafts=False)


def page_contents(source: Source, items: Sequence[Item]) -> Iterator[bytes]:
    """The first bytes of each page, in which its links are looked for; none of one that cannot be read.

    Only the reading is concurrent: many trees at the same time would take much memory.
    """

    def read(item: Item) -> bytes:
        try:
            return source.read(item, link_votes.MAX_BYTES).data
        except OSError:
            return b""

    return concurrency.map_in_batches(read, items, source.width, _BATCH)


def site_links(pages: Iterable[LinkingPage], keys: Collection[str], site: Site) -> SiteLinks:
    """What these pages say; `keys` are the keys of all files that may be pages.

    No more pages are read where the first ones are clear about each kind of file that the site has and links to.
    """
    target = link_votes.remembered_target(keys, site)
    kinds, has_drafts = link_votes.count_kinds(keys, site), any(key.startswith(DRAFTS) for key in keys)
    links: list[tuple[str, Target]] = []
    is_generated = False
    bases, roots = list[str](), list[str]()
    for number, page in enumerate(pages, 1):
        links += [(page.key, named) for path in page.paths if (named := target(path))]
        is_generated = is_generated or page.is_generated
        bases += [page.own_base] if page.own_base else []
        roots += page.root_relative
        if number % _BATCH == 0 and not has_drafts and _are_clear(links, kinds):
            break
    are_linked = any(named.key.startswith(DRAFTS) and not page.startswith(DRAFTS) for page, named in links)
    has_unlinked = has_drafts and is_generated and not are_linked
    votes = link_votes.count_votes(links, totals=kinds)
    other_base = _other_base(bases, roots, target, site)
    return SiteLinks(votes, has_unlinked, other_base, tuple(_forms_of_folders(links, keys, site)))


def _forms_of_folders(
    links: Iterable[tuple[str, Target]], keys: Collection[str], site: Site
) -> Iterator[tuple[str, LinkedShapes]]:
    """The folders at the site's root of which all links between their own pages agree, each with their form.

    Another generator may have made them, such as that of an API: its pages are linked in its form there.
    """
    own: dict[str, list[tuple[str, Target]]] = defaultdict(list)
    for page, named in links:
        folder = page.partition("/")[0]
        if named.key.startswith(f"{folder}/") and "/" in page:
            own[folder].append((page, named))
    by_folder: dict[str, list[str]] = defaultdict(list)
    for key in keys if own else ():
        by_folder[key.partition("/")[0]].append(key)
    for folder, found in sorted(own.items()):
        totals = link_votes.count_kinds(by_folder[folder], site)
        votes = [vote for vote in link_votes.count_votes(found, totals=totals) if vote.agreeing == vote.links]
        if votes:
            yield f"{folder}/", link_votes.shapes_of(votes, OPEN_SHAPES)


def _other_base(
    bases: Sequence[str], root_relative: Iterable[str], target: Callable[[str], Target | None], site: Site
) -> str:
    """The base URL on the site's host that nearly all pages name, or else their links, if it is not the site's."""
    named = base_url_evidence.agreed(bases) or base_url_evidence.linked_base(root_relative, target, site)
    is_other = without_scheme(named) != without_scheme(site.base_url)
    is_own_host = bool(named) and page_identity(origin_of(named)) == page_identity(origin_of(site.base_url))
    return named if is_other and is_own_host else ""


def _are_clear(links: Collection[tuple[str, Target]], kinds: Collection[PageKind]) -> bool:
    linked = {named.kind for _, named in links}.intersection(kinds)
    return bool(linked) and link_votes.are_clear(link_votes.count_votes(links), linked)
