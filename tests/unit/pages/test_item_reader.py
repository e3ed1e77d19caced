"""Reading an object in steps while it is replaced: every byte is of one upload, or the read fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from fake_stores import MemoryBucket, RequestGate, etag_of
from unit.sample_sites import site

from waypost.core.model import Item
from waypost.files.s3_source import S3Source
from waypost.files.source import ItemChangedError, Source
from waypost.pages.html_head import HEAD_SIZES
from waypost.pages.page_facts import ItemReader, ObjectSnapshot, read_item, read_unchanged

if TYPE_CHECKING:
    from buckets import MadeBucket

KEY = "a.html"
UPLOADED = "2026-01-01T00:00:00Z"
SETTINGS: dict[str, Any] = {"lastmod": "none", "page_dates": True, "images": True}


def version(name: str) -> bytes:
    """A page whose head, date and image all name the version, with the last two beyond the first read."""
    date = f'<script type="application/ld+json">{{"@type": "Article", "dateModified": "202{name}-02-03"}}</script>'
    filler = "<p>" + "text " * HEAD_SIZES[0]
    return f'<link rel=canonical href="/{name}.html"></head><body>{filler}{date}<img src="/{name}.png">'.encode()


A, B = version("1"), version("2")


class ReplacedDuringReads(RequestGate):
    """Before each read of the page, the next of these contents is uploaded; None deletes the page."""

    def __init__(self, *contents: bytes | None) -> None:
        super().__init__()
        self.bucket = MemoryBucket(self, {KEY: (A, UPLOADED)})
        self._contents = list(contents)

    def admit(self, request: str) -> None:
        super().admit(request)
        if request == f"GET site/{KEY}" and self._contents:
            content = self._contents.pop(0)
            if content is None:
                del self.bucket.objects[KEY]
            else:
                self.bucket.objects[KEY] = content, UPLOADED


def snapshot(source: Source) -> ObjectSnapshot:
    return read_item(source, site(**SETTINGS), Item(KEY, KEY))


def quiet_snapshot(content: bytes) -> ObjectSnapshot:
    return snapshot(MemoryBucket(RequestGate(), {KEY: (content, UPLOADED)}))


@pytest.mark.parametrize("order", ["AB", "ABA", "ABBAA", "BA", "AA"])
def test_a_page_replaced_between_two_reads_is_read_again_from_its_beginning(order: str) -> None:
    contents = [{"A": A, "B": B}[name] for name in order]
    assert snapshot(ReplacedDuringReads(*contents).bucket) == quiet_snapshot(contents[-1])


def test_a_page_that_is_replaced_during_every_attempt_cannot_be_read() -> None:
    replaced = ReplacedDuringReads(*[A, B] * 10)
    with pytest.raises(ItemChangedError, match="replaced while it was read"):
        snapshot(replaced.bucket)
    assert len(replaced.requests) == 6


def test_a_page_deleted_between_two_reads_does_not_exist() -> None:
    with pytest.raises(FileNotFoundError):
        snapshot(ReplacedDuringReads(A, None).bucket)


def test_what_has_been_read_is_not_read_again() -> None:
    gate = RequestGate()
    reader = ItemReader(MemoryBucket(gate, {KEY: (b"0123456789", UPLOADED)}), Item(KEY, KEY), 2)
    assert reader.first.data == b"01"
    assert [reader.at_least(size).data for size in (1, 4, 3)] == [b"01", b"0123", b"0123"]
    assert [reader.at_least(size).data for size in (99, 100)] == [b"0123456789"] * 2
    assert len(gate.requests) == 3


def test_an_item_that_was_read_whole_is_not_read_again() -> None:
    gate = RequestGate()
    reader = ItemReader(MemoryBucket(gate, {KEY: (b"0123456789", UPLOADED)}), Item(KEY, KEY), None)
    assert reader.at_least(99) == reader.first
    assert len(gate.requests) == 1


def test_an_error_other_than_a_replacement_is_raised_at_once() -> None:
    reads: list[str] = []

    def read() -> None:
        reads.append("read")
        raise TimeoutError

    with pytest.raises(TimeoutError):
        read_unchanged(read)
    assert reads == ["read"]


def before_each_get(bucket: MadeBucket, *replace: Callable[[], object]) -> list[str]:
    """Before each GET of the page, do the next of these; returns the If-Match header of each GET."""
    left, required = list(replace), list[str]()

    def before_send(request: Any, **_: Any) -> None:
        if request.method == "GET":
            required.append((request.headers.get("If-Match") or b"").decode())
            if left:
                left.pop(0)()

    bucket.client.meta.events.register("before-send.s3", before_send)
    return required


def test_over_http_each_further_read_has_the_first_one_s_etag_as_if_match(bucket: MadeBucket) -> None:
    bucket.put({KEY: A})
    required = before_each_get(
        bucket, lambda: None, lambda: bucket.put({KEY: B}), lambda: bucket.put({KEY: A}), lambda: None
    )
    found = snapshot(S3Source(bucket.client, bucket.name, ""))
    assert (found.etag, found.facts) == (etag_of(A), quiet_snapshot(A).facts)
    assert required == ["", etag_of(A), "", etag_of(A)]


def test_over_http_a_page_that_shrinks_to_nothing_between_two_reads_is_read_again(bucket: MadeBucket) -> None:
    bucket.put({KEY: A})
    before_each_get(bucket, lambda: None, lambda: bucket.put({KEY: b""}))
    assert snapshot(S3Source(bucket.client, bucket.name, "")).facts.non_page == "empty"
