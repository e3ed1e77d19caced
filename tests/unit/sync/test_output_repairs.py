"""Published files that others overwrite or delete are repaired by events, unless that goes on and on."""

from __future__ import annotations

import pytest
from fake_stores import Crash, SimulatedSite, Writer
from msgspec.structs import replace
from unit.published_sites import LEASE, published_site

from waypost.build.contested_files import MAX_REPLACEMENTS
from waypost.core.errors import SettingsChangedError
from waypost.ledger.ledger_state import PublisherLease
from waypost.ledger.manifest import PendingFile
from waypost.sync import inspect, rebuild
from waypost.sync.output_repairs import repair_outputs

FOREIGN = b"<urlset/>"
INDEX = "sitemap.xml"


def report(site: SimulatedSite, *names: str) -> list[str]:
    """Let an update handle events of these files; returns its requests."""
    return site.counted(lambda: site.updater().update(names))


@pytest.mark.parametrize("content", [FOREIGN, None], ids=["overwritten", "deleted"])
def test_a_file_that_somebody_overwrites_or_deletes_is_written_again(content: bytes | None) -> None:
    site = published_site()
    before = site.outputs.bodies()[INDEX]
    if content is None:
        site.outputs.remove(INDEX)
    else:
        site.outputs.write(INDEX, content)
    result = site.updater().update([INDEX])
    assert result.written == (INDEX,)
    assert site.outputs.bodies()[INDEX] == before


def test_an_event_of_a_file_that_a_publication_wrote_takes_a_read_of_the_manifest_and_of_its_metadata() -> None:
    site = published_site()
    names = sorted(site.manifest().files)
    requests = report(site, *names)
    assert sorted(requests) == sorted(["GET state/manifest.json", *(f"HEAD outputs/{name}" for name in names)])


def test_a_file_of_this_ledger_that_is_pending_is_left_to_its_publisher_and_a_foreign_one_is_not() -> None:
    site = published_site()
    version = site.ledger().read()
    index = replace(version.manifest.indexes[0], digest="next")
    publisher = PublisherLease("other", site.clock.time() + 60)
    pending = replace(version.manifest, indexes=(index,), pending=(PendingFile(INDEX, 7),), publisher=publisher)
    site.ledger().commit(version, pending, {})
    assert repair_outputs(site.updater(), [INDEX]).version is None
    site.outputs.write(INDEX, FOREIGN)
    repairs = repair_outputs(site.updater(), [INDEX])
    assert repairs.version is not None
    assert repairs.version.manifest.pending == (PendingFile(INDEX, repairs.version.manifest.generation),)


@pytest.mark.parametrize("is_robots", [False, True], ids=["a text sitemap", "robots.txt"])
def test_a_file_without_a_mark_that_somebody_overwrites_before_its_publication_is_recorded_is_written_again(
    is_robots: bool,
) -> None:
    site = published_site(formats=["xml", "text"], robots_sitemaps=True)
    name = "robots.txt" if is_robots else next(each for each in site.manifest().files if each.endswith(".txt"))
    wanted = site.outputs.bodies()[name]
    site.outputs.write(name, b"User-agent: *\n")
    publisher = Writer(site.gate, lambda: site.updater().update([name]))
    publisher.until(f"PUT outputs/{name} done")
    assert [each.name for each in site.manifest().pending] == [name]
    site.outputs.write(name, b"User-agent: *\n")
    repair = Writer(site.gate, lambda: site.updater().update([name]))
    repair.until("PUT state/manifest.json done")
    publisher.finish()
    repair.finish()
    assert (publisher.error, repair.error, site.manifest().pending) == (None, None, ())
    assert wanted in site.outputs.bodies()[name]


def test_the_event_of_a_file_that_comes_again_while_another_process_publishes_makes_no_contested_file() -> None:
    site = published_site()
    version = site.ledger().read()
    publisher = PublisherLease("other", site.clock.time() + 60)
    site.ledger().commit(version, replace(version.manifest, publisher=publisher), {})
    site.outputs.write(INDEX, FOREIGN)
    assert [repair_outputs(site.updater(), [INDEX]).contested for _ in range(9)] == [()] * 9


