"""What integration tests share: a run of Waypost over a folder, its command, and a reader of sitemaps."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from sites import Build, Entries

_NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture(autouse=True)
def _far_from_this_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests run in a folder of their own, with no settings of Git's but their own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("SOURCE_DATE_EPOCH", "NO_COLOR", "TERM", "FORCE_COLOR", "GIT_DIR", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def build() -> Build:
    """Run Waypost over a folder in this process."""
    return Build()


@pytest.fixture
def entries() -> Entries:
    """Read a sitemap or an index: each loc and its lastmod."""

    def read(path: Path) -> dict[str, str | None]:
        root = ElementTree.fromstring(path.read_bytes())
        return {
            str(entry.findtext(f"{_NAMESPACE}loc")): entry.findtext(f"{_NAMESPACE}lastmod")
            for name in ("url", "sitemap")
            for entry in root.iter(_NAMESPACE + name)
        }

    return read


@pytest.fixture
def info() -> Callable[[Path], dict[str, tuple[bytes, int]]]:
    """All files below a folder: their bytes and when they were last written."""

    def read(folder: Path) -> dict[str, tuple[bytes, int]]:
        return {
            str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
            for path in folder.rglob("*")
            if path.is_file() and ".git/" not in f"{path}"
        }

    return read


@pytest.fixture
def git_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `git` goes first on PATH that notes each call as a line of this file."""
    calls = tmp_path / "calls"
    calls.touch()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {calls}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    return calls
