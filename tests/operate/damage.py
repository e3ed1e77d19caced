"""Cases: damage to published files and pages, to the bucket's events and to the settings."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import brotli
from stacks import until

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
_NOTIFICATIONS = "aws s3api get-bucket-notification-configuration --bucket my-bucket"
_CONTESTED = """log LogGroupName '{ $.warning = "contested" }'"""
_UNKNOWN_CODING = """log LogGroupName '{ $.warning = "unknown-coding" }'"""
_LAG = 2
"""Seconds after which an event should have arrived in the scheduled rebuild of the trial."""


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
    until(lambda: trial.log().metrics().get("Problems"), "the metric of the unknown coding")
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
    until(lambda: trial.log().metrics().get("RemovedPercent", 0) > 50, "the metric of the removal")
    problems = [each["problem"] for each in trial.status()["problems"]]
    assert any("uploads and deletions within a day removed" in each for each in problems), problems
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
    until(lambda: trial.log().metrics().get("Problems"), "the metric")
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
    """Another tool replaces the bucket's notifications: uploads and deletions are lost until the next rebuild.

    That rebuild reports the uploads. An event of the deletion may still come, so that the one after it reports this.
    """
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
    until(lambda: trial.log().metrics().get("Drift") == 5, "the metric of the five lost uploads")
    trial.play_schedule(_LAG)
    until(lambda: trial.log().metrics().get("Drift") == 6, "the metric of the lost deletion")
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
    return "contested" in trial.log().warnings()


def _sitemaps(trial: Trial) -> list[str]:
    return [name for name in trial.published() if name.endswith(".xml")]


CASES = (
    Case("the published sitemap.xml overwritten by a generator's", foreign_sitemap),
    Case("a published sitemap edited, with its metadata kept", sitemap_edited),
    Case("pages compressed before their upload, one with an unknown coding", pages_compressed),
    Case("a noindex on most pages, and then the right pages again", most_pages_removed),
    Case("a published sitemap deleted", sitemap_deleted),
    Case("a published sitemap deleted five times", sitemap_deleted_often),
    Case("a published sitemap replaced four times, then a rebuild", contested_sitemap),
    Case("robots.txt replaced", robots_replaced),
    Case("EventBridge switched off: five uploads and a deletion, then two scheduled rebuilds", events_switched_off),
    Case("the settings file broken, then put right", settings_broken),
)
