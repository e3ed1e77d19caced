"""The step that is put into a workflow."""

from __future__ import annotations

import pytest

from waypost.cli.workflow_edit import with_step
from waypost.project.publication import Step

STEP, COMMAND = '- uses: waypost\n  with:\n    source: "out"', "waypost build out"
PUBLISH = Step("a", 2, "publish", "shallow")
START = "on: push\njobs:\n  a:\n    steps:\n"
END = "      - run: make\n      - uses: publish\n        with: {folder: out}\n  b:\n    steps: []\n"
ADDED = '      - run: make\n      - uses: waypost\n        with:\n          source: "out"\n'


@pytest.mark.parametrize(
    ("checkout", "deeper"),
    [
        (
            "      - uses: actions/checkout@v7\n",
            "      - uses: actions/checkout@v7\n        with:\n          fetch-depth: 0\n",
        ),
        (
            "      - uses: actions/checkout@v7\n        with: {fetch-depth: 1}\n",
            "      - uses: actions/checkout@v7\n        with: {fetch-depth: 0}\n",
        ),
        (
            "      - uses: actions/checkout@v7\n        with: {lfs: true}\n",
            "      - uses: actions/checkout@v7\n        with: {fetch-depth: 0, lfs: true}\n",
        ),
        (
            "      - name: Get it\n        uses: actions/checkout@v7\n        with:\n          lfs: true # large\n",
            "      - name: Get it\n        uses: actions/checkout@v7\n"
            "        with:\n          fetch-depth: 0\n          lfs: true # large\n",
        ),
    ],
    ids=["no inputs", "a depth", "inputs in braces", "inputs"],
)
def test_a_step_is_put_before_the_one_that_publishes_and_the_checkout_gets_the_history(
    checkout: str, deeper: str
) -> None:
    edited = with_step(START + checkout + END, PUBLISH, STEP, COMMAND)
    assert edited == START + deeper + ADDED + END.removeprefix("      - run: make\n")


def test_a_script_that_builds_and_publishes_gets_the_command_before_its_last_line() -> None:
    text = "jobs:\n  a:\n    steps:\n      - run: |\n          make\n          ghp-import -p out\n          echo done\n"
    edited = with_step(text, Step("a", 0, "x", "whole", "ghp-import -p out", is_shared=True), STEP, COMMAND)
    assert edited == text.replace("          ghp", "          waypost build out\n          ghp")


def test_what_is_moved_before_a_push_gets_the_command_where_it_is_moved() -> None:
    lines = [
        "make",
        "git worktree add gh-pages",
        "cd gh-pages",
        "mv ../out/* .",
        "git add .",
        "git push origin gh-pages",
    ]
    text = "jobs:\n  a:\n    steps:\n      - run: |\n" + "".join(f"          {line}\n" for line in lines)
    edited = with_step(text, Step("a", 0, "x", "whole", "mv ../out/* .", is_shared=True), STEP, COMMAND)
    assert edited == text.replace("          mv", "          waypost build out\n          mv")


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("jobs: {a: {steps: [{run: make}, {uses: publish}]}}\n", Step("a", 1, "publish")),
        ("jobs:\n  a:\n    steps:\n    - {run: make}\n    - {uses: publish}\n", Step("a", 1, "publish")),
        ("jobs:\n  a:\n    steps: []\n", Step("a", 0, "publish")),
        (
            "jobs:\n  a:\n    steps:\n      - run: make && ghp-import -p out\n",
            Step("a", 0, "x", "whole", is_shared=True),
        ),
        ("jobs:\n  b: x\n", Step("a", 0, "publish")),
        ("- a\n: [", Step("a", 0, "publish")),
        ("jobs: &x\n  a: *x\n", Step("a", 0, "publish")),
        ("jobs:\n  a:\n    steps: &s\n      - run: make\n  b:\n    steps: *s\n", Step("a", 0, "make")),
    ],
    ids=[
        "braces",
        "steps in braces",
        "no such step",
        "one line",
        "no such job",
        "no YAML",
        "itself",
        "steps of two jobs",
    ],
)
def test_what_is_written_in_another_way_is_left_to_the_owner(text: str, at: Step) -> None:
    assert with_step(text, at, STEP, COMMAND) is None
