"""The Action's program in real repositories, with a bare one as origin."""

import atexit
import http.server
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from waypost.github.inputs import VARIABLE
from waypost.github.main import main

ROOT = Path(__file__).parents[2]
STATE = "waypost-state-example.org-6ec7e91c.jsonl"
BOT = "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com>"


@contextmanager
def surroundings(folder: Path, environ: dict[str, str]) -> Iterator[None]:
    """Work in another folder and another environment, in which no program that is started has the inputs."""
    before, own = Path.cwd(), dict(os.environ)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update({name: value for name, value in environ.items() if name != VARIABLE})
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(own)


class Workspace:
    """A clone of a bare origin, and the runner's environment around it."""

    def __init__(self, folder: Path) -> None:
        self._lie_in(folder)
        template = _template()
        shutil.copytree(template.folder, folder, dirs_exist_ok=True)
        config = self.clone / ".git" / "config"
        config.write_text(config.read_text().replace(template.origin.as_uri(), self.origin.as_uri()))

    def _lie_in(self, folder: Path) -> None:
        self.folder = folder
        self.origin = folder / "origin.git"
        self.clone = folder / "clone"
        self.temp = folder / "temp"

    def git(self, *arguments: str, at: Path | None = None) -> str:
        return self._run("git", *arguments, at=at or self.clone).strip()

    def write(self, files: dict[str, str], at: Path | None = None) -> None:
        for name, content in files.items():
            path = (at or self.clone) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)

    def push(self, message: str, at: Path | None = None) -> str:
        self.git("add", "--all", at=at)
        self.git("commit", "--quiet", "--message", message, at=at)
        self.git("push", "--quiet", "origin", "HEAD", at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def somebody_else_pushes(self, files: dict[str, str]) -> str:
        other = self.folder / f"other-{len(list(self.folder.iterdir()))}"
        self._run("git", "clone", "--quiet", self.origin.as_uri(), str(other), at=self.folder)
        self._identify(other)
        self.write(files, at=other)
        return self.push("from another writer", at=other)

    def act(self, inputs: dict[str, str], **environ: str) -> "Step":
        """Run the step in this process, with the environment that the runner gives it."""
        runner = self._environment(inputs, environ)
        printed = io.StringIO()
        with surroundings(self.clone, runner), redirect_stdout(printed), redirect_stderr(printed):
            code = main(runner)
        return self._step(code, printed.getvalue())

    def act_as_process(self, inputs: dict[str, str], **environ: str) -> "Step":
        """Run the Action's program as the runner would."""
        command = [sys.executable, str(ROOT / "action" / "main.py")]
        runner = self._environment(inputs, environ)
        done = subprocess.run(command, cwd=self.clone, env=runner, capture_output=True, text=True)
        return self._step(done.returncode, done.stdout + done.stderr)

    def _environment(self, inputs: dict[str, str], environ: dict[str, str]) -> dict[str, str]:
        given = {"base-url": "https://example.org/", "commit": "true"} | inputs
        files = {name: self.temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        runner = {
            "WAYPOST_INPUTS": json.dumps(given),
            "GITHUB_WORKSPACE": str(self.clone),
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_REF_NAME": "main",
            "GITHUB_REF_TYPE": "branch",
            "RUNNER_TEMP": str(self.temp),
            **{name: str(file) for name, file in files.items()},
            **environ,
        }
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "RUNNER_"))}
        return kept | runner

    def _step(self, code: int, log: str) -> "Step":
        outputs, summary = ((self.temp / name).read_text() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"))
        return Step(code, log, outputs, summary)

    def published(self, name: str = "sitemap.xml", branch: str = "main") -> str:
        return self.git("show", f"{branch}:{name}", at=self.origin)

    def _identify(self, clone: Path) -> None:
        self._run("git", "config", "user.name", "Owner", at=clone)
        self._run("git", "config", "user.email", "owner@example.org", at=clone)

    def _run(self, *command: str, at: Path) -> str:
        done = subprocess.run(command, cwd=at, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


class _Template(Workspace):
    """A workspace that Git made, from which others are copied: that takes less time than ten processes."""

    def __init__(self, folder: Path) -> None:
        self._lie_in(folder)
        self.temp.mkdir(parents=True)
        self._run("git", "init", "--quiet", "--bare", "--initial-branch=main", str(self.origin), at=folder)
        self._run("git", "config", "uploadpack.allowFilter", "true", at=self.origin)
        self._run("git", "clone", "--quiet", self.origin.as_uri(), str(self.clone), at=folder)
        self._identify(self.clone)
        self.write({"index.html": "<title>Home</title>", "about.html": "<title>About</title>"})
        self.push("start")


@cache
def _template() -> Workspace:
    folder = Path(tempfile.mkdtemp(prefix="waypost-workspace-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return _Template(folder)


class Step:
    """What a run of the step left behind."""

    def __init__(self, code: int, log: str, outputs: str, summary: str) -> None:
        self.code, self.log, self.summary = code, log, summary
        self.outputs = _parsed(outputs)


def _parsed(text: str) -> dict[str, str]:
    outputs: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, _, end = line.partition("<<")
        value: list[str] = []
        for each in lines:
            if each == end:
                break
            value.append(each)
        outputs[name] = "\n".join(value)
    return outputs


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def test_the_sitemap_is_committed_and_pushed_as_the_bot(workspace: Workspace) -> None:
    step = workspace.act_as_process({})
    assert step.code == 0, step.log
    head = workspace.git("rev-parse", "main", at=workspace.origin)
    assert step.outputs == {
        "sitemap-path": "sitemap.xml",
        "url-count": "2",
        "excluded-count": "0",
        "changed": "true",
        "files": "sitemap.xml",
        "commit-sha": head,
        "pull-request-url": "",
        "report-path": "",
    }
    assert workspace.git("show", "--format=%an <%ae>|%cn|%s", "--name-only", head).splitlines() == [
        f"{BOT}|github-actions[bot]|Update the sitemaps",
        "",
        "sitemap.xml",
    ]
    assert workspace.git("status", "--porcelain") == ""
    assert workspace.git("rev-parse", "HEAD") == head


def test_the_key_file_of_indexnow_is_committed_with_the_sitemap_and_the_changes_are_not(workspace: Workspace) -> None:
    step = workspace.act({"settings": 'indexnow = { key = "a1b2c3d4", file = true }', "changes": "changes.json"})
    assert step.code == 0, step.log
    assert set(workspace.git("show", "--format=", "--name-only", "origin/main").split()) == {
        "a1b2c3d4.txt",
        "sitemap.xml",
    }
    assert json.loads((workspace.clone / "changes.json").read_text())["result"]["written"] == ["sitemap.xml"]


def test_a_run_for_a_push_starts_at_most_twelve_processes_of_git(workspace: Workspace, git_calls: Path) -> None:
    head = workspace.git("rev-parse", "HEAD")
    git_calls.write_text("")
    assert workspace.act({}, GITHUB_SHA=head).outputs["commit-sha"]
    assert len(git_calls.read_text().splitlines()) <= 12
    head = workspace.git("rev-parse", "HEAD")
    git_calls.write_text("")
    assert workspace.act({}, GITHUB_SHA=head).outputs["commit-sha"] == ""
    assert len(git_calls.read_text().splitlines()) <= 8


@pytest.mark.parametrize("pattern", ["site/", "*.xml"])
def test_a_sitemap_that_is_tracked_is_committed_though_git_ignores_it(workspace: Workspace, pattern: str) -> None:
    workspace.write({".gitignore": f"{pattern}\n", "site/a.html": "<title>A</title>", "site/sitemap.xml": "old"})
    workspace.write({"site/sitemap.txt": "https://example.org/a\n"})
    workspace.git("add", "--force", ".gitignore", "site")
    workspace.push("ignored")
    step = workspace.act({"source": "site"})
    assert step.code == 0, step.log
    assert workspace.published("site/sitemap.xml").startswith("<?xml")


def test_an_ignored_sitemap_that_is_not_asked_for_any_more_leaves_the_commit(workspace: Workspace) -> None:
    workspace.write({"site/a.html": "<title>A</title>"})
    workspace.push("site")
    assert workspace.act({"source": "site", "settings": 'formats = ["xml", "text"]'}).code == 0
    workspace.write({".gitignore": "site/\n"})
    workspace.push("ignored")
    step = workspace.act({"source": "site"})
    assert step.code == 0, step.log
    assert "site/sitemap.txt" not in workspace.git("ls-tree", "-r", "--name-only", "main", at=workspace.origin)


@pytest.fixture
def below(workspace: Workspace) -> Path:
    """A shallow clone in a workspace that is no repository itself."""
    folder = workspace.clone / "below"
    (workspace.clone / ".git").rename(workspace.folder / "elsewhere")
    workspace.git("clone", "--quiet", "--depth=1", workspace.origin.as_uri(), str(folder), at=workspace.folder)
    return folder


def test_the_history_of_a_checkout_below_the_workspace_is_fetched_if_it_is_named(
    workspace: Workspace, below: Path
) -> None:
    step = workspace.act({"source": "below", "repository": "below", "commit": "false"})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "--is-shallow-repository", at=below) == "false"


def test_a_repository_below_the_workspace_that_no_input_names_asks_no_remote(workspace: Workspace, below: Path) -> None:
    mark = workspace.folder / "mark"
    workspace.git("config", "core.sshCommand", f"touch {mark};", at=below)
    workspace.git("config", "remote.origin.url", "ssh://host.invalid/site.git", at=below)
    step = workspace.act({"source": "below", "commit": "false"})
    assert step.code == 0, step.log
    assert not mark.exists()
    assert "name the checkout" in step.log
    assert workspace.git("rev-parse", "--is-shallow-repository", at=below) == "true"


def test_what_the_user_staged_and_changed_is_not_committed_and_stays_as_it_was(workspace: Workspace) -> None:
    workspace.write({"staged.txt": "staged", "about.html": "<title>Changed</title>", "new.txt": "untracked"})
    workspace.git("add", "staged.txt")
    commit = workspace.act({}).outputs["commit-sha"]
    assert workspace.git("show", "--format=", "--name-only", commit) == "sitemap.xml"
    assert workspace.git("status", "--porcelain").splitlines() == ["M about.html", "A  staged.txt", "?? new.txt"]


_HOOKS = (
    *("pre-commit", "commit-msg", "post-commit", "pre-push", "post-checkout", "post-index-change"),
    *("reference-transaction", "post-merge", "post-rewrite"),
)


def test_no_hook_of_the_users_runs_even_when_a_race_is_lost(workspace: Workspace) -> None:
    workspace.somebody_else_pushes({"news.html": "<title>News</title>"})
    ran = workspace.folder / "ran"
    for name in _HOOKS:
        hook = workspace.clone / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\necho {name} >> {ran}\nexit 1\n")
        hook.chmod(0o755)
    step = workspace.act({})
    assert step.code == 0, step.log
    assert not ran.exists(), ran.read_text()


def test_the_source_of_a_generator_s_site_is_an_error_and_nothing_is_committed(workspace: Workspace) -> None:
    workspace.write({"website/astro.config.mjs": "export default {};", "website/src/pages/index.astro": "<h1>A</h1>"})
    before = workspace.push("a project")
    step = workspace.act({"source": "website"})
    assert step.code == 3
    assert "::error title=Waypost::website is the source of a site that Astro builds, so nothing" in step.log
    assert "`source: website/dist`" in step.log
    assert workspace.git("rev-parse", "main", at=workspace.origin) == before


def test_a_lost_race_to_the_same_sitemap_commits_nothing_more(workspace: Workspace) -> None:
    step = workspace.act({"push": "false"})
    theirs = workspace.somebody_else_pushes({"sitemap.xml": (workspace.clone / "sitemap.xml").read_text()})
    workspace.git("reset", "--quiet", "--hard", "HEAD^")
    step = workspace.act({})
    assert (step.code, step.outputs["commit-sha"]) == (0, "")
    assert workspace.git("rev-parse", "main", at=workspace.origin) == theirs


def test_a_page_that_git_does_not_track_outlives_a_lost_race(workspace: Workspace) -> None:
    theirs = workspace.somebody_else_pushes({"unrelated.txt": "x"})
    workspace.write({"generated.html": "<title>Made in the workflow</title>"})
    step = workspace.act({})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "main^", at=workspace.origin) == theirs
    assert "https://example.org/generated.html" in workspace.published()


def test_a_page_of_a_submodule_outlives_a_lost_race(workspace: Workspace) -> None:
    library = workspace.folder / "library"
    workspace.git("clone", "--quiet", workspace.origin.as_uri(), str(library), at=workspace.folder)
    workspace.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.as_uri(), "lib", at=workspace.clone
    )
    workspace.push("a submodule")
    workspace.somebody_else_pushes({"unrelated.txt": "x"})
    step = workspace.act({})
    assert step.code == 0, step.log
    assert "https://example.org/lib/about.html" in workspace.published()


def test_what_a_newer_run_published_of_a_built_site_stands(workspace: Workspace) -> None:
    theirs = workspace.somebody_else_pushes({"public/sitemap.xml": "<urlset/>"})
    workspace.write({"built/page.html": "<title>Built</title>"})
    step = workspace.act({"source": "built", "output": "public", "settings": 'lastmod = "none"'})
    assert (step.code, step.outputs["commit-sha"]) == (0, "")
    assert "another run has published other sitemaps meanwhile, so nothing was committed" in step.log
    assert workspace.git("rev-parse", "main", at=workspace.origin) == theirs


def test_nothing_is_pushed_to_a_branch_that_was_rewritten(workspace: Workspace) -> None:
    before = workspace.git("rev-parse", "HEAD")
    workspace.write({"index.html": "<title>Rewritten</title>"})
    workspace.git("commit", "--quiet", "--all", "--amend", "--message", "rewritten")
    workspace.git("push", "--quiet", "--force", "origin", "main")
    workspace.git("reset", "--quiet", "--hard", before)
    rewritten = workspace.git("rev-parse", "main", at=workspace.origin)
    step = workspace.act({})
    assert step.code == 0
    assert f"::warning title=Waypost::the checked-out commit ({before[:12]}) is not in the history of main" in step.log
    assert workspace.git("rev-parse", "main", at=workspace.origin) == rewritten


@pytest.fixture
def fork(workspace: Workspace) -> str:
    """A fork's commit on top of main, checked out by its SHA, with settings and a template of its own."""
    workspace.git("checkout", "--quiet", "--detach")
    template = (ROOT / "templates" / "sitemap.html.j2").read_text().replace("</body>", "<script>x</script></body>")
    settings = 'formats = ["xml", "html"]\ntemplates = "tpl"\n'
    workspace.write({"waypost.toml": settings, "tpl/sitemap.html.j2": template})
    workspace.git("add", "--all")
    workspace.git("commit", "--quiet", "--message", "fork")
    return workspace.git("rev-parse", "HEAD")


EVENTS = ["workflow_run", "push", "pull_request_target"]
OTHER_BRANCHES = [{"branch": "pages"}, {"commit": "false", "state-branch": "state"}]


@pytest.mark.parametrize(
    ("event", "inputs"), [*((event, {}) for event in EVENTS), *(("workflow_run", each) for each in OTHER_BRANCHES)]
)
def test_nothing_of_a_fork_is_pushed_whatever_the_event_is(
    workspace: Workspace, fork: str, event: str, inputs: dict[str, str]
) -> None:
    before = workspace.git("for-each-ref", at=workspace.origin)
    own = workspace.git("rev-parse", "main", at=workspace.origin)
    step = workspace.act(inputs, GITHUB_EVENT_NAME=event, GITHUB_SHA=own)
    assert step.code == 0, step.log
    assert workspace.git("for-each-ref", at=workspace.origin) == before
    assert event in ("pull_request_target", "merge_group") or f"({fork[:12]}) is not in the history of" in step.log


@pytest.mark.parametrize("inputs", [{}, *OTHER_BRANCHES])
def test_pushing_what_a_fork_wrote_is_an_error_where_the_inputs_insist(
    workspace: Workspace, fork: str, inputs: dict[str, str]
) -> None:
    before = workspace.git("for-each-ref", at=workspace.origin)
    step = workspace.act({"push": "true", **inputs}, GITHUB_EVENT_NAME="workflow_run")
    assert step.code == 7
    assert f"({fork[:12]}) is not in the history of" in step.log
    assert workspace.git("for-each-ref", at=workspace.origin) == before


@pytest.mark.parametrize("event", ["merge_group", "pull_request"])
def test_an_unmerged_commit_of_an_unknown_repository_is_not_pushed_to_another_branch(
    workspace: Workspace, fork: str, event: str
) -> None:
    before = workspace.git("for-each-ref", at=workspace.origin)
    step = workspace.act({"push": "true", "branch": "main"}, GITHUB_EVENT_NAME=event, GITHUB_SHA=fork)
    assert step.code == 7
    assert workspace.git("for-each-ref", at=workspace.origin) == before


def test_commits_that_an_earlier_step_made_and_did_not_push_are_not_pushed(workspace: Workspace) -> None:
    workspace.write({"built.html": "<title>Built</title>"})
    workspace.git("add", "--all")
    workspace.git("commit", "--quiet", "--message", "built here")
    assert "push it first" in workspace.act({}).log
    assert "built.html" not in workspace.git("ls-tree", "-r", "--name-only", "main", at=workspace.origin)


@pytest.mark.parametrize(
    ("change", "inputs"),
    [
        (["branch", "-D", "feature"], {}),
        (["update-ref", "refs/heads/feature", "main"], {"state-branch": "state"}),
        (["update-ref", "refs/heads/feature", "main"], {"branch": "pages"}),
    ],
)
def test_what_was_deleted_or_moved_back_since_the_event_does_not_come_back(
    workspace: Workspace, change: list[str], inputs: dict[str, str]
) -> None:
    workspace.git("checkout", "--quiet", "-b", "feature")
    workspace.write({"secret.html": "<title>Secret</title>"})
    secret = workspace.push("secret")
    workspace.git(*change, at=workspace.origin)
    before = workspace.git("for-each-ref", at=workspace.origin)
    step = workspace.act(inputs, GITHUB_REF_NAME="feature", GITHUB_SHA=secret)
    assert "the checked-out commit" in step.log
    assert workspace.git("for-each-ref", at=workspace.origin) == before


def test_the_branch_that_is_checked_out_goes_before_the_one_that_the_workflow_runs_for(workspace: Workspace) -> None:
    main = workspace.git("rev-parse", "main", at=workspace.origin)
    workspace.git("checkout", "--quiet", "-b", "pages")
    workspace.write({"pages.html": "<title>Pages</title>"})
    pages = workspace.push("pages")
    step = workspace.act({})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "pages^", at=workspace.origin) == pages
    assert workspace.git("rev-parse", "main", at=workspace.origin) == main


