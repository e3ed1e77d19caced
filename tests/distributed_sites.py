"""Sites for tests of distributed rebuilds, with limits so small that forty pages need several workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_stores import SimulatedSite
from page_content import undated
from run_harness import Execution
from unit.published_sites import BASE

from waypost.distributed.plan import RunLimits
from waypost.sync import rebuild
from waypost.validate.sitemap_content import listed_sitemaps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unit.sample_sites import SmallSite

KEYS = [f"{n:03}.html" for n in range(40)]
LIMITS = RunLimits(workers=4, min_objects=5, max_objects=10, files_per_batch=2)


def simulated_site(keys: Sequence[str] = KEYS, **values: Any) -> SimulatedSite:
    """A site with a page at each of these keys, without a ledger."""
    site = SimulatedSite(**{"urls": 6, "lastmod": "content", "state": "x", **values})
    site.source.page_size = 100
    for key in keys:
        site.put(key, "x")
    return site


def settings(**values: Any) -> SmallSite:
    """The settings of `simulated_site`, with these changes."""
    return simulated_site((), **values).settings


def execution(site: SimulatedSite, name: str = "run") -> Execution:
    return Execution(name, site.updater, site.state, LIMITS)


def missing_sitemaps(site: SimulatedSite) -> set[str]:
    """The sitemaps that an index names and that do not exist."""
    bodies = site.outputs.bodies()
    named = {loc.removeprefix(BASE) for name, body in bodies.items() for loc in listed_sitemaps(name, body)}
    return named - bodies.keys()


def differing_files(site: SimulatedSite) -> set[str]:
    """The published files that differ from the files of a rebuild of the same bucket without any other writer."""
    twin = site.twin()
    rebuild.rebuild(twin.updater())
    here, there = undated(site.outputs.bodies()), undated(twin.outputs.bodies())
    return {name for name in here.keys() | there.keys() if here.get(name) != there.get(name)}
