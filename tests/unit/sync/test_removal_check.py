"""What a rebuild would remove, counted before it changes anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from fake_stores import SimulatedSite

from waypost.core.errors import RemovalError
from waypost.sync import rebuild
from waypost.sync.removal_check import RemovalCheck

NOINDEX = "<meta name=robots content=noindex>"
KEYS = [f"{n:03}.html" for n in range(40)]


def built(**values: Any) -> SimulatedSite:
    """A site of forty pages with a ledger."""
    site = SimulatedSite(**{"lastmod": "none", **values})
    for key in KEYS:
        site.put(key, "x")
    site.clock.sleep(60)
    rebuild.rebuild(site.updater())
    return site


def check(
    site: SimulatedSite, max_removed: int = 50, deadline_reached: Callable[[], bool] = lambda: False, rules: str = ""
) -> bool:
    return RemovalCheck(site.updater(), max_removed, deadline_reached).check(site.manifest(), rules)


def refusal(site: SimulatedSite, max_removed: int = 50) -> str:
    with pytest.raises(RemovalError) as caught:
        check(site, max_removed)
    return str(caught.value)


def delete(site: SimulatedSite, count: int) -> None:
    for key in KEYS[:count]:
        site.delete(key)


def with_settings(site: SimulatedSite, **values: Any) -> SimulatedSite:
    site.settings = SimulatedSite(**{"lastmod": "none", **values}).settings
    return site


def test_pages_whose_objects_are_gone_are_removed() -> None:
    site = built()
    delete(site, 20)
    assert check(site)
    delete(site, 21)
    assert refusal(site).startswith(
        "21 of the 40 listed pages would no longer be listed (52%, and max_removed is 50), so nothing was written:\n"
        "  000.html\n"
    )
    assert check(site, 100)


def test_a_check_that_finds_no_change_reads_no_object() -> None:
    site = built()
    delete(site, 5)
    requests = site.counted(lambda: check(site))
    assert not [request for request in requests if request.startswith("GET site/")]


def test_changed_pages_are_read_only_if_they_could_be_too_many() -> None:
    site = built()
    for key in KEYS[:20]:
        site.put(key, NOINDEX)
    requests = site.counted(lambda: check(site))
    assert not [request for request in requests if request.startswith("GET site/")]
    site.put(KEYS[20], NOINDEX)
    assert "21 of the 40" in refusal(site)


def test_changed_pages_that_are_still_listed_are_not_removed() -> None:
    site = built()
    for key in KEYS:
        site.put(key, "other")
    assert check(site, 0)


def test_an_object_that_was_renamed_to_another_form_of_its_page_is_not_removed() -> None:
    site = built()
    for key in KEYS:
        site.delete(key)
        site.put(key.replace(".html", "/index.html"), "x")
    assert check(site, 0)


def test_pages_that_were_not_listed_cannot_be_removed() -> None:
    site = built()
    for n in range(100):
        site.put(f"hidden-{n}.html", NOINDEX)
    rebuild.rebuild(site.updater())
    for n in range(100):
        site.delete(f"hidden-{n}.html")
    assert check(site, 0)


def test_fewer_than_twenty_pages_may_all_go() -> None:
    site = SimulatedSite(lastmod="none")
    for key in KEYS[:19]:
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    delete(site, 19)
    assert check(site)


def test_under_other_settings_pages_that_these_leave_out_by_their_names_are_removed() -> None:
    site = with_settings(built(), exclude=["00*.html", "01*.html"])
    assert check(site)
    with_settings(site, exclude=["00*.html", "01*.html", "020.html"])
    assert "21 of the 40" in refusal(site)


def test_under_other_settings_another_form_of_the_urls_removes_nothing() -> None:
    assert check(with_settings(built(), drop_html=True, gzip=True), 0)


def test_under_other_settings_changed_pages_are_read_and_may_be_removed() -> None:
    site = with_settings(built(), gzip=True)
    for key in KEYS[:20]:
        site.put(key, NOINDEX)
    assert check(site)
    site.put(KEYS[20], NOINDEX)
    assert "21 of the 40" in refusal(site)


def test_a_rebuild_that_reads_other_facts_of_the_pages_is_refused_before_it_begins() -> None:
    site = built()
    for key in KEYS:
        site.put(key, NOINDEX)
    with_settings(site, images=True)
    before = site.manifest()
    with pytest.raises(RemovalError, match="40 of the 40"):
        rebuild.rebuild(site.updater())
    assert site.manifest() == before


@pytest.mark.slow
def test_under_other_settings_a_sample_of_many_changed_pages_is_read() -> None:
    site = built()
    for n in range(3_000):
        site.put(f"many/{n}.html", "x")
    rebuild.rebuild(site.updater())
    for n in range(2_000):
        site.put(f"many/{n}.html", NOINDEX)
    with_settings(site, images=True)
    requests = site.counted(lambda: refusal(site))
    assert len([request for request in requests if request.startswith("GET site/many/")]) <= 2_000
    assert check(site, 75)


def test_under_other_settings_pages_that_do_not_matter_are_not_read() -> None:
    site = with_settings(built(), gzip=True)
    for key in KEYS[:20]:
        site.put(key, NOINDEX)
    requests = site.counted(lambda: check(site))
    assert not [request for request in requests if request.startswith("GET site/")]


def test_under_other_rules_of_robots_txt_disallowed_pages_are_removed() -> None:
    site = built()
    with pytest.raises(RemovalError, match="40 of the 40"):
        check(site, rules="User-agent: *\nDisallow: /")


def test_pages_whose_records_are_damaged_do_not_count_as_removed() -> None:
    site = built()
    for entry in site.manifest().entries[:-1]:
        site.state.write(entry.records_file, b"damaged")
    assert check(with_settings(site, drop_html=True), 0)


def test_without_time_the_check_says_so_and_refuses_nothing() -> None:
    site = built()
    delete(site, 40)
    assert not check(site, deadline_reached=lambda: True)
    site = built()
    for key in KEYS:
        site.put(key, NOINDEX)
    answers = iter([False])
    assert not check(site, deadline_reached=lambda: next(answers, True))


def test_counts_alone_can_be_too_much() -> None:
    checked = RemovalCheck(SimulatedSite().updater(), 50, lambda: False)
    checked.check_counts(40, 20)
    with pytest.raises(RemovalError, match="21 of the 40 listed pages"):
        checked.check_counts(40, 19)


@pytest.mark.parametrize(
    ("head", "is_refused"),
    [
        (NOINDEX, True),
        ("<link rel=canonical href=/gone.html>", True),
        ("x", False),
    ],
)
def test_a_first_build_that_leaves_out_most_pages_publishes_nothing(head: str, *, is_refused: bool) -> None:
    site = SimulatedSite(lastmod="none")
    for n, key in enumerate(KEYS):
        site.put(key, "x" if n < 10 else head)
    site.clock.sleep(60)
    if is_refused:
        with pytest.raises(RemovalError, match="pages of the site would not be listed in its first sitemap"):
            rebuild.rebuild(site.updater())
        assert "sitemap.xml" not in site.outputs.files
        rebuild.rebuild(site.updater(), max_removed=100)
    else:
        rebuild.rebuild(site.updater())
    assert "sitemap.xml" in site.outputs.files


def test_in_a_first_build_pages_that_name_others_are_not_counted_against_listed_ones() -> None:
    site = SimulatedSite(lastmod="none")
    for n, key in enumerate(KEYS):
        site.put(key, "x" if n % 2 else f"<link rel=canonical href=/{KEYS[n + 1]}>")
    site.clock.sleep(60)
    rebuild.rebuild(site.updater())
    assert site.manifest().page_count == 20
