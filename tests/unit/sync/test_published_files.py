"""The published files of a site, compared with its manifest, and rendered."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fake_stores import SimulatedSite, etag_of
from msgspec.structs import replace

from waypost.core.errors import LedgerError
from waypost.core.gzip import compress, decompress_if_gzip
from waypost.core.hashing import content_digest
from waypost.core.model import Document
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry, UnreferencedFile
from waypost.sitemaps.replacement import AT_ONCE, Replacement
from waypost.stores.base import DIGEST
from waypost.sync import rebuild
from waypost.sync.published_files import (
    LEDGER_ID,
    NO_FILE,
    SETTINGS_ID,
    PresentFile,
    PublishedFiles,
    file_metadata,
    settings_id,
)


def published_site(count: int = 12, **values: Any) -> SimulatedSite:
    """A site of several sitemaps under one index, with all files published."""
    site = SimulatedSite(**{"urls": 4, "lastmod": "none", **values})
    for n in range(count):
        site.put(f"{n:03}.html", "x")
    rebuild.rebuild(site.updater())
    return site


def files_of(site: SimulatedSite, manifest: Manifest | None = None) -> PublishedFiles:
    return site.updater().published_files(manifest or site.manifest())


def entry_of(site: SimulatedSite, number: int = 1) -> tuple[ShardEntry, PublishedFile]:
    entry = site.manifest().entries[number]
    return entry, entry.files[0]


def test_where_there_is_no_file_there_is_none() -> None:
    assert files_of(published_site()).present("sitemap-none.xml", Manifest()) == NO_FILE == PresentFile(None)


def test_a_published_file_says_which_ledger_and_settings_it_is_from_and_what_it_holds() -> None:
    site = published_site()
    manifest = site.manifest()
    for name, file in manifest.files.items():
        body, metadata = site.outputs.files[name]
        assert files_of(site).present(name, manifest) == PresentFile(etag_of(body), content_digest(body))
        assert metadata == file_metadata(manifest, file.digest)
        assert metadata == {LEDGER_ID: manifest.ledger_id, SETTINGS_ID: settings_id(manifest), DIGEST: file.digest}


def test_a_file_of_another_ledger_is_not_ours() -> None:
    site = published_site()
    assert files_of(site).present("sitemap.xml", site.manifest()).is_ours
    other = replace(site.manifest(), ledger_id="the id of another ledger")
    assert not files_of(site).present("sitemap.xml", other).is_ours


@pytest.mark.parametrize("field", ["config_digest", "recorded_facts", "robots_rules"])
def test_a_file_of_other_settings_says_so(field: str) -> None:
    site = published_site()
    other = replace(site.manifest(), **{field: "other"})
    assert not files_of(site).present("sitemap.xml", other).has_same_settings
    body, metadata = site.outputs.files["sitemap.xml"]
    site.outputs.files["sitemap.xml"] = body, {LEDGER_ID: metadata[LEDGER_ID]}
    assert files_of(site).present("sitemap.xml", other).has_same_settings, "where nothing is known"


@pytest.mark.parametrize(
    ("name", "has_mark", "is_ours"),
    [
        ("sitemap.xml", True, True),
        ("sitemap.xml", False, False),
        ("sitemap-0123456789abcdef.xml.gz", True, True),
        ("sitemap-0123456789abcdef.txt", False, True),
        ("sitemap.html", False, False),
    ],
)
def test_a_file_without_metadata_is_ours_if_its_content_or_its_name_says_so(
    name: str, *, has_mark: bool, is_ours: bool
) -> None:
    site = published_site()
    body = site.outputs.bodies()["sitemap.xml"] if has_mark else b"<p>Written by hand"
    site.outputs.write(name, compress(body) if name.endswith(".gz") else body)
    assert files_of(site).present(name, site.manifest()).is_ours is is_ours


def test_how_a_published_file_is_replaced_follows_from_what_it_lists() -> None:
    site = published_site(gzip=True)
    name = next(name for name in site.manifest().files if name != "sitemap.xml.gz")
    present = decompress_if_gzip(name, site.outputs.bodies()[name])
    fewer = re.sub(rb"<url><loc>[^<]*</loc></url>", b"", present, count=1)
    files = files_of(site)
    assert (files.replacement(name, present), files.replacement(name, fewer)) == (AT_ONCE, Replacement(is_last=True))


def test_wrong_files_are_reported_with_what_is_wrong_with_each() -> None:
    site = published_site()
    (_, first), (_, second) = entry_of(site, 0), entry_of(site, 1)
    site.outputs.remove(first.name)
    site.outputs.write(second.name, b"overwritten")
    wrong = {first.name: "is missing", second.name: "was written by another writer"}
    files = files_of(site)
    assert files.wrong_files(site.manifest()) == wrong
    assert files.wrong_files(site.manifest(), [first.name]) == {first.name: "is missing"}


def test_robots_txt_is_wrong_if_it_lacks_a_line_that_the_settings_ask_for() -> None:
    site = published_site(robots_sitemaps=True)
    assert files_of(site).wrong_files(site.manifest()) == {}
    site.outputs.write("robots.txt", b"User-agent: *\n")
    assert files_of(site).wrong_files(site.manifest()) == {"robots.txt": "differs from what the ledger describes"}
    without = published_site()
    without.outputs.write("robots.txt", b"User-agent: *\n")
    assert files_of(without).wrong_files(without.manifest()) == {}


def test_robots_txt_keeps_what_its_owner_wrote_and_loses_the_lines_of_files_that_are_no_longer_named() -> None:
    site = published_site(robots_sitemaps=True)
    present = b"User-agent: *\nSitemap: https://example.org/old-sitemap.xml\nSitemap: https://example.org/own.xml\n"
    site.outputs.write("robots.txt", present)
    manifest = replace(site.manifest(), unreferenced=(UnreferencedFile("old-sitemap.xml", 1),))
    change = files_of(site, manifest).robots_change(manifest)
    assert change.etag == etag_of(present)
    assert change.body is not None
    lines = change.body.decode().splitlines()
    assert lines[:2] == ["User-agent: *", "Sitemap: https://example.org/own.xml"]
    assert lines[-1] == "Sitemap: https://example.org/sitemap.xml"


def test_a_right_robots_txt_is_not_changed_and_a_missing_one_is_created() -> None:
    site = published_site(robots_sitemaps=True)
    body = site.outputs.bodies()["robots.txt"]
    change = files_of(site).robots_change(site.manifest())
    assert (change.etag, change.body) == (etag_of(body), None)
    site.outputs.remove("robots.txt")
    assert files_of(site).robots_change(site.manifest()) == (None, body)


def test_a_document_that_was_rendered_already_is_used_if_it_is_the_one_that_the_manifest_names() -> None:
    site = published_site()
    entry, file = entry_of(site)
    body = site.outputs.bodies()[file.name]
    known = Document(file.name, "sitemap", body, "https://example.org/", 3)
    older = Document(file.name, "sitemap", b"older", "https://example.org/", 3)
    files = files_of(site)
    requests = site.counted(lambda: files.body(site.manifest(), file, entry, known))
    assert not any("shards/" in request for request in requests)
    assert files.body(site.manifest(), file, entry, older) == files.body(site.manifest(), file, entry, None) == body


def test_indexes_and_auxiliary_files_are_rendered_once_for_all_of_them() -> None:
    site = published_site(formats=["xml", "html"], stylesheet=True)
    manifest, files = site.manifest(), files_of(site)
    others = [*manifest.indexes, *manifest.auxiliary_files]
    assert len(others) > 1
    rendered = {file.name: files.body(manifest, file, None, None) for file in others}
    assert rendered == {name: site.outputs.bodies()[name] for name in rendered}


def test_a_file_that_the_records_do_not_give_is_an_error_that_asks_for_a_rebuild() -> None:
    site = published_site()
    entry, file = entry_of(site)
    with pytest.raises(LedgerError, match=f"{file.name} cannot be rendered from the ledger's records; start a rebuild"):
        files_of(site).body(site.manifest(), replace(file, digest="of another content"), entry, None)
