"""Waypost in a container, in GitLab's pipelines, and in a shell that completes its commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import quick
import yaml

if TYPE_CHECKING:
    from sites import Write

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "release" / "Dockerfile").read_text(encoding="utf-8")
COMPONENT = ROOT / "templates" / "sitemap.yml"
_INPUT = re.compile(r"\$\[\[ inputs\.([\w-]+) \]\]")
WAYPOST = Path(sys.executable).with_name("waypost")
FAKE_PIP = """#!/bin/sh
echo "$*" > "$PIP_LOG"
"""


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_the_container_has_every_library_of_the_package_and_its_extras() -> None:
    lock = (ROOT / "release" / "requirements.txt").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9-]+)==", lock, re.MULTILINE))
    needed = [
        *project()["dependencies"],
        *(each for extra in project()["optional-dependencies"].values() for each in extra),
    ]
    names = {re.split(r"[^A-Za-z0-9._-]", each)[0].lower().replace(".", "-") for each in needed}
    assert names - locked == set()


def test_what_the_container_copies_is_there_or_is_the_wheel() -> None:
    copied = [line.split()[1] for line in DOCKERFILE.splitlines() if line.startswith("COPY ")]
    assert [source for source in copied if not list(ROOT.glob(source))] in ([], ["dist/*.whl"])
    assert "dist/*.whl" in copied


def test_the_container_runs_the_command_on_a_supported_python() -> None:
    (version,) = re.findall(r"^FROM python:(3\.\d+)-slim$", DOCKERFILE, re.MULTILINE)
    assert f"Programming Language :: Python :: {version}" in project()["classifiers"]
    (entry,) = re.findall(r'^ENTRYPOINT \["(\w+)"\]$', DOCKERFILE, re.MULTILINE)
    assert entry in project()["scripts"]


@pytest.mark.parametrize("base_url", quick.every(2, ["", "https://www.example.org/"]))
def test_the_job_of_the_component_writes_the_sitemap_of_the_built_site(
    write: Write, tmp_path: Path, base_url: str
) -> None:
    files = {
        "index.html": '<link rel="canonical" href="https://www.example.org/"><title>Home</title>',
        "about us.html": "<p>Us",
    }
    folder = write(files).rename(tmp_path / "my site")
    job = component_job({"source": "my site", "base-url": base_url, "package": "waypost @ git+https://a.example/b@c"})
    assert job["variables"].pop("GIT_DEPTH") == 0
    log, pip = tmp_path / "pip.log", tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text(FAKE_PIP)
    pip.chmod(0o755)
    path = os.pathsep.join([str(pip.parent), str(WAYPOST.parent), os.environ["PATH"]])
    environment = {**os.environ, **job["variables"], "PATH": path, "PIP_LOG": str(log)}
    command = ["bash", "-ec", "\n".join(job["script"])]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert log.read_text() == "install --quiet waypost @ git+https://a.example/b@c\n"
    assert "<loc>https://www.example.org/about%20us.html</loc>" in (folder / "sitemap.xml").read_text()
    assert job["artifacts"]["paths"] == ["my site"]


def component_job(inputs: dict[str, str]) -> dict[str, Any]:
    """The only job of the component, with these inputs and the defaults of the others."""
    header, _, job = COMPONENT.read_text(encoding="utf-8").partition("\n---\n")
    declared = yaml.safe_load(header)["spec"]["inputs"]
    values = {name: each["default"] for name, each in declared.items()} | inputs
    assert set(_INPUT.findall(job)) == values.keys()
    (found,) = yaml.safe_load(_INPUT.sub(lambda used: values[used[1]], job)).values()
    return dict(found)


@pytest.mark.parametrize("shell", quick.every(3, ["bash", "zsh", "fish"]))
def test_a_shell_can_complete_the_commands(shell: str) -> None:
    script = completed({"_WAYPOST_COMPLETE": f"{shell}_source"})
    assert f"_WAYPOST_COMPLETE={shell}_complete" in script
    words = {"COMP_WORDS": "waypost va", "COMP_CWORD": "va" if shell == "fish" else "1"}
    assert "validate" in completed({"_WAYPOST_COMPLETE": f"{shell}_complete", **words})


def completed(variables: dict[str, str]) -> str:
    """What the command prints for a shell."""
    done = subprocess.run([WAYPOST], env={**os.environ, **variables}, capture_output=True, text=True, check=True)
    return done.stdout
