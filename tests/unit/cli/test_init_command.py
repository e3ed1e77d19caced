"""`waypost init`: files that fit the site and its repository, and that never replace others."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml
from source_folders import PAGE

if TYPE_CHECKING:
    from repositories import Repository
    from unit.cli.invoke import Invoke

from unit.cli.invoke import BASE
from unit.sample_sites import site

from waypost.cli import init_command
from waypost.cli.workflow import own_origin
from waypost.settings import load
from waypost.settings.schema import SETTINGS

WORKFLOW = Path(".github/workflows/sitemap.yml")


def settings() -> dict[str, object]:
    return tomllib.loads(Path("waypost.toml").read_text())


def test_without_a_base_url_the_next_step_is_to_set_it(invoke: Invoke) -> None:
    result = invoke("init")
    assert result.exit_code == 0
    assert (settings(), WORKFLOW.exists()) == ({}, True)
    assert "next: set base_url in waypost.toml" in result.stderr


def test_the_base_url_is_that_of_a_cname_file_unless_it_is_given(invoke: Invoke) -> None:
    Path("CNAME").write_text("www.example.org\n")
    shown = invoke("init").stderr
    assert "base_url is https://www.example.org/, by CNAME" in shown
    assert "next: set base_url" not in shown
    assert settings() == {"base_url": "https://www.example.org/"}
    Path("waypost.toml").unlink()
    invoke("init", "--base-url", "https://example.com")
    assert settings() == {"base_url": "https://example.com/"}


def test_existing_files_are_left_unchanged(invoke: Invoke) -> None:
    Path("waypost.toml").write_text("gzip = true")
    result = invoke("init")
    assert (result.exit_code, settings()) == (0, {"gzip": True})
    assert "unchanged: waypost.toml exists already" in result.stderr


def test_the_base_url_is_what_the_generator_s_configuration_names(invoke: Invoke) -> None:
    Path("hugo.toml").write_text('baseURL = "https://docs.waypost.dev/"\n')
    assert "base_url is https://docs.waypost.dev/, by `baseURL` in hugo.toml" in invoke("init").stderr
    assert settings() == {"base_url": "https://docs.waypost.dev/"}


def test_base_urls_that_disagree_are_all_shown_and_none_is_written(invoke: Invoke) -> None:
    Path("hugo.toml").write_text('baseURL = "https://docs.waypost.dev/"\n')
    Path("CNAME").write_text("www.waypost.dev\n")
    shown = invoke("init").stderr
    assert "CNAME: https://www.waypost.dev/" in shown
    assert "`baseURL` in hugo.toml: https://docs.waypost.dev/" in shown
    assert settings() == {}


def test_a_second_run_says_what_it_did_not_change(invoke: Invoke) -> None:
    invoke("init")
    shown = invoke("init", "--base-url", "https://a.waypost.dev/").stderr
    assert 'waypost.toml was not given base_url = "https://a.waypost.dev/": set it there' in shown


def test_the_workflow_is_for_the_branch_that_origin_shows_by_default(repository: Repository, invoke: Invoke) -> None:
    repository.write({"index.html": PAGE, ".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/trunk\n"})
    invoke("init", str(repository.folder))
    assert 'branches: ["trunk"]' in (repository.folder / WORKFLOW).read_text()


@pytest.mark.parametrize("name", ["netlify.toml", "vercel.json", "wrangler.jsonc", "firebase.json"])
def test_a_site_that_a_service_publishes_already_gets_the_command_for_its_build(invoke: Invoke, name: str) -> None:
    Path("hugo.toml").write_text("")
    Path(name).write_text("{}" if name.endswith("json") else "")
    shown = invoke("init").stderr
    assert f"{name} publishes the site already, so no workflow was written" in shown
    assert "&& waypost build public" in shown
    assert "pip install 'waypost @ git+https://github.com/" in shown
    assert not WORKFLOW.exists()


def test_a_repository_on_gitlab_gets_a_pipeline_that_builds_lists_and_publishes_the_site(
    repository: Repository, invoke: Invoke
) -> None:
    repository.git("remote", "add", "origin", "git@gitlab.com:owner/name.git")
    repository.write({"mkdocs.yml": "site_name: A\n"})
    invoke("init", str(repository.folder))
    pipeline = yaml.safe_load((repository.folder / ".gitlab-ci.yml").read_text())["pages"]
    assert [each for each in pipeline["script"] if "apt-get" not in each] == [
        "pip install mkdocs",
        "mkdocs build",
        f"pip install --break-system-packages '{own_origin().package}'",
        "waypost build site",
        "mv site public",
    ]
    assert pipeline["artifacts"] == {"paths": ["public"]}
    assert not (repository.folder / WORKFLOW).exists()


def test_the_pipeline_of_a_repository_on_gitlab_is_never_replaced(repository: Repository, invoke: Invoke) -> None:
    repository.git("remote", "add", "origin", "https://gitlab.example.org/owner/name")
    repository.write({"index.html": PAGE, ".gitlab-ci.yml": "pages: {}\n"})
    shown = invoke("init", str(repository.folder)).stderr
    assert "&& waypost build ." in shown
    assert (repository.folder / ".gitlab-ci.yml").read_text() == "pages: {}\n"


def test_a_name_that_github_would_evaluate_gets_into_no_workflow(repository: Repository, invoke: Invoke) -> None:
    folder = repository.folder / "${{ github.token }}"
    folder.mkdir()
    (folder / "mkdocs.yml").write_text("site_name: a")
    result = invoke("init", str(folder))
    assert (result.exit_code, (repository.folder / WORKFLOW).exists()) == (3, False)
    assert "give the folder another name" in result.stderr


def test_the_last_line_is_the_command_that_shows_what_would_be_listed(invoke: Invoke) -> None:
    Path("hugo.toml").write_text("")
    assert invoke("init").stderr.splitlines()[-1].endswith("`hugo && waypost build public --dry-run`")


@pytest.mark.parametrize("base_url", ["example.org", "ftp://example.org/"])
def test_what_is_not_a_base_url_is_refused_before_anything_is_written(invoke: Invoke, base_url: str) -> None:
    assert invoke("init", "--base-url", base_url).exit_code == 2
    assert list(Path().iterdir()) == []


def test_the_workflow_is_at_the_root_of_the_repository_and_names_the_folder(
    repository: Repository, invoke: Invoke
) -> None:
    folder = repository.folder / "docs" / "public"
    folder.mkdir(parents=True)
    assert invoke("init", str(folder)).exit_code == 0
    assert (folder / "waypost.toml").exists()
    assert "docs/public" in (repository.folder / WORKFLOW).read_text()
    assert not (folder / WORKFLOW).exists()


def test_a_source_gets_a_workflow_that_builds_the_site(invoke: Invoke) -> None:
    Path("hugo.toml").write_text("")
    result = invoke("init")
    assert result.exit_code == 0
    assert ". is the source of a site that Hugo builds (hugo.toml: it is the configuration of Hugo)" in result.stderr
    assert "choose Pages, Source: GitHub Actions" in result.stderr
    text = WORKFLOW.read_text()
    assert "- run: hugo\n" in text
    assert 'source: "public"' in text
    assert "commit" not in text.replace("commits", "")


def test_a_source_that_a_workflow_publishes_already_gets_the_step_to_add_to_it(invoke: Invoke) -> None:
    Path("hugo.toml").write_text("")
    Path(".github/workflows").mkdir(parents=True)
    Path(".github/workflows/hugo.yml").write_text("- uses: actions/deploy-pages@v4\n")
    result = invoke("init")
    assert ".github/workflows/hugo.yml publishes the site already; add this step to it" in result.stderr
    assert f'- uses: {own_origin().action}\n  with:\n    source: "public"\n' in result.stderr
    assert not WORKFLOW.exists()


def test_a_jekyll_source_that_github_pages_builds_gets_a_workflow_that_commits(invoke: Invoke) -> None:
    Path("_config.yml").write_text("theme: minima\n")
    result = invoke("init")
    assert ". is the source of a site that GitHub Pages builds with Jekyll (_config.yml: " in result.stderr
    assert "commit: true" in WORKFLOW.read_text()


def test_a_site_that_is_declared_and_not_built_gets_the_step_for_its_folder(invoke: Invoke) -> None:
    Path("netlify.toml").write_text('[build]\ncommand = "make"\npublish = "dist"\n')
    shown = invoke("init").stderr
    assert ". is the source of a site that the project builds (netlify.toml: it publishes dist, which does" in shown
    assert "&& waypost build dist\n" in shown
    assert "next: look at what would be listed: `make && waypost build dist --dry-run`" in shown
    assert not WORKFLOW.exists()


def test_in_a_project_without_a_known_site_the_next_step_is_to_name_its_folder(invoke: Invoke) -> None:
    Path("pyproject.toml").write_text("")
    result = invoke("init")
    assert f"next: set `source` in {WORKFLOW} to the folder that is published" in result.stderr
    assert 'source: "."' not in WORKFLOW.read_text()


def test_the_settings_file_as_written_has_only_the_base_url() -> None:
    assert tomllib.loads(init_command.settings_file(BASE).decode()) == {"base_url": BASE}
    assert tomllib.loads(init_command.settings_file(None).decode()) == {}
    file = load.parse_toml(init_command.settings_file(BASE).decode(), "waypost.toml")
    assert file
    assert load.check_settings([file]) == site(BASE)


def test_the_settings_file_explains_every_setting_with_an_example_that_is_toml() -> None:
    lines = init_command.settings_file(None).decode().splitlines()
    for setting in SETTINGS:
        (line,) = (line for line in lines if line.startswith(f"# {setting.name} = "))
        assert setting.name in tomllib.loads(line.removeprefix("# "))


def test_no_line_of_a_comment_is_longer_than_a_screen_is_wide() -> None:
    lines = init_command.settings_file(None).decode().splitlines()
    assert max(len(line) for line in lines if " = " not in line) <= 120


def test_of_a_repository_with_several_sites_one_must_be_named(invoke: Invoke) -> None:
    for name in ("apps/a", "apps/b"):
        Path(name).mkdir(parents=True)
        (Path(name) / "hugo.toml").touch()
    result = invoke("init")
    assert result.exit_code == 3
    assert "`waypost init apps/a`, `waypost init apps/b`" in result.stderr
    assert not Path("waypost.toml").exists()


def test_a_pipeline_builds_in_the_project_s_folder_whatever_its_name(repository: Repository, invoke: Invoke) -> None:
    repository.git("remote", "add", "origin", "git@gitlab.com:owner/name.git")
    repository.write({"my site/mkdocs.yml": "site_name: A\n"})
    invoke("init", str(repository.folder / "my site"))
    script = yaml.safe_load((repository.folder / ".gitlab-ci.yml").read_text())["pages"]["script"]
    assert "cd 'my site' && mkdocs build" in script
    assert "waypost build 'my site/site'" in script


def test_the_second_site_of_a_repository_gets_a_step_and_commands_to_type_here(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write({"a/mkdocs.yml": "site_name: a", "b c/mkdocs.yml": "site_name: b"})
    monkeypatch.chdir(repository.folder)
    first = invoke("init", "a").stderr
    assert "(cd a && mkdocs build) && waypost build a/site --config a/waypost.toml --dry-run" in first
    assert "also install the packages of the theme" in first
    second = invoke("init", "b c").stderr
    assert 'source: "b c/site"' in second
    assert "(cd 'b c' && mkdocs build) && waypost build 'b c/site' --config 'b c/waypost.toml' --dry-run" in second
    assert "it has no step" not in invoke("init", "a").stderr


def test_a_site_that_is_committed_is_told_when_github_publishes_the_commit(
    repository: Repository, invoke: Invoke
) -> None:
    repository.write({"index.html": PAGE})
    assert "goes online with your next push" in invoke("init", str(repository.folder)).stderr
