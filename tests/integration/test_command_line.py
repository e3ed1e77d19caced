"""The `waypost` command as people and workflows run it: exits, streams, flags, settings files."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import SETTINGS

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Command, Write

Standing = Callable[[Path], dict[str, tuple[bytes, int]]]

BASE = "https://example.org/"
SITE = {
    "index.html": "<title>Home</title>",
    "about.html": "<title>About</title>",
    "hidden.html": "<meta name=robots content=noindex>",
    "style.css": "a{}",
    "node_modules/lib/doc.html": "<title>Doc</title>",
}
FLAGS = ("--base-url", BASE, "--set", 'lastmod="none"')


# Exits


def test_a_build_exits_with_0_and_prints_on_standard_error_only(write: Write, waypost_process: Command) -> None:
    site = write(SITE)
    done = waypost_process("build", "site", *FLAGS)
    assert (done.returncode, done.stdout) == (0, "")
    assert "2 URLs in 1 sitemap" in done.stderr
    assert "1 noindex" in done.stderr
    assert re.search(r"\d\.\d\d s", done.stderr)
    assert (site / "sitemap.xml").exists()


def test_the_source_is_the_present_folder_by_default(write: Write, waypost: Command) -> None:
    site = write(SITE)
    assert waypost("build", *FLAGS, cwd=site).returncode == 0
    assert (site / "sitemap.xml").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["build", "site"], 2),
        (["build", "site", "--base-url", "example.org"], 2),
        (["build", "site", *FLAGS, "--nonsense"], 2),
        (["build", "site", *FLAGS, "--set", "nonsense"], 2),
        (["build", "site", *FLAGS, "--set", "nonsense=1"], 2),
        (["build", "site", *FLAGS, "--config", "absent.toml"], 2),
        (["build", "site", *FLAGS, "--set", "templates='absent'"], 2),
        (["build", "site", *FLAGS, "--output", "site/maps"], 2),
        (["nonsense"], 2),
        (["explain", "site"], 2),
        (["init", "--base-url", "example.org"], 2),
        (["build", "absent", *FLAGS], 3),
        (["build", "site/about.html", *FLAGS], 3),
        (["build", "site", *FLAGS, "--set", 'include=["/nothing/"]'], 3),
        (["build", "site", *FLAGS, "--set", "templates='broken'"], 4),
        (["build", "site", *FLAGS, "--output", "a-file"], 5),
        (["build", "site", "--base-url", BASE, "--state", "a-file"], 6),
    ],
)
def test_each_failure_has_its_exit_code_says_why_and_writes_nothing(
    write: Write, waypost: Command, info: Standing, tmp_path: Path, arguments: list[str], code: int
) -> None:
    write(SITE)
    (tmp_path / "a-file").write_text("not a folder, nor a state")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "sitemap.xml.j2").write_text("{{")
    before = info(tmp_path)
    done = waypost(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert re.search(r"^(error|Error): ", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert info(tmp_path) == before


def test_the_help_names_every_exit_code_and_that_of_a_command_every_option(waypost: Command) -> None:
    assert all(re.search(rf"^ +{code}  +\w", waypost("--help").stdout, re.MULTILINE) for code in range(10))
    done = waypost("build", "--help")
    assert done.returncode == 0
    for option in ("--base-url", "--output", "--config", "--dry-run", "--check", "--json", "--state", "--set"):
        assert f"{option}" in done.stdout


def test_the_version_is_that_of_the_package(waypost_process: Command) -> None:
    from waypost import __version__

    assert waypost_process("--version").stdout == f"waypost {__version__}\n"


def test_an_unknown_option_is_answered_with_the_nearest_right_one(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost("build", "site", "--dryrun")
    assert done.returncode == 2
    assert "--dry-run" in done.stderr


# --dry-run, --check, --json


def test_a_dry_run_prints_the_plan_and_writes_nothing(write: Write, waypost: Command, info: Standing) -> None:
    site = write(SITE)
    before = info(site)
    done = waypost("build", "site", *FLAGS, "--dry-run")
    assert done.returncode == 0
    for line in (
        r"2 URLs in 1 sitemap; the one to submit is sitemap\.xml",
        r"  to write +sitemap\.xml",
        r"  unchanged +nothing",
        r"left out, noindex \(1\): .+",
        r"  hidden\.html .*",
        r"  node_modules/",
        r"  1 \.css",
    ):
        assert re.search(f"^{line}$", done.stdout, re.MULTILINE), line
    assert "nothing written" in done.stderr
    assert info(site) == before


def test_a_dry_run_over_published_files_prints_which_are_unchanged_and_removed(write: Write, waypost: Command) -> None:
    write(SITE)
    waypost("build", "site", *FLAGS, "--set", "gzip=true")
    waypost("build", "site", *FLAGS, "--set", 'name="other"')
    done = waypost("build", "site", *FLAGS, "--set", "gzip=false", "--dry-run")
    assert re.search(r"^  to remove +sitemap\.xml\.gz$", done.stdout, re.MULTILINE)
    again = waypost("build", "site", *FLAGS, "--set", 'name="other"', "--dry-run")
    assert re.search(r"^  unchanged +other\.xml$", again.stdout, re.MULTILINE)
    assert re.search(r"^  to write +nothing$", again.stdout, re.MULTILINE)


def test_a_check_exits_with_1_if_the_published_files_are_stale_and_writes_nothing(
    write: Write, waypost: Command, info: Standing
) -> None:
    site = write(SITE)
    waypost("build", "site", *FLAGS)
    assert waypost("build", "site", *FLAGS, "--check").returncode == 0
    write({"new.html": "<title>New</title>"})
    before = info(site)
    done = waypost("build", "site", *FLAGS, "--check")
    assert done.returncode == 1
    assert "stale" in done.stderr
    assert info(site) == before


def test_a_check_of_a_site_that_was_never_built_is_stale(write: Write, waypost: Command) -> None:
    site = write(SITE)
    assert waypost("build", "site", *FLAGS, "--check").returncode == 1
    assert not (site / "sitemap.xml").exists()


def test_json_is_one_document_the_same_each_time_and_messages_stay_apart(write: Write, waypost: Command) -> None:
    write({**SITE, "foreign.html": "<link rel=canonical href='https://other.example/'>"})
    runs = [waypost("build", "site", *FLAGS, "--json", "--dry-run") for _ in range(2)]
    plan = json.loads(runs[0].stdout)
    assert runs[0].stdout == runs[1].stdout
    assert "warning: " in runs[0].stderr
    assert [page["loc"] for page in plan["pages"]] == [f"{BASE}about.html", f"{BASE}foreign.html", BASE]
    assert plan["excluded_by_reason"] == {"dependency": 1, "noindex": 1, "not-a-page": 1}
    assert (plan["url_count"], plan["written"], plan["stale"]) == (3, ["sitemap.xml"], True)
    assert [warning["code"] for warning in plan["warnings"]] == ["foreign-canonical"]


def test_json_of_a_failure_leaves_standard_output_empty(write: Write, waypost_process: Command) -> None:
    write({})
    done = waypost_process("build", "site", *FLAGS, "--json")
    assert (done.returncode, done.stdout) == (3, "")


def test_json_of_a_check_keeps_its_exit(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost("build", "site", *FLAGS, "--json", "--check")
    assert (done.returncode, json.loads(done.stdout)["stale"]) == (1, True)


def test_json_holds_names_of_any_bytes(write: Write, waypost_process: Command) -> None:
    write({**SITE, os.fsdecode(b"caf\xe9.html"): "", "new\nline.html": "", "ünï.html": ""})
    plan = json.loads(waypost_process("build", "site", *FLAGS, "--json", "--dry-run").stdout)
    names = {skipped["key"] for skipped in plan["excluded"]}
    assert {r"caf\xe9.html", r"new\nline.html"} <= names


# --state, --set, --config


def test_a_state_dates_what_changes_between_runs(write: Write, waypost_process: Command, tmp_path: Path) -> None:
    write(SITE)
    flags = ("build", "site", "--base-url", BASE, "--state", "kept/state.jsonl")
    assert waypost_process(*flags, SOURCE_DATE_EPOCH="1700000000").returncode == 0
    assert (tmp_path / "kept" / "state.jsonl").is_file()
    write({"about.html": "<title>About us</title>"})
    waypost_process(*flags, SOURCE_DATE_EPOCH="1700000100")
    plan = json.loads(waypost_process(*flags, "--json", SOURCE_DATE_EPOCH="1700000200").stdout)
    assert {page["key"]: page["lastmod"] for page in plan["pages"]} == {
        "about.html": "2023-11-14T22:15:00Z",
        "index.html": None,
    }
    assert not plan["stale"]


def test_a_dry_run_writes_no_state(write: Write, waypost: Command, tmp_path: Path) -> None:
    write(SITE)
    assert waypost("build", "site", "--base-url", BASE, "--state", "state.jsonl", "--dry-run").returncode == 0
    assert not (tmp_path / "state.jsonl").exists()


def test_a_present_time_that_is_no_number_is_a_mistake(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost("build", "site", *FLAGS, SOURCE_DATE_EPOCH="yesterday")
    assert done.returncode == 2
    assert re.search(r"^error: .*SOURCE_DATE_EPOCH", done.stderr, re.DOTALL)


def test_set_takes_toml_or_a_bare_word(write: Write, waypost: Command) -> None:
    site = write(SITE)
    flags = ("--set", "lastmod=none", "--set", "name=map", "--set", 'groups={ about = ["about.html"] }')
    assert waypost("build", "site", "--base-url", BASE, *flags).returncode == 0
    assert sorted(path.name for path in site.glob("*.xml")) == ["map-about.xml", "map-pages.xml", "map.xml"]


def test_flags_beat_the_file(write: Write, waypost: Command) -> None:
    site = write({**SITE, "waypost.toml": 'base_url = "https://file.example/"\nlastmod = "none"\nname = "file"\n'})
    assert waypost("build", "site", "--set", "name=flag").returncode == 0
    assert "https://file.example/about.html" in (site / "flag.xml").read_text()
    assert waypost("build", "site", "--base-url", BASE).returncode == 0
    assert f"{BASE}about.html" in (site / "file.xml").read_text()


def test_settings_may_be_in_pyproject_toml(write: Write, waypost: Command) -> None:
    text = f'[project]\nname = "x"\n\n[tool.waypost]\nbase_url = "{BASE}"\nlastmod = "none"\nname = "mine"\n'
    site = write({**SITE, "pyproject.toml": text})
    assert waypost("build", cwd=site).returncode == 0
    assert (site / "mine.xml").exists()


def test_a_pyproject_toml_without_the_table_is_ignored(write: Write, waypost: Command) -> None:
    site = write({**SITE, "pyproject.toml": "[tool.other]\nx = 1\n"})
    assert waypost("build", *FLAGS, cwd=site).returncode == 0


def test_settings_are_found_in_the_working_folder_too(write: Write, waypost: Command, tmp_path: Path) -> None:
    site = write(SITE)
    (tmp_path / "waypost.toml").write_text(f'base_url = "{BASE}"\nlastmod = "none"\nname = "here"\n')
    assert waypost("build", "site").returncode == 0
    assert (site / "here.xml").exists()


def test_a_named_file_goes_before_those_that_are_found(write: Write, waypost: Command, tmp_path: Path) -> None:
    site = write({**SITE, "waypost.toml": "nonsense = 1\n"})
    (tmp_path / "other.toml").write_text(f'\ufeffbase_url = "{BASE}"\nlastmod = "none"\n', encoding="utf-8")
    assert waypost("build", "site", "--config", "other.toml").returncode == 0
    assert (site / "sitemap.xml").exists()


def test_every_mistake_is_reported_at_once_with_its_line_and_the_nearest_right_name(
    write: Write, waypost: Command
) -> None:
    text = (
        'base_url = "example.org"\n'
        "drop_htm = true\n"
        'trailing-slash = "sometimes"\n'
        'trailing_slash = "sometimes"\n'
        "gzip = 1\n"
        'pages = ["html", "word"]\n'
        'include = "docs/"\n'
        "zzzzzz = 1\n"
        "\n"
        "[groups]\n"
        'Blog = ["/blog/"]\n'
        "\n"
        "[[overrides]]\n"
        'match = ["/a/"]\n'
        "priority = 2\n"
    )
    write({**SITE, "waypost.toml": text})
    done = waypost("build", "site", "--set", "gzipp=true", "--set", "limits=none")
    assert done.returncode == 2
    for line in (
        r"site/waypost\.toml:1: base_url: 'example\.org' is not an absolute http or https URL \(.+\)",
        r"site/waypost\.toml:2: drop_htm: unknown setting \(did you mean drop_html\?\)",
        r"site/waypost\.toml:3: trailing-slash: unknown setting \(did you mean trailing_slash\?\)",
        r"site/waypost\.toml:4: trailing_slash: 'sometimes' is not an allowed value \(auto, always or never\)",
        r"site/waypost\.toml:5: gzip: 1 is not an allowed value \(true or false\)",
        r"site/waypost\.toml:6: pages\[1\]: 'word' is not a page type \(.+\)",
        r"site/waypost\.toml:7: include: 'docs/' is not a list \(.+\)",
        r"site/waypost\.toml:8: zzzzzz: unknown setting \(.+\)",
        r"site/waypost\.toml:1[01]: groups\.Blog: .+",
        r"site/waypost\.toml:1[3-5]: overrides\[0\]\.priority: 2 is not a number from 0\.0 to 1\.0 \(.+\)",
        r"command line: gzipp: unknown setting \(did you mean gzip\?\)",
        r"command line: limits: 'none' is not an allowed value \(strict or current\)",
    ):
        assert re.search(f"^  {line}$", done.stderr, re.MULTILINE), line
    assert "12 issues" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"base_url = \n", r"waypost\.toml.*TOML.*line 1"),
        (b"\xff", r"waypost\.toml.*not UTF-8"),
        (b"", r"waypost\.toml: base_url: it is missing"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(write: Write, waypost: Command, text: bytes, message: str) -> None:
    write({**SITE, "waypost.toml": text})
    done = waypost("build", "site")
    assert done.returncode == 2
    assert re.search(message, done.stderr)


def test_a_pyproject_table_that_is_no_table_is_a_mistake(write: Write, waypost: Command) -> None:
    site = write({**SITE, "pyproject.toml": "[tool]\nwaypost = 3\n"})
    done = waypost("build", *FLAGS, cwd=site)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "toml",
    [
        "base_url = 3",
        "base_url = ''",
        "groups = 3",
        "groups = { blog = 3 }",
        "overrides = [3]",
        "overrides = [{ match = ['/a/'], changefreq = ['daily'] }]",
        "sources = [{ page = 3, files = [3] }]",
        "sources = { page = 'a' }",
        "lastmod = { git = true }",
        "precision = 1979-05-27",
        "pages = [['html']]",
        "formats = [{ xml = true }]",
        "overrides = [{ match = ['/a/'], priority = nan }]",
        "name = '../up'",
        "include = [3]",
        'state = "a\\u0000b"',
        "state = ''",
    ],
)
def test_a_value_of_the_wrong_kind_is_a_mistake_and_never_a_crash(write: Write, waypost: Command, toml: str) -> None:
    base = "" if toml.startswith("base_url") else f'base_url = "{BASE}"\n'
    write({**SITE, "waypost.toml": f"{base}{toml}\n"})
    done = waypost("build", "site")
    assert "Traceback" not in done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize("state", ["site/sitemap.xml", "site/sitemap-a.xml.gz", "site/robots.txt"])
def test_a_state_that_an_output_would_overwrite_is_a_mistake(write: Write, waypost: Command, state: str) -> None:
    write(SITE)
    done = waypost("build", "site", "--base-url", BASE, "--state", state)
    assert done.returncode == 2
    assert "Waypost publishes a file with the name" in done.stderr


def test_an_unreadable_assignment_is_reported_with_the_other_issues(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost("build", "site", *FLAGS, "--set", "a", "--set", "=x", "--set", "foo=1")
    assert done.returncode == 2
    assert "3 issues in the settings" in done.stderr
    assert "--set: 'a' is not KEY=VALUE" in done.stderr


# explain


def test_explain_names_the_sitemap_of_a_page_or_the_reason_that_it_is_left_out(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost(
        "explain", "site", "about.html", "hidden.html", "absent.html", "node_modules/lib/doc.html", *FLAGS, "--json"
    )
    listed, hidden, absent, pruned = json.loads(done.stdout)
    assert done.returncode == 3
    assert listed == {
        "path": "about.html",
        "listed": True,
        "loc": f"{BASE}about.html",
        "lastmod": None,
        "no_date_reason": "",
        "sitemap": "sitemap.xml",
        "source_kind": {"kind": "static", "reason": "no configuration of a generator is in it"},
        "url_decided_by": "default",
    }
    assert (hidden["listed"], hidden["reason"]) == (False, "noindex")
    assert absent["reason"] == "not-found"
    assert (pruned["reason"], pruned["decided_by"]) == ("dependency", "node_modules/")


def test_explain_reads_as_sentences(write: Write, waypost: Command) -> None:
    write(SITE)
    out = waypost("explain", "site", "about.html", "node_modules/lib/doc.html", "copy.html", *FLAGS).stdout
    assert f"about.html\n  listed    {BASE}about.html\n" in out
    assert "left out  dependency: it is in node_modules, bower_components or vendor/bundle\n" in out
    assert "  decided   for the folder node_modules/\n" in out


@pytest.mark.parametrize("path", ["about.html", "site/about.html", "./site/about.html", "{tmp}/site/about.html"])
def test_explain_takes_paths_below_the_site_or_the_working_folder(
    write: Write, waypost: Command, tmp_path: Path, path: str
) -> None:
    write(SITE)
    done = waypost("explain", "site", path.format(tmp=tmp_path), *FLAGS, "--json")
    assert json.loads(done.stdout)[0]["listed"]


def test_explain_prints_the_date_and_the_sitemap_of_a_page_in_a_group(waypost: Command, repository: Repository) -> None:
    repository.commit({"blog/a&b.html": "<title>A</title>", "index.html": "<title>Home</title>"}, when=1_700_000_000)
    flags = ("--base-url", BASE, "--set", 'groups={ blog = ["/blog/"] }', "--json")
    found = json.loads(waypost("explain", "repository", "blog/a&b.html", *flags).stdout)[0]
    assert (found["lastmod"], found["sitemap"]) == ("2023-11-14T22:13:20Z", "sitemap-blog.xml")


def test_explain_of_a_url_that_begins_like_another_names_its_own_sitemap(write: Write, waypost: Command) -> None:
    write({"a": "", "a.html": "<title>A</title>", "blog/index.html": "<title>B</title>"})
    flags = (*FLAGS, "--set", 'groups={ ab = ["/a.html"] }', "--json")
    found = json.loads(waypost("explain", "site", "blog/index.html", "a.html", *flags).stdout)
    assert [each["sitemap"] for each in found] == ["sitemap-pages.xml", "sitemap-ab.xml"]


def test_explain_of_the_home_page_names_the_sitemap_that_lists_it(write: Write, waypost: Command) -> None:
    write({"index.html": "<title>Home</title>", "zoo/a.html": "<title>A</title>"})
    flags = (*FLAGS, "--set", 'groups={ home = ["/index.html"] }', "--json")
    found = json.loads(waypost("explain", "site", "index.html", *flags).stdout)
    assert found[0]["sitemap"] == "sitemap-home.xml"


def test_explain_names_the_file_that_is_listed_instead_of_a_duplicate(write: Write, waypost: Command) -> None:
    write({**SITE, "index.htm": "<title>Old</title>"})
    out = waypost("explain", "site", "index.htm", *FLAGS).stdout
    assert "duplicate-loc" in out
    assert "index.html" in out


def test_explain_works_where_no_page_is_left_to_list(write: Write, waypost: Command) -> None:
    write({"a.html": "<meta name=robots content=noindex>"})
    done = waypost("explain", "site", "a.html", *FLAGS)
    assert done.returncode == 0
    assert "left out  noindex" in done.stdout
    assert "warning: no sitemap can be generated: there is no page to list" in done.stderr


def test_explain_works_where_a_template_fails(write: Write, waypost: Command) -> None:
    write({"site/a.html": "<title>A</title>", "templates/sitemap.xml.j2": "{% if %}"})
    done = waypost("explain", "site/site", "a.html", *FLAGS, "--set", "templates=site/templates")
    assert done.returncode == 0
    assert "sitemap   none" in done.stdout
    assert "templates/sitemap.xml.j2:1" in done.stderr


def test_explain_says_why_no_page_has_a_date_outside_of_a_repository(write: Write, waypost: Command) -> None:
    write(SITE)
    done = waypost("explain", "site", "about.html", "--base-url", BASE)
    assert "lastmod   none: pages have no date from Git: site is not in a Git repository" in done.stdout


def test_explain_writes_nothing(write: Write, waypost: Command, info: Standing, tmp_path: Path) -> None:
    write(SITE)
    before = info(tmp_path)
    waypost("explain", "site", "about.html", "--base-url", BASE, "--state", "state.jsonl")
    assert info(tmp_path) == before


# Source folders


PROJECTS = {
    "mkdocs": ({"mkdocs.yml": "site_name: A\n"}, "MkDocs", "`mkdocs build`", "site"),
    "vitepress": (
        {"docs/.vitepress/config.mts": ""},
        "VitePress",
        "`npx vitepress build docs`",
        "docs/.vitepress/dist",
    ),
    "hugo": ({"hugo.toml": "publishDir = 'html'\n", "html/index.html": SITE["index.html"]}, "Hugo", "`hugo`", "html"),
    "next": ({"package.json": '{"dependencies": {"next": "15"}}'}, "Next.js", "`npx next build`", "out"),
    "sphinx": (
        {"conf.py": "extensions = []\n", "index.rst": "A"},
        "Sphinx",
        "`sphinx-build -b html . _build/html`",
        "_build/html",
    ),
}


@pytest.mark.parametrize("project", PROJECTS)
def test_the_source_of_a_site_is_refused_with_what_to_build_and_where_to_go(
    write: Write, waypost: Command, info: Standing, tmp_path: Path, project: str
) -> None:
    files, generator, command, output = PROJECTS[project]
    site = write({**files, "docs/page.html": SITE["about.html"]})
    before = info(tmp_path)
    done = waypost("build", *FLAGS, cwd=site)
    assert (done.returncode, done.stdout) == (3, "")
    file = next(iter(files))
    assert f"error: . is the source of a site that {generator} builds, so nothing was written ({file}: " in done.stderr
    assert f"build the site first: {command}\n" in done.stderr
    assert f"over the built site: `waypost build {output}`, in a workflow `source: {output}`" in done.stderr
    assert ("the folder exists already" in done.stderr) == (project == "hugo")
    assert 'set source_kind = "static"' in done.stderr
    assert info(tmp_path) == before


def test_the_built_site_in_a_project_is_built_from_the_project_s_folder(write: Write, waypost: Command) -> None:
    project = write({"hugo.toml": "", "waypost.toml": "evidence = true\n", "public/index.html": SITE["index.html"]})
    assert waypost("build", "public", "--base-url", BASE, cwd=project).returncode == 0
    assert (project / "public" / "sitemap.xml").exists()


def test_a_folder_that_is_published_as_it_is_needs_only_the_setting(write: Write, waypost: Command) -> None:
    site = write({"mkdocs.yml": "site_name: A\n", "a.html": SITE["about.html"]})
    assert waypost("build", "site", *FLAGS, "--set", "source_kind=static").returncode == 0
    assert (site / "sitemap.xml").exists()


# init


def test_init_writes_settings_and_a_workflow(waypost: Command, tmp_path: Path) -> None:
    done = waypost("init", "new", "--base-url", "https://Example.org")
    assert done.returncode == 0
    assert tomllib.loads((tmp_path / "new" / "waypost.toml").read_text()) == {"base_url": BASE}
    assert "uses: " in (tmp_path / "new" / ".github" / "workflows" / "sitemap.yml").read_text()


def test_init_never_overwrites(waypost: Command, info: Standing, tmp_path: Path) -> None:
    (tmp_path / "waypost.toml").write_text("mine")
    (tmp_path / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / ".github" / "workflows" / "sitemap.yml").write_text("mine")
    before = info(tmp_path)
    done = waypost("init")
    assert done.returncode == 0
    assert "exists already" in done.stderr
    assert info(tmp_path) == before


def test_init_takes_the_url_from_a_cname_file(waypost: Command, tmp_path: Path) -> None:
    (tmp_path / "CNAME").write_text("www.example.org\n")
    waypost("init")
    assert tomllib.loads((tmp_path / "waypost.toml").read_text()) == {"base_url": "https://www.example.org/"}


def test_every_setting_stands_in_what_init_writes_and_its_example_is_accepted(waypost: Command, tmp_path: Path) -> None:
    waypost("init")
    text = (tmp_path / "waypost.toml").read_text()
    for setting in SETTINGS:
        line = re.search(rf"^# ({setting.name} = .+)$", text, re.MULTILINE)
        assert line, setting.name
        values = {"base_url": BASE, **tomllib.loads(line[1])}
        if setting.name in ("lastmod", "state"):
            values |= {"lastmod": "content", "state": "state.jsonl"}
        load.check_settings([ConfigSource("waypost.toml", values)])


def test_a_build_accepts_what_init_wrote(write: Write, waypost: Command) -> None:
    site = write(SITE)
    waypost("init", "site", "--base-url", BASE)
    assert waypost("build", "site").returncode == 0
    assert (site / "sitemap.xml").exists()


def test_init_where_nothing_can_be_written_says_so(waypost: Command, tmp_path: Path) -> None:
    (tmp_path / ".github").write_text("a file")
    done = waypost("init")
    assert done.returncode == 5
    assert "Traceback" not in done.stderr


# Terminals


def test_nothing_piped_is_coloured(write: Write, waypost_process: Command) -> None:
    write({**SITE, "foreign.html": "<link rel=canonical href='https://other.example/'>"})
    done = waypost_process("build", "site", *FLAGS, "--dry-run")
    failed = waypost_process("build", "absent", *FLAGS)
    assert "warning" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr + failed.stderr


def on_a_terminal(folder: Path, *arguments: str, **env: str) -> str:
    """What a person sees who runs the command at a terminal."""
    reader, terminal = pty.openpty()
    with subprocess.Popen(
        [Path(sys.executable).with_name("waypost"), *arguments],
        cwd=folder,
        env={**os.environ, "TERM": "xterm", **env},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ):
        os.close(terminal)
        shown = b""
        try:
            while chunk := os.read(reader, 4096):
                shown += chunk
        except OSError:  # Linux says so where the other side is closed
            pass
        os.close(reader)
    return shown.decode()


def test_a_terminal_shows_colour(write: Write) -> None:
    site = write(SITE)
    shown = on_a_terminal(site, "build", "absent", "--base-url", BASE)
    assert re.search(r"\x1b\[[\d;]*31m.*error:", shown)


def test_no_color_is_honoured_on_a_terminal(write: Write) -> None:
    site = write(SITE)
    shown = on_a_terminal(site, "build", "absent", "--base-url", BASE, NO_COLOR="1")
    assert "error: " in shown
    assert "\x1b" not in shown


def test_a_quick_run_on_a_terminal_shows_no_progress(write: Write) -> None:
    site = write(SITE)
    shown = on_a_terminal(site, "build", *FLAGS)
    assert "2 URLs" in shown
    assert "reading pages" not in shown


def test_a_reader_that_leaves_early_is_no_crash(write: Write, tmp_path: Path) -> None:
    write({f"{n}.css": "" for n in range(10)} | SITE)
    command = f"{Path(sys.executable).with_name('waypost')} build site --base-url {BASE} --json --dry-run | head -c 1"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr


# Interruptions


@pytest.mark.skipif(os.name == "nt", reason="a process cannot be interrupted so on Windows")
def test_ctrl_c_ends_a_command_with_130() -> None:
    # A process that a shell has started in the background ignores the signal, and so do its children.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{heeding}; from waypost.cli.main import main; main()", "validate", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b"<urlset>" + b" " * 4_000_000)  # more than a pipe holds, so the command is reading it
        process.send_signal(signal.SIGINT)
        _, shown = process.communicate()
    assert process.returncode == 130, shown
    assert b"Traceback" not in shown


@pytest.mark.skipif(os.name == "nt", reason="only a shell can limit the size of files")
@pytest.mark.parametrize("arguments", [["init", "--base-url", BASE], ["report", "site", "--to", "report.html", *FLAGS]])
def test_a_full_disk_leaves_no_empty_file(tmp_path: Path, arguments: list[str]) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<title>Home</title>")
    command = ["bash", "-c", 'ulimit -f 0; exec "$@"', "bash", sys.executable, "-c"]
    main = "from waypost.cli.main import main; main()"
    done = subprocess.run([*command, main, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 5, done.stderr
    assert "cannot write" in done.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["index.html", "site"]


def test_a_state_with_dates_from_git_is_a_contradiction(waypost: Command, write: Write) -> None:
    write(SITE)
    done = waypost("build", ".", "--base-url", BASE, "--state", "state.jsonl", "--set", "lastmod=git")
    assert done.returncode == 2
    assert '--state: a state needs lastmod = "content"' in done.stderr
