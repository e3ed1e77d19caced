"""Estimates what a rebuild under other settings would remove, where a listing of the bucket would take too long."""

from collections.abc import Iterable
from typing import NamedTuple

from waypost.build.object_reader import read_objects
from waypost.core import removals
from waypost.core.hashing import sample_by_hash
from waypost.core.model import Item
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.records import Record
from waypost.rules import page_url
from waypost.sync.updater import Updater

_SHARDS, _RECORDS = 40, 50
"""How many shards are read, and how many objects of each: pages of one folder are often alike."""
_MARGIN = 10
"""Percent by which the estimate may be wrong: what is nearer to the limit is decided by the count at the commit."""
_ADVICE = (
    "check that the bucket holds the whole site, and that the settings and robots.txt are right",
    'if the pages are to be removed, send {"action": "rebuild", "max_removed": 100} once',
)


class _Estimate(NamedTuple):
    """How many pages of some shards are listed, and would be; `gone` are examples of those that would not."""

    before: int = 0
    after: float = 0
    gone: tuple[str, ...] = ()


def check_sample(updater: Updater, before: Manifest, rules: str, max_removed: int) -> None:
    """Raise RemovalError if a rebuild would clearly remove more than this percentage of the listed pages.

    `rules` are the current rules of robots.txt. Shards whose records are damaged do not count.
    """
    if max_removed + _MARGIN >= 100 or before.page_count < removals.MIN_LISTED:
        return
    shards = sample_by_hash(before.entries, _SHARDS, lambda entry: entry.records_file)
    found = [_of_shard(updater, entry, rules, before) for entry in shards]
    listed, remaining = sum(each.before for each in found), round(sum(each.after for each in found))
    if removals.is_too_much(listed - remaining, listed, max_removed + _MARGIN):
        gone = sorted(key for each in found for key in each.gone)
        subject = "listed pages of a sample"
        raise removals.removal_error(subject, listed - remaining, listed, max_removed, gone, advice=_ADVICE)


def _of_shard(updater: Updater, entry: ShardEntry, rules: str, before: Manifest) -> _Estimate:
    records = updater.ledger.records_or_none(entry) or ()
    if not records:
        return _Estimate()
    keys = sample_by_hash((record.key for record in records), _RECORDS, str)
    listed = _listed(updater, keys, rules, before)
    missing = [key for key in keys if key not in listed]
    forms = {key: page_url.family(key, updater.site) for key in missing}
    renamed = _listed(updater, {form for family in forms.values() for form in family}, rules, before)
    gone = tuple(key for key in missing if renamed.isdisjoint(forms[key]))
    return _Estimate(entry.page_count, min(entry.page_count, len(records) * (1 - len(gone) / len(keys))), gone)


def _listed(updater: Updater, keys: Iterable[str], rules: str, before: Manifest) -> set[str]:
    """Those of these keys whose objects are listed as they are now; one that cannot be read counts as listed."""
    classifier = updater.manifest_updater(Manifest(robots_rules=rules, url_form=before.url_form)).classifier
    possible = [key for key in keys if updater.exclusion_reason(key) is None]
    seen, failed = read_objects(updater.source, updater.site, [Item(key, key) for key in possible])
    records = (Record(key, snapshot.etag, snapshot.facts) for key, snapshot in seen.items() if snapshot)
    return {record.key for record in records if classifier.exclusion_reason(record) is None} | failed.keys()
