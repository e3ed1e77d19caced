"""What all parts of a rebuild share: publishing comes last."""

from __future__ import annotations

from unit.sync.rebuilt_sites import (
    after,
    simulated_site,
)

from waypost.sources.parallel_listing import LAST_KEY
from waypost.sync import rebuild


def test_when_only_publishing_is_left_a_rebuild_continues_after_the_last_key() -> None:
    site = simulated_site(120, urls=2, sitemaps=1_000)
    result = rebuild.rebuild(site.updater(), after(2))
    assert result.resume_after == LAST_KEY
    assert "sitemap.xml" not in site.outputs.files
    requests = site.counted(lambda: rebuild.rebuild(site.updater(), start_after=LAST_KEY))
    assert not any(request.startswith("GET site/0") for request in requests)
    assert site.is_in_sync()
