import json
from collections.abc import Callable
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from waypost.core.dates import format_unix_time
from waypost.core.errors import LedgerError
from waypost.ledger import records
from waypost.ledger.packed_json import unpack
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import NO_HEAD, Head

KNOWN = [
    Record(
        "a.html", '"1"', PageFacts(Head("noindex", "/x", ("/y", "/z"), "/b/", "2026-01-01")), "2026-01-01T00:00:00Z"
    ),
    Record(
        "ü/日.pdf", '"2"', PageFacts(redirect="/r", robots_header="none", text_digest="d"), duplicate_of="ü/index.html"
    ),
    Record("z.html", "", PageFacts()),
]


def test_dumped_records_are_loaded_unchanged_and_dumped_to_the_same_bytes() -> None:
    data = records.dump(KNOWN)
    assert records.load(data, "x") == KNOWN
    assert records.dump(records.load(data, "x")) == data


def segment_of_pages(etag: str, head: Callable[[str], Head]) -> list[Record]:
    """Records of 25,000 pages with random digests and dates; `etag` makes ETags of digests, `head` heads of keys."""
    rng = Random(1)

    def page(n: int) -> Record:
        key, digest, text_digest = f"catalogue/item-{n:07}.html", rng.randbytes(16).hex(), rng.randbytes(8).hex()
        date = format_unix_time(1_600_000_000 + rng.randrange(200_000_000))
        return Record(key, etag.format(digest), PageFacts(head(key), text_digest=text_digest), date)

    return [page(n) for n in range(25_000)]


def languages(key: str) -> Head:
    return Head(alternates=tuple((code, f"https://www.example.org/{code}/{key}") for code in ("de", "en", "fr", "ja")))


@pytest.mark.slow
@pytest.mark.parametrize(
    "etag", ['"{}"', pytest.param('"{}-3"', marks=pytest.mark.slow)], ids=["one part", "three parts"]
)
@pytest.mark.parametrize(
    "head",
    [lambda key: Head(), lambda key: Head(canonicals=(f"https://www.example.org/{key}",)), languages],
    ids=["no link", "canonical link", "four languages"],
)
def test_the_records_of_25_000_pages_take_at_most_1_8_megabytes_to_be_read_and_written(
    etag: str, head: Callable[[str], Head]
) -> None:
    known = segment_of_pages(etag, head)
    read = records.dump(known)
    loaded = records.load(read, "x")
    is_unchanged = loaded == known
    assert is_unchanged
    loaded[12_345] = replace(loaded[12_345], etag='"changed"')
    assert len(read) + len(records.dump(loaded)) <= 1_800_000


def test_the_records_of_pages_of_which_only_the_etag_is_known_take_little_more_than_their_etags() -> None:
    known = [Record(f"{n:05}.pdf", f'"{Random(n).randbytes(16).hex()}"') for n in range(1_000)]
    assert len(records.dump(known)) < 1_000 * (16 + 5)


def test_equal_records_give_the_same_bytes_however_they_were_made() -> None:
    made = [Record("a.html", '"1"', PageFacts(Head(noindex="", canonicals=()), media=None))]
    assert records.dump(made) == records.dump([Record("a.html", '"1"')])


def test_pages_without_facts_share_the_default_head_in_memory() -> None:
    first, second = records.load(records.dump([Record("a", "1"), Record("b", "2")]), "x")
    assert first.facts.head is second.facts.head is NO_HEAD


def test_alternates_that_are_those_of_the_head_are_stored_once_and_share_memory() -> None:
    own, other = (("de", "https://example.org/de/a"),), (("de", "https://example.org/de/b"),)
    made = [
        Record("a", "1", PageFacts(Head(alternates=own)), alternates=own),
        Record("b", "2", PageFacts(Head(alternates=own)), alternates=other),
        Record("c", "3", PageFacts(Head(alternates=own))),
        Record("d", "4", alternates=other),
    ]
    data = records.dump(made)
    found = records.load(data, "x")
    assert found == made
    assert found[0].alternates is found[0].facts.head.alternates
    rows = unpack(msgspec.msgpack.decode(data)[2]).split(b"\n")[1:]
    assert [json.loads(row.replace(b"\1", b""))[1] is None for row in rows] == [True, False, False, False]


def test_no_records_are_dumped_and_loaded_too() -> None:
    assert records.load(records.dump([]), "x") == []


def test_text_that_utf_8_cannot_encode_is_an_error_when_it_is_dumped() -> None:
    with pytest.raises(UnicodeEncodeError):
        records.dump([Record("a\udc80.html", '"1"')])


def test_a_name_contains_the_shard_s_id_a_digest_of_the_content_and_an_id() -> None:
    def name(shard_id: str | None, data: bytes, new_id: str = "id1") -> str:
        return records.records_name(shard_id, data, (), lambda: new_id)

    assert name("00aa", b"x").startswith("shards/00aa-")
    assert name(None, b"x").startswith("shards/whole-")
    assert len({name("00aa", b"x"), name("00aa", b"y"), name("00aa", b"x", "id2")}) == 3
    assert records.holds(name(None, b"x"), b"x")
    assert not records.holds(name(None, b"x"), b"y")


def test_a_known_file_with_the_same_content_keeps_its_name() -> None:
    known = [records.records_name("00aa", data, (), lambda: "id1") for data in (b"x", b"y")]
    assert records.records_name("00bb", b"y", known, lambda: "id2") == known[1]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "shards/x is missing from the ledger; a rebuild writes it again"),
        (b"", "shards/x is damaged"),
        (b"\xff\xff", "shards/x is damaged"),
        (records.dump(KNOWN)[:-3], "shards/x is damaged"),
        (msgspec.msgpack.encode(["else", 1, b""]), "shards/x is not in the format 'waypost-ledger/records'"),
        (msgspec.msgpack.encode(["waypost-ledger/records", 2, "?"]), "has version 2, .* reads versions up to 1"),
        (msgspec.msgpack.encode(["waypost/records", 1, []]), "shards/x was written by a development version"),
    ],
)
def test_the_error_for_a_missing_damaged_or_newer_file_names_it(data: bytes | None, message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        records.load(data, "shards/x")
