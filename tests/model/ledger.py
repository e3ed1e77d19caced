"""How a commit changes the manifest."""

from typing import NamedTuple

from model.documents import ROBOTS, Content, Named, Pages, Robots, Sitemap, documents, listed_keys, named_files, roots
from model.phases import seen
from model.state import NO_NAMES, NOBODY, NOT_BUILDING, Known, Manifest, Scenario, Shared


def ranges_of(scenario: Scenario, manifest: Manifest) -> dict[str, Named]:
    """The files that a manifest names with their ranges, without robots.txt."""
    return named_files(scenario.site, manifest.pages, manifest.config, manifest.rules)


def files_of(scenario: Scenario, manifest: Manifest) -> dict[str, Content]:
    """The files that a manifest names, without robots.txt."""
    return documents(scenario.site, manifest.pages, manifest.config, manifest.rules)


def wanted_names(scenario: Scenario, manifest: Manifest) -> frozenset[str]:
    """The names that may be pending; none while nothing is listed."""
    names = files_of(scenario, manifest).keys()
    return frozenset({*names, ROBOTS} if names and scenario.has_robots else names)


def present_rules(shared: Shared) -> int:
    """The owner's rules in robots.txt; 0 if there is none."""
    robots = dict(shared.files).get(ROBOTS)
    return robots.rules if isinstance(robots, Robots) else 0


def wrong_names(scenario: Scenario, shared: Shared, manifest: Manifest) -> frozenset[str]:
    """The published files that are not as a manifest has them: a HEAD request for each."""
    present, files = dict(shared.files), files_of(scenario, manifest)
    wrong = {name for name, content in files.items() if seen(present.get(name)) != content}
    robots = present.get(ROBOTS)
    if scenario.has_robots and files and not (isinstance(robots, Robots) and robots.roots == roots(files)):
        wrong.add(ROBOTS)
    return frozenset(wrong)


OPEN = -1
"""The day since when a file is unreferenced that an index may still name, because files are pending."""


class Commit(NamedTuple):
    """The manifest of other pages, the names that it adds to `pending`, and what is known of some of these."""

    after: Manifest
    added: frozenset[str]
    known: tuple[tuple[str, Known], ...]


def committed(scenario: Scenario, before: Manifest, pages: Pages, again: frozenset[str]) -> Commit:
    """The manifest of these pages; `again` has names to add to `pending` in any case."""
    after = before._replace(pages=pages, last=NOBODY)
    old, new = files_of(scenario, before), files_of(scenario, after)
    changed = {name for name, content in new.items() if old.get(name) != content}
    if roots(old) != roots(new):
        changed.add(ROBOTS)
    wanted = wanted_names(scenario, after)
    added = frozenset((changed | again) & wanted)
    pending = dict.fromkeys(added, False) | {name: flag for name, flag in before.pending if name in wanted}
    after = with_names(scenario, after, wanted, pending, frozenset(old) | before.pending_names)
    known = tuple((name, each) for name in sorted(added - again) if (each := _known(scenario, before, after, name)))
    return Commit(after, added, known)


def _known(scenario: Scenario, before: Manifest, after: Manifest, name: str) -> Known | None:
    """What the manifest before a commit says of a published file, if that is not in doubt."""
    since = dict(before.unreferenced).get(name)
    is_doubtful = name in before.pending_names or since == OPEN
    if (is_doubtful and scenario.keeps("look at unverified")) or name in {
        ROBOTS,
        *moved_files(scenario, before, after),
    }:
        return None
    if since is not None:
        return Known(None, -1, is_unreferenced=True)
    found = ranges_of(scenario, before).get(name)
    return Known(found.content, found.end) if found else Known(None, -1)


def with_names(
    scenario: Scenario, after: Manifest, wanted: frozenset[str], pending: dict[str, bool], old: frozenset[str]
) -> Manifest:
    """The manifest with its `pending` and `unreferenced`; `old` has the names of before."""
    unreferenced = dict.fromkeys(old - wanted - {ROBOTS}, OPEN) | dict(after.unreferenced)
    named = wanted if scenario.keeps("unnamed only") else NO_NAMES
    return after._replace(
        pending=tuple(sorted(pending.items())),
        unreferenced=tuple(sorted((name, since) for name, since in unreferenced.items() if name not in named)),
    )


def dated(scenario: Scenario, manifest: Manifest, day: int) -> Manifest:
    """The manifest of which all is published: from this day on no index names its unreferenced files."""
    if manifest.pending or manifest.is_building or not files_of(scenario, manifest):
        return manifest
    since = ((name, day if each == OPEN else each) for name, each in manifest.unreferenced)
    return manifest._replace(unreferenced=tuple(since))


def moved_files(scenario: Scenario, before: Manifest, after: Manifest) -> frozenset[str]:
    """The sitemaps that a URL leaves or enters because another key lists it than before."""
    old = listed_keys(scenario.site, before.pages, before.config, before.rules)
    new = listed_keys(scenario.site, after.pages, after.config, after.rules)
    moved = {url for url, key in new.items() if url in old and old[url] != key}
    if not scenario.keeps("moved duplicates"):
        return frozenset()
    found = [_sitemaps_with(ranges_of(scenario, each), moved) for each in (before, after)]
    return frozenset().union(*found)


def _sitemaps_with(files: dict[str, Named], urls: set[int]) -> set[str]:
    return {
        name
        for name, each in files.items()
        if isinstance(each.content, Sitemap) and any(url in urls for url, _ in each.content.urls)
    }


def ended(scenario: Scenario, building: Manifest, pages: Pages) -> Commit:
    """The manifest at the end of a build: all files are pending, since nothing is known of them."""
    after = building._replace(pages=pages, builder=NOBODY, position=NOT_BUILDING, previous=(), last=NOBODY)
    wanted = wanted_names(scenario, after)
    added = wanted if scenario.keeps("pending after a build") else NO_NAMES
    old = frozenset(building.previous) | building.pending_names
    return Commit(with_names(scenario, after, wanted, dict.fromkeys(added, True), old), added, ())
