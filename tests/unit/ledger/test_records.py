import msgspec
import pytest

from waypost.core.errors import LedgerError
from waypost.ledger import records
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head

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


def test_a_record_of_an_ordinary_page_is_small() -> None:
    known = [
        Record(f"folder/page-{n:04}.html", '"0123456789abcdef"', PageFacts(text_digest="0" * 32)) for n in range(1_000)
    ]
    assert len(records.dump(known)) < 130_000


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
        (None, "shards/x is missing from the ledger; a rebuild writes it anew"),
        (b"", "shards/x is damaged"),
        (b"\xff\xff", "shards/x is damaged"),
        (records.dump(KNOWN)[:-3], "shards/x is damaged"),
        (msgspec.msgpack.encode(["else", 1, []]), "shards/x is not in the format 'waypost/records'"),
        (msgspec.msgpack.encode(["waypost/records", 2, "?"]), "has version 2, and this program reads versions up to 1"),
    ],
)
def test_the_error_for_a_missing_damaged_or_newer_file_names_it(data: bytes | None, message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        records.load(data, "shards/x")