def test_another_branch_gets_the_sitemaps_of_what_is_checked_out(workspace: Workspace) -> None:
    workspace.git("checkout", "--quiet", "--orphan", "pages")
    workspace.write({"old.html": "<title>Old</title>"})
    pages = workspace.push("pages")
    workspace.git("checkout", "--quiet", "main")
    step = workspace.act({"branch": "pages"})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "pages^", at=workspace.origin) == pages
    assert "https://example.org/about.html" in workspace.published(branch="pages")
    assert workspace.act({"branch": "pages"}).outputs["commit-sha"] == ""


def test_a_branch_that_is_not_there_yet_begins_at_the_checkout(workspace: Workspace) -> None:
    head = workspace.git("rev-parse", "HEAD")
    step = workspace.act({"branch": "sitemaps"})
    assert workspace.git("rev-parse", "sitemaps^", at=workspace.origin) == head
    assert workspace.git("rev-parse", "sitemaps", at=workspace.origin) == step.outputs["commit-sha"]
    assert workspace.git("rev-parse", "HEAD") == head


def test_a_built_site_that_lost_a_race_is_committed_on_the_new_head_as_it_was_rendered(workspace: Workspace) -> None:
    workspace.write({"built/page.html": "<title>Built</title>"})
    theirs = workspace.somebody_else_pushes({"unrelated.txt": "x"})
    step = workspace.act({"source": "built", "output": "public", "settings": 'lastmod = "none"'})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "main^", at=workspace.origin) == theirs
    assert "https://example.org/page.html" in workspace.published("public/sitemap.xml")


