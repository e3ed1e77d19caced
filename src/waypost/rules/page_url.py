"""Derives the URL at which a page is served from its key."""

import re
from collections.abc import Iterable
from itertools import product
from urllib.parse import unquote

from waypost.config.schema import Site
from waypost.config.values import PAGE_TYPES
from waypost.core import reasons
from waypost.core.reasons import Reason
from waypost.core.urls import LOC_LIMIT, encode_path

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
_MARKDOWN = re.compile("(" + "|".join(map(re.escape, PAGE_TYPES["markdown"])) + r")$", re.IGNORECASE)
_HTML = re.compile(r"(?<=[^/.])\.html?$", re.IGNORECASE)


def _cases(ending: str) -> set[str]:
    """An ending in small letters and capitals, and in every mixture of them if it is short."""
    if len(ending) > len(".html"):
        return {ending, ending.upper(), ending.title()}
    return {"".join(chars) for chars in product(*({char, char.upper()} for char in ending))}


def _all_cases(endings: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({cased for ending in endings for cased in _cases(ending)}))


_DROPPED = _all_cases((".html", ".htm"))
_RENDERED = _all_cases(PAGE_TYPES["markdown"])
"""Endings that the URL of a page may lack, or have `.html` in place of."""


def page_url(key: str, site: Site) -> str | Reason:
    """The page's loc, percent-encoded exactly once, or the reason for which it can have none.

    A name must be UTF-8 (RFC 3987 maps URLs to UTF-8 bytes) without control characters (XML 1.0, 2.2); the loc must
    have fewer than 2,048 characters (sitemaps.org 0.9, "loc").
    """
    try:
        key.encode()
    except UnicodeEncodeError:
        return reasons.NAME_NOT_UTF8
    if _CONTROL.search(key):
        return reasons.NAME_CONTROL
    url = site.base_url + encode_path(served_path(key, site))
    return url if len(url) < LOC_LIMIT else reasons.LOC_TOO_LONG


def served_path(key: str, site: Site) -> str:
    """The path at which a server serves this file, below the site's root and not yet encoded."""
    folder, slash, name = key.rpartition("/")
    if name in site.index_files:
        return folder if site.trailing_slash == "never" else folder + slash
    path = key if name.endswith(".html") else _MARKDOWN.sub(".html", key)
    if not site.drop_html or not _HTML.search(path):
        return path
    return _HTML.sub("", path) + ("/" if site.trailing_slash == "always" else "")


def same_url_keys(key: str, site: Site) -> list[str]:
    """The other keys, of files that are pages by type, that would have the same loc, whether the files exist or not."""
    return [name for name in _keys_at(served_path(key, site), site) if name != key]


def keys_serving(loc: str, site: Site) -> list[str]:
    """The keys, of files that are pages by type, that would have this loc, whether the files exist or not."""
    served = unquote(loc.removeprefix(site.base_url))
    return _keys_at(served, site) if encode_path(served) == loc.removeprefix(site.base_url) else []


def _keys_at(served: str, site: Site) -> list[str]:
    stem = served.removesuffix("/")
    names = {f"{stem}/{name}" if stem else name for name in site.index_files} | {stem}
    has_markdown = not site.pages.isdisjoint(PAGE_TYPES["markdown"])
    endings = (_DROPPED if site.drop_html or has_markdown else ()) + (_RENDERED if has_markdown else ())
    names |= {each + ending for each in {stem, _HTML.sub("", stem)} for ending in endings}
    types = tuple(site.pages)
    might = (name for name in names if name and name.lower().endswith(types))
    return sorted(name for name in might if served_path(name, site) == served)


def duplicate_rank(key: str, site: Site) -> tuple[int, str]:
    """Orders the files that have one loc; the least is listed.

    The index file of a folder comes before a page whose ending was dropped, index files come in the order of
    `index_files`, and the key decides the rest.
    """
    name = key.rpartition("/")[2]
    rank = site.index_files.index(name) if name in site.index_files else len(site.index_files)
    return rank, key
