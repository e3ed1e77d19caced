"""Finds the form of a site's URLs from the links on its own pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from msgspec.structs import replace

from waypost.core import urls
from waypost.core.character_references import unescape
from waypost.core.hashing import sample_by_hash
from waypost.core.model import OPEN_SHAPES, LinkedShapes, UrlShape
from waypost.core.urls import encode_path, normalize, path_on_site
from waypost.pages import html_head
from waypost.pages.html_head import NO_HEAD, HtmlHead
from waypost.pages.page_url import page_path
from waypost.pages.url_shapes import KINDS, PageKind, required_shape, served_paths
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

MAX_PAGES = 500
"""Links are read from this many pages at most."""
MIN_PAGES = 2
"""One page alone links to no other."""
MAX_BYTES = 1_048_576
"""Links are read from this many bytes of a page at most."""
_MIN_AGREEING, _MIN_LINKS, _MIN_TARGETS = 0.8, 10, 3
"""What decides: this share of so many links, counted once for each page and target, to so many targets.

Measured on sites of 17 generators: fewer links, or links that agree less, are often exceptions of a menu.
"""
_MIN_COVERED = 0.5
"""Links that all agree decide if they name this share of the files, however few they are."""
_REMEMBERED = 4_096
"""The number of links that are remembered: most pages of a site have the same menu."""
_CLEAR_LINKS: Mapping[PageKind, int] = {"home": 40, "folder": 200, "page": 200}
_CLEAR_SHARE = 0.95
"""After how many links to each kind of file, and which share that agrees, no further pages are needed."""
_ANCHOR = re.compile(
    rb"""<a\s(?:[^<>]{0,1000}?\s)??href\s{0,9}=\s{0,9}"""
    rb"""(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s"'>]{1,2000}))""",
    re.IGNORECASE,
)
"""Bounded, so that a search takes time in proportion to the length of any text."""
SIMPLE_HREF = re.compile(r"(?:\.{1,2}/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*(?:/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/?(?:#|\Z)")
"""A relative link that needs no decoding and has no dots but at its beginning and in names."""
OTHER_LINK = re.compile(r"#|\Z|(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""A link to a place on the page itself, or one that is no HTTP URL, names no page."""
_HTML = PAGE_TYPES["html"]


Shapes = TypeVar("Shapes", bound=LinkedShapes)
_MOST_LOCS, _MIN_SHARE = 5_000, 0.8
_LOC = re.compile(rb"<loc>\s*([^<\s]{1,2048})\s*</loc>", re.IGNORECASE)


class LinkVote(NamedTuple):
    """The shape that most links to one kind of file have: how many have it, and how many links there are."""

    kind: PageKind
    shape: UrlShape
    agreeing: int
    links: int


def needs_links(site: Site) -> bool:
    """Whether links can decide anything that the settings leave open."""
    return any(required_shape(kind, site) is None for kind in KINDS)


def is_html(key: str) -> bool:
    """Whether a key names an HTML file."""
    return key.lower().endswith(_HTML)


def sample(keys: Iterable[str]) -> list[str]:
    """The pages of which the links are read: HTML files chosen by a hash of their keys, so that no order matters."""
    return sample_by_hash(filter(is_html, keys), MAX_PAGES, str)


def linked_paths(key: str, data: bytes, site: Site, head: HtmlHead | None = None) -> Iterator[str]:
    """The paths below the site's root, decoded, to which a page links, which has this head."""
    head = head or html_head.read_head(data, is_whole=True) or NO_HEAD
    own = page_path(key, site, head).path
    loc, folder = site.base_url + encode_path(own), own.rpartition("/")[0]
    hrefs = {next(filter(None, match), b"") for match in _ANCHOR.findall(data)}
    for href in (unescape(found.decode("utf-8", "replace")).strip() for found in hrefs):
        if OTHER_LINK.match(href):
            continue
        if not head.base and SIMPLE_HREF.match(href):
            path = joined_path(folder, href.partition("#")[0])
        elif href.startswith(("/", "http:", "https:")):
            path = _path_of(href, site.base_url)
        else:
            path = _path_of(html_head.resolved(href, head, loc) or "", site.base_url)
        if path is not None:
            yield path


@lru_cache(_REMEMBERED)
def _path_of(href: str, base_url: str) -> str | None:
    """The path below the site's root, decoded, that an absolute link names; None outside of the site."""
    url = urls.normalize(href, base_url) if href else None
    found = urls.path_on_site(url, base_url) if url else None
    return unquote(found.path) if found and not found.query else None


def joined_path(folder: str, href: str) -> str | None:
    """The path that a simple link in a folder names; None outside of the site. Most links are simple."""
    *steps, name = href.split("/")
    folders = folder.split("/") if folder else []
    for step in steps:
        if step == ".." and not folders:
            return None
        if step == "..":
            folders.pop()
        elif step != ".":
            folders.append(step)
    return "/".join([*folders, name])


class Target(NamedTuple):
    """The file that a path names, and in which shape."""

    key: str
    kind: PageKind
    shape: UrlShape


def target(path: str, exists: Callable[[str], bool], site: Site) -> Target | None:
    """The file of the site that a path names, if there is one.

    At `/x`, servers of static sites answer with `x.html`, if it exists, and not with `x/index.html`.
    """
    return next((each for each in _readings(path, site) if exists(each.key)), None)


def remembered_target(keys: Container[str], site: Site) -> Callable[[str], Target | None]:
    """The same for a site with these files; it remembers so many answers."""
    return lru_cache(_REMEMBERED)(partial(target, exists=keys.__contains__, site=site))


def _readings(path: str, site: Site) -> Iterator[Target]:
    """The files that a path may name, each with its kind and the shape in which the path names it."""
    indexes = [name for name in site.index_files if name.endswith((".html", ".htm"))]
    if path == "":
        yield from (Target(name, "home", "slash") for name in indexes)
    elif path.endswith("/"):
        yield from (Target(path + name, "folder", "slash") for name in indexes)
        yield from _page_target(f"{path[:-1]}.html", "slash", site)
    elif path.endswith((".html", ".htm")):
        kind = served_paths(path, site).kind
        if kind:
            yield Target(path, kind, "file")
    else:
        yield from _page_target(f"{path}.html", "bare", site)
        yield from (Target(f"{path}/{name}", "folder", "bare") for name in indexes)


def _page_target(key: str, shape: UrlShape, site: Site) -> Iterator[Target]:
    if served_paths(key, site).kind == "page":
        yield Target(key, "page", shape)


def count_kinds(keys: Iterable[str], site: Site) -> Counter[PageKind]:
    """How many HTML files a site has of each kind that the settings leave open."""
    indexes = tuple(f"/{name}" for name in site.index_files)
    found: Counter[PageKind] = Counter()
    for key in keys:
        if is_html(key):
            found.update(["folder" if key.endswith(indexes) else "home" if f"/{key}" in indexes else "page"])
    return Counter({kind: count for kind, count in found.items() if required_shape(kind, site) is None})


def are_clear(votes: Iterable[LinkVote], kinds: Collection[PageKind]) -> bool:
    """Whether many links, and nearly all of them, decide each of these kinds."""
    clear = {
        vote.kind
        for vote in votes
        if vote.links >= _CLEAR_LINKS[vote.kind] and vote.agreeing >= _CLEAR_SHARE * vote.links
    }
    return clear.issuperset(kinds)


def count_votes(
    links: Iterable[tuple[str, Target]], totals: Mapping[PageKind, int] = MappingProxyType({})
) -> list[LinkVote]:
    """The shape of each kind on which enough links agree; a link is the key of a page and what it names.

    `totals` counts the files of each kind.
    """
    by_kind: dict[PageKind, dict[UrlShape, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for page, named in links:
        if named.kind == "home" and named.shape == "file":
            continue  # a relative link to the root needs a name, so it says nothing of the URL
        by_kind[named.kind][named.shape].add((page, named.key))
    votes = (_vote(kind, by_kind[kind], totals.get(kind, 0)) for kind in KINDS if kind in by_kind)
    return [vote for vote in votes if vote]


def _vote(kind: PageKind, pairs: Mapping[UrlShape, set[tuple[str, str]]], files: int) -> LinkVote | None:
    shape, agreeing = max(pairs.items(), key=lambda each: len(each[1]))
    total = sum(map(len, pairs.values()))
    targets = len({target for _, target in agreeing})
    is_file_name = shape == "file" and kind != "page"  # `index.html` in a few links is a generator's habit
    is_covered = bool(files) and len(pairs) == 1 and not is_file_name and targets >= _MIN_COVERED * files
    is_clear = total >= _MIN_LINKS and len(agreeing) >= _MIN_AGREEING * total
    if is_covered or (is_clear and targets >= (1 if kind == "home" else _MIN_TARGETS)):
        return LinkVote(kind, shape, len(agreeing), total)
    return None


def shapes_of(votes: Iterable[LinkVote], others: Shapes) -> Shapes:
    """The shapes that the votes give URLs; of kinds on which they do not agree, the shapes of `others`."""
    return replace(others, **{vote.kind: vote.shape for vote in votes})


def locs_in(data: bytes) -> Iterator[str]:
    """The locs in the first bytes of a sitemap or of an index, uncompressed."""
    return (found[1].decode("utf-8", "replace").replace("&amp;", "&") for found in _LOC.finditer(data))


def shapes_of_locs(locs: Iterable[str], keys: Container[str], site: Site) -> LinkedShapes:
    """The shape that nearly all of these URLs have, of each kind of file that they name."""
    target = remembered_target(keys, site)
    counts: dict[PageKind, Counter[UrlShape]] = defaultdict(Counter)
    for loc in islice(locs, _MOST_LOCS):
        url = normalize(loc, site.base_url)
        found = path_on_site(url, site.base_url) if url else None
        # The home page is at the root: some generators write its file's name, as they do in relative links.
        if found and not found.query and (named := target(unquote(found.path))) and named[1:] != ("home", "file"):
            counts[named.kind][named.shape] += 1
    return replace(OPEN_SHAPES, **{kind: shape for kind, of in counts.items() if (shape := _majority(of))})


def _majority(counts: Counter[UrlShape]) -> UrlShape | None:
    shape, count = counts.most_common(1)[0]
    return shape if count >= _MIN_SHARE * counts.total() else None
