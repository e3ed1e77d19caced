"""Real Git repositories for tests."""

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from page_content import file_bytes

from waypost.git import GitFolder, Repositories

_SETTINGS = (
    "[user]\n\tname = Test\n\temail = test@example.org\n[commit]\n\tgpgsign = false\n[maintenance]\n\tauto = false\n"
)
"""Git starts two more processes after each commit to see whether there is something to clean up."""


def _add_settings(folder: Path) -> None:
    with (folder / ".git" / "config").open("a") as file:
        file.write(_SETTINGS)


@cache
def _empty_repository() -> Path:
    """An empty repository that others are copied from, because a copy takes less time than four processes of Git."""
    folder = Path(tempfile.mkdtemp(prefix="waypost-repository-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main", "--template=", folder], check=True)
    _add_settings(folder)
    return folder


class Repository:
    """A real Git repository whose commits have the times that the test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if (folder / ".git").exists():
            _add_settings(folder)
        else:
            shutil.copytree(_empty_repository(), folder, dirs_exist_ok=True)

    def git(self, *arguments: str, when: int | None = None) -> str:
        """Run git here; `when` is the commit time in Unix seconds."""
        dates = {} if when is None else {"GIT_AUTHOR_DATE": f"{when} +0000", "GIT_COMMITTER_DATE": f"{when} +0000"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env={**os.environ, **dates}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def write(self, files: dict[str, str | bytes | None]) -> None:
        """Write files; None removes one."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file_bytes(name, content))

    def commit(self, files: dict[str, str | bytes | None], when: int) -> str:
        """Write files and commit everything at a time; returns the commit."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change", when=when)
        head = self.folder / ".git" / "HEAD"
        branch = head.read_text().strip().removeprefix("ref: ") if head.is_file() else ""  # a process less for each
        ref = head.parent / branch
        return ref.read_text().strip() if branch and ref.is_file() else self.git("rev-parse", "HEAD").strip()


def in_repository(folder: Path) -> GitFolder:
    """A folder in its repository, which is the one of the workspace."""
    found = Repositories(folder).find(folder)
    assert found is not None
    return found
