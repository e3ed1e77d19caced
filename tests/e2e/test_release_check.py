"""The rehearsal of a release finds what would make a release wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import quick

ROOT = Path(__file__).parents[2]
DEFECTS = {
    "a package that depends on the time": (
        "lambda/package.py",
        "_FILE_TIME = (1980, 1, 1, 0, 0, 0)",
        "import time\n_FILE_TIME = time.gmtime(1_600_000_000 + time.time_ns() % 1_000_000_000)[:6]",
        "these files are not the same: SHA256SUMS, aws/waypost-lambda.zip",
    ),
    "a package that the wheel does not declare": (
        "pyproject.toml",
        '"pathspec>=0.12.1",  # patterns in gitignore syntax',
        "",
        "No module named 'pathspec'",
    ),
    "a library that the function's package lacks": (
        "lambda/package.py",
        '"mdurl", "pyyaml")',
        '"mdurl", "pyyaml", "selectolax")',
        "selectolax",
    ),
    "another version in the documentation": (
        "docs/install.md",
        "rev: <commit>",
        "rev: v0.0.9",
        "docs/install.md: v0.0.9",
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the project, with this checkout's environment."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith("tests/"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name, follow_symlinks=False)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "right", "wrong", "message"), quick.every(4, DEFECTS.values(), pytest.mark.release), ids=list(DEFECTS)
)
def test_a_release_that_would_be_wrong_is_refused(
    project: Path, file: str, right: str, wrong: str, message: str
) -> None:
    text = (project / file).read_text()
    assert text.count(right) == 1
    (project / file).write_text(text.replace(right, wrong))
    command = [sys.executable, str(project / "release" / "check.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert message in done.stderr
