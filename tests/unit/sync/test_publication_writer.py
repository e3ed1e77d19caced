"""The pending files of one manifest are written in phases, each by the file that is published at that moment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from fake_stores import MemoryStore, SimulatedSite, Writer
from msgspec.structs import replace
from unit.published_sites import (
    LEASE,
    commit_only,
    planned_phases,
    publication_writer,
    published_site,
    sitemap_changes,
    taken_lease,
)

from waypost.core.errors import StoreError, UncertainError
from waypost.ledger.manifest import Manifest, PendingFile, PublishedFile
from waypost.stores.base import NO_METADATA
from waypost.sync import rebuild
from waypost.sync.publication_writer import Progress, PublicationWriter, with_unverified_files, without_finished_files
from waypost.sync.published_files import LEDGER_ID, PresentFile
from waypost.sync.publisher_lease import LeaseExpiredError

DUPLICATES: dict[str, Any] = {"groups": {"blog": ["/blog/"]}, "drop_html": True, "trailing_slash": "never"}


def write(site: SimulatedSite) -> tuple[dict[str, str], Progress]:
    """Write all phases of the pending files of the current manifest."""
    writer, progress = publication_writer(site)
    write_phases(writer)
    return writer.finished, progress


def write_phases(writer: PublicationWriter) -> None:
    for phase in writer.phases(writer.plan({})):
        writer.write(phase)


def changed_until(
    site: SimulatedSite, keys: list[str], is_wanted: Callable[[set[str], set[str], set[str]], bool]
) -> tuple[set[str], set[str], set[str]]:
    """Add or delete these keys, each published before the next, until a commit changes the sitemaps as wanted.

    That commit is not published; returns its new sitemaps, and those whose range is smaller and larger than before.
    """
    for key in keys:
        before = site.manifest()
        if key in site.source.objects:
            site.delete(key)
        else:
            site.put(key, "x")
        found = sitemap_changes(before, commit_only(site, key))
        if is_wanted(*found):
            return found
        site.updater().publish(site.ledger().read())
    raise AssertionError("no commit changed the sitemaps so")


def test_of_a_sitemap_that_is_split_the_new_one_is_written_first_and_the_old_one_after_the_index() -> None:
    site = published_site(20)
    keys = [f"{n:03}a.html" for n in range(20)]
    new, smaller, _ = changed_until(site, keys, lambda new, smaller, larger: bool(new and smaller))
    assert planned_phases(site) == [new, {"sitemap.xml"}, smaller]


def test_of_sitemaps_that_are_merged_the_one_that_stays_is_written_before_the_index() -> None:
    site = published_site(40)
    keys = [f"{n:03}.html" for n in range(1, 40)]
    *_, larger = changed_until(site, keys, lambda new, smaller, larger: bool(larger and not (new or smaller)))
    assert planned_phases(site) == [larger, {"sitemap.xml"}]


def test_a_sitemap_whose_pages_only_change_is_written_before_the_index() -> None:
    site = published_site(20, lastmod="content", state="x")
    site.put("007.html", "other")
    manifest = commit_only(site, "007.html")
    (name,) = (each.name for each in manifest.pending if each.name != "sitemap.xml")
    assert planned_phases(site) == [{name}, {"sitemap.xml"}]


def test_a_sitemap_that_becomes_an_index_is_written_after_all_sitemaps_and_the_other_way_round() -> None:
    site = published_site(3)
    more = [f"{n:03}.html" for n in range(3, 12)]
    for key in more:
        site.put(key, "x")
    manifest = commit_only(site, *more)
    assert planned_phases(site) == [manifest.files.keys() - {"sitemap.xml"}, {"sitemap.xml"}]
    site.updater().publish(site.ledger().read())
    for key in more:
        site.delete(key)
    commit_only(site, *more)
    assert planned_phases(site) == [{"sitemap.xml"}]


def test_a_url_of_duplicates_is_written_where_it_arrives_before_it_is_removed_where_it_was() -> None:
    site = published_site(0, **DUPLICATES)
    for key in ("a.html", "blog.html", "blog/x.html"):
        site.put(key, "x")
    rebuild.rebuild(site.updater())
    site.put("blog/index.html", "x")
    commit_only(site, "blog/index.html")
    assert planned_phases(site) == [{"sitemap-blog.xml"}, {"sitemap-pages.xml"}]
    site.updater().publish(site.ledger().read())
    site.delete("blog/index.html")
    commit_only(site, "blog/index.html")
    assert planned_phases(site) == [{"sitemap-pages.xml"}, {"sitemap-blog.xml"}]


def test_an_index_of_which_sitemaps_go_to_a_new_one_is_written_after_that_and_robots_txt() -> None:
    site = published_site(40, sitemaps=5, robots_sitemaps=True)
    for n in range(40):
        key = f"{n:03}a.html"
        before = {index.name for index in site.manifest().indexes}
        site.put(key, "x")
        new = {index.name for index in commit_only(site, key).indexes} - before
        phases = planned_phases(site)
        last = phases[phases.index({"robots.txt"}) + 1 :] if new else []
        if last and last[0] <= before:
            assert new <= phases[phases.index({"robots.txt"}) - 1]
            return
        site.updater().publish(site.ledger().read())
    raise AssertionError("no index was split")


def test_news_html_and_stylesheet_are_written_before_the_index_and_robots_txt_after_it() -> None:
    site = SimulatedSite(urls=4, lastmod="none", formats=["xml", "html"], stylesheet=True, robots_sitemaps=True)
    for n in range(12):
        site.put(f"{n:03}.html", "x")
    rebuild.rebuild(site.updater(), lambda: False)
    site.outputs.files.clear()
    version = site.ledger().read()
    pending = tuple(PendingFile(name, 1) for name in sorted([*version.manifest.files, "robots.txt"]))
    site.ledger().commit(version, replace(version.manifest, pending=pending), {})
    *sitemaps, auxiliary, index, robots = planned_phases(site)
    assert sitemaps == [{file.name for entry in version.manifest.entries for file in entry.files}]
    assert (auxiliary, index, robots) == ({"sitemap.html", "sitemap.css"}, {"sitemap.xml"}, {"robots.txt"})


def test_what_is_published_is_asked_for_unless_it_is_known() -> None:
    site = published_site()
    site.put("007.html", "<meta name=robots content=noindex>")
    manifest = commit_only(site, "007.html")
    names = {each.name for each in manifest.pending}
    known = {name: PresentFile('"etag"', "digest", "") for name in names}
    writer, _ = publication_writer(site)
    assert heads(site.counted(lambda: writer.plan({}))) == names
    assert heads(site.counted(lambda: writer.plan(known))) == set()


def heads(requests: list[str]) -> set[str]:
    return {request.removeprefix("HEAD outputs/") for request in requests if request.startswith("HEAD outputs/")}


def make_pending(site: SimulatedSite, *names: str) -> Manifest:
    version = site.ledger().read()
    pending = tuple(PendingFile(name, version.manifest.generation + 1) for name in sorted(names))
    return site.ledger().commit(version, replace(version.manifest, pending=pending), {}).manifest


def test_a_file_that_is_right_is_not_written_and_its_etag_is_known_afterwards() -> None:
    site = published_site()
    make_pending(site, "sitemap.xml")
    finished, progress = write(site)
    assert finished == {"sitemap.xml": etag(site, "sitemap.xml")}
    assert (progress.written, progress.attempted) == ({}, set())


def etag(site: SimulatedSite, name: str) -> str:
    info = site.outputs.head(name)
    assert info is not None
    return info.etag


def test_a_wrong_file_is_written_with_its_metadata() -> None:
    site = published_site()
    entry = site.manifest().entries[0]
    name = entry.files[0].name
    before = site.outputs.files.pop(name)
    make_pending(site, name)
    finished, progress = write(site)
    assert site.outputs.files[name] == before
    assert (finished, list(progress.written)) == ({name: etag(site, name)}, [name])


def test_a_foreign_xml_file_is_replaced_with_a_warning_even_if_its_content_is_the_same() -> None:
    site = published_site()
    body, metadata = site.outputs.files["sitemap.xml"]
    site.outputs.files["sitemap.xml"] = body, {**metadata, LEDGER_ID: "another ledger"}
    make_pending(site, "sitemap.xml")
    _, progress = write(site)
    assert site.outputs.files["sitemap.xml"] == (body, metadata)
    (warning,) = progress.warnings()
    assert (warning.code, warning.count) == ("foreign-replaced", 1)
    assert warning.examples[0].key == "sitemap.xml"
    assert re.fullmatch(r"it listed [0-9]+ URLs, the first https://example\.org/\S+", warning.examples[0].detail)


@pytest.mark.parametrize("name", ["sitemap.html", "sitemap.css"])
def test_a_foreign_html_or_css_file_is_left_with_a_warning_each_time_and_is_not_pending_any_more(name: str) -> None:
    site = published_site(formats=["xml", "html"], stylesheet=True)
    site.outputs.write(name, b"<h1>Written by hand</h1>")
    for _ in range(2):
        make_pending(site, name)
        done = site.updater().publish(site.ledger().read())
        assert (done.written, [warning.code for warning in done.warnings]) == ((), ["output-blocked"])
        assert (site.manifest().pending, site.manifest().publisher) == ((), None)
    assert site.outputs.bodies()[name] == b"<h1>Written by hand</h1>"
    assert site.manifest().files[name].etag == ""


def test_a_blocked_file_is_published_once_its_place_is_free() -> None:
    site = published_site(formats=["xml", "html"])
    before = site.outputs.files["sitemap.html"]
    site.outputs.write("sitemap.html", b"<h1>Written by hand</h1>")
    make_pending(site, "sitemap.html")
    write(site)
    site.outputs.remove("sitemap.html")
    rebuild.rebuild(site.updater())
    assert site.outputs.files["sitemap.html"] == before


def test_a_warning_names_three_files_and_counts_all_of_them() -> None:
    progress = Progress({}, lambda: False)
    for n in range(5):
        progress.warn("foreign-replaced", f"{n}.xml")
    (warning,) = progress.warnings()
    assert (warning.count, [example.key for example in warning.examples]) == (5, ["0.xml", "1.xml", "2.xml"])


class RacingStore(MemoryStore):
    """A store in which others replace a file before the first writes of this process; or its answer is lost."""

    races = 0
    error: type[StoreError] | None = None

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        if self.races:
            self.races -= 1
            if self.error:
                raise self.error(name)
            self.files[name] = f"foreign {self.races}".encode(), {}
        return super().put_if_match(name, content, etag, metadata)


def racing_site(races: int, error: type[StoreError] | None = None) -> SimulatedSite:
    site = published_site()
    site.outputs = store = RacingStore(site.gate, "outputs", site.outputs.files, clock=site.clock)
    store.races, store.error = races, error
    site.outputs.files.pop("sitemap.xml")
    make_pending(site, "sitemap.xml")
    return site


def test_a_file_that_others_replace_meanwhile_is_looked_at_and_written_again() -> None:
    site = racing_site(3)
    expected = site.manifest().files["sitemap.xml"].digest
    _, progress = write(site)
    present = site.updater().published_files(site.manifest()).present("sitemap.xml", site.manifest())
    assert (present.digest, present.is_ours) == (expected, True)
    assert [warning.code for warning in progress.warnings()] == ["foreign-replaced"]


def test_a_file_that_others_always_replace_is_an_error() -> None:
    with pytest.raises(StoreError, match=r"sitemap\.xml could not be written: others replaced it 5 times"):
        write(racing_site(5))


def test_after_a_write_without_an_answer_the_margin_passes_before_the_file_is_looked_at_again() -> None:
    site = racing_site(1, UncertainError)
    writer = Writer(site.gate, lambda: write(site))
    started = site.clock.time()
    writer.until("PUT outputs/sitemap.xml")
    assert 30 <= site.clock.time() - started < 40
    writer.finish()
    assert writer.error is None


def test_no_write_begins_without_time_in_the_lease() -> None:
    site = published_site()
    site.outputs.files.pop("sitemap.xml")
    make_pending(site, "sitemap.xml")
    lease = taken_lease(site)
    site.clock.sleep(LEASE - 30)
    writer, progress = publication_writer(site, lease)
    with pytest.raises(LeaseExpiredError):
        write_phases(writer)
    assert (writer.finished, progress.attempted) == ({}, set())
    assert "sitemap.xml" not in site.outputs.files


def test_robots_txt_is_read_when_it_is_written_and_an_owner_s_upload_is_never_overwritten() -> None:
    site = published_site(robots_sitemaps=True)
    site.outputs.write("robots.txt", b"User-agent: *\n")
    make_pending(site, "robots.txt")
    slow = Writer(site.gate, lambda: write(site))
    slow.until("PUT outputs/robots.txt")
    site.outputs.write("robots.txt", b"User-agent: owner\n")
    slow.finish()
    assert slow.error is None
    text = site.outputs.bodies()["robots.txt"].decode()
    assert text.startswith("User-agent: owner\n")
    assert text.endswith("Sitemap: https://example.org/sitemap.xml\n")


def test_a_document_that_was_rendered_already_is_not_rendered_again() -> None:
    site = published_site()
    entry = site.manifest().entries[1]
    name = entry.files[0].name
    body = site.outputs.files.pop(name)[0]
    make_pending(site, name)
    requests = site.counted(lambda: write(site))
    assert any(entry.records_file in request for request in requests)
    assert site.outputs.bodies()[name] == body


PLANNED = Manifest(
    generation=7,
    indexes=(PublishedFile("a.xml", "a"), PublishedFile("b.xml", "b"), PublishedFile("c.xml", "c")),
    pending=(PendingFile("a.xml", 6), PendingFile("b.xml", 7), PendingFile("c.xml", 7), PendingFile("robots.txt", 7)),
)


def test_finished_files_are_no_longer_pending_and_their_etags_are_known() -> None:
    after = without_finished_files(PLANNED, PLANNED, {"a.xml": '"1"', "robots.txt": '"2"'})
    assert [each.name for each in after.pending] == ["b.xml", "c.xml"]
    assert {name: file.etag for name, file in after.files.items()} == {"a.xml": '"1"', "b.xml": "", "c.xml": ""}


def test_a_file_that_a_later_commit_made_pending_again_stays_so() -> None:
    present = replace(PLANNED, generation=8, pending=(PendingFile("a.xml", 8), *PLANNED.pending[1:]))
    after = without_finished_files(present, PLANNED, {"a.xml": '"1"', "b.xml": '"2"'})
    assert [each.name for each in after.pending] == ["a.xml", "c.xml", "robots.txt"]


def test_a_file_that_became_pending_after_the_plan_stays_so() -> None:
    present = replace(PLANNED, generation=8, pending=(*PLANNED.pending, PendingFile("d.xml", 8)))
    after = without_finished_files(present, PLANNED, {"a.xml": "", "b.xml": "", "c.xml": "", "robots.txt": ""})
    assert [each.name for each in after.pending] == ["d.xml"]


def test_the_files_that_a_process_wrote_without_the_lease_become_pending_again_in_the_next_generation() -> None:
    present = replace(PLANNED, pending=(PendingFile("b.xml", 5), PendingFile("c.xml", 5)))
    after = with_unverified_files(present, ["a.xml", "b.xml", "robots.txt", "gone.xml"])
    assert after.pending == (
        PendingFile("a.xml", 8),
        PendingFile("b.xml", 8),
        PendingFile("c.xml", 5),
        PendingFile("robots.txt", 8),
    )


def test_a_process_that_wrote_nothing_without_the_lease_changes_nothing() -> None:
    assert with_unverified_files(PLANNED, []) is PLANNED
    assert with_unverified_files(PLANNED, ["gone.xml"]) is PLANNED
