"""Publishing files as the manifest describes them: what is written, removed, left alone, and in which order."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fake_stores import MemoryStore, SimulatedSite, Writer
from msgspec.structs import replace

from waypost.core.errors import ConflictError, StoreError
from waypost.core.gzip import compress
from waypost.core.hashing import content_digest
from waypost.ledger.ledger_state import PublisherRole
from waypost.ledger.manifest import Manifest, PendingFile
from waypost.ledger.store import MANIFEST_NAME, LedgerVersion
from waypost.stores.base import FileInfo, PublishMetadata
from waypost.sync import rebuild
from waypost.sync.publisher import FileChanges


def published_site(count: int = 12, **values: Any) -> SimulatedSite:
    """A site of several sitemaps under one index, with all files published."""
    site = SimulatedSite(**{"urls": 4, "lastmod": "none", **values})
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    rebuild.rebuild(site.updater())
    return site


def publish(site: SimulatedSite, *names: str, manifest: Manifest | None = None, **options: Any) -> FileChanges:
    """Publish these files by the present manifest, or by another one with the present ETag."""
    version = site.ledger().read()
    version = LedgerVersion(manifest or version.manifest, version.etag)
    return site.updater().publisher(version.manifest, **options).publish(version, names, {})


def shard_names(site: SimulatedSite) -> list[str]:
    return [file.name for entry in site.manifest().entries for file in entry.files]


def test_files_that_are_as_the_manifest_says_are_not_written() -> None:
    site = published_site()
    assert publish(site, *site.manifest().files) == FileChanges(version=site.ledger().read())


def test_a_deleted_sitemap_is_rendered_from_its_records_with_the_same_bytes() -> None:
    site = published_site()
    before, name = site.outputs.bodies(), shard_names(site)[1]
    site.outputs.remove(name)
    assert publish(site, name).written == (name,)
    assert site.outputs.bodies() == before


def test_only_the_named_and_pending_files_are_published() -> None:
    site = published_site()
    first, second, third = shard_names(site)[:3]
    for name in (first, second, third):
        site.outputs.remove(name)
    from_pending = replace(site.manifest(), pending=(PendingFile(second),))
    assert set(publish(site, first, manifest=from_pending).written) == {first, second}
    assert third not in site.outputs.files


def test_a_published_file_carries_its_digest_and_the_generation_that_wrote_it() -> None:
    site = published_site()
    name = shard_names(site)[0]
    body, metadata = site.outputs.files[name]
    assert metadata.digest == content_digest(body)
    assert 0 < metadata.generation <= site.manifest().generation


def test_sitemaps_are_written_before_the_index_and_the_index_before_robots_txt() -> None:
    site = published_site(robots_sitemaps=True)
    site.outputs.files.clear()
    names = [*site.manifest().files, "robots.txt"]
    requests = site.counted(lambda: publish(site, *names))
    written = [request.removeprefix("PUT outputs/") for request in requests if request.startswith("PUT outputs/")]
    assert sorted(written) == sorted(names)
    assert written[-2:] == ["sitemap.xml", "robots.txt"]


def test_a_pending_file_that_the_manifest_does_not_name_is_removed() -> None:
    site = published_site()
    site.outputs.write("sitemap-0123456789abcdef.xml", b"old")
    pending = replace(site.manifest(), pending=(PendingFile("sitemap-0123456789abcdef.xml", "2027-01-01"),))
    assert publish(site, manifest=pending).removed == ("sitemap-0123456789abcdef.xml",)


def test_nothing_is_published_by_a_manifest_that_is_not_complete_or_lists_no_page() -> None:
    site = published_site(1)
    site.delete("000.html")
    rebuild.update(site.updater(), ["000.html"])
    before = site.outputs.bodies()
    assert publish(site, *before).written == ()
    assert publish(site, *before).removed == ()
    assert site.outputs.bodies() == before


def test_before_the_last_step_of_a_distributed_rebuild_only_sitemaps_are_written() -> None:
    site = published_site()
    name = shard_names(site)[0]
    unpublished = replace(site.manifest(), publisher=PublisherRole("run", 1))
    for each in (name, "sitemap.xml"):
        site.outputs.remove(each)
    assert publish(site, name, "sitemap.xml", manifest=unpublished).written == (name,)
    assert publish(site, "sitemap.xml", manifest=unpublished, is_final_step=True).written == ("sitemap.xml",)


def test_a_writer_that_finds_another_manifest_continues_with_that_one() -> None:
    site = published_site()
    name = shard_names(site)[0]
    site.outputs.remove(name)
    slow = Writer(site.gate, lambda: publish(site, name))
    slow.until("HEAD state/manifest.json")
    site.put("new.html", "x")
    rebuild.update(site.updater(), ["new.html"])
    slow.finish()
    assert slow.error is None
    assert slow.result.conflicts == 1
    assert slow.result.version == site.ledger().read()
    assert site.is_in_sync()


def test_a_manifest_of_other_settings_ends_the_publication_without_a_change() -> None:
    site = published_site()
    name = shard_names(site)[0]
    site.outputs.remove(name)
    slow = Writer(site.gate, lambda: publish(site, name))
    slow.until("HEAD state/manifest.json")
    site.settings = SimulatedSite(urls=4, lastmod="none", exclude=["/000.html"]).settings
    rebuild.rebuild(site.updater(), lambda: True)
    slow.finish()
    assert slow.result.written == ()
    assert name not in site.outputs.files


class AlwaysReplacedManifest(MemoryStore):
    """A ledger's store in which another writer replaces the manifest before each check."""

    def head(self, name: str) -> FileInfo | None:
        found = super().head(name)
        return FileInfo("the ETag of another manifest") if found and name == MANIFEST_NAME else found


