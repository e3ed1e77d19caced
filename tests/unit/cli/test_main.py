"""The command `waypost`: what it can do, and what it imports for that."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from unit.cli.invoke import BASE, index, urlset

from waypost.cli.main import main

if TYPE_CHECKING:
    from unit.cli.invoke import Invoke

COMMANDS = main.list_commands(click.Context(main))
IMPORTED = """
import json, sys
from waypost.cli.main import main
main(sys.argv[1:], standalone_mode=False)
print(json.dumps([name for name in sys.modules if name.startswith(("waypost", "boto"))]))
"""


def imported(*arguments: str) -> list[str]:
    """The modules of Waypost that a command imports in a process of its own."""
    command = [sys.executable, "-c", IMPORTED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules: list[str] = json.loads(done.stdout.splitlines()[-1])
    return modules


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_listed_and_the_exit_codes_are_in_the_help_of_all(invoke: Invoke, name: str) -> None:
    shown, of_all = invoke(name, "--help"), invoke("--help").stdout
    assert (shown.exit_code, "Exit codes:" in shown.stdout) == (0, False)
    assert (f"  {name} " in of_all, "Exit codes:" in of_all) == (True, True)


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "waypost", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("waypost ")


def test_the_build_of_a_folder_imports_no_sdk_and_at_most_200_modules(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Home</title>")
    modules = imported("build", str(tmp_path), "--base-url", BASE, "--dry-run")
    assert {"waypost.build.pipeline", "waypost.build.locations"} <= set(modules)
    assert [each for each in modules if each.startswith(("boto", "waypost.aws"))] == []
    assert len(modules) <= 200


FLAGS = f"--base-url {BASE} --set lastmod=none"
SUBMITTED = "https://example.org/sitemap.xml"
MISTAKES = [
    ("biuld", 2, "No such command 'biuld'"),
    (f"build site {FLAGS} --adopt s3://private/state", 2, "--adopt: only a bucket with a state"),
    (f"audit s3://bucket/ {FLAGS}", 2, "only a folder can be audited"),
    (f"audit jekyll {FLAGS}", 3, "build it, and audit the output"),
    (f"audit site {FLAGS} --write-baseline", 2, "--write-baseline: there is no file to write to (--baseline FILE)"),
    (f"audit site {FLAGS} --baseline none.json", 2, "none.json cannot be read"),
    (f"audit site {FLAGS} --set 'audit_severity={{broken=\"off\"}}'", 2, "there is no such finding"),
    (f"audit site {FLAGS} --set 'audit_severity={{deep=\"bad\"}}'", 2, "'bad' is not an allowed value"),
    (f"audit site {FLAGS} --sarif site", 2, "is a directory"),
    (f"audit site {FLAGS} --sarif a.xml/audit.sarif", 5, "a.xml/audit.sarif"),
    (f"audit site {FLAGS} --baseline a.xml/known.json --write-baseline", 5, "a.xml/known.json"),
    (f"audit site {FLAGS} --external-answers 1", 2, "--external-answers: it is about other sites, which are not asked"),
    (f"audit site {FLAGS} --external-max-minutes 1", 2, "which are not asked (--external)"),
    ("validate a.xml --url example.org", 2, "--url: 'example.org' is not a URL"),
    ("validate - --most -1", 2, "--most"),
    (f"validate a.xml --against none {FLAGS}", 3, "none"),
    *((f"{name} x --csv --json", 2, "--csv and --json cannot be used together") for name in ("validate", "audit")),
    *((f"{name} x --csv --json", 2, "--csv and --json cannot be used together") for name in ("report", "check-live")),
    ("check-live a.xml --url example.org", 2, "--url: 'example.org' is not a URL"),
    ("diff - - --most -1", 2, "--most"),
    *(
        (f"diff a.xml a.xml --fail-if-removed {share}", 2, "is not a percentage from 0 to 100")
        for share in ("-1", "101", "ten", "nan", "%", "1%%")
    ),
    (f"explain source docs/index.md {FLAGS}", 3, "is the source of a site that MkDocs builds"),
    ("explain site", 2, "Missing argument 'PATH...'."),
    (f"status site {FLAGS}", 2, "this command needs a bucket"),
    (f"update site a.html {FLAGS}", 2, "this command needs a bucket"),
    (f"report site {FLAGS} --live none.json", 3, "none.json cannot be read"),
    (f"report site {FLAGS} --submitted other.json", 3, "other.json is not what `waypost submit --json` prints"),
    (f"report site {FLAGS} --to https://example.org/", 2, "is a URL, and no path on this machine"),
    ("recognise unknown", 2, "unknown"),
    (f"merge none.xml {FLAGS}", 3, "none.xml, which `sitemaps` names, does not exist"),
    ("merge a.xml", 2, "base_url: it is missing"),
    (f"merge list.xml {FLAGS}", 3, "list.xml lists 1 sitemap that cannot be read"),
    (f"merge https://b.dev/a.xml --index {FLAGS}", 2, "is not below https://example.org/"),
    (f"merge a.xml {FLAGS} --output s3://b/", 2, "--output: 's3://b/' is a URL, and the sitemaps of a folder are"),
    ("date none.xml", 3, "none.xml does not exist; name a file, s3://bucket/key, an http(s) URL, or -"),
    ("date a.xml list.xml", 2, "--in-place: it is missing, and there are 2 files"),
    ("date a.xml --base-url x", 2, "--base-url: 'x' is not an absolute http or https URL"),
    ("date a.xml", 2, "base_url: it is missing"),
    ("date a.xml --in-place --output b.xml", 2, "--output: it goes with neither --in-place nor --check"),
    ("submit sitemap.xml", 2, "SITEMAP_URL: 'sitemap.xml' is not an http or https URL"),
    (f"submit {SUBMITTED} --site waypost.dev", 2, "--site: 'waypost.dev' is no property"),
    ("submit", 2, "Missing argument 'SITEMAP_URL...'"),
    (f"submit {SUBMITTED} --to other", 2, "Invalid value for '--to'"),
    (f"submit {SUBMITTED}", 2, "GOOGLE_APPLICATION_CREDENTIALS and BING_WEBMASTER_API_KEY: none of them is set"),
    ("notify site --base-url https://example.org/", 2, "--changes: it is missing, and a folder does not say what"),
    ("notify site --all --base-url https://example.org/", 2, "indexnow: it is not set"),
    ("notify --changes other.json", 7, "other.json is no file of changes"),
    ("notify --from a.xml", 2, "--to: it is missing beside --from"),
    ("notify --to a.xml", 2, "--from: it is missing beside --to"),
    ("notify --from a.xml --to none.xml", 3, "none.xml does not exist"),
    ("notify --since yesterday --to a.xml", 2, "--since: 'yesterday' is no date"),
    ("notify --since 2026-01-01", 2, "--since: it needs --to, and no --from"),
    ("notify --since 2026-01-01 --to a.xml --from a.xml", 2, "--since: it needs --to, and no --from"),
]


@pytest.mark.parametrize(("command", "code", "message"), MISTAKES, ids=[command for command, _, _ in MISTAKES])
def test_what_is_wrong_is_said_and_has_its_exit_code(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, command: str, code: int, message: str
) -> None:
    for name in ("GOOGLE_APPLICATION_CREDENTIALS", "BING_WEBMASTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    files = {
        "jekyll/_config.yml": "",
        "jekyll/index.md": "---\n---\nx",
        "a.xml": urlset("a"),
        "list.xml": index(f"{BASE}none.xml"),
        "other.json": "{}",
    }
    pages = {"site/index.html": "<title>Home</title>", "source/mkdocs.yml": "site_name: A", "source/docs/index.md": "A"}
    for name, text in {**files, **pages}.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    result = invoke(*shlex.split(command))
    assert (result.exit_code, message in result.output) == (code, True), result.output