def test_a_repeated_event_publishes_what_a_process_has_left_that_died_when_it_had_repaired_the_file() -> None:
    site = published_site()
    site.outputs.remove(INDEX)
    writer = Writer(site.gate, lambda: site.updater().update([INDEX]))
    writer.until(f"PUT outputs/{INDEX} done")
    writer.step(Crash())
    assert [each.name for each in site.manifest().pending] == [INDEX]
    site.clock.sleep(LEASE)
    site.updater().update([INDEX])
    assert site.manifest().pending == ()


def overwrite_often(site: SimulatedSite) -> list[str]:
    """Overwrite the index once more than it is repaired; returns the codes of the last update's warnings."""
    codes: list[str] = []
    for _ in range(MAX_REPLACEMENTS + 1):
        site.outputs.write(INDEX, FOREIGN)
        codes = [warning.code for warning in site.updater().update([INDEX]).warnings]
    return codes


def test_a_file_that_is_replaced_for_the_fourth_time_within_an_hour_is_left_with_a_warning() -> None:
    site = published_site()
    assert overwrite_often(site) == ["contested"]
    assert site.outputs.bodies()[INDEX] == FOREIGN
    site.clock.sleep(4_000)
    requests = report(site, INDEX)
    assert not [request for request in requests if request.startswith("PUT")]


def test_the_status_has_a_contested_file_as_a_problem_until_the_next_rebuild() -> None:
    site = published_site()
    overwrite_often(site)
    (problem,) = inspect.status(site.updater()).problems
    assert (problem.kind, problem.where) == ("store", INDEX)
    rebuild.rebuild(site.updater())
    assert inspect.status(site.updater()).problems == []


def test_a_rebuild_repairs_a_contested_file_and_events_do_again_after_it() -> None:
    site = published_site()
    before = site.outputs.bodies()[INDEX]
    overwrite_often(site)
    rebuild.rebuild(site.updater())
    assert site.outputs.bodies()[INDEX] == before
    site.outputs.write(INDEX, FOREIGN)
    report(site, INDEX)
    assert site.outputs.bodies()[INDEX] == before


def test_files_that_are_replaced_once_an_hour_are_always_repaired() -> None:
    site = published_site()
    before = site.outputs.bodies()[INDEX]
    for _ in range(MAX_REPLACEMENTS + 3):
        site.outputs.write(INDEX, FOREIGN)
        report(site, INDEX)
        assert site.outputs.bodies()[INDEX] == before
        site.clock.sleep(3_601)


def test_deployments_that_delete_a_file_may_do_so_thirty_times_an_hour() -> None:
    site = published_site()
    before = site.outputs.bodies()[INDEX]
    for _ in range(30):
        site.outputs.remove(INDEX)
        report(site, INDEX)
        assert site.outputs.bodies()[INDEX] == before
    site.outputs.remove(INDEX)
    assert [warning.code for warning in site.updater().update([INDEX]).warnings] == ["contested"]
    assert INDEX not in site.outputs.bodies()


def test_a_file_of_another_name_is_none_of_the_ledgers() -> None:
    site = published_site()
    assert repair_outputs(site.updater(), ["sitemap-old.xml"]).version is None


def test_without_a_ledger_a_rebuild_is_asked_for() -> None:
    with pytest.raises(SettingsChangedError, match="no ledger yet"):
        repair_outputs(SimulatedSite().updater(), [INDEX])


@pytest.mark.parametrize("has_event", [True, False])
def test_a_file_that_was_edited_and_kept_its_metadata_is_found_and_written_again(*, has_event: bool) -> None:
    site = published_site()
    body, metadata = site.outputs.files["sitemap.xml"]
    site.outputs.files["sitemap.xml"] = body.replace(b"sitemap-", b"evil-"), metadata
    assert site.wrong_files() == {"sitemap.xml": "differs from what the ledger describes"}
    if has_event:
        rebuild.update(site.updater(), ["sitemap.xml"])
    else:
        rebuild.rebuild(site.updater())
    assert site.outputs.bodies()["sitemap.xml"] == body
    assert site.is_in_sync()
