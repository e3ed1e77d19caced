"""The published files as a function of the pages: sitemaps, indexes and robots.txt, as small values."""

from functools import lru_cache
from typing import NamedTuple

ROBOTS = "robots.txt"
ROOT = "sitemap.xml"
FOREIGN = "foreign"
DELETED = "deleted by somebody"
"""The content of a file that Waypost did not write; of one that somebody deleted, which no writer can prevent."""


class Sitemap(NamedTuple):
    """A sitemap of the keys before `end`; `urls` are pairs of a URL and the version of its page."""

    start: int
    end: int
    urls: tuple[tuple[int, int], ...]


class Index(NamedTuple):
    """An index over the sitemaps of the keys before `end`; each child is a name and what its date follows from."""

    start: int
    end: int
    children: tuple[tuple[str, object], ...]
    kind: str = "index"


class Robots(NamedTuple):
    """A robots.txt: the owner's rules, and the sitemaps that it names."""

    rules: int
    roots: tuple[str, ...]


Content = Sitemap | Index | Robots | str
Files = tuple[tuple[str, Content], ...]
Pages = tuple[int, ...]


class Site(NamedTuple):
    """What decides which files are made of pages; a page is a number, its version 0 if there is no object.

    A sitemap begins at each listed page of `boundaries`, an index at each sitemap whose first key is in
    `index_boundaries`. `url_of` has the URL of each page. `excluded` has the pages that each of the settings leaves
    out, `disallowed` those that each of the rules of robots.txt disallows, `prefix` the names' beginning. In a dated
    site an index changes with its children.
    """

    url_of: tuple[int, ...]
    boundaries: frozenset[int] = frozenset()
    index_boundaries: frozenset[int] = frozenset()
    excluded: tuple[frozenset[int], ...] = (frozenset(),)
    disallowed: tuple[frozenset[int], ...] = (frozenset(), frozenset(), frozenset())
    prefix: tuple[str, ...] = ("", "")
    dated: bool = False


@lru_cache(maxsize=None)
def listed_keys(site: Site, pages: Pages, config: int, rules: int) -> dict[int, int]:
    """The key that lists each URL: the first one of several."""
    left_out = site.excluded[config] | site.disallowed[rules]
    keys: dict[int, int] = {}
    for key, version in enumerate(pages):
        if version and key not in left_out:
            keys.setdefault(site.url_of[key], key)
    return keys


@lru_cache(maxsize=None)
def documents(site: Site, pages: Pages, config: int, rules: int) -> dict[str, Content]:
    """The files of these pages, by name, without robots.txt; none if nothing is listed."""
    prefix = site.prefix[config]
    sitemaps = _sitemaps(site, pages, sorted(listed_keys(site, pages, config, rules).values()))
    if len(sitemaps) < 2:
        return {prefix + ROOT: sitemap for sitemap in sitemaps}
    named = {f"{prefix}s{sitemap.start}": sitemap for sitemap in sitemaps}
    return {**named, **_indexes(site, named, prefix)}


def _sitemaps(site: Site, pages: Pages, keys: list[int]) -> list[Sitemap]:
    starts = [0, *(key for key in keys[1:] if key in site.boundaries)] if keys else []
    if keys and keys[0] in site.boundaries:
        starts[0] = keys[0]
    stops = [*starts[1:], len(pages)]
    return [
        Sitemap(start, stop, tuple((site.url_of[key], pages[key]) for key in keys if start <= key < stop))
        for start, stop in zip(starts, stops, strict=True)
    ]


def _indexes(site: Site, sitemaps: dict[str, Sitemap], prefix: str) -> dict[str, Index]:
    children = [(each.start, name, each if site.dated else None) for name, each in sitemaps.items()]
    starts = [0, *(start for start, *_ in children[1:] if start in site.index_boundaries)]
    stops = [*starts[1:], len(site.url_of)]
    return {
        prefix + (f"i{start}" if start else ROOT): Index(
            start, stop, tuple((name, date) for first, name, date in children if start <= first < stop)
        )
        for start, stop in zip(starts, stops, strict=True)
    }


def roots(files: dict[str, Content]) -> tuple[str, ...]:
    """The names that robots.txt has: the indexes, or the only sitemap."""
    indexes = sorted(name for name, content in files.items() if isinstance(content, Index))
    return tuple(indexes or sorted(files))


def written(files: Files, name: str, content: Content | None) -> Files:
    """The files with one of them replaced, or deleted if `content` is None."""
    others = {each: old for each, old in files if each != name}
    return tuple(sorted(({**others, name: content} if content is not None else others).items(), key=lambda f: f[0]))


@lru_cache(maxsize=None)
def listed_urls(files: Files) -> frozenset[int]:
    """The URLs that crawlers find from sitemap.xml and from what robots.txt names."""
    content = dict(files)
    urls: set[int] = set()
    for name in _root_names(content):
        root = content.get(name)
        names = [child for child, _ in root.children] if isinstance(root, Index) else [name]
        for each in names:
            sitemap = content.get(each)
            urls.update(url for url, _ in sitemap.urls if isinstance(sitemap, Sitemap)) if isinstance(sitemap, Sitemap) else None
    return frozenset(urls)


def _root_names(content: dict[str, Content]) -> set[str]:
    robots = content.get(ROBOTS)
    return {ROOT, *(robots.roots if isinstance(robots, Robots) else ())}


@lru_cache(maxsize=None)
def missing_children(files: Files) -> frozenset[str]:
    """The sitemaps that a published index names and that do not exist, and the indexes that robots.txt names so."""
    content = dict(files)
    named = {child for each in content.values() if isinstance(each, Index) for child, _ in each.children}
    robots = content.get(ROBOTS)
    named.update(robots.roots if isinstance(robots, Robots) else ())
    return frozenset(named - content.keys())


def joined(content: Content, published: Content | None) -> Content:
    """A sitemap or an index with all that is in either of two; where they differ, as the first has it."""
    if isinstance(content, Sitemap) and isinstance(published, Sitemap):
        urls = {**dict(published.urls), **dict(content.urls)}
        merged = Sitemap(content.start, max(content.end, published.end), tuple(sorted(urls.items())))
        return content if len(urls) == len(content.urls) else merged
    if isinstance(content, Index) and isinstance(published, Index):
        children = {**dict(published.children), **dict(content.children)}
        merged = content._replace(children=tuple(sorted(children.items(), key=lambda each: each[0])))
        return content if len(children) == len(content.children) else merged
    return content
