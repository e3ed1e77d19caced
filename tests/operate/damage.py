"""Cases: damage to the ledger, to published files, to the bucket's events and to the settings."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING

import brotli
from stacks import until
from waypost.ledger import manifest

from operate import pages
from operate.cases import Case, Outcome, of_status, seen
from operate.trial import BUCKET, PREFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from operate.trial import Trial

_FOREIGN = (
    '<?xml version="1.0" encoding="utf-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    "<url><loc>https://www.example.org/from-a-generator/</loc></url></urlset>"
)
_LIST = (
    'aws s3api list-object-versions --bucket "$(output StateBucketName)" --prefix "$(output LedgerPrefix)shards/NAME"'
)
_UNDELETE = (
    'aws s3api delete-object --bucket "$(output StateBucketName)" --key "$(output LedgerPrefix)shards/NAME" '
    "--version-id ID-OF-THE-DELETE-MARKER"
)
_RESTORE = (
    'aws s3api copy-object --bucket "$(output StateBucketName)" --key "$(output LedgerPrefix)shards/NAME" '
    '--copy-source "$(output StateBucketName)/$(output LedgerPrefix)shards/NAME?versionId=ID-OF-THE-GOOD-VERSION"'
)
_LIST_MANIFESTS = (
    'aws s3api list-object-versions --bucket "$(output StateBucketName)" --prefix '
    """"$(output LedgerPrefix)manifest.json" --query 'Versions[].[LastModified, VersionId]' --output text"""
)
_UNDELETE_ALL = (
    'aws s3api list-object-versions --bucket "$(output StateBucketName)" --prefix "$(output LedgerPrefix)shards/" '
    "--query 'DeleteMarkers[?IsLatest].[Key, VersionId]' --output text | grep /shards/ | while read -r key version; do "
    'aws s3api delete-object --bucket "$(output StateBucketName)" --key "$key" --version-id "$version"; done'
)
_RESTORE_MANIFEST = (
    'aws s3api copy-object --bucket "$(output StateBucketName)" --key "$(output LedgerPrefix)manifest.json" '
    '--copy-source "$(output StateBucketName)/$(output LedgerPrefix)manifest.json?versionId=VERSION-ID"'
)
_SHARDS = "shards/NAME"
_NOTIFICATIONS = "aws s3api get-bucket-notification-configuration --bucket my-bucket"
_DATED = re.compile(r"<url>\s*<loc>([^<]*)</loc>\s*<lastmod>([^<]*)</lastmod>")
_LOST = """log LogGroupName '{ $.warning = "records-lost" }'"""
_CONTESTED = """log LogGroupName '{ $.warning = "contested" }'"""
_UNKNOWN_CODING = """log LogGroupName '{ $.warning = "unknown-coding" }'"""
_LAG = 2
"""Seconds after which an event should have arrived in the scheduled rebuild of the trial."""


def manifest_deleted(trial: Trial) -> Outcome:
    """It is restored from its older version, as a file of records would be."""
    dates = _dates(trial)
    trial.state.client.delete_object(Bucket=trial.state.name, Key=_manifest(trial))
    found = of_status(trial)
    (marker,) = _versions(trial, "manifest.json")["DeleteMarkers"]
    values = {_SHARDS: "manifest.json"}
    started = time.monotonic()
    trial.console.run(_UNDELETE, replace={**values, "ID-OF-THE-DELETE-MARKER": marker["VersionId"]})
    trial.put("blog/after-manifest.html", pages.page("After the manifest"))
    seconds = trial.seconds_until_right(started)
    assert dates.items() <= _dates(trial).items()
    return Outcome(seen(trial, found), seconds)


def manifest_garbled(trial: Trial) -> Outcome:
    """An upload fails on it; a rebuild makes a new one."""
    trial.state.client.put_object(Bucket=trial.state.name, Key=_manifest(trial), Body=b"\x00 not a manifest")
    trial.put("blog/garbled.html", pages.page("Garbled"))
    until(lambda: trial.log().lines, "a call")
    found = of_status(trial)
    started = time.monotonic()
    assert trial.rebuild()["finished"]
    return Outcome(seen(trial, found), trial.seconds_until_right(started))


def shard_deleted(trial: Trial) -> Outcome:
    """The next change of the shard reads its pages again."""
    key = _records_of_docs(trial)
    trial.state.client.delete_object(Bucket=trial.state.name, Key=key)
    started = time.monotonic()
    trial.put("docs/chapter-0/part-00.html", pages.page("Part 0", text="It has changed."))
    seconds = trial.seconds_until_right(started)
    until(lambda: trial.log().metrics().get("RecordsLost"), "the metric")
    return Outcome(seen(trial, of_status(trial), _shown(trial, _LOST)), seconds)


def shard_garbled(trial: Trial) -> Outcome:
    """Its good version is copied over it before the next run needs it, so that no date is lost."""
    dates, key = _dates(trial), _records_of_docs(trial)
    trial.state.client.put_object(Bucket=trial.state.name, Key=key, Body=b"garbled")
    name = key.removeprefix(f"{trial.outputs['LedgerPrefix']}shards/")
    good = _versions(trial, f"shards/{name}")["Versions"][-1]
    values = {"NAME": name, "ID-OF-THE-GOOD-VERSION": good["VersionId"]}
    trial.console.run(_RESTORE, replace=values)
    started = time.monotonic()
    trial.put("docs/chapter-0/part-01.html", pages.page("Part 1", text="It has changed."))
    seconds = trial.seconds_until_right(started)
    kept = {loc: date for loc, date in dates.items() if "part-01" not in loc}
    assert kept.items() <= _dates(trial).items()
    assert "RecordsLost" not in trial.log().metrics()
    return Outcome(seen(trial, of_status(trial)), seconds)


def shard_needed_and_restored(trial: Trial) -> Outcome:
    """A run has needed the file: the manifest from before that, and the files that it names, are restored."""
    trial.put("docs/chapter-0/part-02.html", pages.page("Part 2", text="It has changed, and so has a date."))
    trial.seconds_until_right()
    trial.wait_until_handled()
    dates, key = _dates(trial), _records_of_docs(trial)
    assert any("part-02" in loc for loc in dates)
    good = trial.state.client.head_object(Bucket=trial.state.name, Key=_manifest(trial))["VersionId"]
    trial.state.client.delete_object(Bucket=trial.state.name, Key=key)
    trial.put("docs/chapter-0/part-03.html", pages.page("Part 3", text="It has changed."))
    trial.seconds_until_right()
    until(lambda: trial.log().metrics().get("RecordsLost"), "the metric")
    trial.wait_until_handled()
    assert not any("part-02" in loc for loc in _dates(trial))
    assert good in trial.console.run(_LIST_MANIFESTS).split()
    trial.console.run(_UNDELETE_ALL)
    trial.console.run(_RESTORE_MANIFEST, replace={"VERSION-ID": good})
    started = time.monotonic()
    assert trial.rebuild()["finished"]
    seconds = trial.seconds_until_right(started)
    kept = {loc: date for loc, date in dates.items() if "part-03" not in loc}
    assert kept.items() <= _dates(trial).items()
    return Outcome(seen(trial, of_status(trial), _shown(trial, _LOST)), seconds)


def foreign_sitemap(trial: Trial) -> Outcome:
    """A generator's own sitemap replaces the published one, as a deployment of Hugo's output does."""
    trial.put("sitemap.xml", _FOREIGN)
    seconds = trial.seconds_until_right()
    until(lambda: "foreign-replaced" in trial.log().warnings(), "the warning")
    return Outcome(seen(trial), seconds)


def sitemap_deleted(trial: Trial) -> Outcome:
    trial.remove("sitemap-blog.xml")
    seconds = trial.seconds_until_right()
    until(lambda: any("sitemap-blog.xml" in line.get("written", ()) for line in trial.log().lines), "its line")
    return Outcome(seen(trial, "log: the line of the run has `sitemap-blog.xml` in `written`"), seconds)


def sitemap_edited(trial: Trial) -> Outcome:
    """A tool edits a published sitemap and keeps its metadata, as mounted buckets and desktop programs do."""
    key = f"{PREFIX}sitemap-products.xml"
    found = trial.site.client.get_object(Bucket=BUCKET, Key=key)
    body = found["Body"].read().replace(b"/products/", b"/evil/")
    trial.site.client.put_object(Bucket=BUCKET, Key=key, Body=body, Metadata=found["Metadata"])
    seconds = trial.seconds_until_right()
    until(lambda: any("sitemap-products.xml" in line.get("written", ()) for line in trial.log().lines), "its line")
    return Outcome(seen(trial, "log: the line of the run has `sitemap-products.xml` in `written`"), seconds)


def pages_compressed(trial: Trial) -> Outcome:
    """A deployment begins to compress pages before their upload, one of them with a coding that nobody knows."""
    _put_encoded(trial, [(f"blog/br-{n}.html", "br") for n in range(5)])
    _put_encoded(trial, [("blog/exi.html", "exi")])
    until(lambda: trial.log().metrics().get("Unreadable", 0) >= 1, "the metric of the unknown coding")
    assert sum(b"/blog/br-" in body for body in trial.published().values())
    found = _shown(trial, _UNKNOWN_CODING)
    trial.put("blog/exi.html", pages.page("Known"))
    return Outcome(seen(trial, found), trial.seconds_until_right())


def most_pages_removed(trial: Trial) -> Outcome:
    """A staging build with a noindex on most pages is deployed, and then the right one again."""
    keys = [key for key in list(trial.site.keys()) if key.endswith(".html") and key.startswith(PREFIX)]
    bodies = {key.removeprefix(PREFIX): trial.site.get(key) for key in keys[: len(keys) * 4 // 5]}
    for key in bodies:
        trial.put(key, '<!doctype html><meta name="robots" content="noindex"><title>Staging</title>')
    trial.wait_until_handled()
    until(lambda: any(line.get("RemovedPercent", 0) > 50 for line in trial.log().lines), "the metric of the removal")
    problems = [each["problem"] for each in trial.status()["problems"]]
    assert any("uploads and deletions within an hour removed" in each for each in problems), problems
    for key, body in bodies.items():
        trial.put(key, body)
    return Outcome(seen(trial, *(f"`status`: {each}" for each in problems)), trial.seconds_until_right())


def _put_encoded(trial: Trial, codings: Sequence[tuple[str, str]]) -> None:
    for key, coding in codings:
        text = pages.page(key).encode()
        body = brotli.compress(text) if coding == "br" else text
        trial.site.client.put_object(
            Bucket=BUCKET, Key=PREFIX + key, Body=body, ContentEncoding=coding, ContentType="text/html"
        )


def sitemap_deleted_often(trial: Trial) -> Outcome:
    """Each deployment deletes a sitemap, as `aws s3 sync --delete` does; each time it is written again."""
    seconds = 0.0
    for _ in range(5):
        trial.remove("sitemap-products.xml")
        seconds = max(seconds, trial.seconds_until_right())
    assert not _is_contested(trial)
    return Outcome(seen(trial, "log: the lines of the runs have `sitemap-products.xml` in `written`"), seconds)


def contested_sitemap(trial: Trial) -> Outcome:
    """Somebody replaces the same file again and again; after three repairs it waits for a rebuild."""
    for _ in range(4):
        trial.put("sitemap-products.xml", _FOREIGN)
        until(lambda: b"from-a-generator" not in _products(trial) or _is_contested(trial), "a repair")
        trial.wait_until_handled()
    until(lambda: _is_contested(trial), "the metric")
    assert b"from-a-generator" in _products(trial)
    found = _shown(trial, _CONTESTED)
    started = time.monotonic()
    assert trial.rebuild()["finished"]
    return Outcome(seen(trial, found), trial.seconds_until_right(started))


def robots_replaced(trial: Trial) -> Outcome:
    """A deployment replaces robots.txt: another folder is disallowed, and the line of the sitemap is gone."""
    trial.put("robots.txt", pages.ROBOTS + "Disallow: /docs/chapter-3/\n")
    seconds = trial.seconds_until_right()
    assert b"/docs/chapter-3/" not in b"".join(trial.published()[name] for name in _sitemaps(trial))
    return Outcome(seen(trial, of_status(trial)), seconds)


def events_switched_off(trial: Trial) -> Outcome:
    """Another tool replaces the bucket's notifications: uploads and deletions are lost until the next rebuild."""
    nothing = ("--notification-configuration", "{}")
    trial.aws.aws("s3api", "put-bucket-notification-configuration", "--bucket", BUCKET, *nothing)
    for n in range(5):
        trial.put(f"blog/lost-{n}.html", pages.page(f"Lost {n}"))
    trial.remove("products/item-29.html")
    found = of_status(trial)
    uploaded = time.time()
    until(lambda: time.time() > uploaded + _LAG + 2, "the time after which an upload is late")
    started = time.monotonic()
    trial.play_schedule(_LAG)
    seconds = trial.seconds_until_right(started)
    until(lambda: trial.log().metrics().get("Drift") == 6, "the metric of all six lost events")
    notifications = trial.console.run(_NOTIFICATIONS)
    assert "EventBridgeConfiguration" not in notifications
    trial.console.run("waypost aws connect my-bucket")
    assert "EventBridgeConfiguration" in trial.console.run(_NOTIFICATIONS)
    trial.put("blog/connected.html", pages.page("Connected"))
    trial.seconds_until_right()
    shown = "`get-bucket-notification-configuration` shows no EventBridgeConfiguration"
    return Outcome(seen(trial, found, shown), seconds)


