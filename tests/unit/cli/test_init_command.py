"""`waypost init`: files that fit the site and its repository, and that never replace others."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from repositories import Repository
from source_folders import PAGE
from unit.cli.invoke import BASE, put
from unit.sample_sites import site

from waypost.cli import init_command
from waypost.cli.workflow import own_origin
from waypost.settings import load
from waypost.settings.schema import SETTINGS

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke

WORKFLOW = Path(".github/workflows/sitemap.yml")
HUGO = 'baseURL = "https://docs.waypost.dev/"\n'
DOCS = {"base_url": "https://docs.waypost.dev/"}


JOB = "on: push\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v7\n"


@pytest.mark.parametrize(
    ("files", "arguments", "settings", "said"),
    [
        ({}, (), {}, ["written: waypost.toml", "next: set base_url in waypost.toml"]),
        ({"waypost.toml": "gzip = true"}, (), {"gzip": True}, ["unchanged: waypost.toml exists already"]),
        (
            {"waypost.toml": ""},
            ("--base-url", "https://a.waypost.dev/"),
            {},
            ['waypost.toml was not given base_url = "https://a.waypost.dev/": set it there'],
        ),
        ({"CNAME": "docs.waypost.dev\n"}, (), DOCS, ["base_url is https://docs.waypost.dev/, by CNAME"]),
        ({"CNAME": "docs.waypost.dev\n"}, ("--base-url", "https://b.dev"), {"base_url": "https://b.dev/"}, []),
        ({"hugo.toml": HUGO}, (), DOCS, ["base_url is https://docs.waypost.dev/, by `baseURL` in hugo.toml"]),
        (
            {"hugo.toml": HUGO, "CNAME": "www.waypost.dev\n"},
            (),
            {},
            ["CNAME: https://www.waypost.dev/", "`baseURL` in hugo.toml: https://docs.waypost.dev/", "next: set base"],
        ),
    ],
)
def test_the_settings_have_the_base_url_that_is_given_or_that_all_files_name_and_replace_none(
    invoke: Invoke, files: dict[str, str], arguments: tuple[str, ...], settings: dict[str, object], said: list[str]
) -> None:
    put(files)
    result = invoke("init", *arguments)
    assert (result.exit_code, tomllib.loads(Path("waypost.toml").read_text())) == (0, settings)
    assert [line for line in said if line not in result.stderr] == []
    assert ("next: set base_url" in result.stderr) == ("base_url" not in settings and "waypost.toml" not in files)


@pytest.mark.parametrize("base_url", ["example.org", "ftp://example.org/"])
def test_what_is_not_a_base_url_is_refused_before_anything_is_written(invoke: Invoke, base_url: str) -> None:
    assert invoke("init", "--base-url", base_url).exit_code == 2
    assert list(Path().iterdir()) == []


SERVICE = ["publishes the site already, so no workflow was written", "pip install 'waypost @ git+https://github.com/"]
PUBLISHING = {
    "vercel.json": "{}",
    "wrangler.jsonc": '{"assets": {"directory": "public"}}',
    "firebase.json": '{"hosting": {"public": "public"}}',
}


@pytest.mark.parametrize(
    ("files", "said", "written"),
    [
        *(
            ({"hugo.toml": "", name: text}, [name, *SERVICE, "waypost build public --fetch-history"], None)
            for name, text in PUBLISHING.items()
        ),
        (
            {"netlify.toml": '[build]\ncommand = "make"\npublish = "dist"\n'},
            [
                ". is the source of a site that the project builds (netlify.toml: it publishes dist, which does",
                '&& waypost build dist --fetch-history"\n',
                "next: look at what would be listed: `make && waypost build dist --dry-run`",
            ],
            None,
        ),
        (
            {"hugo.toml": "", ".github/workflows/hugo.yml": f"{JOB}      - uses: peaceiris/actions-gh-pages@v4\n"},
            [
                ".github/workflows/hugo.yml publishes the site already; add this step before `peaceiris/actions-gh-pa",
                '- uses: {action}\n  with:\n    source: "public"\n',
            ],
            None,
        ),
        (
            {"hugo.toml": 'baseURL = "https://owner.github.io/"'},
            [
                ". is the source of a site that Hugo builds (hugo.toml: it is the configuration of Hugo)",
                "choose Pages, Source: GitHub Actions",
                "next: look at what would be listed: `hugo && waypost build public --dry-run`\n",
            ],
            ["- run: hugo\n", 'source: "public"'],
        ),
        (
            {"_config.yml": "theme: minima\n"},
            [". is the source of a site that GitHub Pages builds with Jekyll (_config.yml: "],
            ["commit: true"],
        ),
        ({"index.html": PAGE}, ["look whether the first such commit goes online"], ["commit: true"]),
    ],
)
def test_the_site_gets_the_workflow_that_it_needs_or_a_step_for_what_publishes_it(
    invoke: Invoke, files: dict[str, str], said: list[str], written: list[str] | None
) -> None:
    put(files)
    result = invoke("init")
    assert result.exit_code == 0
    action = own_origin().action
    assert [line for line in said if line.replace("{action}", action) not in result.stderr] == []
    assert ("next: set `source`" in result.stderr) == ("pyproject.toml" in files)
    assert WORKFLOW.exists() == (written is not None)
    if written:
        text = WORKFLOW.read_text()
        assert [line for line in written if line not in text] == []
        assert ("commit:" in text) == ("commit: true" in written)


EDITED = """\
on: push
jobs:
  a:
    steps:
      - uses: actions/checkout@v7
{with_depth}      - run: hugo
      # Everything below publishes.
{step}      - name: Publish
        uses: peaceiris/actions-gh-pages@v4
        with: {{publish_dir: public}}