def test_a_writer_gives_up_if_others_always_replace_the_manifest() -> None:
    site = published_site()
    outdated = LedgerVersion(site.manifest(), "an ETag that no manifest has")
    site.outputs.remove("sitemap.xml")
    publisher = site.updater().publisher(outdated.manifest)
    assert publisher.publish(outdated, ["sitemap.xml"], {}).conflicts == 1  # the second attempt reads the manifest
    site.state = AlwaysReplacedManifest(site.gate, "state", site.state.files)
    site.outputs.remove("sitemap.xml")
    with pytest.raises(ConflictError, match="50 times"):
        publish(site, "sitemap.xml")


def test_a_publication_that_reaches_its_deadline_reports_that_it_is_not_complete() -> None:
    site = published_site()
    site.outputs.files.clear()
    answers = iter([False, False])
    version = site.ledger().read()
    done = (
        site.updater()
        .publisher(version.manifest)
        .publish(version, list(version.manifest.files), {}, lambda: next(answers, True))
    )
    assert not done.is_complete
    assert len(done.written) == 2
    assert done.written == tuple(site.outputs.files)


def test_an_html_sitemap_does_not_replace_a_page_that_waypost_did_not_create() -> None:
    site = published_site(formats=["xml", "html"])
    name = next(name for name in site.manifest().files if name.endswith(".html"))
    site.outputs.write(name, b"<h1>Written by hand</h1>")
    with pytest.raises(StoreError, match=f"Waypost did not create the present {name}"):
        publish(site, name)
    assert site.outputs.bodies()[name] == b"<h1>Written by hand</h1>"


def test_a_compressed_sitemap_has_the_digest_of_its_uncompressed_bytes() -> None:
    site = published_site(gzip=True)
    name = shard_names(site)[0]
    before = site.outputs.bodies()[name]
    assert name.endswith(".xml.gz")
    site.outputs.remove(name)
    publish(site, name)
    assert site.outputs.bodies()[name] == before
    assert site.outputs.files[name][1].digest == site.manifest().files[name].digest


def test_wrong_files_are_reported_with_what_is_wrong_with_each() -> None:
    site = published_site()
    first, second, *_ = shard_names(site)
    site.outputs.remove(first)
    site.outputs.write(second, b"overwritten")
    publisher = site.updater().publisher(site.manifest())
    wrong = {first: "is missing", second: "differs from what the ledger describes"}
    assert publisher.wrong_files(site.manifest()) == wrong
    assert publisher.wrong_files(site.manifest(), [first]) == {first: "is missing"}


def orphaned_files(site: SimulatedSite) -> set[str]:
    return site.updater().publisher(site.manifest()).orphaned_files(site.ledger().read())


@pytest.mark.parametrize(
    ("name", "generation", "is_orphaned"),
    [
        ("sitemap-0123456789abcdef.xml", 3, True),
        ("sitemap-0123456789abcdef.xml", 0, False),
        ("sitemap-photo.png", 3, False),
    ],
    ids=["metadata of Waypost", "no metadata", "another kind of name"],
)
def test_an_unnamed_file_without_a_mark_is_orphaned_only_if_its_name_and_metadata_are_waypost_s(
    name: str, generation: int, *, is_orphaned: bool
) -> None:
    site = published_site()
    site.outputs.files[name] = b"<urlset/>", PublishMetadata("", generation)
    assert orphaned_files(site) == ({name} if is_orphaned else set())


@pytest.mark.parametrize("ending", [".xml", ".xml.gz"])
def test_an_unnamed_file_with_waypost_s_mark_is_orphaned(ending: str) -> None:
    site = published_site()
    body, name = site.outputs.bodies()["sitemap.xml"], f"sitemap-0123456789abcdef{ending}"
    site.outputs.write(name, compress(body) if ending.endswith(".gz") else body)
    assert orphaned_files(site) == {name}


def test_robots_txt_names_all_indexes_of_a_ledger() -> None:
    site = SimulatedSite(urls=2, sitemaps=4, robots_sitemaps=True)
    for n in range(60):
        site.put(f"{n:03}.html", "x")
    rebuild.rebuild(site.updater())
    assert len(index_names(site)) > 4
    assert named_in_robots_txt(site) == index_names(site)
    before = site.outputs.bodies()
    site.put("100.html", "x")
    rebuild.update(site.updater(), ["100.html"])
    assert named_in_robots_txt(site) == index_names(site)
    after = site.outputs.bodies()
    assert len({name for name in index_names(site) if after[name] != before.get(name)}) == 1


def index_names(site: SimulatedSite) -> set[str]:
    return {name for name in site.outputs.files if name == "sitemap.xml" or "-index-" in name}


def named_in_robots_txt(site: SimulatedSite) -> set[str]:
    robots_txt = site.outputs.bodies()["robots.txt"].decode()
    return set(re.findall(r"Sitemap: https://example.org/(\S+)", robots_txt))
