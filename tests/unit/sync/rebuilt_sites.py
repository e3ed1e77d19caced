"""Sites in memory for the tests of rebuilds, and what a rebuild does to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fake_stores import MemoryBucket, SimulatedSite, Writer
from msgspec.structs import replace

from waypost.core.model import Item
from waypost.ledger.ledger_state import BuilderLease
from waypost.ledger.manifest import Manifest
from waypost.rules.version import RULES_VERSION
from waypost.sync import rebuild
from waypost.sync.result import RunResult

DATED: dict[str, Any] = {"lastmod": "content", "state": "x"}
BUILDING = BuilderLease(position="m.html", previous="manifests/x.json")


def simulated_site(count: int = 10, **values: Any) -> SimulatedSite:
    site = SimulatedSite(**{"urls": 4, "lastmod": "none", **values})
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    site.clock.sleep(60)
    return site


def after(checks: int) -> Callable[[], bool]:
    """A deadline that is reached after so many checks of it."""
    answers: Iterator[bool] = iter([False] * checks)
    return lambda: next(answers, True)


def reads(site: SimulatedSite) -> list[str]:
    """The objects that a rebuild reads."""
    return reads_of(site, lambda: rebuild.rebuild(site.updater()))


def reads_of(site: SimulatedSite, run: Callable[[], object]) -> list[str]:
    names = [each.removeprefix("GET site/") for each in site.counted(run) if each.startswith("GET site/")]
    return [name for name in names if name != "robots.txt"]


def started_build(site: SimulatedSite, **values: Any) -> Writer:
    """A rebuild under other settings that has begun a build, and takes no step more until it is told to."""
    site.settings = simulated_site(exclude=["/never/"], **values).settings
    writer = Writer(site.gate, lambda: rebuild.rebuild(site.updater()))
    writer.until("PUT state/manifest.json done")
    return writer


def lose(site: SimulatedSite, number: int) -> set[str]:
    """Lose the records of an entry; returns its keys."""
    entry = site.manifest().entries[number]
    keys = {record.key for record in site.ledger().records(entry)}
    site.state.remove(entry.records_file)
    return keys


def dates(site: SimulatedSite) -> dict[str, str | None]:
    """The recorded date of each key."""
    ledger = site.ledger()
    return {record.key: record.lastmod for entry in site.manifest().entries for record in ledger.records(entry)}


def dated_site() -> SimulatedSite:
    """A site all of whose pages have a date, because they changed after its first build."""
    site = simulated_site(30, **DATED)
    rebuild.rebuild(site.updater())
    for n in range(30):
        site.put(f"{n:03}.html", "two")
    site.updater().update([f"{n:03}.html" for n in range(30)])
    assert None not in dates(site).values()
    return site


def lost_warnings(result: RunResult) -> list[int]:
    return [warning.count for warning in result.warnings if warning.code == "records-lost"]


class LargeObjects(MemoryBucket):
    """A bucket of objects that count as so large that every page of a listing is a chunk."""

    def _item(self, key: str) -> Item:
        return replace(super()._item(key), size=1_000_000_000)


def published(site: SimulatedSite) -> tuple[Manifest, dict[str, bytes]]:
    return site.manifest(), site.outputs.bodies()


def listed_keys(site: SimulatedSite) -> set[str]:
    ledger = site.ledger()
    return {record.key for entry in site.manifest().entries for record in ledger.records(entry)}


def rewrite_by_newer_release(site: SimulatedSite) -> None:
    """Let the ledger be one that a release with later rules has built."""
    version = site.ledger().read()
    later = version.manifest.recorded_facts.replace(f"rules-{RULES_VERSION}", f"rules-{RULES_VERSION + 1}")
    site.ledger().commit(version, replace(version.manifest, recorded_facts=later), {})
