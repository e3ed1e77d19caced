"""`waypost build`: what it writes, what it only prints, and how it exits with stale files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from repositories import Repository
from unit.cli.invoke import BASE, FLAGS, PAGES, STATE, index, urlset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.testing import Result
    from fake_cloud import Cloud
    from sites import Write
    from unit.cli.invoke import Invoke


def test_a_folder_is_built_and_its_answer_is_the_only_output(write: Write, invoke: Invoke) -> None:
    site = write(PAGES)
    result = invoke("build", "site", *FLAGS, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert (answer["url_count"], answer["written"]) == (1, ["sitemap.xml"])
    assert "1 URL in 1 sitemap" in result.stderr
    assert (site / "sitemap.xml").exists()


def test_a_robots_txt_of_a_site_in_a_folder_neither_names_nor_prevents_its_base_url(
    write: Write, invoke: Invoke
) -> None:
    link = "<link rel=canonical href=https://guide.waypost.dev/en/latest/>"
    write({"index.html": f"<title>Home</title>{link}", "robots.txt": "Sitemap: https://guide.waypost.dev/sitemap.xml"})
    result = invoke("build", "site", "--dry-run", "--set", "lastmod=none")
    assert result.exit_code == 0, result.stderr
    assert "  base URL   https://guide.waypost.dev/en/latest/ (the canonical link of index.html)" in result.stdout
    assert "the rules of robots.txt were ignored" in result.stderr


@pytest.mark.parametrize(("option", "code"), [("--dry-run", 0), ("--check", 1)])
def test_a_dry_run_and_a_check_write_nothing_and_only_the_check_fails(
    write: Write, invoke: Invoke, option: str, code: int
) -> None:
    site = write(PAGES)
    result = invoke("build", "site", *FLAGS, option)
    assert (result.exit_code, "nothing written" in result.stderr) == (code, True)
    assert ("stale: run `waypost build`" in result.stderr) == bool(code)
    assert not (site / "sitemap.xml").exists()
    invoke("build", "site", *FLAGS)
    assert invoke("build", "site", *FLAGS, option).exit_code == 0


def test_a_dry_run_prints_what_is_left_out_and_why(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    printed = invoke("build", "site", *FLAGS, "--dry-run").stdout
    assert "left out, noindex (1)" in printed
    assert "  hidden.html" in printed


def test_the_kind_of_the_folder_is_named_in_a_dry_run_and_in_the_answer(write: Write, invoke: Invoke) -> None:
    write({**PAGES, ".nojekyll": ""})
    printed = invoke("build", "site", *FLAGS, "--dry-run").stdout
    assert "  source     a site as it is (.nojekyll: it says that the folder is published as it is)" in printed
    answer = json.loads(invoke("build", "site", *FLAGS, "--json").stdout)
    assert answer["source_kind"] == {
        "kind": "static",
        "file": ".nojekyll",
        "reason": "it says that the folder is published as it is",
    }


@pytest.mark.parametrize("option", ["--dry-run", "--check", "--json"])
def test_the_source_of_a_generator_s_site_is_refused_unless_the_settings_say_otherwise(
    write: Write, invoke: Invoke, option: str
) -> None:
    site = write({"docusaurus.config.js": "", "docs/a.html": PAGES["index.html"]})
    result = invoke("build", "site", *FLAGS, option)
    assert (result.exit_code, result.stdout) == (3, "")
    assert (
        "error: site is the source of a site that Docusaurus builds, so nothing was written (docusaurus"
        in result.stderr
    )
    assert "`waypost build site/build`" in result.stderr
    assert not (site / "sitemap.xml").exists()
    assert invoke("build", "site", *FLAGS, "--set", "source_kind=static").exit_code == 0
    assert "docs/a.html" in (site / "sitemap.xml").read_text()


def test_a_check_of_a_bucket_with_a_state_writes_neither_sitemap_nor_state(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("a.html", "one")
    stale = invoke("build", "cloud://site/", *STATE, "--check")
    assert (stale.exit_code, cloud.published("cloud://site/")) == (1, {})
    assert cloud.published("cloud://private/state/") == {}
    assert invoke("build", "cloud://site/", *STATE).exit_code == 0
    assert "sitemap.xml" in cloud.published("cloud://site/")
    assert invoke("build", "cloud://site/", *STATE, "--check").exit_code == 0


def test_a_bucket_s_state_adopts_the_one_of_the_site_before_it_was_moved(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("a.html", "one")
    invoke("build", "cloud://site/", *STATE)
    cloud.site.put("a.html", "two")
    invoke("build", "cloud://site/", *STATE)
    state = ("--set", "state=cloud://private/moved")
    moved = ("build", "cloud://moved/", *STATE, *state, "--adopt", "cloud://private/state")
    assert invoke(*moved, "--dry-run").exit_code == 0
    assert cloud.published("cloud://private/moved/") == {}
    result = invoke(*moved)
    assert (result.exit_code, "cloud://site/sitemap.xml" in result.stderr) == (0, True)
    assert cloud.published("cloud://moved/") == cloud.published("cloud://site/")
    assert b"<lastmod>" in cloud.published("cloud://moved/")["sitemap.xml"]


def many(*, first: int = 0) -> dict[str, str]:
    return {f"page-{n:02}.html": "<title>A page</title>" for n in range(first, 30)}


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--check",), ("--json",)])
def test_a_build_that_would_remove_most_pages_writes_nothing_and_exits_with_8(
    write: Write, invoke: Invoke, options: Sequence[str]
) -> None:
    site = write(many())
    invoke("build", "site", *FLAGS)
    before = (site / "sitemap.xml").read_bytes()
    for name in list(many())[:20]:
        (site / name).unlink()
    result = invoke("build", "site", *FLAGS, *options)
    assert (result.exit_code, result.stdout) == (8, "")
    assert "error: 20 of the 30 pages in sitemap.xml would no longer be listed" in result.stderr
    assert "20 have no file" in result.stderr
    assert (site / "sitemap.xml").read_bytes() == before


def test_a_removal_that_is_allowed_is_published_and_a_report_or_an_explanation_is_never_refused(
    write: Write, invoke: Invoke
) -> None:
    site = write(many())
    invoke("build", "site", *FLAGS)
    for name in list(many())[:20]:
        (site / name).unlink()
    assert invoke("report", "site", *FLAGS).exit_code == 0
    assert invoke("explain", "site", "page-25.html", *FLAGS).stderr == ""
    assert invoke("build", "site", *FLAGS, "--set", "max_removed=100").exit_code == 0
    assert (site / "sitemap.xml").read_text().count("<loc>") == 10


def test_the_sitemap_that_compare_names_guards_a_site_that_is_built_again(write: Write, invoke: Invoke) -> None:
    site = write(many(first=25))
    compare = ("--set", "compare=before.xml")
    first = invoke("build", "site", *FLAGS, *compare)
    assert (first.exit_code, "there is no sitemap at before.xml" in first.stderr) == (0, True)
    Path("before.xml").write_text(urlset(*many()))
    (site / "sitemap.xml").unlink()
    second = invoke("build", "site", *FLAGS, *compare)
    assert (second.exit_code, "25 of the 30 pages in before.xml" in second.stderr) == (8, True)
    assert not (site / "sitemap.xml").exists()


def test_the_owner_is_warned_of_what_contradicts_the_sitemap_or_has_no_effect(write: Write, invoke: Invoke) -> None:
    write(
        {
            "a.html": "<title>A</title>",
            "sitemap.xml": urlset("a.html", "b.html"),
            "sitemap-index.xml": index(f"{BASE}sitemap-0.xml"),
            "CNAME": "www.example.org",
        }
    )
    Path("mine").mkdir()
    Path("mine/sitemaps.xml.j2").write_text("")
    result = invoke("build", "site", *FLAGS, "--set", 'exclude=["drafs/"]', "--set", "templates=mine", "--json")
    codes = [warning["code"] for warning in json.loads(result.stdout)["warnings"]]
    assert codes == ["sitemap-replaced", "other-sitemap", "wrong-cname", "unmatched-pattern", "unused-template"]


def test_a_dry_run_prints_the_urls_that_would_be_added_and_removed(write: Write, invoke: Invoke) -> None:
    site = write(many())
    invoke("build", "site", *FLAGS)
    (site / "page-03.html").rename(site / "moved.html")
    printed = invoke("build", "site", *FLAGS, "--dry-run").stdout
    assert f"added (1):\n  + {BASE}moved.html  no date\nremoved (1):\n  - {BASE}page-03.html\n" in printed


def test_a_rebuild_of_a_bucket_that_would_remove_most_pages_exits_with_8(cloud: Cloud, invoke: Invoke) -> None:
    for name in many():
        cloud.site.put(name, "<title>A page</title>")
    invoke("build", "cloud://site/", *STATE)
    before = cloud.published("cloud://site/"), cloud.published("cloud://private/state/")
    for name in list(many())[:20]:
        cloud.site.delete(name)
    for option in ((), ("--dry-run",)):
        result = invoke("build", "cloud://site/", *STATE, *option)
        is_told = "20 of the 30 pages in the state of the last run would no longer" in result.stderr
        assert (result.exit_code, is_told) == (8, True)
    assert (cloud.published("cloud://site/"), cloud.published("cloud://private/state/")) == before
    assert invoke("build", "cloud://site/", *STATE, "--set", "max_removed=100").exit_code == 0


@pytest.fixture
def shallow(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A clone of the last of two commits, which is the working folder."""
    repository.commit({"a.html": "<title>a</title>"}, 1_770_000_000)
    repository.commit({"b.html": "<title>b</title>"}, 1_770_000_001)
    repository.git("clone", "--quiet", "--depth=1", repository.folder.as_uri(), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    return Repository(tmp_path / "clone")


@pytest.mark.usefixtures("shallow")
def test_the_history_of_a_shallow_clone_is_fetched_if_the_command_says_so(invoke: Invoke) -> None:
    command = ("build", ".", "--base-url", BASE, "--json", "--dry-run")
    assert dates(invoke(*command)) == {"a.html": None, "b.html": None}
    assert "waypost build --fetch-history" in invoke(*command).stderr
    assert dates(invoke(*command, "--fetch-history")) == {
        "a.html": "2026-02-02T02:40:00Z",
        "b.html": "2026-02-02T02:40:01Z",
    }


def test_a_history_that_cannot_be_fetched_is_a_warning(shallow: Repository, invoke: Invoke) -> None:
    shallow.git("remote", "remove", "origin")
    result = invoke("build", ".", "--base-url", BASE, "--dry-run", "--fetch-history")
    assert result.exit_code == 0
    assert "has no remote `origin`; add it (`git remote add origin URL`)" in result.stderr


def dates(result: Result) -> dict[str, str | None]:
    return {page["key"]: page["lastmod"] for page in json.loads(result.stdout)["pages"]}


def test_that_git_refuses_the_repository_is_told_before_that_the_base_url_is_missing(
    repository: Repository, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit({"index.html": PAGES["index.html"]}, when=1_700_000_000)
    monkeypatch.chdir(repository.folder)
    assert "base_url: it is missing" in invoke("build", "--dry-run").stderr
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    refused = invoke("build", "--dry-run")
    assert (refused.exit_code, "safe.directory" in refused.stderr, "base_url" in refused.stderr) == (3, True, False)
