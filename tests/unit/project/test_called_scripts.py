"""The scripts that the commands of a project run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from publishing import RUNS, WORKFLOW, found_in

from waypost.project.called_scripts import CalledScripts
from waypost.project.project_folder import ProjectFolder
from waypost.project.shell_commands import Command, commands_of, run_before

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

PACKAGE = json.dumps({"scripts": {"predeploy": "npm run build", "build": "vite build", "deploy": "gh-pages -d dist"}})
MAKEFILE = """
OUT?=$(CURDIR)/out
PY = python3
html:
\t@$(PY) build.py \\
\t  -o $(OUT)
ifeq ($(DEBUG), 1)
\t-echo $$HOME $(NONE)
endif

deploy: html README.md
\tcd $(OUT) && touch a
\tghp-import "$(OUT)"
"""


def commands(root: Path, script: str, folder: str = ".") -> list[Command]:
    """The commands of a script with those of the scripts that it runs."""
    return list(commands_of(script, folder, CalledScripts(ProjectFolder(root)).of))


@pytest.mark.parametrize("command", ["npm run deploy", "yarn deploy", "pnpm run deploy"])
def test_scripts_of_package_json_are_followed_with_those_that_run_before_them(write: Write, command: str) -> None:
    found = commands(write({"web/package.json": PACKAGE}), command, "web")
    assert [each.text for each in found] == [command, "npm run build", "vite build", "gh-pages -d dist"]
    assert [each.depth for each in found] == [0, 1, 2, 1]
    assert {each.folder for each in found} == {"web"}


def test_a_folder_without_package_json_has_the_scripts_of_the_one_above(write: Write) -> None:
    folder = write({"package.json": PACKAGE, "docs/readme.md": ""})
    found = [(each.text, each.folder) for each in commands(folder, "npm run build", "docs")]
    assert found == [("npm run build", "docs"), ("vite build", ".")]


def test_targets_of_a_makefile_are_followed_after_what_they_need_with_its_variables(write: Write) -> None:
    found = commands(write({"Makefile": MAKEFILE}), "make deploy")
    assert [(each.text, each.folder, each.depth) for each in found] == [
        ("make deploy", ".", 0),
        ("make html", ".", 1),
        ("python3 build.py -o ./out", ".", 2),
        ("echo $HOME $_", ".", 2),
        ("touch a", "out", 1),
        ("ghp-import ./out", ".", 1),
    ]


@pytest.mark.parametrize("command", ["make -C web deploy", "if x; then make --directory web deploy; fi"])
def test_a_makefile_of_another_folder_is_read_there(write: Write, command: str) -> None:
    files = {WORKFLOW: RUNS.format(command=f"'{command}'"), "web/Makefile": "deploy:\n\tghp-import out\n"}
    (found,) = found_in(write(files))
    assert (found.publisher, found.folders) == ("ghp-import", ("web/out",))


def test_recipes_of_a_justfile_are_followed_as_targets_are(write: Write) -> None:
    text = "out := 'site'\n[group('docs')]\nbuild version='1':\n    mkdocs build\npublish: build\n    surge {{out}}\n"
    found = commands(write({"justfile": text}), "just publish")
    assert [each.text for each in found] == ["just publish", "just build", "mkdocs build", "surge site"]


@pytest.mark.parametrize("command", ["./deploy.sh", "bash deploy.sh", "scripts/deploy", "cd web && sh ../deploy.sh"])
def test_shell_files_are_followed_from_the_folder_in_which_they_run(write: Write, command: str) -> None:
    found = commands(write({"deploy.sh": "surge out", "scripts/deploy": "surge out", "web/a": ""}), command)
    assert found[-1].text == "surge out"


def test_scripts_outside_the_repository_are_not_read(write: Write, tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text(PACKAGE, encoding="utf-8")
    (tmp_path / "a.sh").write_text("surge out", encoding="utf-8")
    root = write({"a": ""})
    for script in ("cd .. && npm run deploy", "sh ../a.sh", f"sh {tmp_path}/a.sh"):
        assert "surge out" not in [each.text for each in commands(root, script)]
        assert "vite build" not in [each.text for each in commands(root, script)]


def test_scripts_that_run_each_other_end(write: Write) -> None:
    scripts = json.dumps({"scripts": {"a": "npm run b", "b": "npm run a"}})
    files = {"package.json": scripts, "Makefile": "a: b\nb: a\n", "x.sh": "./x.sh\n" * 400}
    root = write(files)
    assert len(commands(root, "npm run a")) == 4
    assert len(commands(root, "make a")) == 4
    assert len(commands(root, "./x.sh")) == 500


def test_what_builds_is_run_before_without_what_calls_it_and_what_others_call(write: Write) -> None:
    files = {"package.json": PACKAGE, "deploy.sh": "npm run build\nsurge out\n"}
    found = commands(write(files), "npm ci\n./deploy.sh")
    *before, last = found
    assert last.text == "surge out"
    assert [each.text for each in run_before(last.depth, before)] == ["npm ci", "npm run build"]


def test_variables_that_name_themselves_many_times_make_no_endless_command(write: Write) -> None:
    text = f"A = {'$(A)' * 75}\nall:\n\techo {'$(A)' * 20_000}\n"
    found = commands(write({"Makefile": text}), "make all")
    assert len(found) == 2
    assert len(found[1].text) < 1_000_000
