"""What a dry run adds to what every store promises (test_store.py)."""

from pathlib import Path

import pytest

from waypost.core.errors import ConflictError
from waypost.core.hashing import content_digest
from waypost.files import DryRunStore, FolderStore


@pytest.fixture
def base(tmp_path: Path) -> FolderStore:
    store = FolderStore(tmp_path)
    store.write("a.xml", b"one")
    store.write("b.xml", b"two")
    return store


def test_a_dry_run_changes_nothing_in_its_base(base: FolderStore) -> None:
    store = DryRunStore(base)
    store.delete_if_match("a.xml", content_digest(b"one"))
    store.put_if_match("c.xml", b"three", None)
    store.write("b.xml", b"changed")
    assert (list(store.names()), list(store.names("c"))) == (["b.xml", "c.xml"], ["c.xml"])
    assert (store.get_start("b.xml", 2), list(store.list_files(""))) == (b"ch", ["a.xml", "b.xml"])
    store.delete_many(["b.xml", "none.xml"])
    assert list(store.names()) == ["c.xml"]
    assert {name: base.read(name) for name in base.names()} == {"a.xml": b"one", "b.xml": b"two"}


def test_files_that_were_not_changed_are_read_from_the_base(base: FolderStore) -> None:
    store = DryRunStore(base)
    assert (store.read("a.xml"), store.get_start("a.xml", 2)) == (b"one", b"on")
    assert (store.get("a.xml"), store.head("a.xml")) == (base.get("a.xml"), base.head("a.xml"))
    assert (store.read("none.xml"), store.get("none.xml"), store.head("none.xml")) == (None, None, None)


def test_a_conditional_write_is_checked_against_the_changes(base: FolderStore) -> None:
    store = DryRunStore(base)
    store.remove("a.xml")
    with pytest.raises(ConflictError, match=r"a\.xml was changed by another run"):
        store.put_if_match("a.xml", b"new", content_digest(b"one"))
    store.put_if_match("a.xml", b"new", None)
    with pytest.raises(ConflictError):
        store.delete_if_match("a.xml", content_digest(b"one"))
