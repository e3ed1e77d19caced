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


def test_the_version_is_that_of_the_package(waypost_process: Command) -> None:
    from waypost import __version__

    assert waypost_process("--version").stdout == f"waypost {__version__}\n"


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


def test_json_is_one_document_the_same_each_time_and_messages_stay_apart(write: Write, waypost: Command) -> None:
    write({**SITE, "foreign.html": "<link rel=canonical href='https://other.example/'>"})
    runs = [waypost("build", "site", *FLAGS, "--json", option) for option in ("--dry-run", "--check")]
    plan = json.loads(runs[0].stdout)
    assert runs[0].stdout == runs[1].stdout
    assert [run.returncode for run in runs] == [0, 1]
    assert "warning: " in runs[0].stderr
    assert [page["loc"] for page in plan["pages"]] == [f"{BASE}about.html", f"{BASE}foreign.html", BASE]
    assert plan["excluded_by_reason"] == {"dependency": 1, "noindex": 1, "not-a-page": 1}
    assert (plan["url_count"], plan["written"], plan["stale"]) == (3, ["sitemap.xml"], True)
    assert [warning["code"] for warning in plan["warnings"]] == ["foreign-canonical"]


def test_json_holds_names_of_any_bytes(write: Write, waypost_process: Command) -> None:
    write({**SITE, os.fsdecode(b"caf\xe9.html"): "", "new\nline.html": "", "ünï.html": ""})
    plan = json.loads(waypost_process("build", "site", *FLAGS, "--json", "--dry-run").stdout)
    names = {skipped["key"] for skipped in plan["excluded"]}
    assert {r"caf\xe9.html", r"new\nline.html"} <= names


# --state, --set, --config


def test_a_state_dates_what_changes_between_runs(write: Write, waypost: Command, tmp_path: Path) -> None:
    write(SITE)
    flags = ("build", "site", "--base-url", BASE, "--state", "kept/state.jsonl")
    assert waypost(*flags, SOURCE_DATE_EPOCH="1700000000").returncode == 0
    assert (tmp_path / "kept" / "state.jsonl").is_file()
    write({"about.html": "<title>About us</title>"})
    waypost(*flags, SOURCE_DATE_EPOCH="1700000100")
    plan = json.loads(waypost(*flags, "--json", SOURCE_DATE_EPOCH="1700000200").stdout)
    assert {page["key"]: page["lastmod"] for page in plan["pages"]} == {
        "about.html": "2023-11-14T22:15:00Z",
        "index.html": None,
    }
    assert not plan["stale"]


def test_a_dry_run_writes_no_state(write: Write, waypost: Command, tmp_path: Path) -> None:
    write(SITE)
    assert waypost("build", "site", "--base-url", BASE, "--state", "state.jsonl", "--dry-run").returncode == 0
    assert not (tmp_path / "state.jsonl").exists()


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
        r"site/waypost\.toml:1: base_url: 'example\.org' is not an absolute http or https URL; did you mean .+",
        r"site/waypost\.toml:2: drop_htm: unknown setting \(did you mean drop_html\?\)",
        r"site/waypost\.toml:3: trailing-slash: unknown setting \(did you mean trailing_slash\?\)",
        r"site/waypost\.toml:4: trailing_slash: 'sometimes' is not an allowed value \(auto, always or never\)",
        r"site/waypost\.toml:5: gzip: 1 is not an allowed value \(true or false\)",
        r"site/waypost\.toml:6: pages\[1\]: 'word' is not a page type \(.+\)",
        r"site/waypost\.toml:7: include: 'docs/' is not a list; did you mean .+ \(.+\)",
        r"site/waypost\.toml:8: zzzzzz: unknown setting \(.+\)",
        r"site/waypost\.toml:1[01]: groups\.Blog: .+",
        r"site/waypost\.toml:1[3-5]: overrides\[0\]\.priority: 2 is not a number from 0\.0 to 1\.0 \(.+\)",
        r"command line: gzipp: unknown setting \(did you mean gzip\?\)",
        r"command line: limits: 'none' is not an allowed value \(strict or current\)",
    ):
        assert re.search(f"^  {line}$", done.stderr, re.MULTILINE), line
    assert "12 issues" in done.stderr


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
    "vitepress": (
        {"docs/.vitepress/config.mts": ""},
        "VitePress",
        "`npx vitepress build docs`",
        "docs/.vitepress/dist",
    ),
    "hugo": ({"hugo.toml": "publishDir = 'html'\n", "html/a.css": ""}, "Hugo", "`hugo`", "html"),
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


# init


def test_init_writes_settings_that_a_build_accepts_and_a_workflow(write: Write, waypost: Command) -> None:
    site = write(SITE)
    assert waypost("init", "site", "--base-url", "https://Example.org").returncode == 0
    assert tomllib.loads((site / "waypost.toml").read_text()) == {"base_url": BASE}
    assert "uses: " in (site / ".github" / "workflows" / "sitemap.yml").read_text()
    assert waypost("build", "site").returncode == 0
    assert (site / "sitemap.xml").exists()


# Terminals


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


def test_a_terminal_shows_colour_unless_that_is_not_wanted(write: Write) -> None:
    command = (write(SITE), "build", "absent", "--base-url", BASE)
    assert re.search(r"\x1b\[[\d;]*31m.*error:", on_a_terminal(*command))
    plain = on_a_terminal(*command, NO_COLOR="1")
    assert ("error: " in plain, "\x1b" in plain) == (True, False)


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
