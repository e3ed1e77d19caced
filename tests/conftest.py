"""What tests share: a checked Site from a few settings, and real Git repositories."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from waypost import config
from waypost.config import Layer, Site

settings.register_profile("waypost", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("waypost")

MakeSite = Callable[..., Site]


@pytest.fixture
def make_site() -> MakeSite:
    """Make a Site: `make_site(drop_html=True)` has every other setting at its default."""

    def make(base_url: str = "https://example.org/", **values: Any) -> Site:
        return config.check([Layer("test", {"base_url": base_url, **values})])

    return make


class Repository:
    """A real Git repository whose commits have the times that the test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Test")
        self.git("config", "user.email", "test@example.org")
        self.git("config", "commit.gpgsign", "false")

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
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, files: dict[str, str | bytes | None], when: int) -> str:
        """Write files and commit everything at a time; returns the commit."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "change", when=when)
        return self.git("rev-parse", "HEAD").strip()


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository in a folder of its own."""
    return Repository(tmp_path / "repository")
