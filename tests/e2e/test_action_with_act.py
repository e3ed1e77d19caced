"""The Action end to end: nektos/act runs the workflow, a bare repository is the origin."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from github_server import TOKEN, GitHubServer
from servers import running

ROOT = Path(__file__).parents[2]
ACT = Path(sys.executable).with_name("act")
WHEELS = ROOT / ".venv" / "action-wheels"

WORKFLOW = """\
name: sitemap
on: [push, pull_request]
jobs:
  sitemap:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - run: %(before)s
      - id: waypost
        uses: local/waypost@v0
        with:
          base-url: https://example.org/
          source: site
          commit: %(commit)s
%(inputs)s
      - env:
          SEEN: ${{ steps.waypost.outputs.changed }} ${{ steps.waypost.outputs.url-count }}
        run: echo "seen $SEEN ${{ steps.waypost.outputs.sitemap-path }}"
"""


class Project:
    """A site's repository whose origin is a bare one beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.origin, self.clone, self.home = (
            folder,
            folder / "origin.git",
            folder / "clone",
            folder / "home",
        )
        self.action = folder / "action"
        for name in ("action", "src", "templates"):  # act packs the whole of it at each step
            shutil.copytree(ROOT / name, self.action / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "action.yml", self.action)
        (self.home / ".config" / "act").mkdir(parents=True)
        (self.home / ".config" / "act" / "actrc").touch()
        self.git("init", "--quiet", "--bare", "--initial-branch=main", str(self.origin), at=folder)
        self.git("clone", "--quiet", self.origin.as_uri(), str(self.clone), at=folder)
        self.git("config", "user.name", "Owner")
        self.git("config", "user.email", "owner@example.org")

    def git(self, *arguments: str, at: Path | None = None) -> str:
        done = subprocess.run(["git", *arguments], cwd=at or self.clone, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def push(self, files: dict[str, str]) -> None:
        for name, content in files.items():
            path = self.clone / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "change")
        self.git("push", "--quiet", "origin", "HEAD")

    def workflow(self, before: str = "true", inputs: str = "", commit: str = "true") -> None:
        indented = "".join(f"          {line}\n" for line in inputs.splitlines())
        text = WORKFLOW % {"before": before, "inputs": indented, "commit": commit}
        self.push({".github/workflows/sitemap.yml": text, "site/index.html": "<title>Home</title>"})

    def act(self, event: str = "push", *more: str) -> str:
        """Run the workflow on this machine, without a container and without a network."""
        options = [*more, "-P", "ubuntu-latest=-self-hosted", "--pull=false", "--action-offline-mode"]
        options += ["--local-repository", f"local/waypost@v0={self.action}"]
        options += ["--env", "PIP_NO_INDEX=1", "--env", f"PIP_FIND_LINKS={WHEELS}"]
        environ = {**os.environ, "HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config")}
        environ["XDG_CACHE_HOME"] = str(self.home / ".cache")
        done = subprocess.run([str(ACT), event, *options], cwd=self.clone, env=environ, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def published(self, name: str = "site/sitemap.xml") -> str:
        return self.git("show", f"main:{name}", at=self.origin)

    def published_or_nothing(self) -> str:
        """The published sitemap, or nothing if there is none yet."""
        names = self.git("ls-tree", "-r", "--name-only", "main", at=self.origin).splitlines()
        return self.published() if "site/sitemap.xml" in names else ""

    def commits(self) -> list[str]:
        return self.git("log", "--format=%an", "main", at=self.origin).splitlines()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_push_has_its_sitemap_committed_and_the_next_run_changes_nothing(project: Project) -> None:
    project.workflow()
    assert "seen true 1 site/sitemap.xml" in project.act()
    assert "<loc>https://example.org/</loc><lastmod>" in project.published()
    assert project.git("show", "--format=", "--name-only", "main", at=project.origin) == "site/sitemap.xml"
    project.git("pull", "--quiet", "origin", "main")
    assert "seen false 1 site/sitemap.xml" in project.act()
    assert project.commits() == ["github-actions[bot]", "Owner"]


def test_a_lost_race_is_rendered_again_on_the_new_head(project: Project) -> None:
    somebody = (
        f"git clone -q {project.origin.as_uri()} $RUNNER_TEMP/other && cd $RUNNER_TEMP/other"
        " && echo '<title>News</title>' > site/news.html && git add --all"
        " && git -c user.name=Somebody -c user.email=s@example.org commit -qm news && git push -q origin HEAD"
    )
    project.workflow(before=somebody)
    assert "seen true 2 site/sitemap.xml" in project.act()
    assert project.commits() == ["github-actions[bot]", "Somebody", "Owner"]
    assert "https://example.org/news.html" in project.published()


def test_a_pull_request_renders_and_pushes_nothing(project: Project) -> None:
    project.workflow()
    assert "seen true 1 site/sitemap.xml" in project.act("pull_request")
    assert project.commits() == ["Owner"]


def test_an_input_is_never_run_as_code(project: Project) -> None:
    project.workflow(inputs='message: "$(touch pwned) `touch pwned`; touch pwned"')
    project.act()
    assert (
        project.git("log", "-1", "--format=%s", "main", at=project.origin)
        == "$(touch pwned) `touch pwned`; touch pwned"
    )
    assert not list(project.folder.rglob("pwned"))


def test_the_summary_and_the_warnings_are_shown(project: Project) -> None:
    project.push({"site/guest.html": '<title>Guest</title><link rel="canonical" href="https://elsewhere.example/">'})
    project.workflow()
    log = project.act()
    assert "Summary - ## Sitemaps of https://example.org/" in log
    assert "rel=canonical names a URL outside base_url" in log


@pytest.fixture
def github(project: Project) -> Iterator[GitHubServer]:
    with running(GitHubServer(project.origin)) as made:
        yield made


def on_github(github: GitHubServer) -> list[str]:
    """Options with which a workflow uses the server's API, and the token that the server knows."""
    pairs = [f"{name}={value}" for name, value in github.variables.items() if name != "WAYPOST_GITHUB_TOKEN"]
    return ["--secret", f"GITHUB_TOKEN={TOKEN}", *(word for pair in pairs for word in ("--env", pair))]


def test_pull_requests_are_opened_updated_and_merged_one_after_another(project: Project, github: GitHubServer) -> None:
    project.workflow(commit="pull-request", inputs="labels: automated")
    for number, name in enumerate(("news.html", "contact.html"), start=1):
        project.git("pull", "--quiet", "--rebase", "origin", "main")
        project.push({f"site/{name}": f"<title>{name}</title>"})
        shown = project.act("push", *on_github(github))
        assert f"/pull/{number} was opened" in shown
        assert f"https://example.org/{name}" not in project.published_or_nothing()
        github.merge(number)
        assert f"https://example.org/{name}" in project.published()
    assert [pull["state"] for pull in github.pulls.values()] == ["closed", "closed"]
    assert github.pulls[1]["labels"] == [{"name": "automated"}]


def test_a_verified_commit_that_loses_a_race_is_made_on_the_new_head(project: Project, github: GitHubServer) -> None:
    project.workflow(inputs='verified: "true"')

    def somebody_pushes() -> None:
        other = project.folder / "other"
        project.git("clone", "--quiet", project.origin.as_uri(), str(other), at=project.folder)
        (other / "site" / "late.html").write_text("<title>Late</title>")
        project.git("add", "--all", at=other)
        identity = ("-c", "user.name=Somebody", "-c", "user.email=s@example.org")
        project.git(*identity, "commit", "--quiet", "--message", "late", at=other)
        project.git("push", "--quiet", "origin", "HEAD", at=other)

    github.before["POST /graphql"] = somebody_pushes
    assert "through GitHub's API, which signed it" in project.act("push", *on_github(github))
    assert "https://example.org/late.html" in project.published()
    assert project.commits()[1:] == ["Somebody", "Owner"]
    assert project.git("log", "-1", "--format=%cn", "main", at=project.origin) == "GitHub"


def test_a_token_of_its_own_is_used_instead_of_the_workflow_s(project: Project, github: GitHubServer) -> None:
    project.workflow(inputs='verified: "true"\ntoken: ${{ secrets.OWN_TOKEN }}')
    options = ["--secret", "GITHUB_TOKEN=another", "--secret", f"OWN_TOKEN={TOKEN}", *on_github(github)[2:]]
    shown = project.act("push", *options)
    assert "through GitHub's API, which signed it" in shown
    assert TOKEN not in shown


def test_a_site_that_is_published_as_an_artifact_needs_no_commit(project: Project) -> None:
    build = "mkdir -p built && cp site/*.html built/"
    project.workflow(before=build, commit="false", inputs="source: built\nlastmod: none")
    text = (project.clone / ".github" / "workflows" / "sitemap.yml").read_text().replace("          source: site\n", "")
    upload = "      - run: tar --create --directory built . | tar --list\n"
    project.push({".github/workflows/sitemap.yml": text + upload})
    shown = project.act()
    assert "./sitemap.xml" in shown
    assert project.commits() == ["Owner", "Owner"]


def test_a_pull_request_from_a_fork_renders_and_opens_nothing(project: Project, github: GitHubServer) -> None:
    project.workflow(commit="pull-request")
    event = project.folder / "event.json"
    fork = {"full_name": "somebody/site"}
    event.write_text(
        json.dumps({"pull_request": {"head": {"ref": "their-branch", "repo": fork}, "base": {"ref": "main"}}})
    )
    assert "seen true 1 site/sitemap.xml" in project.act("pull_request", "--eventpath", str(event), *on_github(github))
    assert github.pulls == {}
    assert project.commits() == ["Owner"]
