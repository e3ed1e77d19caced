"""The workflows that `waypost init` writes, checked by the programs that check this project's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from source_folders import GENERATORS, PAGE

from waypost import SHOWN_REPOSITORY
from waypost.cli.main import main
from waypost.cli.workflow import own_origin

pytestmark = pytest.mark.slow
SCHEMA = ("--builtin-schema", "vendor.github-workflows")
NAMED = own_origin().action.partition("@")[0].replace(SHOWN_REPOSITORY, "acme/waypost")
POLICY = f"""\
rules:
  unpinned-uses:
    config:
      policies:
        {NAMED}: ref-pin
        "*": hash-pin
"""
FOLDERS = {
    **{f"{name} {file}": files for name, file, files in GENERATORS},
    "a site as it is": {"index.html": PAGE},
    "Jekyll by GitHub Pages": {"_config.yml": "", "index.md": "---\ntitle: A\n---\n"},
    "Jekyll by a build": {"_config.yml": "", "Gemfile": 'gem "jekyll"\n'},
    "a project below the root": {"go.mod": "", "docs/mkdocs.yml": "site_name: A\n", ".gitmodules": ""},
}


def checked(program: str, *arguments: str) -> None:
    """Run a program that must not find anything."""
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_workflow_is_valid_and_safe(tmp_path: Path) -> None:
    (tmp_path / "zizmor.yml").write_text(POLICY)
    for number, files in enumerate(FOLDERS.values()):
        project = tmp_path / str(number)
        for name, content in files.items():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            (project / name).write_text(content)
        arguments = ["init", str(project), "--base-url", "https://acme.github.io/site/"]
        assert CliRunner().invoke(main, arguments).exit_code == 0
    targets = [tmp_path / str(number) / ".github/workflows/sitemap.yml" for number in range(len(FOLDERS))]
    files_written = [target for target in targets if target.exists()]
    names = [name for name, target in zip(FOLDERS, targets, strict=True) if not target.exists()]
    # A site with a server gets no workflow: that would publish its files alone.
    assert {name.partition(" ")[0] for name in names} <= {"Next.js"}
    for file in files_written:
        file.write_text(file.read_text().replace(SHOWN_REPOSITORY, "acme/waypost"))  # as `next:` says
    workflows = list(map(str, files_written))
    checked("check-jsonschema", *SCHEMA, *workflows)
    checked("zizmor", "--offline", "--quiet", "--config", str(tmp_path / "zizmor.yml"), *workflows)
