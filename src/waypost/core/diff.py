"""What changed between two lists of URLs: added, removed, dated otherwise, described otherwise; and where."""

from collections import Counter
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from msgspec import Struct

from waypost.core.model import Changes, printable

ListedPages = Mapping[str, tuple[str, object]]
"""Locs, each with its date (`""` is none) and whatever else is said of it."""
KINDS: tuple[str, ...] = Changes.__struct_fields__
"""The kinds of change: added, removed, redated, changed."""
_SECTIONS = 20
_FIRST = 500
"""So many of each kind are kept to be shown."""
_REST = "…"


class SectionChanges(Struct, frozen=True):
    """How much changed in a section of the site: the first folder of its URLs."""

    name: str
    added: int = 0
    removed: int = 0
    lastmod_changed: int = 0
    metadata_changed: int = 0


def compare(old: ListedPages, new: ListedPages, *, are_dated: bool = True) -> Changes:
    """What readers of `old` see change; dates count only where both lists can have them (`are_dated`)."""
    both = new.keys() & old.keys()
    return Changes(
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        lastmod_changed=tuple(sorted(loc for loc in both if are_dated and new[loc][0] != old[loc][0])),
        metadata_changed=tuple(sorted(loc for loc in both if are_dated and new[loc][1] != old[loc][1])),
    )


def summary(found: Changes) -> str:
    """How much changed, in a line."""
    added, removed, redated, changed = (len(getattr(found, kind)) for kind in KINDS)
    described = f", {changed:,} described otherwise" if changed else ""
    return f"{added:,} added, {removed:,} removed, {redated:,} with another date{described}"


def sections(found: Changes) -> list[SectionChanges]:
    """The changes by section, those with the most first; what is behind the twentieth is summed up as `…`."""
    counts = {kind: Counter(map(section_of, getattr(found, kind))) for kind in KINDS}
    names = set().union(*counts.values())
    return _merge_small_sections(
        [SectionChanges(name, **{kind: counts[kind][name] for kind in KINDS}) for name in names]
    )


def _merge_small_sections(found: Sequence[SectionChanges]) -> list[SectionChanges]:
    ordered = sorted(found, key=lambda each: (each.name == _REST, -sum(_counts(each).values()), each.name))
    if len(ordered) <= _SECTIONS:
        return ordered
    shown, rest = ordered[: _SECTIONS - 1], ordered[_SECTIONS - 1 :]
    return [*shown, SectionChanges(_REST, **{kind: sum(getattr(each, kind) for each in rest) for kind in KINDS})]


def _counts(section: SectionChanges) -> dict[str, int]:
    return {kind: getattr(section, kind) for kind in KINDS}


def section_of(loc: str) -> str:
    """The section of a URL: `/blog/` for whatever lies in that folder, `/` for the root's own pages."""
    return first_folder(loc.partition("://")[2].partition("/")[2])[0]


def first_folder(path: str) -> tuple[str, str]:
    """The first folder of a path below a root, as people read it, and the path below that; `/` where it has none."""
    folder, slash, below = path.partition("?")[0].partition("/")
    return (f"/{printable(unquote(folder))}/", below) if slash else ("/", "")


class ChangeCounts(Struct, frozen=True):
    """Changes counted, of however many: by section, with the first of each kind to show."""

    sections: tuple[SectionChanges, ...] = ()
    first: Changes = Changes()

    def __add__(self, other: "ChangeCounts") -> "ChangeCounts":
        sums: dict[str, SectionChanges] = {}
        for each in (*self.sections, *other.sections):
            before = sums.get(each.name, SectionChanges(each.name))
            sums[each.name] = SectionChanges(
                each.name, **{kind: n + _counts(each)[kind] for kind, n in _counts(before).items()}
            )
        first = {kind: (*getattr(self.first, kind), *getattr(other.first, kind))[:_FIRST] for kind in KINDS}
        return ChangeCounts(tuple(_merge_small_sections(list(sums.values()))), Changes(**first))

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""
        return {kind: sum(getattr(section, kind) for section in self.sections) for kind in KINDS}


def count_changes(found: Changes) -> ChangeCounts:
    """Count changes."""
    return ChangeCounts(tuple(sections(found)), Changes(**{kind: getattr(found, kind)[:_FIRST] for kind in KINDS}))
