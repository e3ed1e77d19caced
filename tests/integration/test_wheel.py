"""The wheel as people install it: it holds what it needs, and works far from the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import version
import yaml
from readme import with_absolute_links

from waypost import SHOWN_REPOSITORY
from waypost.github.inputs import ACTION_INPUTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from repositories import Repository

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the installed wheel and nothing else."""
    target = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*command, "--disable-pip-version-check", str(wheel)], check=True, capture_output=True)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_the_templates_and_the_types_and_no_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    templates = {f"waypost/templates/{path.name}" for path in (ROOT / "templates").glob("*.j2")}
    modules = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.py")}
    assert templates
    assert templates | modules | {"waypost/py.typed"} <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"waypost"}


def test_the_description_for_the_registry_is_the_readme(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    headers, _, description = archive.read(name).decode().partition("\n\n")
    assert "Description-Content-Type: text/markdown" in headers
    assert description.strip() == expected_description(version.repository()).strip()


def test_links_of_the_description_lead_to_the_repository() -> None:
    links = re.findall(r"\]\(([^()\s]+)\)", expected_description("acme/sitemaps"))
    assert "https://github.com/acme/sitemaps/raw/main/docs/images/report.png" in links
    assert "https://github.com/acme/sitemaps/blob/main/docs/settings.md" in links
    assert [link for link in links if not link.startswith("https://")] == []


def expected_description(name: str) -> str:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return with_absolute_links(text, name) if name else text


@pytest.mark.slow
def test_the_installed_wheel_renders_with_its_own_templates(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / "blog").mkdir(parents=True)
    (tmp_path / "site" / "index.html").write_text("<title>Home</title>")
    (tmp_path / "site" / "blog" / "a.html").write_text("<title>A</title>")
    settings = ("--set", 'groups={ blog = ["/blog/"] }', "--set", 'formats=["xml", "text"]')
    command = ("-c", "import waypost.cli.main as cli, waypost; print(waypost.__file__, flush=True); cli.main()")
    flags = ("--base-url", "https://example.org/", "--set", "lastmod=none", "--set", "robots_sitemaps=true", *settings)
    done = run(installed, tmp_path, *command, "build", "site", *flags)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{installed / 'waypost' / '__init__.py'}\n"
    assert "<sitemapindex" in (tmp_path / "site" / "sitemap.xml").read_text()
    assert (tmp_path / "site" / "sitemap-blog.txt").read_text() == "https://example.org/blog/a.html\n"
    assert (tmp_path / "site" / "robots.txt").read_text() == "Sitemap: https://example.org/sitemap.xml\n"


def test_the_installed_wheel_writes_the_example_workflow(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "-c", "import waypost.cli.main as cli; cli.main()", "init")
    assert done.returncode == 0, done.stderr
    assert "uses: " in (tmp_path / ".github" / "workflows" / "sitemap.yml").read_text()


def test_the_installed_wheel_has_its_command(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, str(installed / "bin" / "waypost"), "--version")
    assert done.stdout.startswith("waypost ")


LOGGED = """#!/bin/sh
echo "${0##*/} $*" >> "$COMMAND_LOG"
"""


@pytest.mark.parametrize("page", ["README.md", "docs/dates.md"])
def test_every_shell_block_of_a_page_runs_as_it_is_in_a_site_s_folder(
    installed: Path, repository: Repository, tmp_path: Path, page: str
) -> None:
    repository.commit({"public/index.html": HOME, "public/sitemap.xml": SITEMAP}, when=1_700_000_000)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in {
        "make": LOGGED,
        "pip": LOGGED,
        "waypost": f'#!/bin/sh\nPYTHONPATH="{installed}" exec "{sys.executable}" -m waypost "$@"\n',
    }.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    environment = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COMMAND_LOG": str(tmp_path / "log")}
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        done = subprocess.run(
            ["bash", "-ec", block],
            cwd=repository.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "is inside the site" not in done.stderr
    if page == "README.md":
        assert (tmp_path / "log").read_text() == "make demo\nmake test\npip install .\n"
        assert "<h1" in (repository.folder.parent / "report.html").read_text()


def test_the_first_screen_of_the_readme_has_commands_of_a_clone_and_nothing_to_replace() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"^(demo|test):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    first = "\n".join(text.splitlines()[:40])
    assert [line in first for line in ("make demo\n", "make test\n", "pip install .\n")] == [True] * 3
    assert (sorted(targets), "<owner>" in text, "<commit>" in text) == (["demo", "test"], False, False)


HOME = '<!doctype html><link rel="canonical" href="https://www.example.org/"><title>Home</title><p>Home'
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.org/</loc></url></urlset>'


def test_every_workflow_of_the_readme_and_the_questions_has_inputs_that_exist() -> None:
    for page in ("README.md", "docs/faq.md", "docs/github-action.md", "docs/notifications.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for block in re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            for step in steps_in(yaml.safe_load(block)):
                if step.get("uses", "").startswith(SHOWN_REPOSITORY):
                    assert step.get("with", {}).keys() <= ACTION_INPUTS.keys(), block


def steps_in(parsed: Any) -> Iterator[dict[str, Any]]:
    """Every step in a workflow, or in a part of one."""
    if isinstance(parsed, dict):
        if "uses" in parsed:
            yield parsed
        for value in parsed.values():
            yield from steps_in(value)
    elif isinstance(parsed, list):
        for value in parsed:
            yield from steps_in(value)