def test_a_detached_head_is_pushed_to_the_workflows_branch(workspace: Workspace) -> None:
    workspace.git("checkout", "--quiet", "--detach")
    step = workspace.act({})
    assert workspace.git("rev-parse", "main", at=workspace.origin) == step.outputs["commit-sha"] != ""


def test_a_tag_is_committed_but_not_pushed(workspace: Workspace) -> None:
    before = workspace.git("rev-parse", "main", at=workspace.origin)
    workspace.git("checkout", "--quiet", "--detach")
    step = workspace.act({}, GITHUB_REF_TYPE="tag", GITHUB_REF_NAME="v1")
    assert step.outputs["commit-sha"] != ""
    assert workspace.git("rev-parse", "main", at=workspace.origin) == before
    assert "::notice title=Waypost::the commit is not pushed, because HEAD is detached" in step.log


def test_a_tag_with_a_branch_is_rendered_and_pushed_on_that_branch(workspace: Workspace) -> None:
    newest = workspace.somebody_else_pushes({"later.html": "<title>Later</title>"})
    workspace.git("checkout", "--quiet", "--detach")
    step = workspace.act({"branch": "main"}, GITHUB_REF_TYPE="tag", GITHUB_REF_NAME="v1")
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "main^", at=workspace.origin) == newest
    assert "later.html" in workspace.published()


