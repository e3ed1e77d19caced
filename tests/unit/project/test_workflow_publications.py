"""What workflows publish."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from publishing import PAGES, RUNS, WORKFLOW, folders_in, found_in, workflow

from waypost.project.workflow_publications import named_domain

if TYPE_CHECKING:
    from sites import Files, Write


@pytest.mark.parametrize(
    ("files", "folder", "command"),
    [
        (workflow(PAGES, "path: out"), "out", "make html"),
        (workflow(PAGES, "name: x"), "_site", "make html"),
        (workflow("peaceiris/actions-gh-pages@v4", "publish_dir: ./out"), "out", "make html"),
        (workflow("JamesIves/github-pages-deploy-action@v4", "{folder: out}"), "out", "make html"),
    ],
)
def test_a_folder_that_a_workflow_publishes_has_the_commands_before_it(
    write: Write, files: Files, folder: str, command: str
) -> None:
    (declared,) = (each for each in found_in(write(files)) if each.folders)
    assert (declared.folders, declared.exists, declared.file in files) == ((folder,), False, True)
    assert command in declared.command


@pytest.mark.parametrize(
    "files",
    [
        workflow("actions/upload-artifact@v7", "path: out"),
        workflow(PAGES, "path: ${{ env.OUT }}"),
        workflow(PAGES, "path: ../out"),
        workflow(PAGES, "path: 'out"),
    ],
)
def test_a_workflow_that_names_no_folder_of_the_project_declares_none(write: Write, files: Files) -> None:
    assert folders_in(write(files)) == []


@pytest.mark.parametrize("use", ["$A ", "${{ env.A }} "])
def test_long_values_of_the_environment_do_not_fill_the_memory(write: Write, use: str) -> None:
    text = f"on: push\nenv: {{A: {'x' * 50_000}}}\njobs: {{a: {{steps: [{{run: 'surge {use * 10_000}'}}]}}}}"
    tracemalloc.start()
    assert folders_in(write({WORKFLOW: text})) == []
    assert tracemalloc.get_traced_memory()[1] < 50 << 20
    tracemalloc.stop()


def test_workflows_that_are_very_long_together_are_not_read(write: Write) -> None:
    files = workflow(PAGES, "path: out")
    long = {f".github/workflows/{number}.yml": f"# {PAGES}" + "x" * 600_000 for number in (1, 2)}
    assert folders_in(write({**files, **long})) == []


@pytest.mark.parametrize(
    ("trigger", "branches", "is_found"),
    [
        ("push", ["main"], True),
        ("[push, pull_request]", ["main"], True),
        ("pull_request", ["main"], False),
        ("{pull_request: {}, merge_group: {}}", ["main"], False),
        ("{push: {branches: [main]}}", ["main"], True),
        ("{push: {branches: [main]}}", ["topic", "main"], True),
        ("{push: {branches: [main]}}", ["next"], False),
        ("{push: {branches: ['release/**', '!release/old']}}", ["release/2/x"], True),
        ("{push: {branches: ['release/**', '!release/old']}}", ["release/old"], False),
        ("{push: {branches: ['release/*']}}", ["release/2/x"], False),
        ("{push: {branches-ignore: [next]}, workflow_dispatch: }", ["next"], False),
        ("{push: {branches: [main]}}", [], True),
        ("{release: {types: [published]}}", ["main"], True),
    ],
)
def test_a_workflow_publishes_the_branch_whose_pushes_start_it(
    write: Write, trigger: str, branches: list[str], is_found: bool
) -> None:
    files = {WORKFLOW: str(workflow(PAGES, "path: out")[WORKFLOW]).replace("on: push", f"on: {trigger}")}
    assert folders_in(write(files), *branches) == ([("out",)] if is_found else [])


@pytest.mark.parametrize("level", ["job", "step"])
def test_what_runs_for_pull_requests_only_publishes_no_site(write: Write, level: str) -> None:
    condition = "if: ${{ github.event_name == 'pull_request' && github.event.action != 'closed' }}"
    at = ("  a:\n", f"  a:\n    {condition}\n") if level == "job" else ("- name", f"- {condition}\n        name")
    text = str(workflow(PAGES, "path: out")[WORKFLOW]).replace(*at)
    assert folders_in(write({WORKFLOW: text})) == []


@pytest.mark.parametrize(
    ("checkout", "history"),
    [
        ("{fetch-depth: 0}", "whole"),
        ("{fetch-depth: 5}", "shallow"),
        ("{}", "shallow"),
        ("{repository: the/same}", "shallow"),
        ("{repository: a/theme, path: theme}", "none"),
    ],
)
def test_a_step_knows_how_much_history_its_checkout_has(write: Write, checkout: str, history: str) -> None:
    text = RUNS.format(command="ghp-import -p site").replace("checkout@v7", f"checkout@v7\n        with: {checkout}")
    (found,) = found_in(write({WORKFLOW: text}))
    assert found.step is not None
    assert (found.step.history, found.step.number, found.step.name) == (history, 1, "ghp-import -p site")


def test_each_step_of_a_job_names_that_job(write: Write) -> None:
    text = RUNS.format(command="surge one") + "      - {name: Second, run: surge two}\n"
    steps = [each.step for each in found_in(write({WORKFLOW: text}))]
    assert [(step.job, step.number, step.name) for step in steps if step] == [("a", 1, "surge one"), ("a", 2, "Second")]


def test_a_workflow_that_a_push_starts_comes_before_one_that_somebody_starts(write: Write) -> None:
    job = "jobs: {a: {steps: [{run: npx gh-pages -d OUT}]}}"
    texts = {"a": f"on: workflow_dispatch\n{job}", "b": f"on: {{push: {{branches: [main]}}}}\n{job}"}
    files = {f".github/workflows/{name}.yml": text.replace("OUT", name) for name, text in texts.items()}
    assert folders_in(write(files), "main") == [("b",), ("a",)]


def test_quarto_publishes_on_github_pages_where_it_is_told_so(write: Write) -> None:
    for target, host in (("gh-pages", "github-pages"), ("netlify", "")):
        (found, *_) = found_in(write(workflow("quarto-dev/quarto-actions/publish@v2", f"target: {target}")))
        assert found.host == host


def test_what_a_called_workflow_uploads_is_deployed_by_the_one_that_calls_it(write: Write) -> None:
    build = "on: [pull_request, workflow_call]\njobs: {a: {steps: [{uses: actions/upload-pages-artifact@v3}]}}"
    deploy = "on: push\njobs: {b: {uses: CALLED}, c: {steps: [{uses: actions/deploy-pages@v4}]}}"
    for called, is_deployed in (("./.github/workflows/build.yml", True), ("./.github/workflows/other.yml", False)):
        files = {".github/workflows/build.yml": build, WORKFLOW: deploy.replace("CALLED", called)}
        found = [each for each in found_in(write(files)) if each.folders]
        assert [(each.folders, each.is_deployed) for each in found] == [(("_site",), is_deployed)]


_ACTION = """inputs: {folder: {default: out}}
runs:
  using: composite
  steps:
    - {run: make, shell: bash}
    - {name: Publish, uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: "${{ inputs.folder }}"}}
