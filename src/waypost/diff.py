"""What changed between two lists of URLs: added, removed, dated otherwise, described otherwise; and where."""

from collections import Counter
from collections.abc import Iterable, Mapping
from urllib.parse import unquote

from msgspec import Struct

from waypost.model import Changes

Listed = Mapping[str, tuple[str, object]]
"""Locs, each with its date (`""` is none) and whatever else is said of it."""
KINDS: tuple[str, ...] = Changes.__struct_fields__
"""The kinds of change: added, removed, redated, changed."""
_SECTIONS = 20


class Section(Struct, frozen=True):
    """How much changed in a section of the site: the first folder of its URLs."""

    name: str
    added: int = 0
    removed: int = 0
    redated: int = 0
    changed: int = 0


def changes(old: Listed, new: Listed, *, are_dated: bool = True) -> Changes:
    """What readers of `old` see change; dates count only where both lists can have them (`are_dated`)."""
    both = new.keys() & old.keys()
    return Changes(
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        redated=tuple(sorted(loc for loc in both if are_dated and new[loc][0] != old[loc][0])),
        changed=tuple(sorted(loc for loc in both if are_dated and new[loc][1] != old[loc][1])),
    )


def summary(found: Changes) -> str:
    """How much changed, in a line."""
    added, removed, redated, changed = (len(getattr(found, kind)) for kind in KINDS)
    described = f", {changed:,} described otherwise" if changed else ""
    return f"{added:,} added, {removed:,} removed, {redated:,} with another date{described}"


def sections(found: Changes) -> list[Section]:
    """The changes by section, those with the most first; what is behind the twentieth is summed up as `…`."""
    counts = {name: Counter(map(section_of, getattr(found, name))) for name in KINDS}
    names = sorted(set().union(*counts.values()), key=lambda name: (-sum(each[name] for each in counts.values()), name))
    shown = names if len(names) <= _SECTIONS else names[: _SECTIONS - 1]
    made = [Section(name, **{kind: each[name] for kind, each in counts.items()}) for name in shown]
    rest = names[len(shown) :]
    if rest:
        made.append(Section("…", **{kind: sum(each[name] for name in rest) for kind, each in counts.items()}))
    return made


def section_of(loc: str) -> str:
    """The section of a URL: `/blog/` for whatever lies in that folder, `/` for the root's own pages."""
    path = loc.partition("://")[2].partition("/")[2]
    folder, slash, _ = path.partition("?")[0].partition("/")
    return f"/{unquote(folder)}/" if slash else "/"


def joined(parts: Iterable[Changes]) -> Changes:
    """Changes one after the other as one, each loc once."""
    gathered = {name: dict[str, None]() for name in KINDS}
    for part in parts:
        for name, locs in gathered.items():
            locs.update(dict.fromkeys(getattr(part, name)))
    return Changes(**{name: tuple(sorted(locs)) for name, locs in gathered.items()})
