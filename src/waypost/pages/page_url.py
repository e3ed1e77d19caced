"""Derives the URL under which a page is listed from its key and from what the page says of itself.

A page's canonical link names the page itself in some form, another page of the site, or another site.
"""

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Set
from typing import Literal, NamedTuple
from urllib.parse import unquote

from msgspec import Struct

from waypost.core import reasons
from waypost.core.model import UrlDecision
from waypost.core.reasons import Reason
from waypost.core.urls import LOC_LIMIT, decode_path, encode_path, escape, path_on_site
from waypost.pages import html_head
from waypost.pages.html_head import NO_HEAD, HtmlHead
from waypost.pages.url_shapes import (
    INDEX_NAMES,
    PageKind,
    ServedPaths,
    decided_shape,
    required_shape,
    served_paths,
    shape_of,
    stem_of,
)
from waypost.settings.schema import Site
from waypost.settings.values import CONTENT_TYPE, PAGE_TYPES

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff]")
_READABLE = re.compile(r"(?:%20|%[89A-F][0-9A-F])+")
"""Escapes of spaces, and of characters that are not ASCII."""
_LONGEST_ENDING = len("/index.html")
_SLASHES = re.compile("/{2,}")
"""Servers answer several slashes in a row as one."""


class SiteUrls:
    """The URLs of a site's files; `locs` has the loc of each file by its key."""

    def __init__(self, locs: Mapping[str, str], site: Site) -> None:
        self._locs, self._site, self._keys = locs, site, {loc: key for key, loc in locs.items()}

    def key(self, url: str) -> str | None:
        """The file that a normalized URL names, or None."""
        if url in self._keys:
            return self._keys[url]
        return answering_file(url, self._locs, self._site)

    def loc(self, url: str) -> str:
        """The loc of the file that a normalized URL names, or the URL itself if it names none of these files."""
        return self.loc_or_none(url) or url

    def loc_or_none(self, url: str) -> str | None:
        """The loc of the file that a normalized URL names, or None if it names none of these files."""
        key = self.key(url)
        return None if key is None else self._locs[key]

    def is_on_site(self, url: str) -> bool:
        """Whether a normalized URL is on the site; `http` and `https`, and `www.` or not, are the same site."""
        return path_on_site(url, self._site.base_url) is not None


def _cases(ending: str) -> set[str]:
    """An ending in small letters, in capitals, and with one capital; no system writes other mixtures by itself."""
    return {ending, ending.upper(), ending.title()}


def _all_cases(endings: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({cased for ending in endings for cased in _cases(ending)}))


_DROPPED = _all_cases((".html", ".htm"))
_RENDERED = _all_cases(PAGE_TYPES["markdown"])
"""Endings that the URL of a page may lack, or have `.html` in place of."""


class NamedUrl(NamedTuple):
    """A URL that a page gives itself, normalized, and what it names.

    `path` is the path, not encoded, of the page itself that the URL names, or None, and `encoded` the same as the URL
    spells it. `differences` are codes of warnings: the URL has another origin, a query, empty folders, other letters in
    capitals, or another Unicode form (NFC or NFD) than the page's own.
    """

    target: str
    relation: Literal["this-page", "other-page", "other-site"]
    path: str | None = None
    encoded: str = ""
    differences: tuple[str, ...] = ()


def canonical_link(paths: ServedPaths, head: HtmlHead, site: Site) -> NamedUrl | None:
    """What rel=canonical names on the page with these paths; None if it names nothing, or several URLs."""
    if not head.canonicals:
        return None
    if usual := _as_written(head.canonicals, paths, site):
        return usual
    target = html_head.canonical(head, _usual_url(paths, site))
    return _named_url(target, paths, site) if target else None


def _as_written(canonicals: tuple[str, ...], paths: ServedPaths, site: Site) -> NamedUrl | None:
    """The answer for one link that needs no normalization and names the page, as most do; this is much faster."""
    href = canonicals[0]
    if len(canonicals) > 1 or not href.startswith(site.base_url):
        return None
    path = href[len(site.base_url) :]
    is_own = path in (paths.file, paths.slash, paths.bare)
    if not is_own or encode_path(path) is not path or "/." in path:
        return None
    return NamedUrl(href, "this-page", path, path)


def _usual_url(paths: ServedPaths, site: Site) -> str:
    """The URL against which references on the page are resolved, before its own URL is decided."""
    return site.base_url + encode_path(paths.slash if paths.kind in ("home", "folder") else paths.file)


def _named_url(target: str, paths: ServedPaths, site: Site) -> NamedUrl:
    if site.other_base and target.startswith(site.other_base):
        target = site.base_url + target.removeprefix(site.other_base)
    found = path_on_site(target, site.base_url)
    if found is None:
        return NamedUrl(target, "other-site")
    own = {*paths.others, paths.bare, paths.slash, paths.file}
    differences = () if found.has_same_origin else ("canonical-origin",)
    if (path := decode_path(found.path)) in own:
        queries = ["canonical-query"] if found.query else []
        return NamedUrl(target, "this-page", path, found.path, (*differences, *queries))
    one_slash = _SLASHES.sub("/", f"/{found.path}")[1:]
    if one_slash != found.path and (path := decode_path(one_slash)) in own:
        return NamedUrl(target, "this-page", path, one_slash, (*differences, "canonical-slashes"))
    decoded = decode_path(found.path)
    if not decoded.isascii() and _composed(decoded) in set(map(_composed, own)):
        return NamedUrl(target, "this-page", differences=(*differences, "canonical-unicode"))
    if decoded.casefold() in {path.casefold() for path in own}:
        return NamedUrl(target, "this-page", differences=(*differences, "canonical-case"))
    return NamedUrl(target, "other-page")


