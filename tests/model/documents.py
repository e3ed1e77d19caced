"""The published files as a function of the pages: sitemaps, indexes, a page of HTML and robots.txt, as small values."""

from functools import cache
from typing import NamedTuple

ROBOTS = "robots.txt"
ROOT = "sitemap.xml"
HTML = "map.html"
FOREIGN = "foreign"
DELETED = "deleted by somebody"
"""The content of a file that Waypost did not write; of one that somebody deleted, which no writer can prevent."""


class Sitemap(NamedTuple):
    """A sitemap; `urls` are pairs of a URL and the version of its page."""

    urls: tuple[tuple[int, int], ...]


class Index(NamedTuple):
    """An index; each child is a name and what its date follows from."""

    children: tuple[tuple[str, object], ...]
    kind: str = "index"


class Html(NamedTuple):
    """A page of HTML with all URLs."""

    urls: tuple[int, ...]
    kind: str = "html"
    is_for_readers: bool = True


class Robots(NamedTuple):
    """A robots.txt: the owner's rules, and the sitemaps that it names."""

    rules: int
    roots: tuple[str, ...]


Content = Sitemap | Index | Html | Robots | str
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
    prefix: tuple[str, ...] = ("", "", "")
    dated: bool = False
    has_html: bool = False


@cache
def listed_keys(site: Site, pages: Pages, config: int, rules: int) -> dict[int, int]:
    """The key that lists each URL: the first one of several."""
    left_out = site.excluded[config] | site.disallowed[rules]
    keys: dict[int, int] = {}
    for key, version in enumerate(pages):
        if version and key not in left_out:
            keys.setdefault(site.url_of[key], key)
    return keys


class Named(NamedTuple):
    """A file of a manifest, and the range of keys that it is for."""

    content: Content
    start: int
    end: int


@cache
def named_files(site: Site, pages: Pages, config: int, rules: int) -> dict[str, Named]:
    """The files of these pages with their ranges, without robots.txt; none if nothing is listed."""
    prefix = site.prefix[config]
    keys = sorted(listed_keys(site, pages, config, rules).values())
    sitemaps = _sitemaps(site, pages, keys)
    files = {f"{prefix}s{each.start}": each for each in sitemaps} if len(sitemaps) > 1 else {}
    if files:
        files |= _indexes(site, files, prefix)
    elif sitemaps:
        files[prefix + ROOT] = sitemaps[0]
    if site.has_html and keys:
        files[HTML] = Named(Html(tuple(site.url_of[key] for key in keys)), 0, len(pages))
    return files


def _sitemaps(site: Site, pages: Pages, keys: list[int]) -> list[Named]:
    if not keys:
        return []
    starts = [keys[0] if keys[0] in site.boundaries else 0]
    starts += [key for key in keys[1:] if key in site.boundaries]
    stops = [*starts[1:], len(pages)]
    return [
        Named(Sitemap(tuple((site.url_of[key], pages[key]) for key in keys if start <= key < stop)), start, stop)
        for start, stop in zip(starts, stops, strict=True)
    ]


def _indexes(site: Site, sitemaps: dict[str, Named], prefix: str) -> dict[str, Named]:
    children = [(each.start, name, each.content if site.dated else None) for name, each in sitemaps.items()]
    starts = [0, *(start for start, *_ in children[1:] if start in site.index_boundaries)]
    stops = [*starts[1:], len(site.url_of)]
    return {
        prefix + (f"i{start}" if start else ROOT): Named(
            Index(tuple((name, date) for first, name, date in children if start <= first < stop)), start, stop
        )
        for start, stop in zip(starts, stops, strict=True)
    }


@cache
def documents(site: Site, pages: Pages, config: int, rules: int) -> dict[str, Content]:
    """The files of these pages, by name, without robots.txt; none if nothing is listed."""
    return {name: each.content for name, each in named_files(site, pages, config, rules).items()}


def roots(files: dict[str, Content]) -> tuple[str, ...]:
    """The names that robots.txt has: the indexes, or the only sitemap."""
    indexes = sorted(name for name, content in files.items() if isinstance(content, Index))
    return tuple(indexes or sorted(name for name, content in files.items() if isinstance(content, Sitemap)))


def written(files: Files, name: str, content: Content | None) -> Files:
    """The files with one of them replaced, or deleted if `content` is None."""
    others = {each: old for each, old in files if each != name}
    return tuple(sorted(({**others, name: content} if content is not None else others).items(), key=lambda f: f[0]))


@cache
def listed_urls(files: Files) -> frozenset[int]:
    """The URLs that crawlers find from sitemap.xml and from what robots.txt names."""
    content = dict(files)
    names = _with_children(files, frozenset({ROOT, *_named_by_robots(files)}))
    sitemaps = (each for name in names if isinstance(each := content.get(name), Sitemap))
    return frozenset(url for each in sitemaps for url, _ in each.urls)


@cache
def announced_names(files: Files) -> frozenset[str]:
    """The names that crawlers find from robots.txt; from sitemap.xml where there is no robots.txt."""
    has_robots = any(name == ROBOTS for name, _ in files)
    return _with_children(files, frozenset(_named_by_robots(files) if has_robots else {ROOT}))


def _with_children(files: Files, names: frozenset[str]) -> frozenset[str]:
    content = dict(files)
    indexes = [index for name in names if isinstance(index := content.get(name), Index)]
    return names | {child for each in indexes for child, _ in each.children}


def _named_by_robots(files: Files) -> tuple[str, ...]:
    robots = dict(files).get(ROBOTS)
    return robots.roots if isinstance(robots, Robots) else ()


@cache
def missing_children(files: Files) -> frozenset[str]:
    """The sitemaps that a published index names and that do not exist, and the indexes that robots.txt names so."""
    content = dict(files)
    named = {child for each in content.values() if isinstance(each, Index) for child, _ in each.children}
    return frozenset({*named, *_named_by_robots(files)} - content.keys())


class Difference(NamedTuple):
    """How a published file of the same kind differs from what it should be; `union` has the entries of both."""

    union: Content
    gains: bool
    loses: bool


def difference(target: Content, published: Content) -> Difference | None:
    """Compare the entries of two sitemaps, or of two indexes; None for other files."""
    if isinstance(target, Sitemap) and isinstance(published, Sitemap):
        new, old = dict(target.urls), dict(published.urls)
        union: Content = Sitemap(tuple(sorted({**old, **new}.items())))
        return Difference(union, bool(new.keys() - old.keys()), bool(old.keys() - new.keys()))
    if isinstance(target, Index) and isinstance(published, Index):
        children, before = dict(target.children), dict(published.children)
        union = Index(tuple(sorted({**before, **children}.items(), key=lambda each: each[0])))
        return Difference(union, bool(children.keys() - before.keys()), bool(before.keys() - children.keys()))
    return None
