"""Which entries an update builds again, and what is in them then."""

from __future__ import annotations

from typing import Any

from unit.ledger_in_memory import LedgerInMemory, snapshot
from unit.sample_sites import numbered

from waypost.ledger.dirty_segments import DirtySegment, DirtySegments
from waypost.ledger.manifest import ShardEntry
from waypost.ledger.record_cache import RecordCache
from waypost.ledger.records import Record
from waypost.rules.selection import Selection

Parts = list[ShardEntry | DirtySegment]


class Ledger(LedgerInMemory):
    """A ledger of numbered pages, and the parts that changes of its keys divide it into."""

    def __init__(self, count: int = 40, **values: Any) -> None:
        super().__init__(urls=4, **values)
        self.update({key: snapshot() for key in numbered(count)})
        selection = Selection(self.site)
        self.segments = DirtySegments(self.site, selection)
        self.cache = RecordCache(self.manifest, selection, self.load)

    def parts(self, *moving: str, unmoved: tuple[str, ...] = (), lost: tuple[ShardEntry, ...] = ()) -> Parts:
        return self.segments.parts(moving, unmoved, self.cache, lost)


def dirty(parts: Parts) -> list[DirtySegment]:
    return [part for part in parts if isinstance(part, DirtySegment)]


def test_nothing_is_built_again_without_a_change() -> None:
    ledger = Ledger()
    assert ledger.parts() == list(ledger.manifest.entries)


def test_a_changed_key_has_its_entry_built_again_and_all_others_stay_in_order() -> None:
    ledger = Ledger()
    entry = ledger.manifest.entries[3]
    parts = ledger.parts(unmoved=(entry.first_key,))
    (segment,) = dirty(parts)
    assert (segment.first_key, segment.is_whole_group, entry.first_key in segment.records) == (
        entry.first_key,
        False,
        True,
    )
    assert [part for part in parts if part is not segment] == [
        each for each in ledger.manifest.entries if each != entry
    ]


def test_a_lost_entry_is_built_again_though_no_key_of_it_changed() -> None:
    ledger = Ledger()
    lost = ledger.manifest.entries[2]
    segments = dirty(ledger.parts(lost=(lost,)))
    assert any(segment.contains(lost.first_key, "") for segment in segments)


def test_edits_are_put_into_the_segment_that_has_the_key_or_will_have_it() -> None:
    ledger = Ledger()
    first, last = ledger.manifest.entries[1].first_key, ledger.manifest.entries[-1].first_key
    segments = dirty(ledger.parts(first, f"{last}-new"))
    new = Record(f"{last}-new", "etag")
    ledger.segments.apply(segments, {first: None, new.key: new})
    kept = {key for segment in segments for key in segment.records}
    assert (first in kept, new.key in kept) == (False, True)
    assert [new.key in segment.records for segment in segments] == [False] * (len(segments) - 1) + [True]


def test_each_group_has_segments_of_its_own() -> None:
    ledger = Ledger(count=3, groups={"blog": ["/blog/"]})
    ledger.update({"blog/a.html": snapshot()})
    cache = RecordCache(ledger.manifest, Selection(ledger.site), ledger.load)
    parts = ledger.segments.parts(["blog/b.html"], (), cache, ())
    assert [segment.group for segment in dirty(parts)] == ["blog"]
