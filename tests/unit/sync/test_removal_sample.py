"""What a rebuild under other settings would remove, estimated by a sample."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import SimulatedSite

from waypost.core.errors import RemovalError
from waypost.sync import rebuild
from waypost.sync.removal_sample import check_sample

NOINDEX = "<meta name=robots content=noindex>"
KEYS = [f"{n:03}.html" for n in range(40)]


def built(keys: list[str] = KEYS, **values: Any) -> SimulatedSite:
    """A site with a ledger, of forty pages if nothing else is given."""
    site = SimulatedSite(**{"lastmod": "none", **values})
    for key in keys:
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    return site


def with_settings(site: SimulatedSite, **values: Any) -> SimulatedSite:
    site.settings = SimulatedSite(**{"lastmod": "none", **values}).settings
    return site


def check(site: SimulatedSite, max_removed: int = 50, rules: str = "") -> None:
    check_sample(site.updater(), site.manifest(), rules, max_removed)


def refusal(site: SimulatedSite, max_removed: int = 50) -> str:
    with pytest.raises(RemovalError) as caught:
        check(site, max_removed)
    return str(caught.value)


def test_settings_that_leave_out_clearly_too_many_pages_are_refused() -> None:
    text = refusal(with_settings(built(), exclude=["0*.html"]))
    assert text.startswith("40 of the 40 listed pages of a sample would no longer be listed (100%")
    assert "  000.html\n" in text
    assert '"max_removed": 100' in text


def test_settings_that_leave_out_nothing_are_not_refused() -> None:
    check(with_settings(built(), gzip=True), 0)
    check(with_settings(built(), drop_html=True), 0)


def test_what_is_near_to_the_limit_is_decided_later() -> None:
    site = with_settings(built(), exclude=["00*.html", "01*.html", "020.html"])
    check(site, 50)
    assert "21 of the 40" in refusal(site, 40)


def test_objects_that_are_hidden_or_gone_now_are_removed() -> None:
    site = with_settings(built(), gzip=True)
    for key in KEYS[:20]:
        site.put(key, NOINDEX)
    for key in KEYS[20:30]:
        site.delete(key)
    assert "30 of the 40" in refusal(site)


def test_an_object_that_was_renamed_to_another_form_of_its_page_is_not_removed() -> None:
    site = with_settings(built(), gzip=True)
    for key in KEYS:
        site.delete(key)
        site.put(key.replace(".html", "/index.html"), "x")
    check(site, 0)


def test_the_present_rules_of_robots_txt_count() -> None:
    site = with_settings(built(), respect_robots=True)
    check(site)
    with pytest.raises(RemovalError):
        check(site, rules="User-agent: *\nDisallow: /0\n")


def test_without_a_limit_nothing_is_read() -> None:
    site = with_settings(built(), exclude=["*"])
    updater, manifest = site.updater(), site.manifest()
    assert site.counted(lambda: check_sample(updater, manifest, "", 100)) == []


def test_fewer_than_twenty_pages_may_all_go() -> None:
    check(with_settings(built(KEYS[:19]), exclude=["0*.html"]))


def test_of_a_large_site_a_sample_is_read() -> None:
    keys = [f"{n:04}.html" for n in range(3_000)]
    site = with_settings(built(keys, urls=1_000), gzip=True)
    updater, manifest = site.updater(), site.manifest()
    requests = site.counted(lambda: check_sample(updater, manifest, "", 50))
    assert 0 < sum(request.startswith("GET site/") for request in requests) < len(keys) / 2


def test_the_refusal_of_a_large_site_is_the_same_each_time() -> None:
    keys = [f"{n:04}.html" for n in range(500)]
    site = with_settings(built(keys, urls=50), exclude=["0[0-4]*.html"], gzip=True)
    assert refusal(site, 10) == refusal(site, 10)


def test_a_shard_whose_records_are_damaged_does_not_count() -> None:
    site = with_settings(built(), exclude=["0*.html"])
    for name in list(site.state.files):
        if name in {entry.records_file for entry in site.manifest().entries}:
            site.state.write(name, b"damaged")
    check(site)
