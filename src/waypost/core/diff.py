"""Compares two lists of URLs: which were added, removed, or changed in date or metadata, and in which sections."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from urllib.parse import unquote

from msgspec import Struct

from waypost.core.model import Changes, printable

ListedPages = Mapping[str, tuple[str, object]]
"""The date (`""`: none) and the metadata of each loc."""
KINDS: tuple[str, ...] = Changes.__struct_fields__
"""The kinds of changes: added, removed, lastmod_changed, metadata_changed."""
_MAX_SECTIONS = 20
_MAX_EXAMPLES = 500
"""How many URLs of each kind are kept as examples."""
_OTHER_SECTIONS = "…"


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
    return _merge_small_sections(
        [SectionChanges(name, **{kind: counts[kind][name] for kind in KINDS}) for name in names]
    )


def _merge_small_sections(all_sections: Sequence[SectionChanges]) -> list[SectionChanges]:
    ordered = sorted(
        all_sections, key=lambda each: (each.name == _OTHER_SECTIONS, -sum(_counts(each).values()), each.name)
    )
    if len(ordered) <= _MAX_SECTIONS:
        return ordered
    shown, rest = ordered[: _MAX_SECTIONS - 1], ordered[_MAX_SECTIONS - 1 :]
    return [
        *shown,
        SectionChanges(_OTHER_SECTIONS, **{kind: sum(getattr(each, kind) for each in rest) for kind in KINDS}),
    ]


def _counts(section: SectionChanges) -> dict[str, int]:
    return {kind: getattr(section, kind) for kind in KINDS}


def section_of(loc: str) -> str:
    """The section of a URL: `/blog/` for all URLs in that folder, `/` for those in the root folder."""
    return first_folder(loc.partition("://")[2].partition("/")[2])[0]


def first_folder(path: str) -> tuple[str, str]:
    """The first folder of a path, decoded, and the rest of the path; `/` if it has no folder."""
    folder, slash, below = path.partition("?")[0].partition("/")
    return (f"/{printable(unquote(folder))}/", below) if slash else ("/", "")


class ChangeCounts(Struct, frozen=True):
    """The numbers of changes by section, and the first changes of each kind as examples."""

    sections: tuple[SectionChanges, ...] = ()
    first: Changes = Changes()

    def __add__(self, other: "ChangeCounts") -> "ChangeCounts":
        sums: dict[str, SectionChanges] = {}
        for each in (*self.sections, *other.sections):
            before = sums.get(each.name, SectionChanges(each.name))
            sums[each.name] = SectionChanges(
                each.name, **{kind: n + _counts(each)[kind] for kind, n in _counts(before).items()}
            )
        first = {kind: (*getattr(self.first, kind), *getattr(other.first, kind))[:_MAX_EXAMPLES] for kind in KINDS}
        return ChangeCounts(tuple(_merge_small_sections(list(sums.values()))), Changes(**first))

    @property
    def counts(self) -> dict[str, int]:
        """The number of changes of each kind."""
        return {kind: sum(getattr(section, kind) for section in self.sections) for kind in KINDS}


def count_changes(changes: Changes) -> ChangeCounts:
    """Count changes by section."""
    return ChangeCounts(
        tuple(sections(changes)), Changes(**{kind: getattr(changes, kind)[:_MAX_EXAMPLES] for kind in KINDS})
    )