def settings_broken(trial: Trial) -> Outcome:
    """A deployment uploads a settings file with a mistake, and the next one puts it right."""
    trial.put("waypost.toml", "drop_htlm = true\n" + pages.SETTINGS)
    trial.put("blog/while-broken.html", pages.page("While the settings are broken"))
    until(lambda: trial.log().raised() or trial.log().messages("ERROR"), "an error")
    found = of_status(trial)
    trial.put("waypost.toml", pages.SETTINGS)
    return Outcome(seen(trial, found), trial.seconds_until_right())


def _shown(trial: Trial, command: str) -> str:
    """What a documented command shows of the log."""
    lines = trial.console.run(command).splitlines()
    assert lines, command
    return f"`{command}` shows {len(lines)} lines"


def _products(trial: Trial) -> bytes:
    return trial.published()["sitemap-products.xml"]


def _is_contested(trial: Trial) -> bool:
    return "Contested" in trial.log().metrics()


def _manifest(trial: Trial) -> str:
    """The key of the ledger's manifest."""
    return f"{trial.outputs['LedgerPrefix']}manifest.json"


def _records_of_docs(trial: Trial) -> str:
    """The key of the records of the pages that belong to no group, such as pages of docs/."""
    key = _manifest(trial)
    (found,) = (each for each in manifest.load(trial.state.get(key), key).entries if not each.group)
    return trial.outputs["LedgerPrefix"] + found.records_file


