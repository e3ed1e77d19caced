"""Questions about a ledger that change nothing: its status, a check against the bucket, and why a key is listed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from fake_stores import MemoryBucket, SimulatedSite
from msgspec import UNSET
from run_harness import Execution
from unit.sample_sites import site
from unit.sync.rebuilt_sites import rewrite_by_newer_release

from waypost.core.errors import RenderError
from waypost.core.model import Body, Item
from waypost.ledger.classify import PageClassifier
from waypost.ledger.published_documents import PublishedDocuments
from waypost.sitemaps.render import Renderer
from waypost.sync import inspect, rebuild
from waypost.sync.inspect import check, render_sample
from waypost.sync.status_answers import Drift, KeySample, StatusAnswer

NOINDEX = '<meta name="robots" content="noindex">'


def built(**objects: str) -> SimulatedSite:
    site = SimulatedSite(urls=4, lastmod="content", state="x", exclude=["/private/"])
    for name, content in (objects or {f"p{n}": "x" for n in range(6)}).items():
        site.put(f"{name}.html", content)
    rebuild.rebuild(site.updater())
    return site


def status(site: SimulatedSite) -> StatusAnswer:
    return inspect.status(site.updater())


def drift(site: SimulatedSite) -> list[list[str]]:
    """The keys that a check finds new, changed and gone."""
    found = inspect.check(site.updater()).drift
    assert found is not UNSET
    samples = (found.new, found.changed, found.removed)
    assert all(sample.count == len(sample.first) for sample in samples)
    return [list(sample.first) for sample in samples]


def explained(site: SimulatedSite, key: str) -> tuple[Any, ...]:
    """Whether a key is listed, and its sitemap or the reason and its detail."""
    found = inspect.explain(site.updater(), key)
    assert found.path == key
    if found.listed:
        return True, found.sitemap
    return False, found.reason, found.detail


def test_a_status_counts_pages_sitemaps_and_exclusions() -> None:
    site = built(**{f"p{n}": "x" for n in range(6)}, hidden=NOINDEX)
    found = status(site)
    assert (found.base_url, found.generation) == ("https://example.org/", site.manifest().generation)
    assert (found.url_count, found.excluded_by_reason) == (6, {"noindex": 1})
    assert found.sitemap_count == sum(bool(entry.files) for entry in site.manifest().entries) > 1
    assert found.root_sitemaps == ["https://example.org/sitemap.xml"]
    assert found.age_seconds is not None
    assert found.age_seconds > 0


def leave_unchanged(site: SimulatedSite) -> None:
    assert site.is_in_sync()


def change_settings(site: SimulatedSite) -> None:
    site.settings = SimulatedSite(urls=4, lastmod="content", state="x").settings


def start_build(site: SimulatedSite) -> None:
    change_settings(site)
    rebuild.rebuild(site.updater(), lambda: True)


def run_many(site: SimulatedSite, until: str) -> None:
    site.put("new.html", "x")
    Execution("run", site.updater, site.state).run(until=until)


def fail_publishing(site: SimulatedSite) -> None:
    run_many(site, "publish")
    Execution("run", site.updater, site.state).take_step("handle-failure")


def delete_all(site: SimulatedSite) -> None:
    keys = list(site.source.objects)
    for key in keys:
        site.delete(key)
    rebuild.update(site.updater(), keys)


@pytest.mark.parametrize(
    ("prepare", "text"),
    [
        (leave_unchanged, "up to date with all events received"),
        (change_settings, "was built with other settings or another release; start a rebuild"),
        (rewrite_by_newer_release, "was built by a newer release; start a rebuild"),
        (start_build, "a rebuild is in progress; the published files are left unchanged"),
        (partial(run_many, until="scan"), "a distributed rebuild is in progress; updates continue meanwhile"),
        (partial(run_many, until="publish"), "a distributed rebuild is publishing"),
        (fail_publishing, "some sitemaps are not published yet; the next event or rebuild publishes them"),
        (delete_all, "there is no page to list; the published files are left unchanged"),
    ],
)
def test_the_status_text_says_what_the_ledger_can_be_used_for(
    prepare: Callable[[SimulatedSite], None], text: str
) -> None:
    site = built()
    prepare(site)
    assert text in site.status_text()


def test_during_a_build_the_status_counts_what_is_published() -> None:
    site = built()
    start_build(site)
    assert site.manifest().page_count == 0
    assert status(site).url_count == 6


def test_a_check_of_an_unchanged_site_finds_it_in_sync() -> None:
    site = built()
    assert site.is_in_sync()
    assert drift(site) == [[], [], []]
    assert site.wrong_files() == {}


def test_a_check_finds_objects_that_no_event_reported_and_changes_nothing() -> None:
    site = built()
    site.put("new.html", "x")
    site.put("p1.html", "other")
    site.delete("p2.html")
    before = site.state.bodies(), site.outputs.bodies()
    assert drift(site) == [["new.html"], ["p1.html"], ["p2.html"]]
    assert not site.is_in_sync()
    assert (site.state.bodies(), site.outputs.bodies()) == before


def test_a_check_finds_missing_and_changed_files() -> None:
    site = built()
    first = site.manifest().entries[0].files[0].name
    site.outputs.remove(first)
    site.outputs.write("sitemap.xml", b"overwritten")
    assert site.wrong_files() == {
        first: "is missing",
        "sitemap.xml": "was written by another writer",
    }
    assert not site.is_in_sync()


def test_a_check_of_a_ledger_of_other_settings_is_not_in_sync() -> None:
    site = built()
    change_settings(site)
    assert not site.is_in_sync()


def test_a_check_without_a_ledger_or_during_a_build_has_nothing_to_compare() -> None:
    site = built()
    start_build(site)
    for each, text in ((SimulatedSite(), "there is no ledger yet"), (site, "a rebuild is in progress")):
        found = inspect.check(each.updater())
        assert (found.in_sync, found.drift, found.files) == (False, UNSET, UNSET)
        assert text in found.state


def test_a_listed_key_is_explained_with_its_url_date_and_sitemap() -> None:
    site = built(**{f"p{n}": "x" for n in range(6)})
    site.put("p1.html", "other")
    rebuild.update(site.updater(), ["p1.html"])
    found = inspect.explain(site.updater(), "p1.html")
    assert (found.loc, found.lastmod) == ("https://example.org/p1.html", site.source.objects["p1.html"][1])
    assert isinstance(found.sitemap, str)
    assert f"/{found.path}<".encode() in site.outputs.bodies()[found.sitemap]


def test_a_key_that_changed_since_the_ledger_saw_it_is_explained_as_it_is_now_without_a_date() -> None:
    site = built()
    site.put("p1.html", "other")
    found = inspect.explain(site.updater(), "p1.html")
    assert (found.listed, found.lastmod) == (True, None)
    site.put("p1.html", NOINDEX)
    assert explained(site, "p1.html")[:2] == (False, "noindex")


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        ("gone.html", "not-found", "there is no s3://site/gone.html; keys are relative to s3://site/"),
        ("style.css", "not-a-page", "its file type is not among `pages`"),
        ("private/a.html", "excluded", "a pattern of `exclude` matches it"),
        ("hidden.html", "noindex", "says noindex or none (noindex)"),
        ("denied.html", "unreadable", "AccessDenied"),
    ],
)
def test_a_key_that_is_not_listed_is_explained_with_the_reason(key: str, reason: str, detail: str) -> None:
    site = built(a="x", hidden=NOINDEX)
    site.source = DeniedBucket(site.gate, site.source.objects)
    listed, found_reason, found_detail = explained(site, key)
    assert (listed, found_reason) == (False, reason)
    assert detail in found_detail


class DeniedBucket(MemoryBucket):
    """A bucket that denies access to one of its objects."""

    def read(self, item: Item, size: int | None = None) -> Body:
        if item.key == "denied.html":
            raise PermissionError(13, "AccessDenied")
        return super().read(item, size)


def test_a_duplicate_is_explained_by_the_key_that_is_listed_in_its_place() -> None:
    site = SimulatedSite(drop_html=True, trailing_slash="never", lastmod="none")
    for key in ("a.html", "a/index.html"):
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    assert explained(site, "a.html")[:2] == (False, "duplicate-loc")
    assert "(a/index.html)" in explained(site, "a.html")[2]
    assert explained(site, "a/index.html") == (True, "sitemap.xml")


def test_exclusions_are_summed_over_all_shards() -> None:
    site = built(**{f"p{n}": NOINDEX if n % 2 else "x" for n in range(30)})
    assert len(site.manifest().entries) > 1
    assert inspect.excluded_by_reason(site.manifest()) == {"noindex": 15}


@pytest.mark.parametrize(
    ("lastmod", "reason"), [("content", "has not changed since the ledger was built"), ("none", "ask for no dates")]
)
def test_a_page_without_a_date_is_explained_with_the_reason(lastmod: str, reason: str) -> None:
    site = SimulatedSite(lastmod=lastmod, state="s3://state/ledger" if lastmod == "content" else None)
    site.put("a.html", "x")
    rebuild.rebuild(site.updater())
    found = inspect.explain(site.updater(), "a.html")
    assert found.lastmod is None
    assert reason in str(found.no_date_reason)
    site.put("a.html", "other")
    site.updater().update(["a.html"])
    assert (inspect.explain(site.updater(), "a.html").no_date_reason == "") == (lastmod == "content")


def documents(**overrides: str) -> PublishedDocuments:
    settings = site(formats=["xml", "text", "html"], stylesheet=True)
    templates = {f"{name.replace('_', '-')}.j2": (text, f"mine/{name}") for name, text in overrides.items()}
    return PublishedDocuments(settings, Renderer(templates), PageClassifier(settings, "2026-11-21T00:00:00Z"))


def test_the_templates_of_waypost_render() -> None:
    render_sample(documents())


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap_index.xml", "sitemap.txt", "sitemap.html", "sitemap.css"])
def test_a_template_that_fails_is_found(name: str) -> None:
    with pytest.raises(RenderError, match="division by zero"):
        render_sample(documents(**{name: "{{ 1 / 0 }}"}))


def test_the_status_names_objects_that_cannot_be_read_until_they_can() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    for key in ("denied.html", "b.html"):
        site.put(key, "x")
    readable, site.source = site.source, DeniedBucket(site.gate, site.source.objects)
    rebuild.rebuild(site.updater())
    (problem,) = inspect.status(site.updater()).problems
    assert problem.problem == "1 object cannot be read: denied.html: AccessDenied"
    assert problem.what_to_do == "allow this access in the policies of the role, of the bucket and of its KMS key"
    site.source = readable
    rebuild.update(site.updater(), ["denied.html"])
    assert inspect.status(site.updater()).problems == []
    site.source = DeniedBucket(site.gate, site.source.objects)
    site.put("denied.html", "changed")
    rebuild.update(site.updater(), ["denied.html"])
    assert len(inspect.status(site.updater()).problems) == 1
    site.source = readable
    site.delete("denied.html")
    rebuild.update(site.updater(), ["denied.html"])
    assert inspect.status(site.updater()).problems == []


def test_the_status_says_for_a_day_that_events_removed_many_pages() -> None:
    site = SimulatedSite(lastmod="content", state="x", max_removed=50)
    for n in range(40):
        site.put(f"{n:02}.html", "x")
    rebuild.rebuild(site.updater())
    for n in range(30):
        site.put(f"{n:02}.html", "<meta name=robots content=noindex>")
        if n == 19:
            rebuild.update(site.updater(), [f"{n:02}.html" for n in range(20)])
            assert inspect.status(site.updater()).problems == []
    rebuild.update(site.updater(), [f"{n:02}.html" for n in range(20, 30)])
    (problem,) = inspect.status(site.updater()).problems
    assert "uploads and deletions within an hour removed 30 of 40 listed pages" in problem.problem
    site.clock.sleep(86_400)
    assert inspect.status(site.updater()).problems == []


def test_what_a_rebuild_removes_was_counted_before_and_is_no_problem() -> None:
    site = SimulatedSite(lastmod="content", state="x", max_removed=100)
    for n in range(40):
        site.put(f"{n:02}.html", "x")
    rebuild.rebuild(site.updater())
    for n in range(30):
        site.delete(f"{n:02}.html")
    rebuild.rebuild(site.updater())
    assert inspect.status(site.updater()).problems == []


@pytest.mark.parametrize("is_distributed", [False, True])
def test_a_rebuild_looks_at_unreadable_objects_again(*, is_distributed: bool) -> None:
    site = SimulatedSite(lastmod="content", state="x")
    for key in ("denied.html", "b.html"):
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    readable, site.source = site.source, DeniedBucket(site.gate, site.source.objects)
    site.clock.sleep(60)
    site.put("denied.html", "x")
    rebuild.rebuild(site.updater())
    assert len(inspect.status(site.updater()).problems) == 1
    site.source = readable
    if is_distributed:
        Execution("run", site.updater, site.state).run()
    else:
        rebuild.rebuild(site.updater())
    assert inspect.status(site.updater()).problems == []


def test_an_unreadable_object_that_was_deleted_without_an_event_is_forgotten_by_a_rebuild() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    site.put("b.html", "x")
    rebuild.rebuild(site.updater())
    readable, site.source = site.source, DeniedBucket(site.gate, site.source.objects)
    site.put("denied.html", "x")
    rebuild.update(site.updater(), ["denied.html"])
    assert len(inspect.status(site.updater()).problems) == 1
    site.source = readable
    site.delete("denied.html")
    rebuild.rebuild(site.updater())
    assert inspect.status(site.updater()).problems == []


def test_a_manifest_that_is_missing_beside_its_records_was_lost(site_of_pages: SimulatedSite) -> None:
    site = site_of_pages
    site.state.remove("manifest.json")
    answer = status(site)
    assert answer.state == "the ledger's manifest is missing, though its records are there"
    assert [(each.kind, "before any rebuild" in each.what_to_do) for each in answer.problems] == [("ledger", True)]
    assert [each.problem for each in check(site.updater()).problems] == [answer.state]
    warnings = {each.code for each in rebuild.rebuild(site.updater()).warnings}
    assert "records-lost" in warnings


def test_a_new_ledger_has_lost_nothing() -> None:
    site = SimulatedSite(lastmod="content", state="x")
    site.put("a.html", "x")
    assert status(site).problems == []
    assert rebuild.rebuild(site.updater()).warnings == ()


def test_a_check_reads_objects_with_other_etags_and_tells_of_those_that_say_something_else(
    site_of_pages: SimulatedSite,
) -> None:
    site = site_of_pages
    site.put("a.html", "<html lang=en>one")
    site.updater().update(["a.html"])
    assert check(site.updater()).in_sync
    site.put("a.html", "two")
    found = check(site.updater()).drift
    assert isinstance(found, Drift)
    assert found.changed == KeySample(1, ("a.html",))


@pytest.fixture
def site_of_pages() -> SimulatedSite:
    site = SimulatedSite(lastmod="content", state="x")
    for key in ("a.html", "b.html"):
        site.put(key, "one")
    rebuild.rebuild(site.updater())
    return site


def test_other_rules_of_robots_txt_are_the_reason_why_nothing_is_in_sync(site_of_pages: SimulatedSite) -> None:
    site = site_of_pages
    site.put("robots.txt", "User-agent: *\nDisallow: /a")
    for answer in (status(site), check(site.updater())):
        assert answer.state.startswith("robots.txt has other rules than the sitemaps follow")
    assert not check(site.updater()).in_sync
