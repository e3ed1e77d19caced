"""A release: its notes, its version, and the tag that moves to it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml
from bill_of_materials import bill_of_materials
from changelog import UNRELEASED, notes
from version import is_newest, major_tag, repository, version

ROOT = Path(__file__).parents[2]
CHANGELOG = """\
# Changelog

## [Unreleased]

## [0.2.0]

### Added

- Undated.

## [0.1.0] - 2026-12-01

### Added

- [Dates](docs/dates.md#evidence), [a standard](https://www.sitemaps.org/).

## [0.0.1] - 2026-11-01

- The first.
"""


def test_the_notes_are_the_section_of_the_version_with_links_to_the_files_of_the_tag() -> None:
    assert notes(CHANGELOG, "0.1.0", "acme/waypost", "v0.1.0") == (
        "### Added\n\n- [Dates](https://github.com/acme/waypost/blob/v0.1.0/docs/dates.md#evidence), "
        "[a standard](https://www.sitemaps.org/).\n"
    )
    assert notes(CHANGELOG, "0.0.1", "acme/waypost") == "- The first.\n"


@pytest.mark.parametrize(
    ("name", "problem"), [(UNRELEASED, "is empty"), ("0.2.0", "has no date"), ("0.3.0", "has no section")]
)
def test_a_release_without_dated_notes_is_refused(name: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        notes(CHANGELOG, name, "acme/waypost")


def test_the_tag_of_the_major_version_moves_only_to_its_newest_release() -> None:
    tags = ["v0", "v0.9.0", "v0.10.0", "v1.0.0", "v1", "other"]
    assert [tag for tag in tags if tag.count(".") == 2 and is_newest(tag, tags)] == ["v0.10.0", "v1.0.0"]
    assert is_newest("v0.10.1", tags)
    assert not is_newest("v0.9.1", tags)
    assert (major_tag("v0.10.0"), major_tag("v1.0.0")) == ("v0", "v1")


@pytest.mark.parametrize("tag", ["v1", "1.0.0", "v1.0", "v1.0.0-rc1", "v1.0.0.0"])
def test_other_tags_are_not_those_of_releases(tag: str) -> None:
    with pytest.raises(ValueError, match="is not the tag of a release"):
        major_tag(tag)


@pytest.mark.parametrize(
    ("tag", "problem"), [("v9.9.9", "the tag is v9.9.9, but the version"), (f"v{version()}", "has no date")]
)
def test_nothing_is_built_if_tag_version_and_changelog_disagree(tmp_path: Path, tag: str, problem: str) -> None:
    done = build_release(tmp_path, tag, f"## [{version()}]")
    assert done.returncode == 2
    assert problem in done.stderr
    assert not (tmp_path / "dist").exists()


@pytest.mark.skipif(bool(repository()), reason="the repository has a name")
def test_nothing_is_released_while_the_repository_has_no_name(tmp_path: Path) -> None:
    done = build_release(tmp_path, f"v{version()}", f"## [{version()}] - 2026-12-01")
    assert (done.returncode, "has no REPOSITORY" in done.stderr) == (2, True)


def build_release(tmp_path: Path, tag: str, heading: str) -> subprocess.CompletedProcess[str]:
    """Build the artifacts of a tag in a copy of the scripts."""
    shutil.copytree(ROOT / "release", tmp_path / "release", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src" / "waypost").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "waypost" / "__init__.py", tmp_path / "src" / "waypost")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n\n- Something.\n")
    command = [sys.executable, str(tmp_path / "release" / "artifacts.py"), "--output", str(tmp_path / "dist")]
    return subprocess.run([*command, "--tag", tag], capture_output=True, text=True, check=False)


GH = """#!/bin/sh
echo "$*" >> "$CALLS"
case "$2:$STATE" in view:none) exit 1 ;; view:*) echo "$STATE" ;; esac
"""


@pytest.mark.parametrize(
    ("state", "calls"),
    [
        ("none", ["view", "create", "upload", "edit"]),
        ("true", ["view", "upload", "edit"]),
        ("false", ["view"]),
    ],
)
def test_a_release_is_published_once_when_it_has_all_its_files(tmp_path: Path, state: str, calls: list[str]) -> None:
    job = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]["github"]
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    log = tmp_path / "calls"
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "CALLS": str(log), "STATE": state, "GITHUB_REF_NAME": "v0.1.0"}
    subprocess.run(["bash", "-e", "-c", job["steps"][-1]["run"]], env=environment, check=True)
    made = log.read_text().splitlines()
    assert [call.split()[1] for call in made] == calls
    assert all("--draft " in call for call in made if "create" in call)
    assert not made[1:] or made[-1].endswith("--draft=false")


def test_the_workflow_publishes_only_after_the_tests_and_with_the_permissions_that_each_job_needs() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())
    jobs = workflow["jobs"]
    assert workflow["permissions"] == {}
    assert {name: sorted(job["permissions"].items()) for name, job in jobs.items()} == {
        "test": [("contents", "read")],
        "build": [("contents", "read")],
        "pypi": [("id-token", "write")],
        "github": [("attestations", "write"), ("contents", "write"), ("id-token", "write")],
        "image": [("contents", "read"), ("packages", "write")],
        "moving-tag": [("contents", "write")],
    }
    assert jobs["pypi"]["needs"] == ["test", "build"]
    assert "pypi" in jobs["github"]["needs"]
    assert "github" in jobs["moving-tag"]["needs"]


def test_the_bill_of_materials_names_the_libraries_in_the_function_s_package(tmp_path: Path) -> None:
    package = tmp_path / "package.zip"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr(
            "two_words-2.1.dist-info/METADATA", "Metadata-Version: 2.1\nName: Two_Words\nVersion: 2.1\n\nText"
        )
        archive.writestr("idna-3.20.dist-info/METADATA", "Name: idna\nVersion: 3.20\nLicense-Expression: MIT\n")
        archive.writestr("waypost/templates/old-1.dist-info/METADATA", "Name: old\nVersion: 1\n")
    bill = json.loads(bill_of_materials(package, "1.0.0"))
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/waypost@1.0.0"
    assert [(each["purl"], each.get("licenses")) for each in bill["components"]] == [
        ("pkg:pypi/idna@3.20", [{"expression": "MIT"}]),
        ("pkg:pypi/two-words@2.1", None),
    ]
    assert bill["dependencies"][0]["dependsOn"] == ["pkg:pypi/idna@3.20", "pkg:pypi/two-words@2.1"]


@pytest.mark.parametrize(
    "file", sorted([*ROOT.glob("requirements*.txt"), ROOT / "action" / "requirements.txt"]), ids=lambda file: file.name
)
def test_every_requirement_has_a_version_and_hashes(file: Path) -> None:
    entries = re.split(r"^(?=\S)", file.read_text(), flags=re.MULTILINE)[1:]
    assert entries
    assert not [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry]
