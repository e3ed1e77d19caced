"""Small files that runs keep for later ones."""

import pytest
from unit.sample_sites import RecordingStore

from waypost.files import KeptFile, keep_file, read_kept


class Names(KeptFile, frozen=True, forbid_unknown_fields=True):
    """A kept file of the tests."""

    format: str = "names"
    version: int = 2
    names: tuple[str, ...] = ()


KEPT = Names(names=("a", "b"))


def test_what_was_kept_is_read_again_and_the_same_is_not_written_twice() -> None:
    store = RecordingStore()
    keep_file(KEPT, store, "kept.json")
    keep_file(KEPT, store, "kept.json")
    assert read_kept(store, "kept.json", Names()) == KEPT
    assert store.done == [("write", "kept.json")]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b'{"format":"names","version":1}', b'{"format":"other","version":2}', b'{"more":1}'],
    ids=["missing", "damaged", "no text", "another version", "another format", "an unknown field"],
)
def test_what_cannot_be_read_or_has_another_version_counts_as_missing(content: bytes) -> None:
    assert read_kept(RecordingStore({"kept.json": content} if content else {}), "kept.json", Names()) == Names()