def test_a_pull_request_is_not_pushed_to_unless_asked(workspace: Workspace) -> None:
    before = workspace.git("rev-parse", "main", at=workspace.origin)
    step = workspace.act({}, GITHUB_EVENT_NAME="pull_request", GITHUB_REF_NAME="7/merge", GITHUB_HEAD_REF="feature")
    assert step.code == 0, step.log
    assert workspace.git("branch", "--list", at=workspace.origin) == "* main"
    assert workspace.git("rev-parse", "main", at=workspace.origin) == before


def test_a_pull_request_that_asks_is_pushed_to_its_own_branch_without_the_merge(workspace: Workspace) -> None:
    workspace.git("checkout", "--quiet", "-b", "feature")
    workspace.write({"feature.html": "<title>Feature</title>"})
    feature = workspace.push("feature")
    workspace.git("checkout", "--quiet", "--detach", "main")
    workspace.git("merge", "--quiet", "--no-ff", "--message", "merge", "feature")
    merge = workspace.git("rev-parse", "HEAD")
    event = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "feature"}
    payload = workspace.temp / "event.json"
    payload.write_text(json.dumps({"pull_request": {"head": {"repo": {"full_name": "owner/site"}}}}))
    own = {"GITHUB_EVENT_PATH": str(payload), "GITHUB_REPOSITORY": "owner/site"}
    step = workspace.act({"push": "true"}, GITHUB_SHA=merge, **event, **own)
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "feature^", at=workspace.origin) == feature


