"""Counts, before a rebuild changes anything, how many listed pages it would remove, and refuses too many."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from waypost.build.object_reader import read_objects
from waypost.core import removals
from waypost.core.errors import RemovalError
from waypost.core.hashing import sample_by_hash
from waypost.core.model import Item
from waypost.core.page_identity import path_identity
from waypost.core.reasons import NAMES_ANOTHER_PAGE, NOT_OF_SETTINGS, REASONS, Reason
from waypost.core.removals import ACCEPT
from waypost.ledger.manifest import Manifest, ShardEntry
from waypost.ledger.record_cache import OrderedRecords
from waypost.ledger.records import Record
from waypost.rules import page_facts
from waypost.sync.listing_chunks import ListingChunk, is_as_recorded, iter_chunks
from waypost.sync.updater import Updater

_IsListed = Callable[[Record], bool]
_READ_BATCH = 1_000
_SAMPLE = 2_000
"""Under other settings so many of the pages that must be read again are read before the rebuild begins."""
_ADVICE = ("check that the bucket holds the whole site, and that the settings and robots.txt are right", ACCEPT)


@dataclass
class _Counts:
    """What a listing shows of recorded pages: `gone` have no object any more, `changed` another one.

    `new` identifies the objects that are not recorded. `kept` counts the other records that are still listed, and
    `listed` the pages of the shards whose records could be read.
    """

    gone: list[str] = field(default_factory=list)
    changed: list[Item] = field(default_factory=list)
    new: set[str] = field(default_factory=set)
    kept: int = 0
    listed: dict[str, int] = field(default_factory=dict)


class RemovalCheck:
    """Checks one rebuild, which may remove `max_removed` percent of the listed pages.

    `only_chunk` is the listing of the bucket, if it was a single chunk, so that the rebuild need not list it again.
    """

    def __init__(self, updater: Updater, max_removed: int, deadline_reached: Callable[[], bool]) -> None:
        self._updater, self.max_removed, self._deadline_reached = updater, max_removed, deadline_reached
        self.only_chunk: ListingChunk | None = None

    def check(self, before: Manifest, rules: str) -> bool:
        """Raise RemovalError if a rebuild of this manifest would remove too much; False if the deadline is first.

        `rules` are the current rules of robots.txt. Of a ledger of other settings it is not known which pages were
        listed, only how many. Where more pages must be read again than a sample has, their share is estimated by it.
        """
        if self.max_removed == 100 or before.page_count < removals.MIN_LISTED:
            return True
        has_same_settings = self._updater.is_built_with(before, rules)
        classifier = self._updater.manifest_updater(Manifest(robots_rules=rules, url_form=before.url_form)).classifier

        def is_listed(record: Record) -> bool:
            return classifier.exclusion_reason(record) is None

        counts = self._counts(before, is_listed, has_same_settings=has_same_settings)
        if counts is None:
            return False
        if not has_same_settings:
            return self._check_sample(counts, is_listed)
        return self._check_changed(counts, before.page_count, is_listed)

    def check_counts(self, before: int, after: int, gone: Sequence[str] = ()) -> None:
        """Raise RemovalError if so many listed pages fewer are too much; `gone` are some of them."""
        if self._is_too_much(before - after, before):
            raise self._error(before - after, before, gone)

    def check_first(self, after: Manifest) -> None:
        """Raise RemovalError if the first build of a ledger leaves out most of the pages by no setting of the user's.

        Which page a left out one names is not recorded: each listed page may stand for one of them.
        """
        counts = Counter[Reason]()
        for entry in after.entries:
            for code, number in entry.excluded_by_reason.items():
                if (reason := REASONS.get(code)) in NOT_OF_SETTINGS:
                    counts[reason] += number
        for reason in sorted(NAMES_ANOTHER_PAGE):
            counts[reason] -= after.page_count
        removals.check_first_build(after.page_count, +counts, self.max_removed, advice=_ADVICE)

    def _counts(self, before: Manifest, is_listed: _IsListed, *, has_same_settings: bool) -> _Counts | None:
        """Compare the records with a listing of the bucket; None if the deadline is first."""
        counts = _Counts()
        ordered = OrderedRecords(before, lambda entry: self._load(entry, counts))
        has_same_facts = before.recorded_facts == page_facts.recorded_facts(self._updater.site)
        for chunk in iter_chunks(self._updater.source, before, "", self._updater.exclusion_reason):
            if self._deadline_reached():
                return None
            self.only_chunk = chunk if chunk.start_after == "" and chunk.through is None else None
            records = list(ordered.between(chunk.start_after, chunk.through))
            counts.new |= {path_identity(key) for key in _keys(chunk) - {record.key for record in records}}
            etags = {item.key: item for item in chunk.items}
            for record in records:
                item = etags.get(record.key)
                if item is None:
                    counts.gone += [record.key] if not has_same_settings or is_listed(record) else []
                elif not (has_same_facts and is_as_recorded(record, item, before.listed_since)):
                    counts.changed += [item] if not has_same_settings or is_listed(record) else []
                else:
                    counts.kept += has_same_settings or is_listed(record)
        renamed = [key for key in counts.gone if path_identity(key) in counts.new]
        counts.kept += len(renamed)
        counts.gone = [key for key in counts.gone if path_identity(key) not in counts.new]
        return counts

    def _load(self, entry: ShardEntry, counts: _Counts) -> Sequence[Record]:
        """An entry's records; the pages of an entry whose records are damaged do not count as listed."""
        records = self._updater.ledger.records_or_none(entry) or ()
        counts.listed[entry.records_file] = entry.page_count if records else 0
        return records

    def _check_sample(self, counts: _Counts, is_listed: _IsListed) -> bool:
        """Compare the number of listed pages with what it would be, as far as a sample of the changed ones shows."""
        before, kept, changed = sum(counts.listed.values()), counts.kept, counts.changed
        is_needed = self._is_too_much(before - kept, before)
        # The pages of one folder are often alike.
        sample = sample_by_hash(changed, _SAMPLE, lambda item: item.key) if is_needed else []
        listed = 0
        for items in _batches(sample):
            if self._deadline_reached():
                return False
            listed += len(items) - len(self._removed_among(items, is_listed))
        share = listed / len(sample) if sample else 1
        self.check_counts(before, kept + round(share * len(changed)), counts.gone)
        return True

    def _check_changed(self, counts: _Counts, listed: int, is_listed: _IsListed) -> bool:
        """Read as many of the changed objects as it takes to know whether too many pages go."""
        removed, left = list(counts.gone), len(counts.changed)
        for items in _batches(counts.changed):
            if self._is_too_much(len(removed), listed) or not self._is_too_much(len(removed) + left, listed):
                break
            if self._deadline_reached():
                return False
            left -= len(items)
            removed += self._removed_among(items, is_listed)
        if self._is_too_much(len(removed), listed):
            raise self._error(len(removed), listed, removed)
        return True

    def _removed_among(self, items: Sequence[Item], is_listed: _IsListed) -> list[str]:
        """The keys of the objects that are not listed as they are now; an object that cannot be read is not known."""
        seen, _ = read_objects(self._updater.source, self._updater.site, items)
        records = {key: Record(key, found.etag, found.facts) if found else None for key, found in seen.items()}
        return [key for key, record in records.items() if record is None or not is_listed(record)]

    def _is_too_much(self, removed: int, listed: int) -> bool:
        return removals.is_too_much(removed, listed, self.max_removed)

    def _error(self, removed: int, listed: int, keys: Sequence[str]) -> RemovalError:
        return removals.removal_error("listed pages", removed, listed, self.max_removed, sorted(keys), advice=_ADVICE)


def _keys(chunk: ListingChunk) -> set[str]:
    return {item.key for item in chunk.items}


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    return (items[start : start + _READ_BATCH] for start in range(0, len(items), _READ_BATCH))
