"""What workflows publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from publishing import PAGES, RUNS, WORKFLOW, folders_in, found_in, workflow

from waypost.project.workflow_publications import ACTIONS, COMMANDS, named_domain

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
    ("command", "name", "folder"),
    [
        ("npx docusaurus deploy", "docusaurus deploy", None),
        ("mike deploy --push 1.0 latest", "mike deploy", None),
        ("python -m mkdocs gh-deploy --force", "mkdocs gh-deploy", None),
        ("quarto publish gh-pages --no-prompt", "quarto publish", None),
        ("ghp-import -np site", "ghp-import", "site"),
        ("ghp-import -m x -p -f site", "ghp-import", "site"),
        ("ghp-import -m 'the site' -b gh-pages site", "ghp-import", "site"),
        ("npx --yes gh-pages@6 --dotfiles -d site", "gh-pages", "site"),
        ("yarn gh-pages --dist=site", "gh-pages", "site"),
        ("git subtree push --prefix site origin gh-pages", "git subtree push", "site"),
        ("aws s3 sync site s3://bucket --delete", "aws s3 sync", "site"),
        ("aws --region a s3 cp --recursive site/ s3://bucket", "aws s3 sync", "site"),
        ("gsutil -m rsync -r site gs://bucket", "gcloud storage rsync", "site"),
        ("az storage blob upload-batch --account-name a -s site -d '$web'", "az storage blob upload-batch", "site"),
        ("npx netlify deploy --prod --dir site", "netlify deploy", "site"),
        ("npx netlify deploy --dir site", "", None),
        ("npx netlify-cli deploy -p -d site", "netlify deploy", "site"),
        ("npx wrangler pages deploy site --project-name a", "wrangler pages deploy", "site"),
        ("pnpm exec wrangler pages deploy --project-name a site", "wrangler pages deploy", "site"),
        ("npx wrangler deploy", "wrangler deploy", None),
        ("firebase deploy --only hosting", "firebase deploy", None),
        ("firebase deploy --only functions", "", None),
        ("vercel --prod --token=$TOKEN", "vercel deploy", None),
        ("vercel deploy --prebuilt --prod", "vercel deploy --prebuilt", ".vercel/output/static"),
        ("vercel build --prod", "", None),
        ("swa deploy ./site --env production", "swa deploy", "site"),
        ("surge site a.surge.sh", "surge", "site"),
        ("rsync -a site/ host.example:/var/www", "rsync", "site"),
        ('rsync -az -e "ssh -p 22" site/ me@host:www', "rsync", "site"),
        ("scp -r site me@host:www", "scp", "site"),
        ("FOO=1 sudo rsync -a site/ backup/", "", None),
        ("echo mkdocs gh-deploy", "", None),
        ("cd web && npx gh-pages -d site", "gh-pages", "web/site"),
        ("'npm run deploy'", "gh-pages", "out"),
        ("make deploy", "surge", "site"),
        ("ghp-import -p $OUT", "ghp-import", None),
    ],
)
def test_a_command_that_publishes_is_seen_with_its_folder(
    write: Write, command: str, name: str, folder: str | None
) -> None:
    scripts = '{"scripts": {"predeploy": "make", "deploy": "gh-pages -d out"}}'
    files = {WORKFLOW: RUNS.format(command=command)}
    files |= {"package.json": scripts} if "npm run" in command else {}
    files |= {"Makefile": "deploy:\n\tsurge site\n"} if "make" in command else {}
    found = found_in(write(files))
    assert [each.publisher for each in found] == ([name] if name else [])
    assert [path for each in found for path in each.folders] == ([folder] if folder else [])


@pytest.mark.parametrize("name", [name for name, row in ACTIONS.items() if not row.script.startswith("git ")])
def test_each_action_that_publishes_is_seen(write: Write, name: str) -> None:
    row = ACTIONS[name]
    lines = [f"{row.folder or 'x'}: out", *(f"{key}: {value}" for key, value in row.needs.items())]
    inputs = "{" + ", ".join(lines) + "}"
    if row.script:
        inputs = {"wrangler": "command: pages deploy out", "firebase": "args: deploy --only hosting"}.get(
            row.script.partition(" ")[0], "args: deploy --prod --dir=out"
        )
    found = found_in(write(workflow(f"{name}@v1", inputs)))
    published = [each for each in found if each.publisher != "actions/deploy-pages"] or found
    assert len({each.publisher for each in published}) == 1
    if row.folder:
        assert published[0].folders == ("out",)


@pytest.mark.parametrize("name", [*ACTIONS, *COMMANDS])
def test_each_row_says_where_it_is_written(name: str) -> None:
    row = ACTIONS.get(name) or COMMANDS[name]
    assert row.source
    assert "." in row.source.split(" ")[0]


@pytest.mark.parametrize(
    ("checkout", "history"),
    [("{fetch-depth: 0}", "whole"), ("{fetch-depth: 5}", "shallow"), ("{}", "shallow"), ("{repository: a/b}", "none")],
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


@pytest.mark.parametrize("name", ["publish_dir", "PUBLISH_DIR"])
def test_a_folder_may_be_named_by_a_variable_as_the_inputs_of_actions_once_were(write: Write, name: str) -> None:
    text = str(workflow("peaceiris/actions-gh-pages@v2", "publish_dir: out")[WORKFLOW])
    text = text.replace("publish_dir: out", "x: y").replace("with:", f"env: {{{name}: ./out}}\n        with:")
    assert folders_in(write({WORKFLOW: text})) == [("out",)]


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


def test_a_workflow_that_a_push_starts_comes_before_one_that_somebody_starts(write: Write) -> None:
    job = "jobs: {a: {steps: [{run: npx gh-pages -d OUT}]}}"
    texts = {"a": f"on: workflow_dispatch\n{job}", "b": f"on: {{push: {{branches: [main]}}}}\n{job}"}
    files = {f".github/workflows/{name}.yml": text.replace("OUT", name) for name, text in texts.items()}
    assert folders_in(write(files), "main") == [("b",), ("a",)]


@pytest.mark.parametrize(
    "command",
    ["git subtree push --prefix out origin gh-pages", "git push origin `git subtree split --prefix out main`:gh-pages"],
)
def test_what_is_pushed_without_being_staged_is_what_git_has(write: Write, command: str) -> None:
    (found,) = found_in(write({WORKFLOW: RUNS.format(command=command)}))
    assert found.of_commits


@pytest.mark.parametrize(
    ("action", "inputs", "repository", "target"),
    [
        ("peaceiris/actions-gh-pages", "{external_repository: a/docs, destination_dir: /v1/}", "a/docs", "v1"),
        ("JamesIves/github-pages-deploy-action", "{repository-name: a/docs, target-folder: v1}", "a/docs", "v1"),
        ("JamesIves/github-pages-deploy-action", "{folder: out}", "", ""),
    ],
)
def test_a_site_may_go_to_another_repository_and_into_a_folder_there(
    write: Write, action: str, inputs: str, repository: str, target: str
) -> None:
    found = next(each for each in found_in(write(workflow(f"{action}@v4", inputs))) if each.publisher == action)
    assert (found.repository, found.target) == (repository, target)


def test_the_folder_of_an_action_is_relative_to_the_one_in_which_it_works(write: Write) -> None:
    inputs = "{workingDirectory: docs, directory: build/html}"
    assert folders_in(write(workflow("cloudflare/pages-action@v1", inputs))) == [("docs/build/html",)]


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


def test_quarto_publishes_on_github_pages_where_it_is_told_so(write: Write) -> None:
    for target, host in (("gh-pages", "github-pages"), ("netlify", "")):
        (found, *_) = found_in(write(workflow("quarto-dev/quarto-actions/publish@v2", f"target: {target}")))
        assert found.host == host


def test_the_name_of_an_action_has_no_case(write: Write) -> None:
    found, *_ = found_in(write(workflow("Reggionick/S3-Deploy@v4", "folder: out")))
    assert (found.publisher, found.folders) == ("reggionick/s3-deploy", ("out",))


@pytest.mark.parametrize(
    ("action", "inputs", "expected"),
    [
        ("someone/ftp-deploy", "{server: a.test, local-dir: ./out}", ("", ("out",), False, True)),
        ("someone/deploy-to-host", "{path: out, key: x}", ("", ("out",), False, True)),
        ("someone/hugo-deploy-gh-pages", "{branch: x}", ("Hugo", (), True, False)),
        ("someone/pypi-publish", "{path: dist}", None),
        ("someone/deploy-docker-image", "{path: out}", None),
        ("someone/checks", "{path: out}", None),
    ],
)
def test_an_action_that_no_row_has_is_known_by_its_name(
    write: Write, action: str, inputs: str, expected: tuple[str, tuple[str, ...], bool, bool] | None
) -> None:
    found = [each for each in found_in(write(workflow(f"{action}@v1", inputs))) if each.publisher == action]
    assert [(each.generator, each.folders, each.builds, each.copies) for each in found] == (
        [expected] if expected else []
    )


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


@pytest.mark.parametrize(("value", "is_published"), [("true", False), ("false", True)])
def test_an_action_that_is_told_to_build_only_publishes_nothing(
    write: Write, value: str, *, is_published: bool
) -> None:
    steps = f"[{{uses: shalzz/zola-deploy-action@v1, env: {{BUILD_ONLY: {value}}}}}]"
    found = found_in(write({WORKFLOW: f"on: push\njobs: {{a: {{steps: {steps}}}}}"}))
    assert bool(found) == is_published


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


def test_what_comes_after_a_command_that_publishes_builds_nothing(write: Write) -> None:
    (found,) = found_in(write({WORKFLOW: RUNS.format(command="make && npx gh-pages -d out && npm run announce")}))
    assert found.command == "make"