def test_a_pull_request_from_a_fork_cannot_be_pushed_to(workspace: Workspace) -> None:
    payload = workspace.temp / "event.json"
    payload.write_text('{"pull_request": {"head": {"repo": {"full_name": "stranger/site"}}}}')
    step = workspace.act(
        {"push": "true"},
        GITHUB_EVENT_NAME="pull_request",
        GITHUB_HEAD_REF="main",
        GITHUB_REPOSITORY="owner/site",
        GITHUB_EVENT_PATH=str(payload),
    )
    assert step.code == 7
    assert "this pull request is from a fork" in step.log


def test_message_and_author_are_the_users(workspace: Workspace) -> None:
    message = "Sitemaps, again\n\nSigned-off-by: Ada Lovelace <ada@example.org>"
    step = workspace.act({"message": message, "author": "Ada Lovelace <ada@example.org>"})
    shown = workspace.git("show", "--no-patch", "--format=%an|%ae|%B", step.outputs["commit-sha"])
    assert shown == f"Ada Lovelace|ada@example.org|{message}"


def test_a_site_in_a_submodule_has_the_workspace_s_settings_and_is_pushed_nowhere_unasked(workspace: Workspace) -> None:
    above = workspace.folder / "above"
    workspace.git("init", "--quiet", "--initial-branch=release", str(above), at=workspace.folder)
    workspace.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", workspace.origin.as_uri(), "site", at=above
    )
    (above / "waypost.toml").write_text('name = "map"\n')
    workspace.git("checkout", "--quiet", "--detach", at=above / "site")
    workspace.clone = above
    step = workspace.act({"source": "site"}, GITHUB_REF_NAME="release")
    assert step.code == 0, step.log
    assert step.outputs["sitemap-path"] == "map.xml"
    assert "the commit is not pushed, because HEAD is detached" in step.log
    assert workspace.git("branch", "--list", at=workspace.origin) == "* main"


