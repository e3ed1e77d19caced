"""Compares two lists of URLs: which were added, removed, or changed in date or metadata, and in which sections."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from waypost.core import languages
from waypost.core.model import Changes, printable
from waypost.core.urls import page_identity

ListedPages = Mapping[str, tuple[str, object]]
"""The date (`""`: none) and the metadata of each loc."""
KINDS: tuple[str, ...] = Changes.__struct_fields__
"""The kinds of changes: added, removed, lastmod_changed, metadata_changed."""
_MAX_SECTIONS = 20
MoveKind = Literal["scheme", "host", "form", "spelling"]
"""What differs between two URLs of a page; a form is `/a`, `/a/`, `/a.html` or `/a/index.html`."""
_FORM = re.compile(r"(?:(?:/index|(?<=[^/]))\.html?|/)$", re.IGNORECASE)
_SITE = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)", re.IGNORECASE)
_Pair = tuple[str, str]
"""The old and the new URL of a page."""


class SectionChanges(Struct, frozen=True):
    """How many URLs changed in a section, which is the first folder of a URL's path."""

    name: str
    added: int = 0
    removed: int = 0
    lastmod_changed: int = 0
    metadata_changed: int = 0


def compare(old: ListedPages, new: ListedPages, *, are_dated: bool = True) -> Changes:
    """The changes from `old` to `new`; without `are_dated`, dates and metadata are not compared."""
    both = new.keys() & old.keys()
    return Changes(
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        lastmod_changed=tuple(sorted(loc for loc in both if are_dated and new[loc][0] != old[loc][0])),
        metadata_changed=tuple(sorted(loc for loc in both if are_dated and new[loc][1] != old[loc][1])),
    )


def all_changes(parts: Iterable[Changes]) -> Changes:
    """The changes of all parts of a list; a URL that one part lost and another got is another one's page now."""
    found = list(parts)
    whole = {kind: set(chain.from_iterable(getattr(each, kind) for each in found)) for kind in KINDS}
    moved = whole["added"] & whole["removed"]
    whole = {
        "added": whole["added"] - moved,
        "removed": whole["removed"] - moved,
        "lastmod_changed": whole["lastmod_changed"] | moved,
        "metadata_changed": whole["metadata_changed"],
    }
    return Changes(**{kind: tuple(sorted(urls)) for kind, urls in whole.items()})


def summary(changes: Changes) -> str:
    """The numbers of changes in one line."""
    added, removed, lastmod_changed, metadata_changed = (len(getattr(changes, kind)) for kind in KINDS)
    metadata = f", {metadata_changed:,} with other metadata" if metadata_changed else ""
    return f"{added:,} added, {removed:,} removed, {lastmod_changed:,} with another date{metadata}"


def sections(changes: Changes) -> list[SectionChanges]:
    """The changes by section, those with the most changes first; after the 19th, all others are added up as `…`."""
    counts = {kind: Counter(map(section_of, getattr(changes, kind))) for kind in KINDS}
    names = set().union(*counts.values())
    found = [SectionChanges(name, **{kind: counts[kind][name] for kind in KINDS}) for name in names]
    found.sort(key=lambda each: (-each.added - each.removed - each.lastmod_changed - each.metadata_changed, each.name))
    if len(found) <= _MAX_SECTIONS:
        return found
    shown, rest = found[: _MAX_SECTIONS - 1], found[_MAX_SECTIONS - 1 :]
    return [*shown, SectionChanges("…", **{kind: sum(getattr(each, kind) for each in rest) for kind in KINDS})]


def section_of(loc: str) -> str:
    """The section of a URL: `/blog/` for all URLs in that folder, `/` for those in the root folder."""
    return first_folder(loc.partition("://")[2].partition("/")[2])[0]


def first_folder(path: str) -> tuple[str, str]:
    """The first folder of a path, decoded, and the rest of the path; `/` if it has no folder."""
    folder, slash, below = path.partition("?")[0].partition("/")
    return (f"/{printable(unquote(folder))}/", below) if slash else ("/", "")


class Move(Struct, frozen=True):
    """A page that was listed at one URL and is listed at another; `group` is the index of its MoveGroup."""

    old: str
    new: str
    kinds: tuple[MoveKind, ...]
    group: int


