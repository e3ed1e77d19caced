"""How a commit changes the manifest."""

from documents import ROBOTS, Content, Pages, documents, listed_keys, roots
from state import NOBODY, NOT_BUILDING, Manifest, Scenario


def files_of(scenario: Scenario, manifest: Manifest) -> dict[str, Content]:
    """The files that a manifest names, without robots.txt."""
    return documents(scenario.site, manifest.pages, manifest.config, manifest.rules)


def wanted_names(scenario: Scenario, manifest: Manifest) -> frozenset[str]:
    """The names that may be pending; none while nothing is listed."""
    names = files_of(scenario, manifest).keys()
    return frozenset({*names, ROBOTS} if names and scenario.has_robots else names)


def committed(
    scenario: Scenario, before: Manifest, pages: Pages, day: int, again: frozenset[str] = frozenset()
) -> tuple[Manifest, frozenset[str]]:
    """The manifest of these pages, and the names that it adds to `pending`; `again` has names to add in any case."""
    after = before._replace(pages=pages, last=NOBODY)
    old, new = files_of(scenario, before), files_of(scenario, after)
    changed = {name for name, content in new.items() if old.get(name) != content}
    if roots(old) != roots(new):
        changed.add(ROBOTS)
    wanted = wanted_names(scenario, after)
    added = frozenset((changed | again) & wanted)
    arriving = receiving(scenario, before, after) if scenario.keeps("receives") else set()
    return with_names(after, wanted, added, arriving, frozenset(old), day), added


def with_names(
    after: Manifest, wanted: frozenset[str], added: frozenset[str], receiving: set[str], old: frozenset[str], day: int
) -> Manifest:
    """The manifest with its `pending` and `unreferenced` for these names."""
    pending = {name: receives for name, receives in after.pending if name in wanted}
    for name in added:
        pending[name] = pending.get(name, False) or name in receiving
    unreferenced = dict(after.unreferenced)
    if wanted:
        ceased = (old | after.pending_names) - wanted - {ROBOTS}
        unreferenced.update(dict.fromkeys(ceased, day))
    return after._replace(
        pending=tuple(sorted(pending.items())),
        unreferenced=tuple(sorted((name, since) for name, since in unreferenced.items() if name not in wanted)),
    )


def receiving(scenario: Scenario, before: Manifest, after: Manifest) -> set[str]:
    """The sitemaps in which a URL is listed by another key than before."""
    old = listed_keys(scenario.site, before.pages, before.config, before.rules)
    new = listed_keys(scenario.site, after.pages, after.config, after.rules)
    moved = {key for url, key in new.items() if url in old and old[url] != key}
    return {
        name
        for name, each in files_of(scenario, after).items()
        if any(getattr(each, "start", 0) <= key < getattr(each, "end", 0) for key in moved) and not _is_index(each)
    }


def _is_index(content: Content) -> bool:
    return getattr(content, "kind", "") == "index"


def ended(scenario: Scenario, building: Manifest, pages: Pages, day: int) -> tuple[Manifest, frozenset[str]]:
    """The manifest at the end of a build: all of its files are pending."""
    after = building._replace(pages=pages, builder=NOBODY, position=NOT_BUILDING, previous=(), last=NOBODY)
    wanted = wanted_names(scenario, after)
    return with_names(after, wanted, wanted, set(), frozenset(building.previous), day), wanted
