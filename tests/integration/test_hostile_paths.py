"""Links, devices and FIFOs in the place of each file that Waypost reads or writes: no run waits, leaks or strays."""

from __future__ import annotations

import os
from itertools import product
from typing import TYPE_CHECKING

import pytest
import quick
from click.testing import CliRunner, Result

from waypost.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository

pytestmark = pytest.mark.skipif(os.name == "nt", reason="it needs links and FIFOs")
SECRET = "AUTHORIZATION: basic c2VjcmV0"
PAGE = "<!doctype html><html><head><title>Page</title></head><body>Some text.</body></html>"
BASE = ("--base-url", "https://example.org/")
TARGETS = ("secret", ".git/config", "/dev/zero", "fifo")
READ = [
    *("waypost.toml", "site/waypost.toml", "site/robots.txt", "site/sitemap.xml", "site/sitemap.xml.gz", "site/CNAME"),
    *("site/index.html", "site/_config.yml", "site/Gemfile", "site/package.json", "site/other.html", "content/a.md"),
    *("state.jsonl", "templates/sitemap.html.j2", "templates/other.j2", "old/sitemap.xml", "site/_includes/x.html"),
    *("site/.nojekyll", ".github/workflows/x.yml", "package.json", "site/sitemap_index.xml"),
]


@pytest.fixture
def project(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a site, into which links may lead: to a secret beside it, to its `.git`, to devices."""
    folder = repository.folder
    repository.commit({"site/page.html": PAGE, "content/a.md": "# Page\n\nSome text.\n"}, 1_700_000_000)
    repository.git("config", "http.https://github.com/.extraheader", SECRET)
    (tmp_path / "secret").write_text(SECRET)
    os.mkfifo(folder / "fifo")
    monkeypatch.chdir(folder)
    return folder


def waypost(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def link(project: Path, name: str, target: str, tmp_path: Path) -> None:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    inside = {"secret": tmp_path / "secret"}.get(target, project / target)
    path.symlink_to(inside)


def written(project: Path) -> str:
    files = [each for each in project.rglob("*") if each.is_file() and not each.is_symlink()]
    return "".join(each.read_text("utf-8", "replace") for each in files if ".git" not in each.parts)


@pytest.mark.parametrize(("name", "target"), quick.every(11, product(READ, TARGETS)))
def test_a_hostile_link_in_the_place_of_a_file_that_is_read_shows_nothing_and_holds_nothing_up(
    project: Path, tmp_path: Path, name: str, target: str
) -> None:
    (project / "settings.toml").write_text(
        'base_url = "https://example.org/"\nformats = ["xml", "html"]\nrobots_sitemaps = true\nstate = "state.jsonl"\n'
        'lastmod = "content"\ntemplates = "templates"\ncompare = "old/sitemap.xml"\nmax_removed = 100\n'
    )
    (project / "templates").mkdir()
    link(project, name, target, tmp_path)
    for arguments in (
        ("build", "site", *BASE),
        ("build", "site", "--config", "settings.toml"),
        ("audit", "site", *BASE),
    ):
        done = waypost(*arguments)
        assert done.exit_code != 70, done.output
        assert "c2VjcmV0" not in done.output
    waypost("init", "site")
    waypost("validate", "site")
    assert "c2VjcmV0" not in written(project)
    assert (tmp_path / "secret").read_text() == SECRET
    assert "c2VjcmV0" in (project / ".git" / "config").read_text()


@pytest.mark.parametrize("target", ["/tmp", ".git", "../elsewhere"])
@pytest.mark.parametrize("option", ["source", "output"])
def test_a_site_or_an_output_that_is_a_link_out_of_the_repository_is_refused(
    project: Path, tmp_path: Path, option: str, target: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project / "public").symlink_to(target)
    arguments = ("public",) if option == "source" else ("site", "--output", "public")
    done = waypost("build", *arguments, *BASE)
    assert done.exit_code == 2
    assert f"{option}: public is a link that leads out of the repository, or lies in .git" in done.output.replace(
        "\n", " "
    )
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("path", [".git/hooks/x", "../state.jsonl", "out/state.jsonl"])
def test_a_state_outside_of_the_repository_is_refused_in_a_settings_file(
    project: Path, tmp_path: Path, path: str
) -> None:
    (project / "out").symlink_to(tmp_path)
    (project / "waypost.toml").write_text(f'state = "{path}"\nlastmod = "content"\n')
    done = waypost("build", "site", *BASE)
    assert done.exit_code == 2
    assert "leads out of the repository, or into its .git" in done.output.replace("\n", " ")


@pytest.mark.usefixtures("project")
def test_a_state_beside_the_repository_is_the_user_s_to_name(tmp_path: Path) -> None:
    done = waypost("build", "site", *BASE, "--state", str(tmp_path / "state.jsonl"))
    assert done.exit_code == 0, done.output
    assert (tmp_path / "state.jsonl").exists()


def test_init_writes_no_workflow_through_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project / ".github").symlink_to(tmp_path / "elsewhere")
    assert waypost("init", "site").exit_code == 5
    assert not list((tmp_path / "elsewhere").iterdir())