def _versions(trial: Trial, name: str) -> dict[str, list[dict[str, str]]]:
    """The versions and delete markers of a file of the ledger, newest first."""
    values = {_SHARDS: name}
    return dict(json.loads(trial.console.run(_LIST, replace=values)))


def _dates(trial: Trial) -> dict[str, str]:
    """The date of each page that has one, by its URL."""
    found = (trial.site.get(PREFIX + name).decode() for name in _sitemaps(trial))
    return dict(pair for text in found for pair in _DATED.findall(text))


def _sitemaps(trial: Trial) -> list[str]:
    return [name for name in trial.published() if name.endswith(".xml")]


CASES = (
    Case("the ledger's manifest deleted, then restored from its older version", manifest_deleted),
    Case("the ledger's manifest overwritten", manifest_garbled),
    Case("a shard's records deleted", shard_deleted),
    Case("a shard's records overwritten, then restored from their older version", shard_garbled),
    Case(
        "a shard's records deleted and needed, then restored with the manifest from before", shard_needed_and_restored
    ),
    Case("the published sitemap.xml overwritten by a generator's", foreign_sitemap),
    Case("a published sitemap edited, with its metadata kept", sitemap_edited),
    Case("pages compressed before their upload, one with an unknown coding", pages_compressed),
    Case("a noindex on most pages, and then the right pages again", most_pages_removed),
    Case("a published sitemap deleted", sitemap_deleted),
    Case("a published sitemap deleted five times", sitemap_deleted_often),
    Case("a published sitemap replaced four times, then a rebuild", contested_sitemap),
    Case("robots.txt replaced", robots_replaced),
    Case("EventBridge switched off: six lost events, then the scheduled rebuild", events_switched_off),
    Case("the settings file broken, then put right", settings_broken),
)
