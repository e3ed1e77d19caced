"""Ledgers that other versions have written, and damaged ledgers."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from fake_stores import SimulatedSite
from golden_ledgers import EVERYTHING, GOLDEN, LEDGERS, PAGES, SITE_URI, contents
from msgspec.structs import replace
from run_harness import Execution

from waypost.core.errors import LedgerError, NewerVersionError, UnreleasedFormatError
from waypost.ledger import manifest as manifests
from waypost.ledger.packed_json import pack, unpack
from waypost.ledger.store import MANIFEST_NAME
from waypost.stores.base import NO_METADATA
from waypost.stores.filesystem import FolderStore
from waypost.sync import rebuild

if TYPE_CHECKING:
    from collections.abc import Callable

DEVELOPMENT_MANIFEST = b'{"format": "waypost-manifest", "version": 1, "manifest": {"place": "s3://site/"}}'
NEWER_MANIFEST = b'{"format": "waypost-ledger/manifest", "version": 2, "payload": "?"}'


def built(*keys: str, **values: object) -> SimulatedSite:
    site = SimulatedSite(**{"lastmod": "content", "state": "x", **values})
    for key in keys:
        site.put(key, f"<title>{key}</title>")
    rebuild.rebuild(site.updater())
    return site


def dates_of(site: SimulatedSite) -> dict[str, str | None]:
    ledger = site.updater().ledger
    return {record.key: record.lastmod for entry in site.manifest().entries for record in ledger.records(entry)}


def change_manifest(site: SimulatedSite, **fields: str) -> None:
    """Change fields of the stored manifest, as a release with other rules would have written them."""
    changed = replace(site.manifest(), **fields)
    site.state.files[MANIFEST_NAME] = manifests.dump(changed), NO_METADATA


def rebuild_by_calls(site: SimulatedSite) -> None:
    rebuild.rebuild(site.updater())


def distributed_rebuild(site: SimulatedSite) -> None:
    assert Execution("upgrade", site.updater, site.state).run().next_step == "done"


REBUILDS = pytest.mark.parametrize("run", [rebuild_by_calls, distributed_rebuild])


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.iterdir()))
def test_every_golden_ledger_is_read_with_the_expected_contents(name: str) -> None:
    expected = json.loads((GOLDEN / name / "expected.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(contents(GOLDEN / name / "ledger"))) == expected


def test_there_is_a_golden_ledger_of_each_state_and_each_kind_of_record() -> None:
    assert {path.name for path in GOLDEN.iterdir()} >= LEDGERS.keys()
    complete = contents(GOLDEN / "v1-complete" / "ledger")
    assert complete["alternates"]
    assert complete["videos"]
    assert any(duplicate_of for _, _, duplicate_of, _ in complete["records"].values())


@REBUILDS
@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.iterdir()))
def test_a_rebuild_over_a_golden_ledger_keeps_its_dates(name: str, run: Callable[[SimulatedSite], None]) -> None:
    site = SimulatedSite(**EVERYTHING)
    for key, content in PAGES.items():
        site.put(key, content)
    site.state.files = {
        path.relative_to(GOLDEN / name / "ledger").as_posix(): (path.read_bytes(), NO_METADATA)
        for path in sorted((GOLDEN / name / "ledger").rglob("*"))
        if path.is_file()
    }
    site.clock.sleep(86_400)  # the settings of the golden ledger are older than this run's settings
    before = site.manifest()
    archived = site.updater().ledger.read_archived(before.previous) if before.previous else before
    known = {
        record.key: record
        for entry in (archived if not before.is_complete else before).entries
        for record in site.updater().ledger.records(entry)
    }
    run(site)
    after = {record.key: record for entry in site.manifest().entries for record in site.updater().ledger.records(entry)}
    same = [key for key in known.keys() & after.keys() if known[key].etag == after[key].etag]
    assert len(same) >= 15
    assert {key: after[key].lastmod for key in same} == {key: known[key].lastmod for key in same}
    assert site.manifest().site_uri == SITE_URI


@REBUILDS
def test_the_next_rebuild_removes_a_page_whose_key_a_new_rule_excludes(
    run: Callable[[SimulatedSite], None],
) -> None:
    site = built("a.html", "drafts/b.html")
    assert b"drafts/b" in site.outputs.bodies()["sitemap.xml"]
    site.settings = SimulatedSite(lastmod="content", state="x", exclude=["/drafts/"]).settings
    change_manifest(site, config_digest=site.updater().config_digest)
    assert not site.is_in_sync()
    run(site)
    assert b"drafts/b" not in site.outputs.bodies()["sitemap.xml"]
    assert list(dates_of(site)) == ["a.html"]
    assert site.is_in_sync()


@REBUILDS
def test_a_rebuild_reads_all_objects_again_that_were_recorded_under_other_rules_and_keeps_their_dates(
    run: Callable[[SimulatedSite], None],
) -> None:
    site = built("a.html", "b.html")
    site.put("b.html", "<title>changed</title>")
    rebuild.update(site.updater(), ["b.html"])
    before = dates_of(site)
    assert before["b.html"] is not None
    change_manifest(site, recorded_facts="rules-0,digest")
    assert not site.is_in_sync()
    requests = site.counted(lambda: run(site))
    assert {"GET site/a.html", "GET site/b.html"} <= set(requests)
    assert dates_of(site) == before
    assert site.is_in_sync()


def test_an_update_rebuilds_a_ledger_of_other_rules() -> None:
    site = built("a.html", "b.html")
    change_manifest(site, recorded_facts="rules-0,digest")
    requests = site.counted(lambda: rebuild.update(site.updater(), ["a.html"]))
    assert {"GET site/a.html", "GET site/b.html"} <= set(requests)
    assert site.is_in_sync()


@REBUILDS
@pytest.mark.parametrize(
    ("data", "error", "advice"),
    [
        (DEVELOPMENT_MANIFEST, UnreleasedFormatError, "delete the ledger"),
        (NEWER_MANIFEST, NewerVersionError, "update Waypost"),
    ],
)
def test_a_ledger_of_a_newer_or_unreleased_version_is_refused_and_left_unchanged(
    data: bytes, error: type[LedgerError], advice: str, run: Callable[[SimulatedSite], None]
) -> None:
    site = built("a.html")
    site.put("b.html", "new")
    site.state.files[MANIFEST_NAME] = data, NO_METADATA
    ledger, outputs = site.state.bodies(), site.outputs.bodies()
    with pytest.raises(error, match=advice):
        run(site)
    with pytest.raises(error, match=advice):
        rebuild.update(site.updater(), ["b.html"])
    assert (site.state.bodies(), site.outputs.bodies()) == (ledger, outputs)


def test_records_of_a_development_version_are_refused() -> None:
    site = built("a.html")
    name = site.manifest().entries[0].records_file
    site.state.files[name] = msgspec.msgpack.encode(["waypost-records", 1, []]), NO_METADATA
    site.put("a.html", "changed")
    with pytest.raises(UnreleasedFormatError, match="delete the ledger"):
        rebuild.update(site.updater(), ["a.html"])
    assert site.state.files[name][0] == msgspec.msgpack.encode(["waypost-records", 1, []])


@REBUILDS
@pytest.mark.parametrize("damage", [b"", b"not JSON", b"{}", b'{"format": "waypost-ledger/manifest", "version": 1}'])
def test_a_damaged_manifest_is_kept_under_another_name_and_reported_before_a_rebuild_replaces_it(
    damage: bytes, run: Callable[[SimulatedSite], None]
) -> None:
    site = built("a.html", "b.html")
    site.state.files[MANIFEST_NAME] = damage, NO_METADATA
    with pytest.raises(LedgerError, match="damaged"):
        rebuild.update(site.updater(), ["a.html"])
    run(site)
    (kept,) = (name for name in site.state.files if name.startswith("damaged/"))
    assert site.state.bodies()[kept] == damage
    assert any("damaged" in message and kept in message for message in site.warnings)
    assert dates_of(site) == {"a.html": None, "b.html": None}
    assert site.is_in_sync()


def test_a_field_that_is_not_known_is_damage_and_never_ignored() -> None:
    site = built("a.html")
    stored = json.loads(site.state.bodies()[MANIFEST_NAME])
    fields = json.loads(unpack(base64.b64decode(stored["payload"])))
    stored["payload"] = base64.b64encode(pack(json.dumps({**fields, "added_later": 1}).encode())).decode()
    site.state.files[MANIFEST_NAME] = json.dumps(stored).encode(), NO_METADATA
    with pytest.raises(LedgerError, match="added_later"):
        site.updater().ledger.read()


def test_the_folder_store_reads_what_the_golden_ledgers_hold() -> None:
    folder = GOLDEN / "v1-complete" / "ledger"
    names = [path.relative_to(folder).as_posix() for path in Path(folder).rglob("*") if path.is_file()]
    assert {MANIFEST_NAME} < set(names)
    assert all(FolderStore(folder).read(name) for name in names)
