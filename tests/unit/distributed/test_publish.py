"""What a distributed build has committed, published: by it, beside events, and by who comes after it."""

from __future__ import annotations

from functools import partial

import pytest
from concurrency_harness import BASE
from fake_stores import SimulatedSite, Writer, lost
from run_harness import Execution
from unit.distributed.test_commit import KEYS, execution, manifest, world

from waypost.distributed.steps import StepResult, Steps
from waypost.sync import rebuild
from waypost.validate.sitemap_content import listed_sitemaps


def missing(given: SimulatedSite) -> set[str]:
    """The sitemaps that an index names and that do not stand."""
    bodies = given.outputs.bodies()
    return {
        loc.removeprefix(BASE) for name, body in bodies.items() for loc in listed_sitemaps(name, body)
    } - bodies.keys()


def published(many: Execution) -> None:
    for item in many.items(many.run(until="publish")):
        Steps(many.updater(), many.limits).take_step(item)


def concluding(many: Execution) -> partial[StepResult]:
    return partial(Steps(many.updater(), many.limits).take_step, {"step": "finalize", "run": many.name})


def test_where_a_run_has_published_nothing_the_next_leaves_the_index_alone_until_it_has() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    for n in range(100, 160):
        given.put(f"{n}.html", "new")
    execution(given, "first").run(until="publish")
    Steps(given.updater(), execution(given).limits).take_step({"step": "handle-failure", "run": "first"})
    second = execution(given, "second")
    second.run(until="scan")
    given.put("105.html", "other")
    rebuild.update(given.updater(), ["105.html"])
    assert not missing(given)
    second.run()
    assert not missing(given)
    assert manifest(given).is_published


def test_settings_that_are_others_for_a_moment_cost_no_sitemap() -> None:
    given = world()
    many = execution(given)
    mine, other = given.site, SimulatedSite(urls=6, lastmod="content", state="x", exclude=["/000.html"]).site
    for n, item in enumerate(many.items(many.run(until="publish"))):
        given.site = mine if n else other
        Steps(given.updater(), many.limits).take_step(item)
    given.site = mine
    assert concluding(many)().next_step == "publish"
    assert many.run().next_step == "done"
    assert not missing(given)
    assert manifest(given).page_count == len(KEYS)


def test_settings_that_are_others_for_a_moment_cost_no_shard() -> None:
    given = world()
    many = execution(given)
    mine, other = given.site, SimulatedSite(urls=6, lastmod="content", state="x", exclude=["/000.html"]).site
    for n, item in enumerate(many.items(many.run(until="build"))):
        given.site = mine if n else other
        Steps(given.updater(), many.limits).take_step(item)
    given.site = mine
    assert Steps(given.updater(), many.limits).take_step({"step": "commit", "run": "run"}).next_step == "plan"
    assert many.run().next_step == "done"
    assert manifest(given).page_count == len(KEYS)


def test_an_index_that_is_deleted_while_a_run_ends_comes_back() -> None:
    given = world()
    many = execution(given)
    published(many)
    last = Writer(given.gate, concluding(many))
    last.until("PUT state/manifest.json")
    del given.outputs.files["sitemap.xml"]
    rebuild.update(given.updater(), ["sitemap.xml"])
    last.finish()
    assert "sitemap.xml" in given.outputs.files
    assert manifest(given).run is None


def test_what_is_left_of_a_site_that_lost_all_pages_goes_with_the_first_new_one() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    before = set(given.outputs.files)
    for key in KEYS:
        given.delete(key)
    execution(given).run()
    assert set(given.outputs.files) == before
    given.put("new.html", "x")
    rebuild.update(given.updater(), ["new.html"])
    assert set(given.outputs.files) == {"sitemap.xml"}


def test_a_run_is_done_though_what_it_leaves_behind_cannot_be_removed() -> None:
    given = world()
    many = execution(given)
    published(many)
    last = Writer(given.gate, concluding(many))
    last.until("LIST state/shards/")
    last.step(lost())
    last.finish()
    assert last.result.next_step == "done"


@pytest.mark.parametrize("others", [("run-2",), ("run-2", "run-20")])
def test_a_run_may_be_named_as_another_begins(others: tuple[str, ...]) -> None:
    given = world()
    for name in others:
        execution(given, name).run()
    found = execution(given, "run").run()
    assert found.result is not None
    assert found.result.objects_listed == len(KEYS)


def test_what_leaves_is_not_read_and_goes_all_at_once() -> None:
    given = world()
    rebuild.rebuild(given.updater())
    for key in KEYS[5:]:
        given.delete(key)
    many = execution(given)
    published(many)
    info = set(given.outputs.files)
    requests = given.counted(concluding(many))
    assert not [request for request in requests if request.startswith("GET outputs/")]
    assert info - set(given.outputs.files)
    assert set(given.outputs.files) == {"sitemap.xml"}
