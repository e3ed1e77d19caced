"""A run for which neither the folder nor the base URL is named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.core.errors import ConfigurationError, SourceError
from waypost.git import Repositories
from waypost.project.recognition import Recognition, of_site
from waypost.project.site_folder import find_sites
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Files, Write

PAGE = "<!doctype html><html><title>A</title>"
CANONICAL = "<!doctype html><html><title>A</title><link rel=canonical href='https://a.dev/'>"


@pytest.fixture(autouse=True)
def _no_runner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)


def job_in(here: Path, source: Path | None = None, **values: object) -> Job:
    """The run in a working folder."""
    return prepare(source, ConfigSource("test", {"lastmod": "none", **values}), working_folder=here)


def error_in(here: Path, source: Path | None = None, **values: object) -> str:
    """The message with which a run in a working folder stops."""
    with pytest.raises((SourceError, ConfigurationError)) as caught:
        job_in(here, source, **values)
    return str(caught.value).replace(f"{here}/", "")


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"README.md": "", "docs/index.html": CANONICAL, "docs/CNAME": "a.dev"}, "docs"),
        ({"index.html": CANONICAL, "docs/index.html": PAGE}, "."),
        ({"hugo.toml": "", "public/index.html": CANONICAL}, "public"),
        ({"package.json": "{}", "dist/index.html": CANONICAL}, "dist"),
        ({"_config.yml": "url: https://a.dev\n", "index.md": "---\n---\n"}, "."),
        ({"_config.yml": "", "Gemfile": "gem 'jekyll'", "docs/index.html": CANONICAL}, "docs"),
        ({"zola.toml": "base_url = 'https://a.dev'", "content/a.md": "", "docs/index.html": CANONICAL}, "docs"),
    ],
    ids=["docs", "the root", "an output", "dist", "a Jekyll source", "what Jekyll made", "a committed output"],
)
def test_the_folder_and_the_base_url_are_recognised(write: Write, files: Files, source: str) -> None:
    here = write(files)
    job = job_in(here)
    assert (job.paths.source, job.site.base_url) == (here / source, "https://a.dev/")
    parts = {each.name: each.value for each in job.recognised}
    assert parts["base URL"] == "https://a.dev/"
    assert parts.get("folder", ".") == source
    assert job.plan().pages


def test_a_setting_decides_whatever_the_site_names(write: Write) -> None:
    here = write({"index.html": CANONICAL, "CNAME": "b.dev", "waypost.toml": 'base_url = "https://c.dev/"\n'})
    job = job_in(here)
    assert (job.site.base_url, [each.name for each in job.recognised]) == ("https://c.dev/", ["host"])
    assert job_in(here, base_url="https://d.dev/").site.base_url == "https://d.dev/"


def test_base_urls_that_disagree_stop_the_run_and_are_both_shown(write: Write) -> None:
    found = error_in(write({"index.html": CANONICAL, "CNAME": "b.dev"}))
    assert "https://a.dev/ (the canonical link of index.html)" in found
    assert "https://b.dev/ (CNAME)" in found


def test_without_any_evidence_the_base_url_is_asked_for(write: Write) -> None:
    assert "base_url: it is missing" in error_in(write({"index.html": PAGE}))


def test_the_repository_names_the_base_url_of_a_site_without_a_domain(repository: Repository) -> None:
    repository.write({"index.html": PAGE})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert job_in(repository.folder).site.base_url == "https://owner.github.io/repo/"


def test_a_url_of_the_project_s_configuration_with_the_repository_s_name_is_named_where_it_is_asked_for(
    repository: Repository,
) -> None:
    config = 'const address = "https://www.bigtool.example-site.dev";\nexport default { title: "A" }\n'
    repository.write({".vitepress/config.mjs": config, "index.md": "# A", "vercel.json": "{}"})
    repository.write({".vitepress/dist/index.html": PAGE})
    repository.git("remote", "add", "origin", "https://github.com/owner/big-tool.git")
    assert ".vitepress/config.mjs says https://www.bigtool.example-site.dev/," in error_in(repository.folder)


@pytest.mark.parametrize("name", ["netlify.toml", "_redirects", "vercel.json"])
def test_the_repository_names_no_base_url_of_a_site_on_another_host(repository: Repository, name: str) -> None:
    repository.write({"index.html": PAGE, name: "{}" if name.endswith("json") else ""})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert "base_url: it is missing" in error_in(repository.folder)


@pytest.mark.parametrize(
    ("config", "asked"),
    [
        ("title: A\n", "base_url: it is missing"),
        ("url: https://owner.github.io\n", "`url` in _config.yml says https://owner.github.io/, which nothing else"),
    ],
)
def test_a_source_that_a_script_sends_to_a_server_has_no_base_url_on_github_pages(
    repository: Repository, config: str, asked: str
) -> None:
    makefile = "deploy:\n\tbundle exec jekyll build\n\trsync -r _site/ me@a.example:www\n"
    repository.write({"_config.yml": config, "index.md": "# A", "Makefile": makefile})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert asked in error_in(repository.folder)


@pytest.mark.parametrize(
    ("origin", "readme", "told"),
    [
        (
            "owner/big-tool",
            "See <https://bigtool.example-site.dev/a>.",
            "README.md says https://bigtool.example-site.dev/,",
        ),
        ("owner/big-tool.dev-site", "See <https://www.big-tool.dev>", "README.md says https://www.big-tool.dev/,"),
        (
            "owner/big-tool-website",
            "See <https://bigtool.example-site.dev>",
            "README.md says https://bigtool.example-site.dev/",
        ),
        ("owner/big-tool.dev-site", "See <https://big-tool.dev>", "README.md says https://big-tool.dev/,"),
        ("owner/tools.gitlab.io", "", "the name of the repository says https://tools.gitlab.io/,"),
        ("owner/big-tool", "See <https://big-tool.readthedocs.io>.", "it is missing"),
        (
            "owner/big-tool",
            "See <https://owner.github.io/big-tool/a>.",
            "README.md says https://owner.github.io/big-to",
        ),
        ("owner/tools.github.io", "", "it is missing"),
    ],
)
def test_a_base_url_that_only_people_are_told_is_named_where_it_is_asked_for(
    repository: Repository, origin: str, readme: str, told: str
) -> None:
    repository.write({"index.html": PAGE, "netlify.toml": "", "README.md": readme})
    repository.git("remote", "add", "origin", f"https://github.com/{origin}.git")
    assert told in error_in(repository.folder)


@pytest.mark.parametrize(
    ("files", "is_named"),
    [
        ({"public/index.html": PAGE}, False),
        ({"docs/index.html": PAGE}, True),
        ({"public/index.html": PAGE, "package.json": '{"scripts": {"deploy": "gh-pages -d public"}}'}, True),
        (
            {"dist/index.html": PAGE, ".github/workflows/a.yml": "steps:\n  - uses: peaceiris/actions-gh-pages@v4\n"},
            True,
        ),
    ],
    ids=["public", "docs", "a script that deploys", "a workflow that deploys"],
)
def test_the_repository_names_the_base_url_only_of_a_folder_that_github_pages_may_publish(
    repository: Repository, files: Files, *, is_named: bool
) -> None:
    repository.write({"README.md": "", **files})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    if is_named:
        assert job_in(repository.folder).site.base_url == "https://owner.github.io/repo/"
    else:
        assert "base_url: it is missing" in error_in(repository.folder)


def test_a_branch_gh_pages_of_origin_shows_that_github_pages_publishes_the_site(repository: Repository) -> None:
    repository.commit({"README.md": "", "public/index.html": PAGE}, 1_770_000_000)
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    repository.git("update-ref", "refs/remotes/origin/gh-pages", "HEAD")
    assert job_in(repository.folder).site.base_url == "https://owner.github.io/repo/"
    repository.git("pack-refs", "--all")
    assert job_in(repository.folder).site.base_url == "https://owner.github.io/repo/"


@pytest.mark.parametrize(
    ("files", "published", "expected"),
    [
        ({}, "www.a.dev", ["https://www.a.dev/"]),
        ({"_data/site.json": '{\n  "url": "https://a.dev"\n}'}, "www.a.dev", ["https://a.dev/", "https://www.a.dev/"]),
        ({"_data/site.json": '{\n  "url": "https://www.a.dev/b"\n}'}, "www.a.dev", ["https://www.a.dev/b/"]),
        ({"assets/root/CNAME": "www.b.dev"}, "www.a.dev", ["https://www.a.dev/"]),
        ({"assets/root/CNAME": "www.b.dev"}, "", ["https://www.b.dev/"]),
        ({"a/CNAME": "www.b.dev", "b/CNAME": "www.c.dev"}, "", ["https://owner.github.io/repo/"]),
        ({"examples/CNAME": "www.b.dev"}, "", ["https://owner.github.io/repo/"]),
        ({"old/public/CNAME": "www.b.dev", "old/book.toml": "[book]"}, "", ["https://owner.github.io/repo/"]),
    ],
)
def test_a_site_that_must_be_built_has_the_domain_of_the_published_branch_or_the_only_one_that_git_tracks(
    repository: Repository, files: Files, published: str, expected: list[str]
) -> None:
    repository.commit({"CNAME": published} if published else {"a": ""}, 1_770_000_000)
    repository.git("update-ref", "refs/remotes/origin/gh-pages", "HEAD")
    repository.git("rm", "-q", "CNAME" if published else "a")
    repository.commit({".eleventy.js": "", "package.json": "{}", **files}, 1_770_000_001)
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    (site,) = find_sites(repository.folder)
    seen = of_site(site, repository.folder, Repositories(repository.folder))
    assert [each.base_url for each in seen.base_urls] == expected


def test_the_page_at_the_root_of_a_generator_s_source_is_not_the_published_one(repository: Repository) -> None:
    source = PAGE + '<script type="module" src="/src/main.ts"></script>'
    vite = {"vite.config.ts": "", "package.json": "{}", "index.html": source, "dist/index.html": PAGE}
    workflow = "on: push\njobs: {a: {steps: [{uses: peaceiris/actions-gh-pages@v4, with: {publish_dir: dist}}]}}"
    repository.write({**vite, ".github/workflows/a.yml": workflow})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert job_in(repository.folder).site.base_url == "https://owner.github.io/repo/"


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ("{publish_dir: dist, destination_dir: v1}", "https://owner.github.io/repo/v1/"),
        ("{publish_dir: dist, external_repository: owner/docs}", "https://owner.github.io/docs/"),
    ],
)
def test_a_workflow_names_the_place_on_github_pages_whatever_page_is_at_the_root(
    repository: Repository, inputs: str, expected: str
) -> None:
    workflow = f"on: push\njobs: {{a: {{steps: [{{uses: peaceiris/actions-gh-pages@v4, with: {inputs}}}]}}}}"
    repository.write({"index.html": PAGE, "dist/index.html": PAGE, ".github/workflows/a.yml": workflow})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert job_in(repository.folder).site.base_url == expected


def test_a_cname_at_the_root_of_the_repository_is_for_the_site_in_docs(write: Write) -> None:
    here = write({"README.md": "", "CNAME": "www.a.dev", "docs/index.html": PAGE})
    assert job_in(here).site.base_url == "https://www.a.dev/"


def test_of_a_domain_that_a_workflow_s_deployment_ignores_and_the_repository_s_place_the_owner_must_say_which_is_right(
    repository: Repository,
) -> None:
    workflow = "jobs: {a: {steps: [{uses: actions/deploy-pages@v5}]}}"
    repository.write({"index.html": PAGE, "CNAME": "www.a.dev", ".github/workflows/a.yml": workflow})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    said = error_in(repository.folder)
    assert "the site names https://www.a.dev/ (CNAME, which GitHub Pages ignores where a workflow deploys) and" in said
    assert "https://owner.github.io/repo/ (the name of the repository owner/repo on GitHub)" in said


@pytest.mark.parametrize(
    "files", [{"README.md": "See https://www.a.dev/."}, {"package.json": '{"homepage": "https://www.a.dev/"}'}]
)
def test_a_domain_that_a_workflow_s_deployment_ignores_is_right_if_people_are_told_it(
    repository: Repository, files: Files
) -> None:
    workflow = "jobs: {a: {steps: [{uses: actions/deploy-pages@v5}]}}"
    repository.write({"index.html": PAGE, "CNAME": "www.a.dev", ".github/workflows/a.yml": workflow, **files})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert job_in(repository.folder).site.base_url == "https://www.a.dev/"


def test_the_runner_names_the_repository(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/owner.github.io")
    assert job_in(write({"index.html": PAGE})).site.base_url == "https://owner.github.io/"


def test_a_named_source_whose_site_is_below_it_stops_with_the_folder_to_name(write: Write) -> None:
    here = write({"README.md": "", "docs/index.html": CANONICAL})
    assert "`waypost build docs`, in a workflow `source: docs`" in error_in(here, here)
    assert "`waypost build docs`" in error_in(here, here, base_url="https://a.dev/")
    assert job_in(here, here, base_url="https://a.dev/", source_kind="static").paths.source == here


def test_a_folder_with_pages_in_other_folders_is_a_site(write: Write) -> None:
    here = write({"README.md": "", "en/index.html": PAGE, "de/index.html": PAGE})
    assert len(job_in(here, here, base_url="https://a.dev/").plan().pages) == 2


@pytest.mark.parametrize(
    ("files", "command"),
    [({"hugo.toml": ""}, "hugo"), ({"website/docusaurus.config.js": ""}, "npx docusaurus build")],
)
def test_a_site_that_must_be_built_first_stops_with_its_command(write: Write, files: Files, command: str) -> None:
    assert f"build the site first: `{command}`" in error_in(write(files))


def test_several_sites_are_all_named(write: Write) -> None:
    found = error_in(write({"package.json": "{}", "apps/a/hugo.toml": "", "apps/b/mkdocs.yml": "site_name: B"}))
    assert "apps/a/public: Hugo builds it" in found
    assert "apps/b/site: MkDocs builds it" in found


LINKED = "<!doctype html><html><title>A</title>" + "".join(
    f"<a href=/repo/{key}>x</a>" for key in ("", "a.html", "b.html")
)
PROJECT = {"index.html": LINKED, "a.html": f"{LINKED}1", "b.html": f"{LINKED}2"}


def test_a_set_base_url_that_the_site_s_links_contradict_is_warned_of(write: Write) -> None:
    plan = job_in(write(PROJECT), base_url="https://user.github.io/").plan()
    (warning,) = (each for each in plan.warnings if each.code == "base-url-path")
    assert "https://user.github.io/repo/" in warning.examples[0].detail


def test_canonical_links_below_another_folder_leave_out_no_page_but_are_warned_of(write: Write) -> None:
    canonical = "<link rel=canonical href='https://user.github.io/repo/{0}'>"
    files = {key: PAGE + canonical.format(key) for key in ("a.html", "b.html", "c.html")}
    plan = job_in(write(files), base_url="https://user.github.io/").plan()
    assert [page.loc for page in plan.pages] == [f"https://user.github.io/{key}" for key in files]
    assert "base-url-path" in [each.code for each in plan.warnings]


def test_a_recognised_base_url_that_the_site_s_links_contradict_stops_the_run(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_REPOSITORY", "user/user.github.io")
    here = write(PROJECT)
    with pytest.raises(ConfigurationError, match=r"lead below https://user\.github\.io/repo/"):
        job_in(here).plan()


@pytest.mark.parametrize(
    ("files", "host"),
    [({"CNAME": "a.dev"}, "GitHub Pages"), ({"netlify.toml": ""}, "Netlify"), ({}, "")],
)
def test_the_host_is_recognised(write: Write, files: Files, host: str) -> None:
    job = job_in(write({"index.html": CANONICAL, **files}))
    assert next((each.value for each in job.recognised if each.name == "host"), "") == host


def test_files_of_several_hosts_and_rules_that_cannot_be_read_are_warned_of(write: Write) -> None:
    here = write({"index.html": CANONICAL, "netlify.toml": "", "vercel.json": "{"})
    plan = job_in(here).plan()
    found = {each.code: each.examples for each in plan.warnings}
    assert [each.key for each in found["several-hosts"]] == ["netlify.toml", "vercel.json"]
    plan = job_in(here, host="vercel").plan()
    assert [
        each.key for warning in plan.warnings if warning.code == "host-rule-unread" for each in warning.examples
    ] == ["vercel.json"]


@pytest.mark.parametrize(
    ("base_url", "is_warned"),
    [
        ("https://b.dev/", True),
        ("https://a.dev/docs/", True),
        ("https://a.dev/", False),
        ("http://www.a.dev/", False),
    ],
)
def test_a_set_base_url_that_the_generator_s_configuration_contradicts_is_warned_of(
    write: Write, base_url: str, is_warned: bool
) -> None:
    here = write({"hugo.toml": 'baseURL = "https://a.dev/"\n', "public/index.html": PAGE})
    warnings = job_in(here, here / "public", base_url=base_url).plan().warnings
    found = [each.examples[0].detail for each in warnings if each.code == "base-url-contradicted"]
    assert found == (["`baseURL` in hugo.toml says https://a.dev/"] if is_warned else [])
    preview = job_in(here, here / "public", base_url=base_url, preview=True).plan().warnings
    assert "base-url-contradicted" not in [each.code for each in preview]


@pytest.mark.parametrize(
    ("base_url", "is_told"),
    [
        ("http://owner.github.io/repo/", True),
        ("http://Owner.GitHub.io/repo/", True),
        ("https://owner.github.io/repo/", False),
        ("http://www.waypost.dev/", False),
    ],
)
def test_a_base_url_that_its_host_redirects_is_told(write: Write, base_url: str, *, is_told: bool) -> None:
    folder = write({"index.html": PAGE})
    codes = [each.code for each in job_in(folder, folder, base_url=base_url).input.warnings()]
    assert ("base-url-redirected" in codes) == is_told


def test_a_base_url_without_the_repository_s_name_is_warned_of(repository: Repository) -> None:
    repository.write({"index.html": PAGE})
    repository.git("remote", "add", "origin", "https://github.com/user/repo.git")
    warnings = job_in(repository.folder, base_url="https://user.github.io/").plan().warnings
    assert "https://user.github.io/repo/" in next(
        each.examples[0].detail for each in warnings if each.code == "base-url-contradicted"
    )


def test_a_site_outside_of_the_working_folder_has_nothing_of_the_project_there(write: Write, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "mkdocs.yml").write_text("site_name: A\nsite_url: https://b.dev/\n")
    source = write({"index.html": CANONICAL})
    job = job_in(tmp_path / "here", source)
    assert job.site.base_url == "https://a.dev/"
    warnings = job_in(tmp_path / "here", source, base_url="https://c.dev/").plan().warnings
    assert "base-url-contradicted" not in [each.code for each in warnings]


def test_a_folder_below_a_site_is_not_at_the_site_s_place(repository: Repository) -> None:
    repository.write({"index.html": PAGE, "CNAME": "a.dev", "docs/index.html": PAGE})
    repository.git("remote", "add", "origin", "https://github.com/owner/repo.git")
    assert "base_url: it is missing" in error_in(repository.folder, repository.folder / "docs")


def test_a_folder_that_does_not_exist_is_named_also_without_a_base_url(write: Write) -> None:
    assert "absent is not a folder" in error_in(write({}), Path("absent"))


def test_a_folder_that_is_named_before_it_is_built_stops_the_run_with_its_command(repository: Repository) -> None:
    repository.write({"hugo.toml": ""})
    seen = Recognition(repository.folder / "public", repository.folder, Repositories(repository.folder))
    with pytest.raises(SourceError, match="build the site first: `hugo`"):
        seen.require_publishable()
