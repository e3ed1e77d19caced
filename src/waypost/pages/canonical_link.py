"""What a page's canonical link names: the page itself in some form, another page of the site, or another site."""

import re
import unicodedata
from typing import Literal, NamedTuple

from waypost.core.urls import decode_path, encode_path, path_on_site
from waypost.pages import html_head
from waypost.pages.html_head import HtmlHead
from waypost.pages.url_shapes import ServedPaths
from waypost.settings.schema import Site

_SLASHES = re.compile("/{2,}")
"""Servers answer several slashes in a row as one."""
Relation = Literal["this-page", "other-page", "other-site"]


class NamedUrl(NamedTuple):
    """A URL that a page gives itself, normalized, and what it names.

    `path` is the path, not encoded, of the page itself that the URL names, or None, and `encoded` the same as the URL
    spells it. `differences` are codes of warnings: the URL has another origin, a query, empty folders, other letters in
    capitals, or another Unicode form (NFC or NFD) than the page's own.
    """

    target: str
    relation: Relation
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
