"""What the scripts of workflows publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from publishing import RUNS, WORKFLOW, found_in

if TYPE_CHECKING:
    from sites import Write


def test_a_push_from_a_folder_publishes_that_folder_and_preparing_it_shares_no_step(write: Write) -> None:
    script = "\n".join(f"          {line}" for line in ("cd gh-pages", "git add -A", "git push"))
    text = f"on: push\njobs:\n  a:\n    steps:\n      - run: make\n      - name: P\n        run: |\n{script}\n"
    (found,) = found_in(write({WORKFLOW: f"{text}      - run: git push\n"}))
    assert (found.folders, found.copies, found.step is not None and found.step.is_shared) == (
        ("gh-pages",),
        False,
        False,
    )
    (other,) = found_in(write({WORKFLOW: text.replace("cd gh-pages", "cd data")}))
    assert other.copies


_PUSHES = {
    "an action": "uses: ad-m/github-push-action@v1, with: {branch: gh-pages, directory: pages}",
    "a command": "run: git -C pages push origin gh-pages",
}


@pytest.mark.parametrize("push", _PUSHES.values(), ids=_PUSHES)
def test_the_step_goes_before_the_one_that_commits_what_is_pushed_later(write: Write, push: str) -> None:
    steps = ["run: make html", "run: cp index.html pages", "name: Commit, run: cd pages && git add -A"]
    text = "".join(f"      - {{{step}}}\n" for step in (*steps, push))
    (found,) = found_in(write({WORKFLOW: f"on: push\njobs:\n  a:\n    steps:\n{text}"}))
    assert found.folders == ("pages",)
    assert found.step
    assert (found.step.name, found.step.number, found.command) == ("Commit", 2, "make html && cp index.html pages")


@pytest.mark.parametrize(
    ("checkout", "name", "folder"),
    [
        ("uses: actions/checkout@v7, with: {ref: gh-pages, path: pages}", "Copy", "build/html"),
        ("run: git clone --depth 1 https://a.test/b pages", "Copy", "build/html"),
        ("run: git worktree add pages gh-pages", "Copy", "build/html"),
        ("run: mkdir pages", "Commit", "pages"),
    ],
)
def test_a_folder_that_is_copied_into_a_checkout_and_pushed_is_published_before_it_is_copied(
    write: Write, checkout: str, name: str, folder: str
) -> None:
    steps = [checkout, "run: make html", "name: Copy, run: cp -r build/html/. pages"]
    steps += ["name: Commit, run: cd pages && git add -A", "run: git -C pages push origin HEAD:gh-pages"]
    text = "".join(f"      - {{{step}}}\n" for step in steps)
    (found,) = found_in(write({WORKFLOW: f"on: push\njobs:\n  a:\n    steps:\n{text}"}))
    assert (found.folders, found.step and found.step.name, found.host) == ((folder,), name, "github-pages")


@pytest.mark.parametrize(
    ("script", "folder", "before"),
    [
        (
            "./make.sh; git --work-tree out add -A; git --work-tree out commit -m x; git push origin HEAD:gh-pages",
            "out",
            "git --work-tree out add -A",
        ),
        (
            "make; git checkout gh-pages; cp -r out/* .; git add .; git push origin gh-pages",
            "out",
            "cp -r out/* .",
        ),
        ("git checkout --orphan gh-pages; make; git add -f out; git push -f origin gh-pages", "out", "git add -f out"),
    ],
)
def test_a_branch_that_a_script_fills_is_published_from_where_its_files_are_staged(
    write: Write, script: str, folder: str | None, before: str
) -> None:
    (found,) = (each for each in found_in(write({WORKFLOW: RUNS.format(command=script)})) if not each.commits)
    assert found.folders == ((folder,) if folder else ())
    assert found.step
    assert (found.step.command, found.step.is_shared, found.host) == (before, True, "github-pages")


def test_a_branch_for_another_host_is_published_from_what_was_moved_into_it(write: Write) -> None:
    script = "git checkout --orphan a-pages; find . -delete; mv out/* .; git add -A; git push origin a-pages --force"
    text = f"on: push\njobs:\n  a:\n    steps:\n      - run: make\n      - name: Push\n        run: {script}\n"
    (found,) = (each for each in found_in(write({WORKFLOW: text})) if not each.commits)
    assert (found.folders, found.command, found.copies, found.host) == (("out",), "make", True, "")


@pytest.mark.parametrize(
    "command",
    ["git subtree push --prefix out origin gh-pages", "git push origin `git subtree split --prefix out main`:gh-pages"],
)
def test_what_is_pushed_without_being_staged_is_what_git_has(write: Write, command: str) -> None:
    (found,) = found_in(write({WORKFLOW: RUNS.format(command=command)}))
    assert found.of_commits


def test_what_moves_files_builds_nothing_and_what_is_added_names_the_folder(write: Write) -> None:
    push = [
        "mv docs x",
        "git checkout gh-pages",
        "mv x docs",
        "git add docs",
        "git commit -m x",
        "git push origin gh-pages",
    ]
    script = "\n".join(f"          {line}" for line in push)
    text = f"on: push\njobs:\n  a:\n    steps:\n      - run: make\n      - name: Push\n        run: |\n{script}\n"
    (found,) = (each for each in found_in(write({WORKFLOW: text})) if not each.commits)
    assert (found.folders, found.command) == (("docs",), "make && mv docs x")
    assert found.step
    assert (found.step.name, found.step.is_shared) == ("Push", False)


def test_what_comes_after_a_command_that_publishes_builds_nothing(write: Write) -> None:
    (found,) = found_in(write({WORKFLOW: RUNS.format(command="make && npx gh-pages -d out && npm run announce")}))
    assert found.command == "make"
