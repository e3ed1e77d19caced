import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import pytest

from waypost.core.errors import StoreError
from waypost.files.folder_store import FolderStore


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_write_makes_the_folder(tmp_path: Path) -> None:
    store = FolderStore(tmp_path / "new" / "folder")
    assert list(store.names()) == []
    assert store.read("sitemap.xml") is None
    store.write("sitemap.xml", b"x")
    assert list(store.names()) == ["sitemap.xml"]


def test_the_names_are_those_of_files_in_order(tmp_path: Path) -> None:
    for name in ("b.xml", "a.xml", "c.txt"):
        (tmp_path / name).touch()
    (tmp_path / "folder.xml").mkdir()
    assert list(FolderStore(tmp_path).names()) == ["a.xml", "b.xml", "c.txt"]


@pytest.mark.parametrize("before", [0o600, 0o640, 0o644, 0o755, 0o666])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, before: int) -> None:
    target = tmp_path / "sitemap.xml"
    target.write_bytes(b"old")
    target.chmod(before)
    FolderStore(tmp_path).write("sitemap.xml", b"new")
    assert mode(target) == before
    assert target.read_bytes() == b"new"


def test_a_new_file_has_the_permissions_that_any_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    FolderStore(tmp_path).write("sitemap.xml", b"x")
    assert mode(tmp_path / "sitemap.xml") == mode(tmp_path / "usual")


def test_a_reader_that_has_the_old_file_open_reads_it_to_its_end(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    store.write("sitemap.xml", b"old content")
    with open(tmp_path / "sitemap.xml", "rb") as reader:
        assert reader.read(3) == b"old"
        store.write("sitemap.xml", b"new")
        assert reader.read() == b" content"


def test_a_write_that_fails_midway_leaves_the_old_file_and_no_temporary_one(tmp_path: Path) -> None:
    """A process that may write no file over 1,000 bytes stands in for a full disk."""
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    program = f"""
import resource
from pathlib import Path
from waypost.core.errors import StoreError
from waypost.files.folder_store import FolderStore
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    FolderStore(Path({str(tmp_path)!r})).write("sitemap.xml", b"x" * 100_000)
except StoreError as error:
    print(error)
"""
    done = run([sys.executable, "-B", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"cannot write {tmp_path / 'sitemap.xml'}: ")
    assert names(tmp_path) == ["sitemap.xml"]
    assert (tmp_path / "sitemap.xml").read_bytes() == b"old"


def test_a_write_over_a_folder_fails_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    with pytest.raises(StoreError, match=r"cannot write .*sitemap\.xml: "):
        FolderStore(tmp_path).write("sitemap.xml", b"x")
    assert names(tmp_path) == ["sitemap.xml"]


def test_what_is_no_file_or_lies_below_one_is_an_error_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = FolderStore(tmp_path / "file")
    requests: dict[str, Callable[[], object]] = {
        "list": store.names,
        "read": lambda: store.read("a.xml"),
        "write": lambda: store.write("a.xml", b"x"),
        "remove": lambda: store.remove("a.xml"),
        "lock": lambda: store.put_if_match("a.xml", b"x", None),
    }
    for doing, failing in requests.items():
        with pytest.raises(StoreError, match=f"cannot {doing} .*file"):
            failing()
    (tmp_path / "sitemap.xml").mkdir()
    with pytest.raises(StoreError, match="cannot read"):
        FolderStore(tmp_path).read("sitemap.xml")
    with pytest.raises(StoreError, match="cannot remove"):
        FolderStore(tmp_path).remove("sitemap.xml")


def test_a_link_to_itself_is_no_file_that_stands(tmp_path: Path) -> None:
    (tmp_path / "loop.xml").symlink_to("loop.xml")
    (tmp_path / "sitemap.xml").write_bytes(b"x")
    assert list(FolderStore(tmp_path).names()) == ["sitemap.xml"]