def _composed(path: str) -> str:
    """A path in NFC: some systems write `é` in a file's name as `e` and an accent (NFD), which looks the same."""
    return unicodedata.normalize("NFC", path)


class PagePath(Struct, frozen=True, gc=False):
    """The path under which a page is listed, below the site's root, and what decides its form.

    `encoded` is the path as its URL spells it.
    """

    path: str
    encoded: str
    decided_by: UrlDecision
    kind: PageKind | None = None


def name_problem(key: str) -> Reason | None:
    """Why a file can have no URL, by its name.

    A name must be UTF-8 (RFC 3987 maps URLs to UTF-8 bytes) without control characters (XML 1.0, 2.2).
    """
    if key.isascii() and key.isprintable():
        return None
    try:
        key.encode()
    except UnicodeEncodeError:
        return reasons.NAME_NOT_UTF8
    return reasons.NAME_CONTROL if _CONTROL.search(key) else None


def url_problem(key: str, site: Site) -> Reason | None:
    """Why a file can have no URL, by its name: of a short name of plain characters this is known without its URL."""
    if key.isascii() and key.isprintable() and len(site.base_url) + 3 * len(key) + _LONGEST_ENDING < LOC_LIMIT:
        return None
    loc = page_url(key, site)
    return loc if isinstance(loc, Reason) else None


def page_url(key: str, site: Site, head: HtmlHead = NO_HEAD, generated_path: str = "") -> str | Reason:
    """The page's loc, percent-encoded exactly once, or the reason for which it can have none.

    `head` is what the page says of itself, `generated_path` the path that its generator gives it. The loc must have
    fewer than 2,048 characters (sitemaps.org 0.9, "loc").
    """
    return name_problem(key) or url_at(page_path(key, site, head, generated_path), site)


def url_at(path: PagePath, site: Site) -> str | Reason:
    """The loc of a page with this path, or the reason for which it can have none."""
    url = site.base_url + path.encoded
    return url if len(url) < LOC_LIMIT else reasons.LOC_TOO_LONG


def page_path(key: str, site: Site, head: HtmlHead = NO_HEAD, generated_path: str = "") -> PagePath:
    """The path under which the page is listed, by the first of these that decides it.

    They are: a setting, the generator, the page's canonical link, the host where it redirects all other forms, the
    generator's own sitemap, the site's links, the default (docs/urls.md). An og:url decides nothing: some generators
    write one that neither their links nor their own sitemap use.
    """
    paths = served_paths(key, site)
    # A page that is left out claims no URL: beside `x.html` there may be a redirect to it in `x/index.html`.
    named = None if head.noindex or head.refresh else canonical_link(paths, head, site)
    path, decided_by = _path(paths, site, named, generated_path)
    return PagePath(path, _encoded(path, named, site), decided_by, paths.kind)


def _path(paths: ServedPaths, site: Site, named: NamedUrl | None, generated: str) -> tuple[str, UrlDecision]:
    """The path of a page, not encoded; `named` is what its canonical link names."""
    if paths.kind is None:
        return paths.file, "setting"
    if required := required_shape(paths.kind, site):
        return paths.of(required), "setting"
    found, decided_by = _open_path(paths, site, named, generated)
    path = _with_required_slash(found, paths, site)
    return path, decided_by if path == found else "setting"


def _open_path(paths: ServedPaths, site: Site, named: NamedUrl | None, generated: str) -> tuple[str, UrlDecision]:
    """The path of a page of which no setting decides the form."""
    if generated:
        return generated, "generator"
    if named and named.path is not None and not is_unserved(named.path, paths, site):
        return named.path, "canonical"
    shape, decided_by = decided_shape(paths.kind or "page", paths.file, site)
    return paths.of(shape), decided_by


def is_unserved(path: str, paths: ServedPaths, site: Site) -> bool:
    """Whether the host, which is known for certain, answers a page at one of its paths with 404."""
    rules = site.host_rules
    return paths.kind == "page" and rules.is_certain and shape_of(path, paths) in rules.missing


def _encoded(path: str, named: NamedUrl | None, site: Site) -> str:
    """The path as the page's canonical link spells it, with what the host would misread percent-encoded."""
    escaped = site.host_rules.escaped
    if named and named.path == path:
        return escape(named.encoded, escaped)
    return encode_path(path, escaped)


def _with_required_slash(path: str, paths: ServedPaths, site: Site) -> str:
    """The path of a page without `.html`, with or without the last slash as `trailing_slash` says."""
    if paths.kind != "page" or site.trailing_slash is None or path not in (paths.slash, paths.bare):
        return path
    return paths.slash if site.trailing_slash == "always" else paths.bare


