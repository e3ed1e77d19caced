"""What every store promises, a folder, a bucket and a dry run; and the small files that runs keep in one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unit.sample_sites import RecordingStore

from waypost.core.errors import ConflictError
from waypost.core.gzip import compress
from waypost.core.hashing import content_digest
from waypost.files import DIGEST, ConditionalStore, DryRunStore, FolderStore, KeptFile, keep_file, read_kept
from waypost.files.s3_store import S3Store
from waypost.files.store import FileInfo

if TYPE_CHECKING:
    from buckets import MadeBucket


@pytest.fixture(params=["files", "s3", "dry run"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ConditionalStore:
    if request.param == "s3":
        bucket: MadeBucket = request.getfixturevalue("bucket")
        return S3Store(bucket.client, bucket.name, "www/")
    files = FolderStore(tmp_path / "store")
    return files if request.param == "files" else DryRunStore(files)


def test_a_file_is_created_only_if_there_is_none(store: ConditionalStore) -> None:
    store.put_if_match("a.xml", b"one", None)
    with pytest.raises(ConflictError, match=r"a\.xml was changed by another run"):
        store.put_if_match("a.xml", b"two", None)
    assert store.read("a.xml") == b"one"


def test_a_file_is_replaced_only_if_it_has_the_expected_etag(store: ConditionalStore) -> None:
    first = store.put_if_match("a.xml", b"one", None)
    second = store.put_if_match("a.xml", b"two", first)
    assert first != second
    for stale in (first, '"no such"'):
        with pytest.raises(ConflictError):
            store.put_if_match("a.xml", b"three", stale)
        with pytest.raises(ConflictError):
            store.delete_if_match("a.xml", stale)
    stored = store.get("a.xml")
    assert stored is not None
    assert (stored.content, stored.etag) == (b"two", second)


def test_a_removed_file_is_not_replaced(store: ConditionalStore) -> None:
    etag = store.put_if_match("a.xml", b"one", None)
    store.delete_if_match("a.xml", etag)
    assert (store.get("a.xml"), store.head("a.xml"), store.read("a.xml")) == (None, None, None)
    with pytest.raises(ConflictError):
        store.put_if_match("a.xml", b"two", etag)
    assert list(store.names("a")) == []


@pytest.mark.parametrize(("name", "content"), [("a.xml", b"one"), ("a.xml.gz", compress(b"one"))])
def test_head_returns_the_digest_of_the_uncompressed_content(
    store: ConditionalStore, name: str, content: bytes
) -> None:
    etag = store.put_if_match(name, content, None, {DIGEST: content_digest(b"one")})
    info = store.head(name)
    assert info is not None
    assert (info.etag, info.metadata[DIGEST]) == (etag, content_digest(b"one"))


def test_many_files_are_removed_whether_they_exist_or_not(store: ConditionalStore) -> None:
    for n in range(3):
        store.write(f"{n}.xml", b"x")
    store.delete_many(["0.xml", "none.xml", "2.xml"])
    assert list(store.names()) == ["1.xml"]
    store.delete_many([])


def test_an_unconditional_write_replaces_any_file(store: ConditionalStore) -> None:
    store.write("a.xml", b"one")
    store.write("a.xml", b"two")
    assert store.read("a.xml") == b"two"
    store.remove("a.xml")
    assert store.read("a.xml") is None


@pytest.mark.parametrize("kind", ["files", "s3"])
def test_the_files_of_a_folder_are_listed_without_those_of_its_subfolders(
    kind: str, tmp_path: Path, bucket: MadeBucket
) -> None:
    bucket_store = S3Store(bucket.client, bucket.name, "")
    store: ConditionalStore = bucket_store if kind == "s3" else FolderStore(tmp_path)
    for name in ("copies/a", "copies/b", "copies/older/c", "state"):
        store.write(name, b"x")
    assert sorted(store.list_files("copies/")) == ["copies/a", "copies/b"]
    assert list(store.list_files("copies/b")) == ["copies/b"]
    assert list(store.list_files("none/")) == []


@pytest.mark.parametrize("kind", ["s3", "dry run"])
def test_a_file_has_the_metadata_that_it_was_last_written_with(kind: str, tmp_path: Path, bucket: MadeBucket) -> None:
    bucket_store = S3Store(bucket.client, bucket.name, "")
    store: ConditionalStore = bucket_store if kind == "s3" else DryRunStore(FolderStore(tmp_path))
    etag = store.put_if_match("a.xml", b"one", None, {DIGEST: "digest", "waypost-range-end": "w6ku"})
    assert store.head("a.xml") == FileInfo(etag, {DIGEST: "digest", "waypost-range-end": "w6ku"})
    etag = store.put_if_match("a.xml", b"two", etag)
    assert store.head("a.xml") == FileInfo(etag, {})


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


COUNTING = """
import sys
from pathlib import Path
from waypost.core.errors import ConflictError
from waypost.files.folder_store import FolderStore
store, times = FolderStore(Path(sys.argv[1])), 40
while times:
    stored = store.get("count")
    try:
        count = int(stored.content) + 1 if stored else 1
        store.put_if_match("count", str(count).encode(), stored.etag if stored else None)
        times -= 1
    except ConflictError:
        pass
"""


def test_concurrent_processes_lose_no_update(tmp_path: Path) -> None:
    counters = [subprocess.Popen([sys.executable, "-c", COUNTING, str(tmp_path)]) for _ in range(3)]
    assert [counter.wait() for counter in counters] == [0, 0, 0]
    assert FolderStore(tmp_path).read("count") == b"120"


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
