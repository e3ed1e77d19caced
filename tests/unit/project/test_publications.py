"""What publishes a project's site: workflows and the files of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from source_folders import PAGE

from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import RunContext
from waypost.project.publications import publications
from waypost.project.workflow_publications import ACTIONS, COMMANDS

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Files, Write

    from waypost.project.publication import Publication

WORKFLOW = ".github/workflows/a.yml"
PAGES = "actions/upload-pages-artifact@v5"
STEPS = """on: push
jobs:
  a:
    steps:
      - run: make html
      - name: Deploy
        uses: {action}
        with:
          {value}
      - uses: actions/deploy-pages@v5
"""


def workflow(action: str, value: str) -> Files:
    return {WORKFLOW: STEPS.format(action=action, value=value)}


def found_in(folder: Path, *branches: str, host: str = "", domain: str = "") -> list[Publication]:
    """What publishes the project in a folder, of a branch, on a host's builder."""
    return list(publications(ProjectFolder(folder), RunContext(branches, host, domain)))


def folders_in(folder: Path, *branches: str, host: str = "", domain: str = "") -> list[tuple[str, ...]]:
    return [each.folders for each in found_in(folder, *branches, host=host, domain=domain) if each.folders]


@pytest.mark.parametrize(
    ("files", "folder", "command"),
    [
        ({"netlify.toml": '[build]\npublish = "out/"\ncommand = "make"'}, "out", "make"),
        ({"firebase.json": '{"hosting": {"public": "out", "predeploy": ["a", "b"]}}'}, "out", "a && b"),
        ({"firebase.json": '{"hosting": [{"public": "out", "predeploy": "a"}]}'}, "out", "a"),
        ({"vercel.json": '{"outputDirectory": "./out", "buildCommand": "make site"}'}, "out", "make site"),
        ({"wrangler.toml": 'pages_build_output_dir = "out"\n[build]\ncommand = "b"'}, "out", "b"),
        ({"wrangler.jsonc": '{"assets": {"directory": "./out"}}'}, "out", ""),
        ({".gitlab-ci.yml": "pages:\n  script: [make]\n  artifacts: {paths: [public/]}\n"}, "public", "make"),
        ({".gitlab-ci.yml": "pages:\n  script: make\n  publish: out\n"}, "out", "make"),
        (
            {".gitlab-ci.yml": "pages:\n  script:\n    - !reference [a, script]\n    - b\n  pages: {publish: out}\n"},
            "out",
            "b",
        ),
        ({"render.yaml": "services: [{rootDir: web, staticPublishPath: ./out, buildCommand: b}]"}, "web/out", ""),
        (
            {"amplify.yml": "frontend: {phases: {build: {commands: [b]}}, artifacts: {baseDirectory: out}}"},
            "out",
            "b",
        ),
        (
            {"swa-cli.config.json": '{"configurations": {"a": {"outputLocation": "out", "appBuildCommand": "b"}}}'},
            "out",
            "b",
        ),
        ({"website/netlify.toml": '[build]\npublish = "out"'}, "website/out", ""),
        ({"package.json": '{"workspaces": ["web"]}', "web/vercel.json": '{"outputDirectory": "o"}'}, "web/o", ""),
        (workflow(PAGES, "path: out"), "out", "make html"),
        (workflow(PAGES, "name: x"), "_site", "make html"),
        (workflow("peaceiris/actions-gh-pages@v4", "publish_dir: ./out"), "out", "make html"),
        (workflow("JamesIves/github-pages-deploy-action@v4", "{folder: out}"), "out", "make html"),
    ],
)
def test_a_folder_that_a_file_declares_has_the_command_of_that_file(
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
        {".gitlab-ci.yml": "pages:\n  script: [make]\n"},
        {".gitlab-ci.yml": "test:\n  artifacts: {paths: [public]}\n"},
        {"netlify.toml": '[build]\npublish = "/out"'},
        {"netlify.toml": "build = 3"},
        {"wrangler.toml": 'main = "worker.js"'},
        {"vercel.json": '{"outputDirectory": "a\\u0001b"}'},
        {"vercel.json": '{"outputDirectory": "a\\u0000b"}'},
        {"netlify.toml": '[build]\npublish = "../www-out"'},
        {"package.json": '{"workspaces": ["examples/*"]}', "examples/a/vercel.json": '{"outputDirectory": "out"}'},
        {"vercel.json": "[]"},
    ],
)
def test_what_names_no_folder_of_the_project_declares_none(write: Write, files: Files) -> None:
    assert folders_in(write(files)) == []


@pytest.mark.parametrize(("place", "found"), [("site/out", "site/out"), ("out", "out")])
def test_netlify_s_folder_is_in_its_base_or_in_the_root(write: Write, place: str, found: str) -> None:
    files = {"netlify.toml": '[build]\nbase = "site"\npublish = "out"', f"{place}/index.html": PAGE}
    (declared,) = found_in(write(files))
    assert (declared.folders, declared.exists) == ((found,), True)


def test_each_target_of_firebase_is_declared(write: Write) -> None:
    folder = write({"firebase.json": '{"hosting": [{"target": "x", "public": "a"}, {"target": "y", "public": "b"}]}'})
    assert folders_in(folder) == [("a",), ("b",)]


def test_workflows_that_are_very_long_together_are_not_read(write: Write) -> None:
    files = workflow(PAGES, "path: out")
    long = {f".github/workflows/{number}.yml": f"# {PAGES}" + "x" * 600_000 for number in (1, 2)}
    assert folders_in(write({**files, **long})) == []