"""
STEP = '      - uses: {action}\n        with:\n          source: "public"\n'
DEEP = "        with:\n          fetch-depth: 0\n"


def test_with_write_the_step_is_put_into_the_workflow_that_publishes_and_only_once(invoke: Invoke) -> None:
    own = EDITED.format(with_depth="", step="")
    put({"hugo.toml": HUGO, WORKFLOW.with_name("a.yml").as_posix(): own})
    assert "`waypost init --write` adds it" in invoke("init", "--dry-run").stderr
    assert not Path("waypost.toml").exists()
    would = invoke("init", "--write", "--dry-run").stderr
    assert WORKFLOW.with_name("a.yml").read_text() == own
    invoke("init", "--write")
    step = STEP.format(action=own_origin().action)
    # The comment above the step that publishes stays with it.
    comment = "      # Everything below publishes.\n"
    expected = EDITED.replace(f"{comment}{{step}}", f"{{step}}{comment}")
    edited = WORKFLOW.with_name("a.yml").read_text()
    assert edited == expected.format(with_depth=DEEP, step=step)
    assert edited in would
    assert "has the step already" in invoke("init", "--write").stderr
    assert WORKFLOW.with_name("a.yml").read_text() == edited
    assert not WORKFLOW.exists()


def test_the_step_has_the_condition_of_the_one_that_publishes(invoke: Invoke) -> None:
    publishing = "      - if: ${{ github.event_name == 'push' }}\n        uses: peaceiris/actions-gh-pages@v4\n"
    publishing += "        with: {publish_dir: public}\n"
    own = "on: [push, pull_request]\njobs:\n  publish:\n    runs-on: ubuntu-latest\n    steps:\n"
    own += "      - uses: actions/checkout@v7\n        with: {fetch-depth: 0}\n      - run: hugo\n"
    put({"hugo.toml": HUGO, WORKFLOW.with_name("a.yml").as_posix(): own + publishing})
    invoke("init", "--write")
    added = WORKFLOW.with_name("a.yml").read_text().removeprefix(own).removesuffix(publishing)
    assert added.splitlines()[1] == "        if: \"${{ github.event_name == 'push' }}\""


def test_the_source_of_an_action_that_publishes_is_no_step_that_is_there_already(invoke: Invoke) -> None:
    own = f'{JOB}      - run: hugo\n      - uses: a/storage-deploy@v1\n        with:\n          source: "public"\n'
    put({"hugo.toml": HUGO, WORKFLOW.with_name("a.yml").as_posix(): own})
    assert "add this step before `a/storage-deploy@v1`" in invoke("init", "--dry-run").stderr
    command = own.replace("hugo\n", "hugo && waypost build public\n")
    put({WORKFLOW.with_name("a.yml").as_posix(): command})
    assert "has the step already" in invoke("init", "--dry-run").stderr


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (
            "- run: mkdocs gh-deploy --force",
            ["by `mkdocs gh-deploy`, which builds it, too", "`plugins: [search, waypost]`", "(`pip install"],
        ),
        (
            "- run: uv run mkdocs gh-deploy",
            ["there, with Python 3.11 or newer, and wherever else the site is built (`uv pip install"],
        ),
        (
            "- run: poetry run mkdocs gh-deploy",
            ["wherever else the site is built (`poetry run pip install"],
        ),
        (
            "- run: mike deploy --push 1.0 latest",
            ["by `mike deploy`", "add `waypost` to `plugins` in mkdocs.yml"],
        ),
        ("- run: mkdocs build && ghp-import -p site", ["add this before `ghp-import -p site`", "waypost build site"]),
        ("- run: npm run deploy", ["in the script that it runs, add this before `gh-pages -d site`"]),
        ("- uses: Azure/static-web-apps-deploy@v1", ["which builds it, too: no step can come"]),
        ("- run: vercel --prod", ["its host builds it; write there, beside what it has:", "sh sitemaps.sh"]),
    ],
)
def test_a_second_publication_is_never_written(invoke: Invoke, step: str, said: list[str]) -> None:
    scripts = '{"scripts": {"predeploy": "mkdocs build", "deploy": "gh-pages -d site"}}'
    files = {"mkdocs.yml": "site_name: a", "package.json": scripts}
    put({**files, WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      {step}\n"})
    stderr = invoke("init", "--write").stderr
    assert [text for text in said if text not in stderr] == []
    assert [path.name for path in WORKFLOW.parent.iterdir()] == ["a.yml"]


@pytest.mark.parametrize(
    "package",
    [
        '{"dependencies": {"next": "16"}}',
        '{"dependencies": {"astro": "5", "@astrojs/node": "9"}}',
        '{"dependencies": {"@sveltejs/kit": "2", "@sveltejs/adapter-node": "5"}}',
        '{"dependencies": {"nuxt": "4"}, "scripts": {"build": "nuxt build"}}',
        '{"dependencies": {"@remix-run/dev": "2", "@remix-run/serve": "2"}}',
    ],
    ids=["Next", "Astro", "SvelteKit", "Nuxt", "Remix"],
)
def test_a_site_with_a_server_is_never_published_as_files_alone(invoke: Invoke, package: str) -> None:
    put({"package.json": package})
    stderr = invoke("init").stderr
    assert "its server renders pages, so no workflow was written" in stderr
    assert "waypost build " in stderr
    assert not WORKFLOW.exists()


def test_a_folder_that_does_not_exist_is_no_new_site(invoke: Invoke) -> None:
    assert invoke("init", "nosuch").exit_code != 0
    assert list(Path().iterdir()) == []


def test_what_is_committed_as_built_gets_the_workflow_that_commits(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    files = {"angular.json": '{"a": {"outputPath": "dist/a"}}', "package.json": "{}", "docs/index.html": PAGE}
    repository.commit({**files}, when=1_700_000_000)
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    invoke("init")
    assert 'source: "docs"' in WORKFLOW.read_text()
    assert tomllib.loads(Path("waypost.toml").read_text())["base_url"] == "https://owner.github.io/repo/"


def test_what_was_built_here_and_git_ignores_is_built_by_the_workflow(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    hugo = 'baseURL = "https://owner.github.io/"'
    files = {"hugo.toml": hugo, ".gitignore": "public/\n", "content/a.md": "a"}
    repository.commit({**files}, when=1_700_000_000)
    put({"public/index.html": PAGE})
    invoke("init")
    assert "- run: hugo\n" in WORKFLOW.read_text()


def test_a_second_run_prints_the_step_only_if_the_workflow_has_none_for_the_site(invoke: Invoke) -> None:
    put({"a/index.html": PAGE, "b/index.html": PAGE})
    invoke("init", "a")
    put({"a/.github/workflows/sitemap.yml": "on: push"})
    shown = invoke("init", "a").stderr
    assert "it has no step for .; where that site is built and published, add:" in shown
    Path("a/.github/workflows/sitemap.yml").unlink()
    assert "it has no step" not in invoke("init", "a").stderr + invoke("init", "a").stderr


def test_the_workflow_is_at_the_root_of_the_repository_for_the_branch_that_origin_shows(
    repository: Repository, invoke: Invoke
) -> None:
    folder = repository.folder / "docs" / "public"
    repository.write({".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n", "docs/public/a.txt": ""})
    assert invoke("init", str(folder)).exit_code == 0
    text = (repository.folder / WORKFLOW).read_text()
    assert ('branches: ["trunk"]' in text, "docs/public" in text) == (True, True)
    assert ((folder / "waypost.toml").exists(), (folder / WORKFLOW).exists()) == (True, False)


@pytest.mark.parametrize(
    ("project", "build", "output"),
    [("", "mkdocs build", "site"), ("my site", "cd 'my site' && mkdocs build", "'my site/site'")],
)
def test_a_repository_on_gitlab_gets_a_pipeline_that_builds_lists_and_publishes_the_site(
    repository: Repository, invoke: Invoke, project: str, build: str, output: str
) -> None:
    repository.git("remote", "add", "origin", "git@gitlab.com:owner/name.git")
    repository.write({str(Path(project) / "mkdocs.yml"): "site_name: A\n"})
    invoke("init", str(repository.folder / project))
    pipeline = yaml.safe_load((repository.folder / ".gitlab-ci.yml").read_text())["pages"]
    commands = [each for each in pipeline["script"] if "apt-get" not in each]
    package = f"pip install --break-system-packages '{own_origin().package}'"
    assert commands[-4:] == [build, package, f"waypost build {output}", f"mv {output} public"]
    assert commands[0].endswith("pip install mkdocs")
    assert pipeline["artifacts"] == {"paths": ["public"]}
    assert not (repository.folder / WORKFLOW).exists()


def test_the_pipeline_of_a_repository_on_gitlab_is_never_replaced(repository: Repository, invoke: Invoke) -> None:
    repository.git("remote", "add", "origin", "https://gitlab.example.org/owner/name")
    repository.write({"index.html": PAGE, ".gitlab-ci.yml": "pages: {}\n"})
    shown = invoke("init", str(repository.folder)).stderr
    assert "&& waypost build ." in shown
    assert (repository.folder / ".gitlab-ci.yml").read_text() == "pages: {}\n"


def test_a_name_that_github_would_evaluate_gets_into_no_workflow(repository: Repository, invoke: Invoke) -> None:
    repository.write({"${{ github.token }}/mkdocs.yml": "site_name: a"})
    result = invoke("init", str(repository.folder / "${{ github.token }}"))
    assert (result.exit_code, (repository.folder / WORKFLOW).exists()) == (3, False)
    assert "give the folder another name" in result.stderr


def test_of_a_repository_with_several_sites_one_must_be_named(invoke: Invoke) -> None:
    put({"apps/a/hugo.toml": "", "apps/b/hugo.toml": ""})
    result = invoke("init")
    assert (result.exit_code, Path("waypost.toml").exists()) == (3, False)
    assert "`waypost init apps/a`, `waypost init apps/b`" in result.stderr


def test_the_second_site_of_a_repository_gets_a_step_and_commands_to_type_here(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write({"a/mkdocs.yml": "site_name: a", "b c/mkdocs.yml": "site_name: b"})
    for name in ("a", "b c"):
        repository.write({f"{name}/waypost.toml": 'host = "github-pages"\n'})
    monkeypatch.chdir(repository.folder)
    first = invoke("init", "a").stderr
    assert "(cd a && mkdocs build) && waypost build a/site --config a/waypost.toml --dry-run" in first
    assert "also install the packages of the theme" in first
    second = invoke("init", "b c").stderr
    assert 'source: "b c/site"' in second
    assert "(cd 'b c' && mkdocs build) && waypost build 'b c/site' --config 'b c/waypost.toml' --dry-run" in second
    assert "it has no step" not in invoke("init", "a").stderr


def test_the_settings_file_as_written_has_only_the_base_url() -> None:
    assert tomllib.loads(init_command.settings_file(None).decode()) == {}
    text = init_command.settings_file(BASE).decode()
    assert tomllib.loads(text) == {"base_url": BASE}
    file = load.parse_toml(text, "waypost.toml")
    assert file
    assert load.check_settings([file]) == site(BASE)


def test_the_settings_file_explains_every_setting_with_an_example_that_is_toml_in_lines_of_a_screen() -> None:
    lines = init_command.settings_file(None).decode().splitlines()
    for setting in SETTINGS:
        (line,) = (line for line in lines if line.startswith(f"# {setting.name} = "))
        assert setting.name in tomllib.loads(line.removeprefix("# "))
    assert max(len(line) for line in lines if " = " not in line) <= 120


def test_two_base_urls_that_a_build_would_ask_about_are_both_shown_and_neither_is_written(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    links = "".join(f'<a href="/other/{name}.html">x</a>' for name in "abcdef")
    pages = {f"docs/{name}.html": f"{PAGE}{links}" for name in ("index", *"abcdef")}
    repository.commit({"README.md": "", **pages}, when=1_700_000_000)
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    stderr = invoke("init").stderr
    assert "the name of the repository owner/repo on GitHub: https://owner.github.io/repo/" in stderr
    assert "the links of the pages: https://owner.github.io/other/" in stderr
    assert "base_url" not in tomllib.loads(Path("waypost.toml").read_text())


def test_a_base_url_that_only_people_are_told_is_shown_and_not_written(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    files = {"index.html": PAGE, "netlify.toml": "", "README.md": "<https://bigtool.example-site.dev/a>"}
    repository.commit({**files}, when=1_700_000_000)
    repository.git("remote", "add", "origin", "https://github.com/owner/big-tool.git")
    assert "README.md: https://bigtool.example-site.dev/" in invoke("init").stderr
    assert "base_url" not in tomllib.loads(Path("waypost.toml").read_text())


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        ({"hugo.toml": HUGO}, True),
        ({"hugo.toml": "", "CNAME": "docs.waypost.dev"}, True),
        ({"hugo.toml": HUGO, "waypost.toml": 'host = "github-pages"'}, False),
        ({"_config.yml": "", "Gemfile": 'gem "jekyll"', "CNAME": "docs.waypost.dev"}, False),
        ({"README.md": "", "docs/_config.yml": "", "docs/Gemfile": 'gem "jekyll"', "docs/CNAME": "docs.a.dev"}, False),
        ({"hugo.toml": 'baseURL = "https://owner.github.io/"'}, False),
    ],
    ids=[
        *("a domain of its own", "CNAME beside a source", "the setting", "CNAME beside Jekyll's pages", "in docs"),
        "a domain of GitHub Pages",
    ],
)
def test_a_workflow_that_publishes_on_github_pages_is_written_only_if_something_shows_that_host(
    invoke: Invoke, files: dict[str, str], *, is_told: bool
) -> None:
    put(files)
    shown = "GitHub Pages" in invoke("recognise").stdout
    stderr = invoke("init").stderr
    assert ("nothing shows which host publishes the site, so no workflow was written" in stderr) == is_told
    again = 'if it is GitHub Pages: set host = "github-pages" in waypost.toml; then `waypost init` writes the workflow'
    assert (again in stderr, WORKFLOW.exists()) == (is_told, not is_told)
    assert ("  hugo && python3 -m venv" in stderr) == is_told
    assert not (shown and is_told)


@pytest.mark.parametrize(
    ("base", "offered", "is_warned"),
    [("/repo/9.x/", "https://owner.github.io/repo/9.x/", True), ("/repo/", "https://owner.github.io/repo/", False)],
)
def test_the_base_url_that_is_offered_has_the_path_for_which_the_site_is_built(
    repository: Repository,
    invoke: Invoke,
    monkeypatch: pytest.MonkeyPatch,
    base: str,
    offered: str,
    *,
    is_warned: bool,
) -> None:
    monkeypatch.chdir(repository.folder)
    repository.write({"docs/.vitepress/config.mts": f"export default defineConfig({{\n  base: '{base}',\n}})\n"})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    stderr = invoke("init", "--dry-run").stderr
    assert f"`waypost init --base-url {offered}` writes the workflow" in stderr
    assert ("but GitHub Pages serves it at https://owner.github.io/repo/" in stderr) == is_warned


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"pyproject.toml": ""}, []),
        ({"README.md": "", "Makefile": "up:\n\trsync -r _site/ a.dev:www\n"}, ["from `_site` (Makefile)"]),
        ({"README.md": "", "a/index.html": PAGE, "b/index.html": PAGE}, ["a home page is in `a`, `b`"]),
        ({"README.md": "", "example/hugo.toml": ""}, ["the source of a site is in `example` (Hugo)"]),
    ],
)
def test_where_nothing_shows_the_site_nothing_is_written_and_the_folders_that_may_be_it_are_named(
    invoke: Invoke, files: dict[str, str], said: list[str]
) -> None:
    put(files)
    result = invoke("init")
    assert (result.exit_code, WORKFLOW.exists()) == (3, False)
    assert all(each in result.stderr for each in ["shows where its site is", *said])


def test_a_branch_that_another_one_fills_is_told_of(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    repository.commit({"index.html": PAGE}, when=1_700_000_000)
    assert "takes the sitemaps away again" not in invoke("init", "--dry-run").stderr
    repository.git("checkout", "-q", "-b", "gh-pages")
    assert "if a workflow of another branch fills gh-pages, it takes the sitemaps away" in invoke("init").stderr


def test_what_a_command_builds_and_publishes_is_not_listed_from_what_was_committed_before(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    workflow = f"{JOB}      - run: mike deploy --push 1.0\n"
    files = {"mkdocs.yml": "site_name: a", "site/index.html": PAGE, ".github/workflows/a.yml": workflow}
    repository.commit({**files}, when=1_700_000_000)
    stderr = invoke("init").stderr
    assert "by `mike deploy`, which builds it, too" in stderr
    assert "add `waypost` to `plugins` in mkdocs.yml" in stderr


def test_the_workflow_of_the_default_branch_goes_before_those_of_other_branches(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    step = "      - run: mkdocs build\n      - run: ghp-import -p site\n"
    preview = JOB.replace("on: push", 'on: {push: {branches: ["feat/**"]}}')
    files = {"mkdocs.yml": "site_name: a", ".github/workflows/a.yml": preview + step}
    repository.commit({**files, ".github/workflows/b.yml": JOB + step}, when=1_700_000_000)
    assert ".github/workflows/b.yml publishes the site already" in invoke("init", "--dry-run").stderr
    (repository.folder / ".github/workflows/b.yml").unlink()
    assert ".github/workflows/a.yml publishes the site already" in invoke("init", "--dry-run").stderr


def test_read_the_docs_gets_its_jobs_alone_or_the_extension(invoke: Invoke) -> None:
    sphinx = {"docs/conf.py": 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n', "docs/index.rst": ""}
    put({**sphinx, "README.md": "", ".readthedocs.yaml": "version: 2\nsphinx: {configuration: docs/conf.py}\n"})
    stderr = invoke("init").stderr
    assert 'beside what it has:\nbuild:\n  os: ubuntu-24.04\n  tools: {python: "3.13"}\n  jobs:\n' in stderr
    assert '`"waypost.sphinx"` to `extensions` in conf.py' in stderr


def test_read_the_docs_gets_only_what_its_file_has_not(invoke: Invoke) -> None:
    put({"docs/conf.py": 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n', "docs/index.rst": "", "README.md": ""})
    file = "version: 2\nsphinx: {configuration: docs/conf.py}\n"
    put({".readthedocs.yaml": f'{file}build:\n  os: ubuntu-24.04\n  tools: {{python: "3.12"}}\n'})
    stderr = invoke("init", "--dry-run").stderr
    assert "beside what it has:\nbuild:\n  jobs:\n" in stderr
    assert "\nwhere `tools` has Python 3.11 or newer\n" in stderr
    put({".readthedocs.yaml": f'{file}build:\n    os: ubuntu-24.04\n    tools:\n        python: "3.12"\n'})
    assert "beside what it has:\nbuild:\n  jobs:\n" in invoke("init", "--dry-run").stderr
    put({".readthedocs.yaml": f"{file}python:\n  version: 3.7\n"})
    stderr = invoke("init", "--dry-run").stderr
    assert "  tools: " in stderr
    assert "\nin the place of `python.version`, which Read the Docs refuses beside it\n" in stderr


def test_an_upload_and_a_python_that_are_too_old_for_the_lines_are_told_of(invoke: Invoke) -> None:
    steps = "      - uses: withastro/action@v5\n      - uses: actions/deploy-pages@{}\n"
    workflow = WORKFLOW.with_name("a.yml").as_posix()
    told = "and let `actions/deploy-pages` be v4 or newer"
    for version, is_told in (("v2", True), ("v4.0.5", False), (f"{'a' * 40} # v3.0.1", True), ("v10", False)):
        put({"astro.config.mjs": "", workflow: JOB + steps.format(version)})
        assert (told in invoke("init", "--dry-run").stderr) == is_told
    put({"netlify.toml": '[build]\npublish = "dist"\n', workflow: "", "runtime.txt": "3.8"})
    assert "and let runtime.txt name Python 3.11 or newer" in invoke("init", "--dry-run").stderr


def test_netlify_gets_the_command_where_what_is_published_is_built(invoke: Invoke) -> None:
    put({"README.md": "", "hugo.toml": "", "netlify.toml": '[build]\npublish = "public"\ncommand = "a"\n'})
    assert '[build]\ncommand = "a && python3' in invoke("init", "--dry-run").stderr
    with Path("netlify.toml").open("a") as file:
        file.write('[context.production]\ncommand = "b"\n')
    assert '[context.production]\ncommand = "b && ' in invoke("init", "--dry-run").stderr
    put({"netlify.toml": '[build]\ncommand = "a"\n'})
    assert '[build]\npublish = "public"\ncommand = "a && python3' in invoke("init", "--dry-run").stderr


def test_a_script_that_deploys_in_the_folder_of_a_site_gets_the_command_there(invoke: Invoke) -> None:
    put({"README.md": "", "docs/astro.config.mjs": "", "docs/wrangler.toml": 'pages_build_output_dir = "./dist"'})
    put({"docs/package.json": '{"scripts": {"deploy": "astro build && wrangler pages deploy"}}'})
    stderr = invoke("init", "--dry-run").stderr
    assert "the script `deploy` in docs/package.json publishes the site already; add this there, or in wh" in stderr
    assert "\nbefore `wrangler pages deploy` (with Python 3.11 or newer):\n" in stderr
    assert "waypost build dist --config ../waypost.toml\n" in stderr


@pytest.mark.parametrize(
    ("config", "run", "is_told"),
    [
        ("export default {}", "npx vitepress build docs", True),
        ("export default { base: '/repo/' }", "npx vitepress build docs", False),
        ("export default { base: process.env.BASE }", "npx vitepress build docs", False),
        ("export default {}", "npx vitepress build docs --base /repo/", False),
    ],
)
def test_a_base_url_by_the_name_alone_is_questioned_if_the_site_is_built_for_a_root(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, config: str, run: str, *, is_told: bool
) -> None:
    monkeypatch.chdir(repository.folder)
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    step = f"      - run: {run}\n      - run: npx gh-pages -d docs/.vitepress/dist\n"
    repository.commit({"docs/.vitepress/config.js": config, ".github/workflows/a.yml": JOB + step}, when=1_700_000_000)
    stderr = invoke("init", "--dry-run").stderr
    assert "base_url is https://owner.github.io/repo/, by the name" in stderr
    told = "next: check base_url: docs/.vitepress/config.js does not say that the site is below /repo/\n"
    assert (told in stderr) == is_told


def test_an_action_that_builds_says_how_the_extension_is_installed(invoke: Invoke) -> None:
    put({"docs/conf.py": 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n', "docs/index.rst": "", "README.md": ""})
    put({".github/workflows/a.yml": f"{JOB}      - uses: sphinx-notes/pages@v3\n"})
    assert "install Waypost there, in the file of its input `requirements_path`" in invoke("init", "--dry-run").stderr


def test_of_two_folders_that_one_source_becomes_the_first_gets_the_step_and_the_other_is_named(invoke: Invoke) -> None:
    put({"README.md": "", "hugo.toml": 'baseURL = "https://a.dev/"\n'})
    step = "      - run: hugo -d {0}\n      - run: npx gh-pages -d {0}\n"
    put({".github/workflows/a.yml": JOB + step.format("one"), ".github/workflows/b.yml": JOB + step.format("two")})
    stderr = invoke("init", "--dry-run").stderr
    assert ".github/workflows/b.yml publishes two, too; this is for one\n" in stderr
    assert "waypost build one" in stderr


def test_an_application_s_routes_and_a_sitemap_that_is_replaced_are_told_of(invoke: Invoke) -> None:
    put({"package.json": '{"dependencies": {"react-scripts": "5"}}'})
    assert "its routes are no files: list them by the setting `urls`" in invoke("init", "--dry-run").stderr
    Path("package.json").unlink()
    put({"index.html": PAGE, "sitemap.xml": "<urlset/>"})
    assert "the first run replaces sitemap.xml, which another program or a person wrote" in invoke("init").stderr


def test_the_only_folder_with_a_home_page_is_proposed(invoke: Invoke) -> None:
    put({"README.md": "", "pub/index.html": PAGE, "other/a.html": PAGE})
    assert "a home page is in `pub`" in invoke("build", "--dry-run").stderr
    invoke("init")
    assert 'source: "pub"' in WORKFLOW.read_text()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("- uses: quarto-dev/quarto-actions/publish@v2", ["`with: {render: false}`", "- run: mkdocs build"]),
        (
            "- run: npm ci && npx docusaurus deploy",
            [
                "only publish (`--skip-build`), and add before it, in the script that has `npx docusaurus deploy`:",
                "\nmkdocs build && python3 -m venv",
            ],
        ),
    ],
)
def test_what_can_publish_alone_is_told_to_and_the_build_comes_before_it(
    invoke: Invoke, step: str, said: list[str]
) -> None:
    files = {"antora-playbook.yml": "content:\n  sources: []\nui:\n  bundle: x\n"}
    put({**files, WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      {step}\n"})
    stderr = invoke("init").stderr
    assert [text for text in said if text.replace("mkdocs build", "npx antora antora-playbook.yml") not in stderr] == []


def test_a_base_url_that_the_settings_have_already_is_not_asked_for(invoke: Invoke) -> None:
    put({"index.html": PAGE, "waypost.toml": 'base_url = "https://a.waypost.dev/"\n'})
    assert "was not given" not in invoke("init", "--base-url", "https://a.waypost.dev/").stderr
    assert "was not given base_url" in invoke("init", "--base-url", "https://b.waypost.dev/").stderr


def test_the_history_of_the_site_s_own_checkout_is_deepened_and_not_that_of_a_theme(invoke: Invoke) -> None:
    theme = "      - uses: actions/checkout@v7\n        with:\n          repository: a/theme\n          path: theme\n"
    put({"mkdocs.yml": "site_name: a"})
    put(
        {
            WORKFLOW.with_name(
                "a.yml"
            ).as_posix(): f"{JOB}{theme}      - run: mkdocs build\n      - run: ghp-import -p site\n"
        }
    )
    invoke("init", "--write")
    first, second, *_ = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["a"]["steps"]
    assert (first["with"], second["with"]) == ({"fetch-depth": 0}, {"repository": "a/theme", "path": "theme"})


def test_what_an_action_in_a_container_has_built_is_made_writable_before(invoke: Invoke) -> None:
    steps = "      - uses: actions/jekyll-build-pages@v1\n      - uses: actions/upload-pages-artifact@v5\n"
    put({"_config.yml": "theme: minima\n", "index.md": "---\n---\n# A\n"})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}{steps}  b: {{steps: [{{uses: actions/deploy-pages@v5}}]}}\n"})
    invoke("init", "--write")
    written = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["a"]["steps"]
    assert [each.get("run", each.get("uses", "")).partition("@")[0] for each in written[1:]] == [
        "actions/jekyll-build-pages",
        'sudo chown -R "$USER" _site',
        own_origin().action.partition("@")[0],
        "actions/upload-pages-artifact",
    ]


def test_a_step_that_commits_no_new_files_must_add_them_too(invoke: Invoke) -> None:
    put({"docs/index.html": "<!DOCTYPE html><title>A</title>", "docs/.nojekyll": "", "Makefile": ""})
    commit = "uses: EndBug/add-and-commit@v10, with: {add: -u docs}"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - run: make docs\n      - {{{commit}}}\n"})
    stderr = invoke("init").stderr
    assert "a.yml commits the site already; add this step before `EndBug/add-and-commit@v10` in a:" in stderr
    assert "let it add files that are new, too" in stderr
    assert "--write" not in stderr


def test_a_branch_that_is_pushed_instead_keeps_the_domain_of_the_site(invoke: Invoke) -> None:
    put({"config.toml": 'base_url = "https://a.dev/"\ncompile_sass = true\n', "content/_index.md": ""})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - uses: someone/zola-deploy-gh-pages@v1\n"})
    stderr = invoke("init").stderr
    assert "by `someone/zola-deploy-gh-pages`, which builds it, too" in stderr
    assert "- run: pip install ghp-import && ghp-import --push --no-jekyll --cname a.dev public\n" in stderr
    assert "gh release download --repo getzola/zola" in stderr
    assert '  env: {GH_TOKEN: "${{ github.token }}"}\n' in stderr


def test_an_action_that_can_only_build_is_told_so_and_the_branch_is_pushed_after_the_sitemaps(invoke: Invoke) -> None:
    put({"config.toml": 'base_url = "https://a.dev/"\ncompile_sass = true\n', "content/_index.md": ""})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - uses: shalzz/zola-deploy-action@v0.19\n"})
    said = invoke("init").stderr.partition("let it\n")[2].splitlines()
    assert said[0] == "only build (`env: {BUILD_ONLY: true}`), and add after it:"
    assert [line.split(":")[0] for line in said[1:6]] == ["- run", "- uses", "  with", "    source", "- run"]
    assert said[1].startswith('- run: sudo chown -R "$USER" public')
    push = "- run: pip install ghp-import && ghp-import --push --no-jekyll --cname a.dev"
    assert said[5] == f"{push} public"
    text = WORKFLOW.with_name("a.yml").read_text()
    for branch, option in (("master", " --branch master"), ("gh-pages", ""), ('"x: y # a"', "")):
        put({WORKFLOW.with_name("a.yml").as_posix(): f"{text}        env: {{PAGES_BRANCH: {branch}}}\n"})
        assert f"\n{push}{option} public\n" in invoke("init", "--dry-run").stderr


UPLOADED = """on: push
jobs:
  build:
    steps:
      - uses: actions/checkout@v7
      - run: make -C docs
      - uses: actions/upload-artifact@v5
        with: {name: site, path: docs/build/site}
  deploy:
    steps:
      - uses: actions/download-artifact@v5
        with: {name: site, path: _site}
      - uses: actions/upload-pages-artifact@v5
      - uses: actions/deploy-pages@v5
