"""What a report shows of a bucket, from its ledger alone."""

from __future__ import annotations

from unit.sync.test_inspect import NOINDEX, built

from waypost.sync import ledger_overview


def test_an_overview_shows_pages_exclusions_and_files() -> None:
    site = built(**{f"p{n}": "x" for n in range(6)}, hidden=NOINDEX)
    found = ledger_overview.overview(site.updater())
    assert {sitemap.name for sitemap in found.sitemaps} == site.manifest().files.keys()
    rows = {row.key: row.reason for row in found.rows}
    assert rows == {"hidden.html": "noindex", **{f"p{n}.html": "" for n in range(6)}}