"""


@pytest.mark.parametrize(("given", "folder"), [("", "out"), (", with: {folder: site}", "site")])
def test_an_action_of_the_repository_publishes_what_its_steps_do(write: Write, given: str, folder: str) -> None:
    files = {WORKFLOW: f"on: push\njobs: {{a: {{steps: [{{uses: ./.github/actions/go{given}}}]}}}}"}
    (found,) = found_in(write({**files, ".github/actions/go/action.yml": _ACTION}))
    assert (found.file, found.folders, found.command) == (".github/actions/go/action.yml", (folder,), "make")
    assert found.step
    assert (found.step.job, found.step.number, found.step.name) == ("runs", 1, "Publish")


def test_actions_of_a_repository_that_use_each_other_end(write: Write) -> None:
    again = (
        "runs: {using: composite, steps: [{uses: ./again}, {uses: ./again}, {run: npx gh-pages -d out, shell: bash}]}"
    )
    files = {WORKFLOW: "on: push\njobs: {a: {steps: [{uses: ./again}]}}", "again/action.yaml": again}
    assert {each.folders for each in found_in(write(files))} == {("out",)}


def test_a_folder_that_is_published_on_two_conditions_has_none(write: Write) -> None:
    steps = "".join(
        f"      - {{uses: reggionick/s3-deploy@v4, if: \"github.ref == '{name}'\", with: {{folder: {folder}}}}}\n"
        for name, folder in (("a", "out"), ("b", "out"), ("c", "other"))
    )
    found = found_in(write({WORKFLOW: f"on: push\njobs:\n  a:\n    steps:\n{steps}"}))
    assert [each.step and each.step.condition for each in found] == ["", "", "github.ref == 'c'"]


def test_the_folder_of_an_action_begins_at_the_root_whatever_the_folder_of_the_commands_is(write: Write) -> None:
    text = str(workflow("peaceiris/actions-gh-pages@v4", "publish_dir: web/out")[WORKFLOW])
    text = text.replace("  a:\n", "  a:\n    defaults: {run: {working-directory: web}}\n")
    assert folders_in(write({WORKFLOW: text}))[0][0] == "web/out"
    assert folders_in(write({WORKFLOW: text, "web/web/out/index.html": ""})) == [("web/web/out",)]


def test_the_folder_of_the_repository_on_a_runner_is_the_root(write: Write) -> None:
    step = "{working-directory: '${{ env.GITHUB_WORKSPACE }}', run: make}"
    (found,) = found_in(write({WORKFLOW: f"on: push\njobs: {{a: {{steps: [{step}, {{run: ghp-import -p out}}]}}}}"}))
    assert found.command == "make"


def test_a_constant_of_the_workflow_or_the_job_has_its_value_in_a_folder(write: Write) -> None:
    text = str(workflow(PAGES, "path: ${{ env.OUT }}/html")[WORKFLOW])
    assert folders_in(write({WORKFLOW: f"env: {{OUT: ./docs}}\n{text}"})) == [("docs/html",)]
    assert folders_in(write({WORKFLOW: text.replace("  a:\n", "  a:\n    env: {OUT: web}\n")})) == [("web/html",)]
    assert folders_in(write({WORKFLOW: f"env: {{OUT: '${{{{ github.ref }}}}'}}\n{text}"})) == []


@pytest.mark.parametrize(
    ("line", "domain"),
    [
        ("          cname: docs.a.dev", "docs.a.dev"),
        ("          fqdn: 'docs.a.dev'", "docs.a.dev"),
        ("      - run: echo 'a.dev' > ./site/CNAME", "a.dev"),
        ("      - run: echo a.dev >> CNAME", "a.dev"),
        ("      - run: echo 'a.dev' | sudo tee _site/CNAME", "a.dev"),
        ("      - run: echo a.dev|tee -a CNAME", "a.dev"),
        ("          cname: ${{ secrets.NAME }}", ""),
        ("      - run: cat CNAME", ""),
    ],
)
def test_the_domain_that_a_workflow_writes_is_named(line: str, domain: str) -> None:
    assert named_domain(["on: push", f"jobs:\n{line}\n"]) == domain


def test_the_lines_of_another_language_than_a_shell_s_are_no_commands(write: Write) -> None:
    text = RUNS.format(command="ghp-import out").replace("- run", "- shell: Rscript {0}\n        run")
    assert found_in(write({WORKFLOW: text})) == []
    assert len(found_in(write({WORKFLOW: text.replace("Rscript {0}", "bash -e {0}")}))) == 1


OF_STEP = (
    "      - env: {source: build/, dest: 'me@host:www'}\n"
    "        run: |\n          mkdir -p ~/.ssh\n          {command}\n"
)


OF_JOB = "    env: {source: build/}\n"


@pytest.mark.parametrize(
    ("job", "step", "command", "folder", "is_shared"),
    [
        ("", OF_STEP, "rsync -a --rsh='ssh -i ~/k' $source $dest", "web/build", False),
        ("", OF_STEP, 'rsync -a "${source}" "${dest}"', "web/build", False),
        (OF_JOB, "      - run: {command}\n", "npx gh-pages -d $source", "web/build", False),
        ("", "      - run: {command}\n", "npx gh-pages -d $source", None, False),
        ("", OF_STEP, "make; rsync -a $source $dest", "web/build", True),
        ("    env: {source: '${{ secrets.A }}'}\n", "      - run: {command}\n", "npx gh-pages -d $source", None, False),
    ],
    ids=["the step's", "in braces", "the job's", "unknown", "with a build before", "a secret"],
)
def test_variables_of_the_environment_that_are_constants_are_known(
    write: Write, job: str, step: str, command: str, folder: str | None, *, is_shared: bool
) -> None:
    start = f"on: push\njobs:\n  a:\n    defaults: {{run: {{working-directory: ./web}}}}\n{job}    steps:\n"
    (found,) = found_in(write({WORKFLOW: start + step.replace("{command}", command)}))
    assert found.folders == ((folder,) if folder else ())
    assert found.step
    assert (found.step.is_shared, found.step.folder) == (is_shared, "web")
