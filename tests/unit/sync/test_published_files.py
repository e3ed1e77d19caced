"""The published files of a site, compared with its manifest, and rendered."""

from __future__ import annotations

from typing import Any

import pytest
from fake_stores import SimulatedSite, etag_of
from msgspec.structs import replace

from waypost.core.errors import LedgerError
from waypost.core.gzip import compress
from waypost.core.hashing import content_digest
from waypost.core.model import Document
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry, UnreferencedFile
from waypost.stores.base import DIGEST
from waypost.sync import rebuild
from waypost.sync.published_files import (
    LEDGER_ID,
    NO_FILE,
    RANGE_END,
    PresentFile,
    PublishedFiles,
    decode_end,
    file_metadata,
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
    assert files_of(published_site()).present("sitemap-none.xml", "x") == NO_FILE == PresentFile(None)


def test_a_published_file_says_which_ledger_wrote_it_what_it_holds_and_where_its_range_ends() -> None:
    site = published_site()
    manifest = site.manifest()
    for entry, following in zip(manifest.entries, [*manifest.entries[1:], None], strict=True):
        (file,) = entry.files
        present = files_of(site).present(file.name, manifest.ledger_id)
        body, metadata = site.outputs.files[file.name]
        end = following.first_key if following else ""
        assert present == PresentFile(etag_of(body), end, content_digest(body))
        assert metadata == file_metadata(manifest.ledger_id, file.digest, end)


def test_a_file_of_another_ledger_is_not_ours() -> None:
    site = published_site()
    assert files_of(site).present("sitemap.xml", site.manifest().ledger_id).is_ours
    assert not files_of(site).present("sitemap.xml", "the id of another ledger").is_ours


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
    assert files_of(site).present(name, site.manifest().ledger_id).is_ours is is_ours


def test_a_range_end_that_cannot_be_decoded_is_not_known() -> None:
    site = published_site()
    site.outputs.files["sitemap.xml"] = b"x", {LEDGER_ID: "l", RANGE_END: "?"}
    assert files_of(site).present("sitemap.xml", "l") == PresentFile(etag_of(b"x"), None)


@pytest.mark.parametrize("end", ["", "a.html", "0001 a.html", "日本/ü ?.html", "\udcff.html"])
def test_any_key_can_be_the_end_of_a_range_in_the_metadata_of_an_object(end: str) -> None:
    metadata = file_metadata("ledger", "digest", end)
    assert metadata.keys() == {LEDGER_ID, DIGEST, RANGE_END}
    assert all(value.isascii() and value.isprintable() for value in metadata.values())
    assert decode_end(metadata[RANGE_END]) == end


def test_wrong_files_are_reported_with_what_is_wrong_with_each() -> None:
    site = published_site()
    (_, first), (_, second) = entry_of(site, 0), entry_of(site, 1)
    site.outputs.remove(first.name)
    site.outputs.write(second.name, b"overwritten")
    wrong = {first.name: "is missing", second.name: "differs from what the ledger describes"}
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