class MoveGroup(Struct, frozen=True):
    """Pages that moved alike: what the old and the new URLs have in common, with `*` for the rest."""

    old: str
    new: str
    kinds: tuple[MoveKind, ...]
    count: int


def find_moves(removed: Iterable[str], added: Iterable[str]) -> tuple[tuple[Move, ...], tuple[MoveGroup, ...]]:
    """Which removed URLs were moved to which added ones, in the order of the removed; the groups, the largest first.

    Each URL is in one move at most, and none may be on both sides. With the sides swapped, the moves are the same in
    reverse.
    """
    moved = sorted((old, new, _pattern(old, new)) for old, new in _pairs(set(removed), set(added)))
    counts = Counter(pattern for _, _, pattern in moved)
    order = {pattern: n for n, pattern in enumerate(sorted(counts, key=lambda each: (-counts[each], each)))}
    first = {pattern: (old, new) for old, new, pattern in reversed(moved)}
    groups = (
        MoveGroup(
            *(first[pattern] if counts[pattern] == 1 or pattern[0] == pattern[1] else pattern[:2]),
            pattern[2],
            counts[pattern],
        )
        for pattern in order
    )
    return tuple(Move(old, new, pattern[2], order[pattern]) for old, new, pattern in moved), tuple(groups)


def _pairs(removed: Iterable[str], added: Iterable[str]) -> Iterator[_Pair]:
    """First the forms of one page, then the pages whose path only one other host has."""
    olds, news = _by_identity(removed), _by_identity(added)
    for identity in sorted(olds.keys() & news.keys()):
        yield from zip(olds.pop(identity), news.pop(identity), strict=False)
    old_paths, new_paths = _by_path(olds), _by_path(news)
    for path in sorted(old_paths.keys() & new_paths.keys()):
        if len(old_paths[path]) == len(new_paths[path]) == 1:
            (old,), (new,) = old_paths[path], new_paths[path]
            if not (_is_language(old) and _is_language(new)):
                yield from zip(olds[old], news[new], strict=False)


def _by_path(identities: Iterable[str]) -> dict[str, list[str]]:
    """The identities of pages by their paths, without the host."""
    found: dict[str, list[str]] = defaultdict(list)
    for identity in identities:
        found[identity.partition("/")[2]].append(identity)
    return found


def _is_language(identity: str) -> bool:
    """Whether a page's host begins with a language: `de.` and `fr.` have the same paths for different pages."""
    return languages.is_two_letter_name(identity.partition("/")[0].partition(".")[0])


def _by_identity(locs: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for loc in sorted(locs):
        found[page_identity(loc)].append(loc)
    return found


def _pattern(old: str, new: str) -> tuple[str, str, tuple[MoveKind, ...]]:
    """What a group of URLs has in common: its host, and the form of its URLs if that has changed."""
    (old_scheme, old_host, old_path), (new_scheme, new_host, new_path) = _parts(old), _parts(new)
    old_form, new_form = _form(old_path), _form(new_path)
    is_changed: dict[MoveKind, bool] = {
        "scheme": old_scheme != new_scheme,
        "host": old_host != new_host,
        "form": old_form != new_form,
    }
    kinds = tuple(kind for kind, is_so in is_changed.items() if is_so) or ("spelling",)
    ends = (old_form, new_form) if is_changed["form"] else ("", "")
    return f"{_origin(old)}/*{ends[0]}", f"{_origin(new)}/*{ends[1]}", kinds


def _parts(url: str) -> tuple[str, str, str]:
    """The scheme, the host and the rest of a URL."""
    site = _SITE.match(url)
    return (site[1].lower(), site[2].lower(), url[site.end() :]) if site else ("", "", url)


def _form(path: str) -> str:
    """What the path ends with that another form of the same URL would lack."""
    found = _FORM.search(path)
    return found[0] if found else ""


def _origin(url: str) -> str:
    """The URL of the home page without its last `/`."""
    site = _SITE.match(url)
    end = url.find("/", site.end() if site else 0)
    return url if end < 0 else url[:end]