"""


def test_a_site_that_one_job_hands_to_another_gets_its_sitemaps_where_it_is_built(invoke: Invoke) -> None:
    put({"docs/antora-playbook.yml": "content:\n  sources: []\nui:\n  bundle: x\n", "README.md": ""})
    put({WORKFLOW.with_name("a.yml").as_posix(): UPLOADED})
    stderr = invoke("init", "--write").stderr
    assert "docs is the source of a site that Antora builds" in stderr
    (_, _, step, upload) = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["build"]["steps"]
    assert step["with"]["source"] == upload["with"]["path"]


@pytest.mark.parametrize(
    ("upload", "download", "publish", "is_followed"),
    [
        ("name: site, path: site", "path: out", "npm i -g surge && surge out/site a.surge.sh", True),
        ("path: site", "name: artifact", "surge . a.surge.sh", True),
        ("name: site, path: site", "name: site, path: out", "make out && surge out a.surge.sh", False),
        ("name: other, path: site", "name: site, path: out", "surge out a.surge.sh", False),
        ('name: site, path: "site\\nlist"', "name: site, path: out", "surge out a.surge.sh", False),
    ],
    ids=["all artifacts", "the usual name", "built there, too", "another artifact", "several paths"],
)
def test_an_artifact_is_followed_by_its_name_to_a_job_that_only_publishes_it(
    invoke: Invoke, upload: str, download: str, publish: str, *, is_followed: bool
) -> None:
    put({"mkdocs.yml": "site_name: A\n"})
    jobs = f"""{JOB}      - run: mkdocs build
      - {{name: Keep, uses: actions/upload-artifact@v5, with: {{{upload}}}}}
  b:
    steps:
      - {{uses: actions/download-artifact@v5, with: {{{download}}}}}
      - run: {publish}