def test_a_protected_branch_is_named_with_the_remedy(workspace: Workspace) -> None:
    hook = workspace.origin / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'error: GH006: Protected branch update failed for refs/heads/main.' >&2\nexit 1\n")
    hook.chmod(0o755)
    step = workspace.act({})
    assert step.code == 7
    assert "::error title=Waypost::main is protected: set `commit: pull-request`, or allow" in step.log
    assert (step.outputs["url-count"], step.outputs["changed"], step.outputs["commit-sha"]) == ("2", "true", "")
    assert "## Waypost failed" in step.summary


def test_a_token_that_may_not_write_is_named_with_the_remedy(workspace: Workspace, forbidding: str) -> None:
    workspace.git("remote", "set-url", "origin", forbidding)
    step = workspace.act({"fetch-history": "false"})
    assert step.code == 7
    assert "permissions: contents: write" in step.log


@pytest.fixture
def forbidding() -> Iterator[str]:
    """A Git server that answers 403 to everything."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(403, "Permission to site.git denied to github-actions[bot]")

        def log_message(self, *arguments: Any) -> None:
            del arguments

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/site.git"
        server.shutdown()


def test_every_issue_in_the_inputs_is_an_annotation(workspace: Workspace) -> None:
    step = workspace.act({"commit": "yes", "push": "maybe", "settings": "x =", "source": "nowhere"})
    assert step.code == 2
    assert step.log.count("::error ") == 3
    assert "## Waypost failed" in step.summary
    step = workspace.act({"base-url": "ftp://example.org", "settings": 'grups = {}\nlimits = "none"'})
    assert step.log.count("::error ") == 3
    assert "did you mean groups?" in step.log
    assert "base-url: 'ftp://example.org' is not an absolute http or https URL" in step.log


@pytest.mark.parametrize(("fetches", "dated"), [("true", 2), ("false", 1)])
def test_missing_history_is_fetched_unless_told_not_to(workspace: Workspace, fetches: str, dated: int) -> None:
    workspace.write({"about.html": "<title>About us</title>"})
    workspace.push("second")
    workspace.write({"readme.txt": "third"})
    workspace.push("third")
    shallow = workspace.folder / "shallow"
    workspace.git("clone", "--quiet", "--depth=2", workspace.origin.as_uri(), str(shallow), at=workspace.folder)
    workspace.clone = shallow
    step = workspace.act({"fetch-history": fetches})
    assert step.code == 0, step.log
    assert (shallow / "sitemap.xml").read_text().count("<lastmod>") == dated - (fetches == "false")
    assert ("fetch-depth: 0" in step.log) == (fetches == "false")


def test_the_state_lives_on_a_branch_of_its_own(workspace: Workspace) -> None:
    asked = {"state-branch": "waypost-state"}
    first = workspace.act(asked, SOURCE_DATE_EPOCH="1000000000")
    assert first.code == 0, first.log
    assert "<lastmod>" not in workspace.published()
    assert workspace.git("ls-tree", "--name-only", "waypost-state", at=workspace.origin) == STATE
    workspace.write({"about.html": "<title>About</title><p>More of us"})
    workspace.push("change")
    workspace.act(asked, SOURCE_DATE_EPOCH="1100000000")
    workspace.act(asked, SOURCE_DATE_EPOCH="1200000000")
    assert workspace.published().count("<lastmod>") == 1
    assert "about.html</loc><lastmod>2004-11-09T11:33:20Z</lastmod>" in workspace.published()
    assert workspace.git("rev-list", "--count", "waypost-state", at=workspace.origin) == "2"
    assert workspace.git("ls-tree", "--name-only", "main", at=workspace.origin).splitlines() == [
        "about.html",
        "index.html",
        "sitemap.xml",
    ]


def test_a_run_that_may_not_push_reads_the_state_branch_and_leaves_it(workspace: Workspace) -> None:
    asked = {"state-branch": "waypost-state"}
    workspace.act(asked, SOURCE_DATE_EPOCH="1000000000")
    before = workspace.git("rev-parse", "waypost-state", at=workspace.origin)
    workspace.write({"about.html": "<title>About</title><p>More of us"})
    workspace.git("commit", "--quiet", "--all", "--message", "change")
    event = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_HEAD_REF": "feature"}
    step = workspace.act(asked, SOURCE_DATE_EPOCH="1100000000", **event)
    assert step.code == 0, step.log
    assert "2004-11-09T11:33:20Z" in (workspace.clone / "sitemap.xml").read_text()
    assert workspace.git("rev-parse", "waypost-state", at=workspace.origin) == before


def test_a_state_branch_that_holds_anything_else_is_refused_and_left_alone(workspace: Workspace) -> None:
    workspace.git("push", "--quiet", "origin", "main:pages")
    before = workspace.git("rev-parse", "pages", at=workspace.origin)
    step = workspace.act({"state-branch": "pages"})
    assert step.code == 7
    assert "the branch pages has files other than the state (about.html)" in step.log
    assert workspace.git("rev-parse", "pages", at=workspace.origin) == before


def test_an_invalid_branch_name_is_an_issue(workspace: Workspace) -> None:
    step = workspace.act({"branch": "refs/@{1}", "state-branch": "-f"})
    assert step.code == 2
    assert "state-branch: '-f' is not a branch name" in step.log
    assert "branch: 'refs/@{1}' is not a branch name" in step.log


def test_a_lost_race_renders_again_on_the_new_head_and_leaves_the_state_of_what_was_published(
    workspace: Workspace,
) -> None:
    theirs = workspace.somebody_else_pushes({"news.html": "<title>News</title>"})
    step = workspace.act({"state-branch": "waypost-state"})
    assert step.code == 0, step.log
    assert workspace.git("rev-parse", "main^", at=workspace.origin) == theirs
    assert "https://example.org/news.html" in workspace.published()
    assert step.outputs["url-count"] == "3"
    assert "rendering again on the new head" in step.log
    assert workspace.git("worktree", "list", "--porcelain").count("worktree ") == 1
    assert '"news.html"' in workspace.published(STATE, branch="waypost-state")


def test_a_committed_state_keeps_what_a_faster_run_remembered(workspace: Workspace) -> None:
    asked = {"settings": 'state = "state.jsonl"'}
    workspace.act(asked, SOURCE_DATE_EPOCH="1000000000")
    behind = workspace.git("rev-parse", "HEAD")
    workspace.write({"about.html": "<title>About</title><p>More of us"})
    workspace.push("change")
    workspace.act(asked, SOURCE_DATE_EPOCH="1100000000")
    workspace.git("reset", "--quiet", "--hard", behind)
    step = workspace.act(asked, SOURCE_DATE_EPOCH="1200000000")
    assert (step.code, step.outputs["commit-sha"]) == (0, ""), step.log
    assert "about.html</loc><lastmod>2004-11-09T11:33:20Z</lastmod>" in workspace.published()


def test_what_a_published_file_holds_cannot_break_out_of_the_summary(workspace: Workspace) -> None:
    loc = "https://example.org/`<img src=x>\n\n# Heading`"
    workspace.act({})
    sitemap = workspace.clone / "sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace("</urlset>", f"<url><loc>{escape(loc)}</loc></url></urlset>"))
    workspace.push("a stranger's line")
    summary = workspace.act({}).summary
    assert "- `https://example.org/'<img src=x>  # Heading'`" in summary


def test_a_template_that_fails_leaves_nothing_written(workspace: Workspace) -> None:
    workspace.write({"templates/summary.md.j2": "{{ nothing.there }}"})
    step = workspace.act({"settings": 'templates = "templates"'})
    assert step.code == 4
    assert "templates/summary.md.j2:1" in step.log
    assert not (workspace.clone / "sitemap.xml").exists()


@pytest.mark.skipif(os.name == "nt", reason="it needs links to programs")
def test_a_runner_whose_only_python_has_no_pip_is_told_what_to_do(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "dirname"):
        (programs / name).symlink_to(str(shutil.which(name)))
    (programs / "python3").write_text(f'#!/bin/sh\nexec "{tmp_path}/venv/bin/python3" "$@"\n')
    (programs / "python3").chmod(0o755)
    command = [str(programs / "bash"), str(ROOT / "action" / "run.sh")]
    done = subprocess.run(command, env={"PATH": str(programs)}, capture_output=True, text=True)
    assert done.returncode == 3
    assert "::error title=Waypost::this runner has no Python 3.11 or newer with pip" in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="it needs links to programs")
def test_no_python_file_of_the_workspace_runs_and_only_the_step_itself_has_the_token(tmp_path: Path) -> None:
    workspace, mark = Workspace(tmp_path), tmp_path / "mark"
    hostile = f"import os\nopen({str(mark)!r}, 'a').write(__name__)\n"
    names = ("hashlib", "pip", "pathlib", "waypost", "msgspec", "jinja2", "sitecustomize", "usercustomize", "os")
    workspace.write({f"{name}.py": hostile for name in names} | {"msgspec/__init__.py": hostile})
    calls = tmp_path / "calls"
    calls.mkdir()
    for name in ("python3", "git"):
        program = calls / name
        program.write_text(f'#!/bin/sh\nenv > "{calls}/{name}.$$.env"\nexec "{shutil.which(name)}" "$@"\n')
        program.chmod(0o755)
    inputs = {"base-url": "https://example.org/", "token": "the-secret", "fetch-history": "false"}
    variables = {
        "PATH": f"{calls}:{os.environ['PATH']}",
        "PYTHONPATH": str(workspace.clone),
        "HOME": str(tmp_path),
        "RUNNER_TEMP": str(workspace.temp),
        "GITHUB_WORKSPACE": str(workspace.clone),
        "WAYPOST_INPUTS": json.dumps(inputs),
        "WAYPOST_GITHUB_TOKEN": "the-secret",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(ROOT / ".venv" / "action-wheels"),
    }
    command = ["bash", str(ROOT / "action" / "run.sh")]
    done = subprocess.run(command, cwd=workspace.clone, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (workspace.clone / "sitemap.xml").exists()
    assert not mark.exists()
    told = [each.name for each in calls.glob("*.env") if "the-secret" in each.read_text()]
    assert len(told) == 1
    assert told[0].startswith("python3")
    assert list(calls.glob("git.*.env"))


@pytest.mark.skipif(os.name == "nt", reason="it needs links")
def test_a_link_into_git_s_own_folder_is_neither_read_nor_committed(workspace: Workspace) -> None:
    workspace.git("config", "http.https://example.org/.extraheader", "AUTHORIZATION: basic c2VjcmV0")
    (workspace.clone / "robots.txt").symlink_to(".git/config")
    workspace.push("a link")
    step = workspace.act({"settings": "robots_sitemaps = true"})
    assert "c2VjcmV0" not in step.log + step.summary + workspace.git("log", "-p", "main", at=workspace.origin)
    assert "robots.txt" in step.log
    assert (workspace.clone / "robots.txt").is_symlink()


def test_a_checkout_beside_others_is_named_by_an_input(workspace: Workspace) -> None:
    runner = {"GITHUB_WORKSPACE": str(workspace.folder)}
    step = workspace.act({"source": "clone"}, **runner)
    assert step.code == 7
    assert "unless the input `repository` names it" in step.log
    assert workspace.act({"source": "clone", "repository": "clone"}, **runner).code == 0
    assert "about.html" in workspace.published()


def test_two_sites_share_a_state_branch_and_neither_dates_the_other(workspace: Workspace) -> None:
    workspace.write({"b/index.html": "<title>Other</title>", "b/about.html": "<title>Other</title>"})
    workspace.push("another site")
    for number in range(2):
        for source, host in ((".", "example.org"), ("b", "b.example.org")):
            asked = {"source": source, "base-url": f"https://{host}/", "state-branch": "waypost-state"}
            step = workspace.act(asked, SOURCE_DATE_EPOCH=str(1_000_000_000 + number))
            assert step.code == 0, step.log
    assert "<lastmod>" not in workspace.published() + workspace.published("b/sitemap.xml")
    names = workspace.git("ls-tree", "--name-only", "waypost-state", at=workspace.origin).splitlines()
    assert [name[:-15] for name in names] == ["waypost-state-b.example.org", "waypost-state-example.org"]
    assert workspace.git("rev-list", "--count", "waypost-state", at=workspace.origin) == "2"
