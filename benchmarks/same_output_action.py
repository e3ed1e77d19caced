"""Runs of the Action of two checkouts over one small repository, on a GitHub that the tests have."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from checkouts import Checkout
from edited_garden import DAY, FIRST_COMMIT, commit_dates, git
from same_output_folders import BASE_URL, SETTINGS, Seen, changed_files, file_states

_MANY = tuple(f"a/{n}.html" for n in range(24))
_FILES = {name: f"<!doctype html><title>{name}</title><p>{name}" for name in ("index.html", "about.html", *_MANY)}
_SITEMAP = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{BASE_URL}</loc></url></urlset>'
_PULL_REQUEST = {"GITHUB_EVENT_NAME": "pull_request", "GITHUB_HEAD_REF": "topic", "GITHUB_REF_NAME": "7/merge"}


class Step(NamedTuple):
    """Files that are pushed to the branch first (None: removed), and the inputs and the variables of a run."""

    name: str
    inputs: Mapping[str, str] = {}
    files: Mapping[str, str | None] = {}
    variables: Mapping[str, str] = {}


_STEPS = (
    Step("first", {"commit": "true"}, _FILES),
    Step("nothing changed", {"commit": "true"}),
    Step("page added, page changed", {"commit": "true"}, {"new.html": "<title>New", "about.html": "<title>Other"}),
    Step("no commit", {}, {"newer.html": "<title>Newer"}),
    Step("comment", {"comment": "true"}, variables=_PULL_REQUEST),
    Step("comment without changes", {"comment": "true", "commit": "true"}, variables=_PULL_REQUEST),
    Step("pull request", {"commit": "pull-request", "title": "Sitemaps", "labels": "a, b"}, {"p.html": "<title>P"}),
    Step("pull request again", {"commit": "pull-request"}, {"q.html": "<title>Q"}),
    Step("verified", {"commit": "true", "verified": "true"}, {"r.html": "<title>R"}),
    Step("state branch", {"commit": "true", "state-branch": "waypost-state"}, {"r.html": "<title>R</title><p>Text"}),
    Step("settings", {"commit": "true", "settings": SETTINGS["gzip, groups, robots.txt"]}),
    Step("author and message", {"commit": "true", "exclude": "p.html\n", "message": "Other", "author": "A <a@b.cd>"}),
    Step("report and changes", {"report": "out/report.html", "changes": "changes.json"}, {"s.html": "<title>S"}),
    Step("many pages removed", {"commit": "true", "settings": "max_removed = 1"}, dict.fromkeys(_MANY)),
    Step("date", {"date": "sitemap.xml"}, {"sitemap.xml": _SITEMAP}),
    Step("no page", {"commit": "true", "include": "/nothing/"}),
    Step("wrong settings", {"settings": "nothing = 1\nformats = 1"}),
    Step("wrong input", {"commit": "maybe"}),
    Step("output outside", {"output": "../elsewhere"}),
    Step("tag", {"commit": "true"}, {"t.html": "<title>T"}, {"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1"}),
    Step("pull request of a fork", {"commit": "true"}, {"u.html": "<title>U"}, {"GITHUB_EVENT_NAME": "pull_request"}),
)  # fmt: skip


def observe(checkout: Checkout, folder: Path) -> Iterator[Seen]:
    """What each run of the Action shows, and what it leaves in the repository."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    origin = folder / "origin.git"
    git(folder, "init", "--quiet", "--bare", str(origin), day=0)
    github = import_module("github_server").GitHubServer(origin)
    with import_module("servers").running(github):
        for day, step in enumerate(_STEPS, 1):
            os.environ |= commit_dates(day)  # of what the server commits
            yield Seen("action", step.name, _run(checkout, folder, step, day, github))


def _run(checkout: Checkout, folder: Path, step: Step, day: int, github: Any) -> dict[str, str]:
    """Push the step's files, and run the Action in a fresh clone, as GitHub does."""
    clone = folder / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    git(folder, "clone", "--quiet", str(folder / "origin.git"), str(clone), day=day)
    _push(clone, step.files, day)
    before = file_states(clone)
    github.requests.clear()
    kept = {name: folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH")}
    for file in kept.values():
        file.write_text("")
    event = {"pull_request": {"number": 7, "head": {"repo": {"full_name": "owner/site"}}}}
    kept["GITHUB_EVENT_PATH"].write_text(json.dumps(event if "comment" in step.inputs else {}))
    variables = {
        "WAYPOST_INPUTS": json.dumps({"base-url": BASE_URL, **step.inputs}),
        "GITHUB_WORKSPACE": str(clone),
        "GITHUB_EVENT_NAME": "push",
        "GITHUB_REF_NAME": "main",
        "GITHUB_REF_TYPE": "branch",
        "GITHUB_SHA": git(clone, "rev-parse", "HEAD", day=day).strip(),
        "RUNNER_TEMP": str(folder),
        "SOURCE_DATE_EPOCH": str(FIRST_COMMIT + day * DAY),
        **{name: str(file) for name, file in kept.items()},
        **github.variables,
        **commit_dates(day),
        **step.variables,
    }
    done = checkout.python(str(checkout.folder / "action" / "main.py"), folder=clone, variables=variables)
    shown = {"exit code": str(done.returncode), "stdout": done.stdout, "stderr": done.stderr}
    shown |= {name: kept[name].read_text() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    shown |= {"requests to GitHub": "\n".join(github.requests), "comments": "\n".join(github.comments)}
    shown["pull requests"] = json.dumps(github.pulls, indent=1)
    shown["status"] = git(clone, "status", "--porcelain", day=day)
    return shown | _branches(folder / "origin.git", day) | changed_files(clone, before)


def _push(clone: Path, files: Mapping[str, str | None], day: int) -> None:
    for name, content in files.items():
        if content is None:
            (clone / name).unlink()
            continue
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(content, encoding="utf-8")
    if files:
        git(clone, "add", "--all", day=day)
        git(clone, "commit", "--quiet", "--message", f"Day {day}", day=day)
        git(clone, "push", "--quiet", "origin", "HEAD:main", day=day)


def _branches(origin: Path, day: int) -> dict[str, str]:
    """The commits of each branch, and the files of the last one."""
    names = git(origin, "for-each-ref", "--format=%(refname:short)", day=day).split()
    shown = ("log", "--format=%H %an <%ae> %cn %cd %s")
    return {
        f"branch {name}": git(origin, *shown, name, day=day) + git(origin, "ls-tree", "-r", name, day=day)
        for name in names
    }