"""
    put({WORKFLOW.with_name("a.yml").as_posix(): jobs})
    assert ("add this step before `Keep` in a:" in invoke("init", "--dry-run").stderr) == is_followed


def test_an_artifact_of_an_action_in_the_repository_is_followed_to_that_action(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\n"})
    keep = "{name: Keep, uses: actions/upload-artifact@v5, with: {path: site}}"
    put({"b/action.yml": f"runs:\n  using: composite\n  steps:\n    - {{run: mkdocs build}}\n    - {keep}\n"})
    deploy = "  c:\n    steps:\n      - uses: actions/download-artifact@v5\n      - run: surge artifact a.surge.sh\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - uses: ./b\n{deploy}"})
    assert "b/action.yml publishes the site already; add this step before `Keep` in runs" in invoke("init", "-n").stderr


def test_a_job_without_a_checkout_is_edited_by_hand(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\n"})
    job = JOB.replace("actions/checkout@v7", "actions/setup-node@v7")
    upload = "      - uses: actions/upload-pages-artifact@v5\n        with: {path: site}\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{job}{upload}      - uses: actions/deploy-pages@v5\n"})
    stderr = invoke("init", "--write").stderr
    assert "and begin that job with a checkout" in stderr
    assert "nothing was written in .github/workflows/a.yml: add it yourself" in stderr


def test_an_answer_may_name_a_folder_that_is_not_built_yet(invoke: Invoke) -> None:
    put({"README.md": "", "Package.swift": "", ".gitignore": "/site\n"})
    sync = "      - run: swift run Docs\n      - name: Up\n        run: aws s3 sync ./site s3://docs --delete\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}{sync}"})
    Repository(Path()).commit({}, 1_700_000_000)
    assert "may be published from `site` (.github/workflows/a.yml)" in invoke("init", "--dry-run").stderr
    assert "build the site first: `swift run Docs`" in invoke("build", "site").stderr
    for state in ("does not exist", "is built"):
        stderr = invoke("init", "site", "--dry-run").stderr
        assert "would be written: waypost.toml\n" in stderr, state
        assert "add this step before `Up` in a:\n" in stderr, state
        put({"site/index.html": PAGE})
    assert "Directory 'other' does not exist." in invoke("init", "other").stderr


def test_the_settings_of_a_site_whose_output_is_named_are_beside_its_source(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    put({"hugo.toml": 'baseURL = "https://a.dev/"\n', "content/a.md": "", ".gitignore": "/public\n"})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - run: hugo\n      - run: surge public a.surge.sh\n"})
    Repository(Path()).commit({}, 1_700_000_000)
    monkeypatch.chdir("content")
    assert "would be written: ../waypost.toml\n" in invoke("init", "../public", "--dry-run").stderr


def test_a_branch_that_something_unknown_fills_is_not_published_a_second_time(invoke: Invoke) -> None:
    put({"hugo.toml": 'baseURL = "https://o.github.io/a/"\n'})
    repository = Repository(Path())
    commit = repository.commit({}, 1_700_000_000)
    assert "name: Pages" in invoke("init", "--dry-run").stderr
    repository.git("update-ref", "refs/remotes/origin/gh-pages", commit)
    stderr = invoke("init").stderr
    assert "origin/gh-pages has a site, and nothing here shows what fills it, so no workflow was written\n" in stderr
    assert "  hugo && python3 -m venv" in stderr
    assert not WORKFLOW.exists()


@pytest.mark.parametrize("generate", ["", "      - run: npx hexo generate\n"])
def test_a_program_that_publishes_what_it_has_built_gets_the_build_before(invoke: Invoke, generate: str) -> None:
    hexo = {"hexo": "7", "hexo-deployer-git": "4"}
    put({"_config.yml": "", "package.json": json.dumps({"dependencies": hexo, "scripts": {"deploy": "hexo deploy"}})})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}{generate}      - run: npm run deploy\n"})
    said = invoke("init", "--dry-run").stderr.partition("add this before `hexo deploy`:\n")[2]
    assert said.startswith("python3 -m venv" if generate else "npx hexo generate && python3 -m venv")


def test_a_host_s_command_keeps_all_that_it_installs(invoke: Invoke) -> None:
    netlify = '[build]\ncommand = "npm ci && npm run build"\npublish = "dist"\n'
    put({"astro.config.mjs": "", "package.json": '{"scripts": {"build": "astro build"}}', "netlify.toml": netlify})
    assert 'command = "npm ci && npm run build && python3 -m venv' in invoke("init").stderr


def test_a_job_without_a_checkout_is_told_to_begin_with_one(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\nsite_url: https://a.dev/\n"})
    job = JOB.replace("      - uses: actions/checkout@v7\n", "      - uses: actions/download-artifact@v4\n")
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{job}      - run: ghp-import -p site\n"})
    assert "and begin that job with a checkout, whose history has the dates" in invoke("init").stderr


def test_what_publishes_commits_gets_the_sitemaps_as_a_commit(invoke: Invoke) -> None:
    put({"out/index.html": "<!DOCTYPE html><title>A</title>", "README.md": ""})
    push = "git subtree push --prefix out origin gh-pages"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - run: {push}\n"})
    assert "`permissions: {contents: write}`" in invoke("init", "--dry-run").stderr
    invoke("init", "--write")
    (_, step, _) = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["a"]["steps"]
    assert step["with"] == {"source": "out", "commit": True}


def test_a_server_s_pages_are_listed_in_the_workflow_that_publishes_them(invoke: Invoke) -> None:
    astro = "export default { output: 'server', adapter: node() }"
    put({"astro.config.mjs": astro, "package.json": '{"dependencies": {"astro": "5", "@astrojs/node": "9"}}'})
    steps = "      - run: npx astro build\n      - run: npx wrangler pages deploy dist/client\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): JOB + steps})
    stderr = invoke("init").stderr
    assert "add this step before `npx wrangler pages deploy dist/client` in a:" in stderr
    assert "node list-routes.js | waypost build dist/client" in stderr


def test_an_action_that_publishes_elsewhere_is_not_replaced_by_a_branch_for_github_pages(invoke: Invoke) -> None:
    put({"hugo.toml": HUGO})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - uses: someone/deploy-hugo-to-s3@v1\n"})
    stderr = invoke("init").stderr
    assert "- run: waypost build public\nand publish public by a step that does not build it\n" in stderr
    assert "ghp-import" not in stderr


def test_the_lines_of_a_server_read_the_settings_that_are_written(invoke: Invoke) -> None:
    put({"README.md": "", "site/next.config.js": "", "site/package.json": '{"dependencies": {"next": "16"}}'})
    stderr = invoke("init").stderr
    assert "waypost build site/.next/server/app --output site/public --fetch-history" in stderr
    assert "--base-url" not in stderr


def test_other_workflows_that_publish_the_same_folder_are_named(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\nsite_url: https://a.dev/\n"})
    steps = "      - run: mkdocs build\n      - run: ghp-import -p site\n"
    for name in ("a.yml", "b.yml"):
        put({WORKFLOW.with_name(name).as_posix(): JOB + steps})
    assert "next: .github/workflows/b.yml publishes site, too: add the same to it" in invoke("init").stderr


def test_another_host_of_the_same_folder_is_named_and_the_base_url_is_asked_for(
    invoke: Invoke, repository: Repository
) -> None:
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    put({"mkdocs.yml": "site_name: A\n"})
    for name, publish in (("a.yml", "rsync -a site/ me@host:www"), ("b.yml", "npx gh-pages -d site")):
        put({WORKFLOW.with_name(name).as_posix(): f"{JOB}      - run: mkdocs build\n      - run: {publish}\n"})
    stderr = invoke("init").stderr
    assert "next: .github/workflows/b.yml publishes site, too: elsewhere, perhaps with another base URL" in stderr
    assert "next: set base_url in waypost.toml" in stderr


def test_a_site_that_another_host_publishes_as_it_is_gets_no_word_of_github_pages(invoke: Invoke) -> None:
    put({"README.md": "", "website/index.html": "<!DOCTYPE html><title>A</title>"})
    said = "where GitHub Pages publishes a branch"
    assert said in invoke("init", "--dry-run").stderr
    put({"website/netlify.toml": '[build]\npublish = "."\n'})
    assert said not in invoke("init", "--dry-run").stderr


@pytest.mark.parametrize(
    ("name", "step", "is_named"),
    [
        ("publish.yml", "{name: Build, run: npm run build}", True),
        ("images.yaml", "{name: Build, uses: borales/actions-yarn@v5, with: {cmd: build}}", True),
        ("publish.yml", "{name: Build, run: npx astro build --outDir other}", False),
        ("publish.yml", "{name: Build, run: npx astro check}", False),
        ("latest.yml", "{name: Build, run: npm run build}", True),
        ("publish.yml", "{name: Build, run: npm run build, if: github.event_name == 'pull_request'}", False),
        ("check-links.yml", "{name: Build, run: npm run build}", False),
        ("CI.yml", "{name: Build, run: npm run build}", False),
    ],
)
def test_a_workflow_that_builds_a_site_may_publish_it_in_a_way_that_is_not_known(
    invoke: Invoke, name: str, step: str, *, is_named: bool
) -> None:
    put({"astro.config.mjs": "", "package.json": '{"scripts": {"build": "cross-env A=1 astro build"}}'})
    push = "{run: tar -C dist -cf - . | curl -X PUT https://a.dev --data-binary @-}"
    put({WORKFLOW.with_name(name).as_posix(): f"{JOB}      - {step}\n      - {push}\n"})
    stderr = invoke("init", "--dry-run").stderr
    said = f"if .github/workflows/{name} publishes it, which builds it: add this step after `Build`:\n- uses: "
    assert (said in stderr) == is_named
    assert "if another host publishes it" in stderr


def test_the_workflow_that_is_named_for_a_publication_comes_before_another_that_builds(invoke: Invoke) -> None:
    put({"hugo.toml": 'baseURL = "https://a.dev/"\n'})
    for name in ("a.yml", "deploy-site.yml"):
        put({WORKFLOW.with_name(name).as_posix(): f"{JOB}      - run: hugo --minify\n"})
    found = [line for line in invoke("init", "--dry-run").stderr.splitlines() if line.startswith("if .github")]
    assert [line.split()[1] for line in found] == [".github/workflows/deploy-site.yml", ".github/workflows/a.yml"]


def test_of_several_sites_the_one_in_the_folder_that_is_named_is_meant(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\n", "web/hugo.toml": HUGO})
    for name, folder in (("a.yml", "site"), ("b.yml", "web/public")):
        put({WORKFLOW.with_name(name).as_posix(): f"{JOB}      - run: npx gh-pages -d {folder}\n"})
    assert "has several sites, so nothing was written; name one of them: `waypost init .`" in invoke("init").stderr
    assert "a.yml publishes the site already" in invoke("init", ".", "--dry-run").stderr
    action = "      - uses: peaceiris/actions-gh-pages@v4\n        with: {publish_dir: lite/dist}\n"
    put({WORKFLOW.with_name("c.yml").as_posix(): f"{JOB}{action}"})
    stderr = invoke("init", ".", "--dry-run").stderr
    assert "c.yml publishes lite/dist, too; this is for site" in stderr
    assert "a.yml publishes the site already" in stderr


def test_where_jekyll_would_publish_the_settings_it_is_said(invoke: Invoke) -> None:
    put({"_config.yml": "", "index.md": "# A"})
    assert "Jekyll publishes waypost.toml, too, unless `exclude` in _config.yml has it" in invoke("init").stderr
    put({"web/mkdocs.yml": "site_name: A\n"})
    assert "Jekyll publishes" not in invoke("init", "web").stderr


def test_vercel_builds_by_its_own_script(invoke: Invoke) -> None:
    scripts = '{"scripts": {"build": "astro build", "vercel-build": "make all"}}'
    put({"astro.config.mjs": "", "package.json": scripts, "vercel.json": '{"outputDirectory": "dist"}'})
    assert '"buildCommand": "npm run vercel-build && sh sitemaps.sh"' in invoke("init").stderr


def test_where_no_step_uploads_what_is_deployed_the_owner_is_told_so(invoke: Invoke) -> None:
    put({"mkdocs.yml": "site_name: A\nsite_url: https://a.dev/\n"})
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - uses: actions/deploy-pages@v5\n"})
    stderr = invoke("init").stderr
    assert "but no step was found that uploads it; add this step before that one:\n- uses: " in stderr
    assert "--write" not in stderr


@pytest.mark.parametrize("sitemap", [True, False])
def test_what_a_build_refuses_gets_no_workflow_and_the_same_question(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, *, sitemap: bool
) -> None:
    monkeypatch.chdir(repository.folder)
    names = ["index.html", "b.html", *(f"page-{number}.html" for number in range(40))]
    listed = "".join(f"<url><loc>https://a.waypost.dev/{name}</loc></url>" for name in names)
    hidden = PAGE.replace("</title>", '</title><meta name="robots" content="noindex">')
    xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'
    files = {"CNAME": "a.waypost.dev", **dict.fromkeys(names, hidden if sitemap else PAGE), "b.html": PAGE}
    repository.commit({**files, **({"sitemap.xml": xml} if sitemap else {})}, when=1_700_000_000)
    build, result = invoke("build", "--dry-run"), invoke("init")
    assert result.exit_code == build.exit_code == (8 if sitemap else 0)
    assert ("would no longer be listed" in result.stderr) == sitemap
    assert (WORKFLOW.exists(), Path("waypost.toml").exists()) == (not sitemap, not sitemap)


def test_a_branch_that_a_command_fills_by_hand_gets_the_step_before_it(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.folder)
    files = {"_quarto.yml": "project:\n  type: website\n", "index.qmd": "a", "_site/index.html": PAGE}
    repository.commit({**files}, when=1_700_000_000)
    assert "committed" not in invoke("init", "--dry-run").stdout
    repository.git("commit", "-q", "--allow-empty", "-m", "Built site for gh-pages")
    repository.git("update-ref", "refs/remotes/origin/gh-pages", "HEAD")
    stderr = invoke("init").stderr
    assert "origin/gh-pages publishes the site already by `quarto publish`, which builds it, too" in stderr
    assert "only publish (`--no-render`), and add before it:\nquarto render && " in stderr
    assert not WORKFLOW.exists()


@pytest.mark.parametrize("files", [{"index.html": PAGE}, {"README.md": "", "docs/index.html": PAGE}])
def test_a_workflow_that_commits_the_site_gets_the_step_before_its_commit(
    invoke: Invoke, files: dict[str, str]
) -> None:
    put(files)
    commit = "      - name: Commit\n        run: |\n          git config user.name a\n          git add -A\n"
    text = f"{JOB}      - run: bin/publish\n{commit}          git commit -m a\n          git push\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): text})
    assert "a.yml commits the site already; add this step before `Commit` in a" in invoke("init", "--dry-run").stderr
    invoke("init", "--write")
    steps = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["a"]["steps"]
    assert [each.get("uses", each.get("name", "")).partition("@")[0] for each in steps[2:]] == [
        own_origin().action.partition("@")[0],
        "Commit",
    ]
    assert not WORKFLOW.exists()


def test_a_pipeline_of_gitlab_that_publishes_a_committed_folder_gets_the_lines(invoke: Invoke) -> None:
    put({"README.md": "", "docs/index.html": PAGE})
    put({".gitlab-ci.yml": "pages:\n  script: [echo a]\n  artifacts: {paths: [docs]}\n  publish: docs\n"})
    stderr = invoke("init").stderr
    assert ".gitlab-ci.yml publishes the site already, so no workflow was written" in stderr
    assert "waypost build docs" in stderr
    assert not WORKFLOW.exists()


def test_read_the_docs_with_commands_of_its_own_gets_lines_after_them(invoke: Invoke) -> None:
    sphinx = {"docs/conf.py": 'project = "P"\nextensions = ["sphinx.ext.autodoc"]\n', "docs/index.rst": ""}
    commands = "version: 2\nbuild:\n  commands:\n    - sphinx-build docs $READTHEDOCS_OUTPUT/html\n"
    put({**sphinx, "README.md": "", ".readthedocs.yaml": commands})
    stderr = invoke("init").stderr
    assert (
        ".readthedocs.yaml publishes the site already; add these after its `build.commands`:\n    - git fetch" in stderr
    )
    assert '    - waypost build "$READTHEDOCS_OUTPUT/html" --base-url "$READTHEDOCS_CANONICAL_URL"\n' in stderr
    assert "post_build" not in stderr


def test_packages_are_installed_in_the_folder_of_the_site(invoke: Invoke) -> None:
    put({"website/docusaurus.config.js": "", "website/package.json": "{}", "website/pnpm-lock.yaml": ""})
    azure = "Azure/static-web-apps-deploy@v1, with: {app_location: website, output_location: build}"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}      - {{uses: {azure}}}\n"})
    assert "- run: (cd website && corepack enable && pnpm install --frozen-lockfile)" in invoke("init").stderr


@pytest.mark.parametrize("job", ["", "website"])
def test_a_job_that_publishes_by_a_program_has_it_and_builds_where_that_is_run(invoke: Invoke, job: str) -> None:
    put({"website/docusaurus.config.js": "", "website/package.json": "{}"})
    start = JOB.replace("    steps:\n", f"    defaults: {{run: {{working-directory: ./{job}}}}}\n    steps:\n")
    command = "npx docusaurus deploy" if job else "cd website && npx docusaurus deploy"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{start}      - run: {command}\n"})
    stderr = invoke("init").stderr
    assert "\nnpx docusaurus build && python3" in stderr
    assert "&& waypost build build --config ../waypost.toml" in stderr
    assert "npm install" not in stderr


def test_a_command_in_a_script_begins_where_the_script_is(invoke: Invoke) -> None:
    put({"web/docusaurus.config.js": "", "web/package.json": "{}"})
    step = "      - working-directory: web\n        run: |\n          npm run build\n          npx gh-pages -d build\n"
    put({WORKFLOW.with_name("a.yml").as_posix(): f"{JOB}{step}"})
    assert "&& waypost build build --config ../waypost.toml\n" in invoke("init", "--dry-run").stderr
    invoke("init", "--write")
    (_, written) = yaml.safe_load(WORKFLOW.with_name("a.yml").read_text())["jobs"]["a"]["steps"]
    assert written["run"].splitlines()[1].endswith("&& waypost build build --config ../waypost.toml")
