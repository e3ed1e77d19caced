"""Cases: the state is deleted, overwritten, cut short, or replaced by another version of it."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from stacks import until

from operate import pages
from operate.cases import Case, Outcome, of_status, seen
from operate.trial import PREFIX

if TYPE_CHECKING:
    from operate.trial import Trial

_REMOVE = 'aws s3 rm "s3://$(output StateBucketName)/$(output StatePrefix)state"'
_LIST = (
    'aws s3api list-object-versions --bucket "$(output StateBucketName)" --prefix "$(output StatePrefix)state" '
    "--query 'Versions[].[Key, LastModified, VersionId]' --output text"
)
_RESTORE = (
    'aws s3api copy-object --bucket "$(output StateBucketName)" --key "$(output StatePrefix)state" '
    '--copy-source "$(output StateBucketName)/$(output StatePrefix)state?versionId=VERSION-ID"'
)
_DAMAGED = """log LogGroupName '{ $.warning = "state-damaged" }'"""
_GARBLED = b"\x00 not a state"
_NEWER = b'{"format":"waypost-bucket","version":999,"head":2,"digest":""}\n{}'
"""The beginning of a state that a later release has written."""
_UNREADABLE = "the state cannot be read"
_DATED = re.compile(r"<url>\s*<loc>([^<]*)</loc>\s*<lastmod>([^<]*)</lastmod>")


def state_deleted(trial: Trial) -> Outcome:
    """A rebuild makes it again, with the dates of the published sitemaps."""
    dates = _dates_after_upload(trial, "before-deletion")
    trial.console.run(_REMOVE)
    return _rebuilt(trial, dates, "the state is missing, though its files are published")


def state_overwritten(trial: Trial) -> Outcome:
    """The next upload has a rebuild begin with the last copy, and read what has changed since."""
    dates = _dates_after_upload(trial, "before-overwriting")
    trial.state.client.put_object(Bucket=trial.state.name, Key=_key(trial), Body=_GARBLED)
    found = of_status(trial)
    assert _UNREADABLE in found, found
    trial.put("blog/after-overwriting.html", pages.page("After the overwriting"))
    return _made_again(trial, found, dates, trial.seconds_until_right())


def state_cut_short(trial: Trial) -> Outcome:
    """The first half of it is left, so that its head can be read."""
    dates = _dates_after_upload(trial, "before-cutting")
    whole = trial.state.get(_key(trial))
    trial.state.client.put_object(Bucket=trial.state.name, Key=_key(trial), Body=whole[: len(whole) // 2])
    return _rebuilt(trial, dates, _UNREADABLE)


def state_and_copies_overwritten(trial: Trial) -> Outcome:
    """Only the published sitemaps have the dates."""
    dates = _dates_after_upload(trial, "before-overwriting-all")
    keys = trial.state.keys()
    for key in [each for each in keys if each.startswith(_key(trial))]:
        trial.state.client.put_object(Bucket=trial.state.name, Key=key, Body=_GARBLED)
    return _rebuilt(trial, dates, _UNREADABLE)


def older_state_restored(trial: Trial) -> Outcome:
    """Documented commands copy an older version over the state, and rebuild; no page of the later one is lost."""
    good = trial.state.client.head_object(Bucket=trial.state.name, Key=_key(trial))["VersionId"]
    dates = _dates_after_upload(trial, "after-the-older-state")
    _restore(trial, good)
    found = of_status(trial)
    started = time.monotonic()
    assert trial.rebuild()["finished"]
    return _made_again(trial, found, dates, trial.seconds_until_right(started))


def state_of_newer_release(trial: Trial) -> Outcome:
    """A release that was taken back has left its state: nothing changes until the last known version is restored."""
    dates = _dates_after_upload(trial, "before-newer-release")
    good = trial.state.client.head_object(Bucket=trial.state.name, Key=_key(trial))["VersionId"]
    published = trial.published()
    trial.state.client.put_object(Bucket=trial.state.name, Key=_key(trial), Body=_NEWER)
    trial.put("blog/under-newer-release.html", pages.page("Under a newer release"))
    until(lambda: any("NewerVersionError" in each for each in trial.log().raised()), "an error")
    assert "errorMessage" in trial.rebuild()
    found = of_status(trial)
    assert trial.published() == published
    _restore(trial, good)
    started = time.monotonic()
    assert trial.rebuild()["finished"]
    seconds = trial.seconds_until_right(started)
    _require(dates, trial)
    return Outcome(seen(trial, found), seconds)


def _rebuilt(trial: Trial, dates: dict[str, str], state: str) -> Outcome:
    """Rebuild after damage, as an operator does who has read in the status what `state` it is in."""
    found = of_status(trial)
    assert state in found, found
    started = time.monotonic()
    answer = trial.rebuild()
    assert answer.get("finished"), answer
    return _made_again(trial, found, dates, trial.seconds_until_right(started))


def _made_again(trial: Trial, found: str, dates: dict[str, str], seconds: float) -> Outcome:
    """All dates are kept, and the operator is told that the state was made again."""
    _require(dates, trial)
    until(lambda: "state-damaged" in trial.log().warnings(), "the warning")
    problems = [each["problem"] for each in trial.status()["problems"]]
    assert any("it was made again at" in each for each in problems), problems
    assert trial.console.run(_DAMAGED)
    trial.wait_until_handled()
    return Outcome(seen(trial, found, *(f"`status`: {each}" for each in problems)), seconds)


def _dates_after_upload(trial: Trial, name: str) -> dict[str, str]:
    """The dates of all pages, after a rebuild that keeps a copy of the state, and an upload of one more page."""
    assert trial.rebuild()["finished"]
    trial.put(f"blog/{name}.html", pages.page(name))
    trial.seconds_until_right()
    trial.wait_until_handled()
    dates = _dates(trial)
    assert any(name in loc for loc in dates), dates
    return dates


def _require(dates: dict[str, str], trial: Trial) -> None:
    """All pages have the dates that they had, and later pages may have some, too."""
    now = _dates(trial)
    lost = {loc: (date, now.get(loc)) for loc, date in dates.items() if now.get(loc) != date}
    assert not lost, lost


def _dates(trial: Trial) -> dict[str, str]:
    """The date of each page that has one, by its URL."""
    names = [name for name in trial.published() if name.endswith(".xml")]
    found = (trial.site.get(PREFIX + name).decode() for name in names)
    return {loc: date for text in found for loc, date in _DATED.findall(text)}


def _restore(trial: Trial, version: str) -> None:
    """Copy a version of the state over it, as the documentation says."""
    key = _key(trial)
    listed = [line.split("\t") for line in trial.console.run(_LIST).splitlines()]
    assert version in [found for name, _, found in listed if name == key], listed
    trial.console.run(_RESTORE, replace={"VERSION-ID": version})


def _key(trial: Trial) -> str:
    return f"{trial.outputs['StatePrefix']}state"


CASES = (
    Case("the state overwritten, then an upload", state_overwritten),
    Case("the state deleted, then a rebuild", state_deleted),
    Case("the state cut short, then a rebuild", state_cut_short),
    Case("the state and all its copies overwritten, then a rebuild", state_and_copies_overwritten),
    Case("an older version of the state restored, then a rebuild", older_state_restored),
    Case("the state of a newer release, then the last version of this one restored", state_of_newer_release),
)