def served_urls(key: str, site: Site) -> Iterator[str]:
    """All URLs at which servers answer the file with this key."""
    return (site.base_url + encode_path(path) for path in _all_paths(key, site))


def family(key: str, site: Site) -> set[str]:
    """The keys, of files that are pages by type, that servers may answer at the same URLs, whether they exist or not.

    The key itself is one of them.
    """
    folder, _, name = key.rpartition("/")
    return {key, *keys_at(folder if name in site.index_files else stem_of(key), site)}


def entry_key(loc: str, site: Site) -> str:
    """The key of a URL without a file: its path and query below `base_url`, percent-decoded.

    What has a meaning in URLs stays encoded, so that no two URLs have one key. That of `base_url` itself is `/`, since
    no key is empty.
    """
    return _READABLE.sub(_decoded, loc[len(site.base_url) :]) or "/"


def _decoded(escapes: re.Match[str]) -> str:
    """The characters of some escapes, or the escapes where these are no UTF-8."""
    try:
        return unquote(escapes[0], errors="strict")
    except UnicodeDecodeError:
        return escapes[0]


def keys_at(stem: str, site: Site) -> set[str]:
    """The keys, of files that are pages by type, of which URLs have this stem, whether the files exist or not."""
    names = {f"{stem}/{name}" if stem else name for name in (*site.index_files, *INDEX_NAMES)} | {stem}
    endings = _DROPPED if site.pages.isdisjoint(PAGE_TYPES["markdown"]) else _DROPPED + _RENDERED
    names |= {stem + ending for ending in endings} if stem else set()
    types = tuple(site.pages - {CONTENT_TYPE})
    return {n for n in names if n and (n.lower().endswith(types) or site.may_be_untyped_page(n))}


def answering_key(path: str, exists: Callable[[str], bool], site: Site) -> str | None:
    """The key of the existing file that servers answer at a path, which is not encoded."""
    answering = [key for key in keys_at(stem_of(path), site) if exists(key) and path in _all_paths(key, site)]
    is_bare = not path.endswith(("/", ".html", ".htm"))
    return min(answering, key=lambda key: (key != path, is_bare == _is_index(key, site), key), default=None)


def answering_file(url: str, files: Container[str], site: Site) -> str | None:
    """The key of the file that servers answer with at a normalized URL; None for a URL off the site or with a query."""
    found = path_on_site(url, site.base_url)
    if found is None or found.query:
        return None
    return answering_key(unquote(found.path), files.__contains__, site)


def _is_index(key: str, site: Site) -> bool:
    return served_paths(key, site).kind in ("home", "folder")


def _all_paths(key: str, site: Site) -> set[str]:
    paths = served_paths(key, site)
    return {paths.file, paths.bare, paths.slash, *paths.others}


def duplicates(locs: Mapping[str, str], site: Site, entries: Set[str] = frozenset()) -> dict[str, str]:
    """Each key in whose place another file is listed, and the key of that file; `locs` has the loc of each key.

    Of files with one loc, one is listed. A file that would be listed at the URL of a folder is not listed beside the
    folder's index file, because servers answer with that. The keys in `entries` have no file: any file that answers at
    their URL is listed in their place.
    """
    if not entries:
        return _duplicate_files(locs, site)
    files = {key: loc for key, loc in locs.items() if key not in entries}
    found, by_loc = _duplicate_files(files, site), {loc: key for key, loc in files.items()}
    for key in entries & locs.keys():
        if file := by_loc.get(locs[key]) or answering_file(locs[key], files, site):
            found[key] = found.get(file, file)
    return found


def _duplicate_files(locs: Mapping[str, str], site: Site) -> dict[str, str]:
    first: dict[str, str] = {}
    for key, loc in locs.items():
        known = first.setdefault(loc, key)
        if known != key:
            first[loc] = min(known, key, key=lambda each: duplicate_rank(each, site))
    found = {key: first[loc] for key, loc in locs.items() if first[loc] != key}
    for key, loc in locs.items():
        if key not in found and (index := _index_file_at(key, loc, locs, site)):
            found[key] = found.get(index, index)
    return found


def _index_file_at(key: str, loc: str, keys: Container[str], site: Site) -> str | None:
    """The index file that servers answer at the loc of a page which is no index file itself."""
    if not loc.endswith(("/", "/index.html")):
        return None
    paths = served_paths(key, site)
    if paths.kind != "page" or decode_path(loc[len(site.base_url) :]) not in (paths.slash, *paths.others):
        return None
    names = (f"{paths.bare}/{name}" for name in (*site.index_files, *INDEX_NAMES))
    return next((name for name in names if name in keys), None)


def duplicate_rank(key: str, site: Site) -> tuple[int, str]:
    """Orders the files that have one loc; the least is listed.

    The index file of a folder comes before a page whose ending was dropped, index files come in the order of
    `index_files`, and the key decides the rest.
    """
    name = key.rpartition("/")[2]
    rank = site.index_files.index(name) if name in site.index_files else len(site.index_files)
    return rank, key
