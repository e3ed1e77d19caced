"""From a key to the URL under which its page is served."""

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
    """An ending in small letters, capitals, and everything between where it is short."""
    if len(ending) > len(".html"):
        return {ending, ending.upper(), ending.title()}
    return {"".join(chars) for chars in product(*({char, char.upper()} for char in ending))}


def _all_cases(endings: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({cased for ending in endings for cased in _cases(ending)}))


_DROPPED = _all_cases((".html", ".htm"))
_RENDERED = _all_cases(PAGE_TYPES["markdown"])
"""Endings that a page's URL may do without, or have another in place of."""


def page_url(key: str, site: Site) -> str | Reason:
    """The page's loc, percent-encoded exactly once, or why it can have none.

    A name must be UTF-8 (RFC 3987 maps URLs to UTF-8 bytes) and hold no control character
    (XML 1.0, 2.2); the loc stays under 2,048 characters (sitemaps.org 0.9, "loc").
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
    """The path, below the site's root and not yet encoded, that a server answers with this file."""
    folder, slash, name = key.rpartition("/")
    if name in site.index_files:
        return folder if site.trailing_slash == "never" else folder + slash
    path = key if name.endswith(".html") else _MARKDOWN.sub(".html", key)
    if not site.drop_html or not _HTML.search(path):
        return path
    return _HTML.sub("", path) + ("/" if site.trailing_slash == "always" else "")


def same_url_keys(key: str, site: Site) -> list[str]:
    """The other keys of files, of types that are pages, that would give the same loc, whether they are there or not."""
    return [name for name in _serving(served_path(key, site), site) if name != key]


def keys_serving(loc: str, site: Site) -> list[str]:
    """The keys of files, of types that are pages, that would give a loc of the site."""
    served = unquote(loc.removeprefix(site.base_url))
    return _serving(served, site) if encode_path(served) == loc.removeprefix(site.base_url) else []


def _serving(served: str, site: Site) -> list[str]:
    stem = served.removesuffix("/")
    names = {f"{stem}/{name}" if stem else name for name in site.index_files} | {stem}
    has_markdown = not site.pages.isdisjoint(PAGE_TYPES["markdown"])
    endings = (_DROPPED if site.drop_html or has_markdown else ()) + (_RENDERED if has_markdown else ())
    names |= {each + ending for each in {stem, _HTML.sub("", stem)} for ending in endings}
    types = tuple(site.pages)
    might = (name for name in names if name and name.lower().endswith(types))
    return sorted(name for name in might if served_path(name, site) == served)


def duplicate_rank(key: str, site: Site) -> tuple[int, str]:
    """Orders files that give one loc; the least is listed.

    A folder's index file goes before a page whose ending was dropped, the index files stand in
    the order of `index_files`, and what is left is settled by the key.
    """
    name = key.rpartition("/")[2]
    rank = site.index_files.index(name) if name in site.index_files else len(site.index_files)
    return rank, key
