"""The order of what publishes a project's site."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from publishing import PAGES, RUNS, WORKFLOW, folders_in, found_in, workflow

from waypost.project import find_sites
from waypost.project.project_folder import ProjectFolder
from waypost.project.publication import RunContext
from waypost.project.publications import filling, publications

if TYPE_CHECKING:
    from sites import Files, Write


def test_what_a_workflow_uploads_and_does_not_deploy_counts_least(write: Write) -> None:
    upload = "jobs: {a: {steps: [{uses: actions/upload-pages-artifact@v5, with: {path: out}}]}}"
    assert folders_in(write({WORKFLOW: upload, "vercel.json": '{"outputDirectory": "a"}'})) == [("a",), ("out",)]


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


@pytest.mark.parametrize(("target", "is_published"), [("https://a.dev", False), ("en/", True)])
def test_a_home_page_that_leads_to_another_host_is_no_site(write: Write, target: str, *, is_published: bool) -> None:
    moved = f'<!doctype html><title>A</title><meta http-equiv="refresh" content="0; URL={target}">'
    files = {**workflow(PAGES, "path: moved"), "moved/index.html": moved, "vercel.json": '{"outputDirectory": "out"}'}
    assert folders_in(write(files)) == [*([("moved",)] if is_published else []), ("out",)]


def test_a_script_that_people_run_publishes_where_no_workflow_does(write: Write) -> None:
    scripts = '{"scripts": {"predeploy": "make", "deploy": "gh-pages -d out"}}'
    (found,) = found_in(write({"package.json": scripts}))
    assert (found.file, found.publisher, found.folders, found.command) == ("package.json", "gh-pages", ("out",), "make")
    assert found.script == "deploy"
    files = {"package.json": scripts, WORKFLOW: RUNS.format(command="surge out")}
    assert [each.publisher for each in found_in(write(files))] == ["surge"]


def test_a_script_in_a_folder_of_a_site_publishes_where_no_workflow_does(write: Write) -> None:
    scripts = '{"scripts": {"deploy": "astro build && wrangler pages deploy"}}'
    files = {"docs/package.json": scripts, "docs/wrangler.toml": 'pages_build_output_dir = "dist"'}
    of_host, by_hand = found_in(write(files))
    assert (by_hand.file, by_hand.source, by_hand.folders) == ("docs/package.json", "docs", ("docs/dist",))
    assert (of_host.file, of_host.folders) == ("docs/wrangler.toml", ("docs/dist",))
    elsewhere = RUNS.format(command="surge out").replace("on: push", "on: {push: {branches: [other]}}")
    assert [each.publisher for each in found_in(write({WORKFLOW: elsewhere}), "main")] == [""]
    own = write({"package.json": '{"scripts": {"deploy": "gh-pages -d out"}}'})
    assert [each.publisher for each in found_in(own, "main")] == ["", "gh-pages"]


def test_what_deploys_to_a_host_publishes_the_folder_that_the_host_s_file_names(write: Write) -> None:
    files = {**workflow("FirebaseExtended/action-hosting-deploy@v0", "entryPoint: docs")}
    two = '{"hosting": [{"target": "a", "public": "out/html"}, {"target": "b", "public": "out/html"}]}'
    assert found_in(write({**files, "docs/firebase.json": two}))[0].folders == ("docs/out/html",)
    two = two.replace('"out/html"}]', '"other"}]')
    assert found_in(write({"docs/firebase.json": two}))[0].folders == ()


@pytest.mark.parametrize("key", ["target", "site"])
@pytest.mark.parametrize(
    "command", ["", "firebase deploy --only hosting:b", "npx firebase deploy --only functions,hosting:b"]
)
def test_of_several_sites_of_a_host_the_one_that_is_named_is_published(write: Write, key: str, command: str) -> None:
    action = "FirebaseExtended/action-hosting-deploy@v0"
    files = {WORKFLOW: RUNS.format(command=command)} if command else workflow(action, "target: b")
    two = f'{{"hosting": [{{"{key}": "a", "public": "admin"}}, {{"{key}": "b", "public": "out"}}]}}'
    assert found_in(write({**files, "firebase.json": two}))[0].folders == ("out",)
    scripts = f'{{"scripts": {{"up": "{command or "firebase deploy"}"}}}}'
    (by_hand,) = (each for each in found_in(write({"package.json": scripts, WORKFLOW: ""})) if each.script)
    assert by_hand.folders == (("out",) if command else ())


def test_the_script_of_docusaurus_own_template_publishes_only_a_site_for_github_pages(write: Write) -> None:
    script = '{"scripts": {"deploy": "docusaurus deploy"}}'
    assert found_in(write({"package.json": script, "docusaurus.config.js": "url: 'https://a.dev'"})) == []
    (found,) = found_in(write({"package.json": script, "docusaurus.config.js": "url: 'https://o.github.io'"}))
    assert found.publisher == "docusaurus deploy"


@pytest.mark.parametrize(("deployer", "is_published"), [("hexo-deployer-git", True), ("hexo-server", False)])
def test_the_script_of_hexo_s_own_template_publishes_only_by_a_program_that_is_there(
    write: Write, deployer: str, *, is_published: bool
) -> None:
    package = {"scripts": {"deploy": "hexo deploy"}, "dependencies": {"hexo": "7", deployer: "4"}}
    assert bool(found_in(write({"package.json": json.dumps(package)}))) == is_published


def test_what_copies_any_folder_is_no_site_in_a_script_either(write: Write) -> None:
    (found,) = found_in(write({"package.json": '{"scripts": {"up": "aws s3 sync icons s3://b"}}', "icons/a.png": ""}))
    assert found.copies


def test_of_the_targets_of_a_makefile_the_first_that_names_a_host_publishes(write: Write) -> None:
    makefile = "html:\n\tmake.py\nssh: html\n\tscp -r out me@a.dev:www\ngithub: html\n\tghp-import out\n"
    (found,) = found_in(write({"Makefile": makefile}))
    assert (found.publisher, found.folders, found.command) == ("ghp-import", ("out",), "make html")


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
    ("source", "output"),
    [("docs/source/conf.py", "docs/build/html"), ("docs/conf.py", "docs/_build/html"), ("mkdocs.yml", "site")],
)
def test_read_the_docs_builds_the_documentation_wherever_it_is_if_its_file_names_none(
    write: Write, source: str, output: str
) -> None:
    text = "site_name: a" if source == "mkdocs.yml" else "extensions = []"
    index = source.replace("conf.py", "index.rst")
    folder = write({".readthedocs.yaml": "version: 2", "setup.py": "", index: "A", source: text})
    (site,) = find_sites(folder)
    assert site.declared
    assert (site.declared.host, site.output) == ("read-the-docs", folder / output)
    write({".readthedocs.yaml": "version: 2\nbuild: {commands: [asdf install uv latest, make]}"})
    declared = find_sites(folder)[0].declared
    assert declared
    assert (declared.host, declared.command) == ("read-the-docs", "make")


@pytest.mark.parametrize(
    ("steps", "folder", "command"),
    [
        (
            "      - run: |\n          make\n          git add -A\n          git commit -m a\n          git push\n",
            ".",
            "make",
        ),
        ("      - run: make\n      - run: git add docs/ && git commit -m a && git push\n", "docs", "make"),
        ("      - run: make\n      - uses: stefanzweifel/git-auto-commit-action@v5\n", ".", "make"),
        ("      - run: make\n      - {uses: EndBug/add-and-commit@v9, with: {add: docs}}\n", "docs", "make"),
        ("      - run: make\n      - run: git add -A\n", None, ""),
        ("      - run: npm ci\n      - run: git add -A && git push\n", None, ""),
        ("      - run: make\n      - run: git add README.md *.svg && git push\n", None, ""),
        ("      - run: make && cd out && git init && git add . && git push\n", None, ""),
    ],
    ids=["all", "a folder", "an action", "an action's folder", "no push", "no build", "files", "another repository"],
)
def test_a_workflow_that_commits_what_it_has_built_fills_the_branch_and_publishes_nothing(
    write: Write, steps: str, folder: str | None, command: str
) -> None:
    project = ProjectFolder(write({WORKFLOW: f"on: push\njobs:\n  a:\n    steps:\n{steps}"}))
    found = [(each.folders, each.command) for each in filling(project, RunContext(), "")]
    assert found == ([((folder,), command)] if folder else [])
    assert [each for each in publications(project, RunContext()) if each.commits] == []


@pytest.mark.parametrize(
    ("message", "publisher"),
    [
        ("Built site for gh-pages", "quarto publish"),
        ("Deployed 1a2b3c4 with MkDocs version: 1.6.1", "mkdocs gh-deploy"),
        ("Deployed 1a2b3c4 to 1.0 with MkDocs 1.6.1 and mike 2.1.3", "mike deploy"),
        ("Deploy website - based on 1a2b3c4", "docusaurus deploy"),
        ("Add a post", None),
        ("", None),
    ],
)
def test_a_branch_that_a_command_fills_by_hand_is_known_by_the_message_of_its_commit(
    write: Write, message: str, publisher: str | None
) -> None:
    found = [each.publisher for each in filling(ProjectFolder(write({"a": ""})), RunContext(), message)]
    assert found == ([publisher] if publisher else [])


def test_a_key_that_only_gh_deploy_reads_shows_that_it_publishes(write: Write) -> None:
    (found,) = found_in(write({"mkdocs.yml": "site_name: a\nremote_branch: gh-pages\n"}))
    assert (found.publisher, found.builds, found.host) == ("mkdocs gh-deploy", True, "github-pages")
