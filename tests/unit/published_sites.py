"""Simulated sites with published sitemaps, and what a crawler finds of them at any moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from fake_stores import Crash, SimulatedSite, Writer

from waypost.core.gzip import decompress_if_gzip
from waypost.ledger.manifest import Manifest
from waypost.ledger.pending_files import range_ends
from waypost.sync import rebuild
from waypost.sync.publication_writer import PlannedFile, Progress, PublicationWriter
from waypost.sync.publisher_lease import PublisherLeaseHolder
from waypost.validate.sitemap_content import listed_sitemaps

BASE = "https://example.org/"
LEASE = 90
Change = tuple[set[str], set[str], set[str]]
"""The names of sitemaps that a commit adds, of those that hold a smaller range than before, and a larger one."""


def published_site(count: int = 12, **values: Any) -> SimulatedSite:
    """A site of several sitemaps under one index, with all files published."""
    site = SimulatedSite(**{"urls": 4, "lastmod": "none", **values})
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    rebuild.rebuild(site.updater())
    return site


def commit_only(site: SimulatedSite, *keys: str) -> Manifest:
    """Commit an update of these keys by a process that dies before it publishes anything, and let its lease end."""
    writer = Writer(site.gate, lambda: site.updater().update(keys))
    writer.until("PUT state/manifest.json done")
    writer.step(Crash())
    site.clock.sleep(LEASE)
    return site.manifest()


def taken_lease(site: SimulatedSite) -> PublisherLeaseHolder:
    """The lease of a process that has just become the publisher."""
    lease = site.updater().lease
    lease.take(site.ledger().read())
    return lease


def publication_writer(
    site: SimulatedSite, lease: PublisherLeaseHolder | None = None
) -> tuple[PublicationWriter, Progress]:
    """What writes the pending files of the current manifest, and what it has done."""
    manifest, progress = site.manifest(), Progress({}, lambda: False)
    ends = range_ends(manifest.entries, manifest.indexes)
    files = site.updater().published_files(manifest)
    return PublicationWriter(manifest, ends, files, lease or taken_lease(site), progress), progress


def planned_phases(site: SimulatedSite) -> list[set[str]]:
    """The names of the pending files in phases, without phases of no file."""
    writer, _ = publication_writer(site)
    return [phase for planned in writer.phases(writer.plan({})) if (phase := _names(planned))]


def _names(planned: Iterable[PlannedFile]) -> set[str]:
    return {each.file.name for each in planned}


def sitemap_changes(before: Manifest, after: Manifest) -> Change:
    """Which sitemaps are new, and which ones of both manifests hold a smaller or a larger range than before."""
    old, new = (range_ends(manifest.entries, ()) for manifest in (before, after))
    same = old.keys() & new.keys()
    smaller = {name for name in same if _is_before(new[name], old[name])}
    larger = {name for name in same if _is_before(old[name], new[name])}
    return set(new.keys() - old.keys()), smaller, larger


def _is_before(end: str, other: str) -> bool:
    return end != "" and (other == "" or end < other)


def listed_urls(site: SimulatedSite) -> set[str]:
    """The URLs that a crawler finds now: it begins with the sitemaps that robots.txt names, or with `sitemap.xml`.

    Fails if an index names a file that does not exist.
    """
    bodies = site.outputs.bodies()
    lines = re.findall(r"Sitemap: (\S+)", bodies.get("robots.txt", b"").decode())
    roots = [line.removeprefix(BASE) for line in lines] or [name for name in ("sitemap.xml",) if name in bodies]
    assert set(roots) <= bodies.keys(), f"robots.txt names {set(roots) - bodies.keys()}"
    found = set[str]()
    for root in roots:
        children = [loc.removeprefix(BASE) for loc in listed_sitemaps(root, bodies[root])]
        assert set(children) <= bodies.keys(), f"{root} names {set(children) - bodies.keys()}"
        for name in children or [root]:
            body = decompress_if_gzip(name, bodies[name]).decode()
            found |= set(re.findall(r"<url><loc>(.*?)</loc>", body))
    return found


def watched(site: SimulatedSite, run: Callable[[], Any]) -> None:
    """Do a run; after each of its requests all pages are listed that were listed before it and are after it."""
    before, seen = listed_urls(site), list[set[str]]()
    writer = Writer(site.gate, run)
    while not writer.is_done:
        writer.step()
        seen.append(listed_urls(site))
    if writer.error:
        raise writer.error
    kept = before & listed_urls(site)
    missing = [kept - urls for urls in seen if kept - urls]
    assert not missing, f"{missing[0]} were not listed after one of the requests"
