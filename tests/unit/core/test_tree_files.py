"""What may be opened below a folder; tests/integration/test_hostile_paths.py tries it through commands."""

import fcntl
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from waypost.core import tree_files
from waypost.files import FolderStore

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it needs links and FIFOs")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a file, beside a secret, with a `.git` and a folder below."""
    folder = tmp_path / "root"
    for below in (".git", "sub/.GIT", "sub/deep"):
        (folder / below).mkdir(parents=True)
        (folder / below / "config").write_text("secret")
    (folder / "file").write_text("content")
    (tmp_path / "secret").write_text("secret")
    return folder


def test_a_file_and_a_link_to_it_are_read(root: Path) -> None:
    (root / "link").symlink_to("file")
    (root / "folder").symlink_to("sub")
    assert tree_files.read(root / "file", root) == tree_files.read(root / "link", root) == b"content"
    assert tree_files.read(root / "folder" / "deep" / "config", root) == b"secret"
    assert tree_files.is_file(root / "link", root)
    assert tree_files.is_folder(root / "folder", root)


@pytest.mark.parametrize(
    "target",
    ["../secret", "/etc/passwd", ".git/config", "sub/.GIT/config", "/dev/zero", "/dev/stdin", "fifo", "again", "sub"],
)
def test_a_link_that_leads_anywhere_else_is_refused_at_once(root: Path, target: str) -> None:
    os.mkfifo(root / "fifo")
    (root / "again").symlink_to("link")
    (root / "link").symlink_to(target)
    with pytest.raises(OSError, match=r"link|regular|\.git|directory|No such|levels"):
        tree_files.read(root / "link", root)
    assert not tree_files.is_file(root / "link", root)


@pytest.mark.parametrize("name", [".git/config", "sub/.GIT/config", "../secret", "fifo"])
def test_what_is_no_file_of_the_folder_is_refused_without_a_link_too(root: Path, name: str) -> None:
    os.mkfifo(root / "fifo")
    with pytest.raises(OSError, match=r"link|regular|\.git"):
        tree_files.read(root / name, root)


def test_a_folder_inside_of_git_s_own_is_a_root_like_any_other(root: Path) -> None:
    assert tree_files.read(root / ".git" / "config", root / ".git") == b"secret"


def test_no_more_is_read_than_the_limit_says(root: Path) -> None:
    assert tree_files.read(root / "file", root, most=7) == b"content"
    with pytest.raises(OSError, match="larger than 6 bytes"):
        tree_files.read(root / "file", root, most=6)
    assert tree_files.read_start(root / "file", root, size=3) == b"con"


def test_a_file_that_the_user_has_named_may_be_a_link_but_no_device(root: Path) -> None:
    (root / "link").symlink_to("../secret")
    (root / "zero").symlink_to("/dev/zero")
    assert tree_files.read(root / "link") == b"secret"
    with pytest.raises(OSError, match="not a regular file"):
        tree_files.read(root / "zero")


def test_a_link_is_replaced_and_never_written_through(root: Path, tmp_path: Path) -> None:
    (root / "link").symlink_to("../secret")
    tree_files.write(root / "link", b"new", root)
    assert (root / "link").read_bytes() == b"new"
    assert not (root / "link").is_symlink()
    assert (tmp_path / "secret").read_text() == "secret"


@pytest.mark.parametrize("target", ["..", "/tmp", ".git", "sub/.GIT"])
def test_nothing_is_written_into_a_folder_that_a_link_leads_out_to(root: Path, target: str) -> None:
    (root / "out").symlink_to(target)
    with pytest.raises(PermissionError):
        tree_files.write(root / "out" / "new", b"new", root)


def test_a_file_keeps_its_permissions_and_its_folder_is_made(root: Path) -> None:
    (root / "file").chmod(0o640)
    tree_files.write(root / "file", b"new", root)
    assert stat.S_IMODE((root / "file").stat().st_mode) == 0o640
    tree_files.write(root / "new" / "folder" / "file", b"new", root)
    assert (root / "new" / "folder" / "file").read_bytes() == b"new"


def test_a_write_that_fails_leaves_no_file_behind(root: Path) -> None:
    (root / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        tree_files.write(root / "folder", b"new", root)
    assert sorted(each.name for each in root.iterdir()) == [".git", "file", "folder", "sub"]


def test_no_pipe_and_no_device_is_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is no file"):
        tree_files.write(tmp_path / "pipe", b"new")
    with pytest.raises(OSError, match="it is no file"):
        tree_files.write(Path("/dev/waypost-test"), b"new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert not Path("/dev/waypost-test").exists()


def test_only_a_path_that_is_written_as_one_below_the_folder_leads_out(root: Path) -> None:
    (root / "out").symlink_to("..")
    (root / "in").symlink_to("sub")
    assert tree_files.leads_out(root / "out", root)
    assert tree_files.leads_out(root / ".git", root)
    assert not tree_files.leads_out(root / "in", root)
    assert not tree_files.leads_out(root / ".." / "secret", root)


def test_the_names_in_a_folder_are_known_and_none_of_what_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b.txt").touch()
    assert tree_files.names(tmp_path) == {"a", "b.txt"}
    assert tree_files.names(tmp_path / "b.txt") == tree_files.names(tmp_path / "absent") == frozenset()


def test_what_killed_runs_have_left_is_removed_and_what_others_write_stays(tmp_path: Path) -> None:
    for name in (".waypost-abc123.tmp", ".waypost-lock", ".waypost-def.txt", "other.tmp"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".waypost-link.tmp").symlink_to("other.tmp")
    writing = tmp_path / ".waypost-writing.tmp"
    with writing.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        tree_files.remove_abandoned(tmp_path)
        assert writing.exists()
    tree_files.remove_abandoned(tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == {".waypost-lock", ".waypost-def.txt", "other.tmp"}


def test_a_run_that_is_killed_while_it_writes_leaves_nothing_to_the_next_one(tmp_path: Path) -> None:
    program = (
        "import os, signal, tempfile; from pathlib import Path; from waypost.core import tree_files\n"
        "Path.chmod = lambda path, mode: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"tree_files.write(Path({str(tmp_path)!r}) / 'sitemap.xml', b'new')"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == -signal.SIGKILL
    assert [each.name.startswith(".waypost-") for each in tmp_path.iterdir()] == [True]
    FolderStore(tmp_path).write("sitemap.xml", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["sitemap.xml"]


def test_a_temporary_file_that_another_run_removed_is_written_again(tmp_path: Path) -> None:
    program = (
        "import os, tempfile; from pathlib import Path; from waypost.core import tree_files\n"
        "made, removed = tempfile.mkstemp, []\n"
        "def mkstemp(*arguments):\n"
        "    handle, name = made(*arguments)\n"
        "    if not removed: removed.append(os.unlink(name))\n"
        "    return handle, name\n"
        "tempfile.mkstemp = mkstemp\n"
        f"tree_files.write(Path({str(tmp_path)!r}) / 'a', b'x')"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a", b"x")]