def test_what_a_workflow_uploads_and_does_not_deploy_counts_least(write: Write) -> None:
    upload = "jobs: {a: {steps: [{uses: actions/upload-pages-artifact@v5, with: {path: out}}]}}"
    assert folders_in(write({WORKFLOW: upload, "vercel.json": '{"outputDirectory": "a"}'})) == [("a",), ("out",)]


def test_a_folder_without_a_file_does_not_exist_yet(write: Write) -> None:
    (declared,) = found_in(write({"vercel.json": '{"outputDirectory": "out"}', "out/.keep": ""}))
    assert not declared.exists


@pytest.mark.parametrize("script", ["|\n          if x; then\n            make\n          fi", "make " + "x" * 300])
def test_a_script_is_no_command_to_type(write: Write, script: str) -> None:
    files = workflow(PAGES, "path: out")
    files = {WORKFLOW: str(files[WORKFLOW]).replace("run: make html", f"run: {script}")}
    (declared,) = (each for each in found_in(write(files)) if each.folders)
    assert (declared.folders, declared.command) == (("out",), "")


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


RUNS = """on: push
jobs:
  a:
    steps:
      - uses: actions/checkout@v7
      - run: {command}
"""


@pytest.mark.parametrize(
    ("command", "name", "folder"),
    [
        ("npx docusaurus deploy", "docusaurus deploy", None),
        ("mike deploy --push 1.0 latest", "mike deploy", None),
        ("python -m mkdocs gh-deploy --force", "mkdocs gh-deploy", None),
        ("quarto publish gh-pages --no-prompt", "quarto publish", None),
        ("ghp-import -np site", "ghp-import", "site"),
        ("ghp-import -m x -p -f site", "ghp-import", "site"),
        ("npx --yes gh-pages@6 --dotfiles -d site", "gh-pages", "site"),
        ("yarn gh-pages --dist=site", "gh-pages", "site"),
        ("git subtree push --prefix site origin gh-pages", "git subtree push", "site"),
        ("aws s3 sync site s3://bucket --delete", "aws s3 sync", "site"),
        ("aws --region a s3 cp --recursive site/ s3://bucket", "", None),
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
        ("ghp-import -p $OUT", "ghp-import", None),
    ],
)
def test_a_command_that_publishes_is_seen_with_its_folder(
    write: Write, command: str, name: str, folder: str | None
) -> None:
    scripts = '{"scripts": {"predeploy": "make", "deploy": "gh-pages -d out"}}'
    found = found_in(write({WORKFLOW: RUNS.format(command=command), "package.json": scripts}))
    assert [each.publisher for each in found] == ([name] if name else [])
    assert [path for each in found for path in each.folders] == ([folder] if folder else [])


@pytest.mark.parametrize("name", ACTIONS)
def test_each_action_that_publishes_is_seen(write: Write, name: str) -> None:
    row = ACTIONS[name]
    inputs = f"{row.folder}: out" if row.folder else f"{row.command or 'x'}: {'pages deploy out'}"
    if row.command:
        inputs = {"wrangler": "command: pages deploy out", "firebase": "args: deploy --only hosting"}.get(
            row.program, "args: deploy --prod --dir=out"
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


HOSTS_FILES: Files = {
    **workflow(PAGES, "path: of-workflow"),
    "netlify.toml": '[build]\npublish = "of-netlify"',
    "vercel.json": '{"outputDirectory": "of-vercel"}',
}


@pytest.mark.parametrize(
    ("host", "domain", "first"),
    [
        ("", "", "of-workflow"),
        ("", "a.example", "of-workflow"),
        ("netlify", "a.example", "of-netlify"),
        ("vercel", "a.netlify.app", "of-vercel"),
        ("", "a.netlify.app", "of-netlify"),
        ("", "a.github.io", "of-workflow"),
    ],
)
def test_the_host_of_the_run_goes_before_the_domain_and_a_workflow_before_files(
    write: Write, host: str, domain: str, first: str
) -> None:
    assert folders_in(write(HOSTS_FILES), "main", host=host, domain=domain)[0] == (first,)


def test_the_same_is_declared_from_the_root_and_from_a_folder_of_the_repository(write: Write) -> None:
    files = {
        ".git/HEAD": "",
        WORKFLOW: RUNS.format(command="npm run build").replace("- run", "- working-directory: web\n        run")
        + "      - {uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: web/dist}}\n",
    }
    root = write({**files, "web/package.json": '{"scripts": {"build": "vite build"}}'})
    (of_root,), (of_folder,) = found_in(root), found_in(root / "web")
    assert (of_root.folders, of_root.command) == (("web/dist",), "(cd web && npm run build)")
    assert (of_folder.folders, of_folder.file) == (("dist",), f"../{WORKFLOW}")


@pytest.mark.parametrize(
    ("checkout", "history"),
    [("{fetch-depth: 0}", "whole"), ("{fetch-depth: 5}", "shallow"), ("{}", "shallow"), ("{repository: a/b}", "none")],
)
def test_a_step_knows_how_much_history_its_checkout_has(write: Write, checkout: str, history: str) -> None:
    text = RUNS.format(command="ghp-import -p site").replace("checkout@v7", f"checkout@v7\n        with: {checkout}")
    (found,) = found_in(write({WORKFLOW: text}))
    assert found.step is not None
    assert (found.step.history, found.step.number, found.step.name) == (history, 1, "ghp-import -p site")
