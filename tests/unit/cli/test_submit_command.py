"""`waypost submit`, against a server with the APIs of both search engines."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from unit.cli.invoke import FLAGS, PAGES
from webmaster_apis import ACCOUNT, BING_KEY, PROPERTY, SITEMAP, WebmasterApis

if TYPE_CHECKING:
    from sites import Write
    from unit.cli.invoke import Invoke


@pytest.fixture(autouse=True)
def _credentials(webmasters: WebmasterApis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The credentials of both engines in the environment, outside of a workflow."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(webmasters.service_account(tmp_path / "key.json")))
    monkeypatch.setenv("BING_WEBMASTER_API_KEY", BING_KEY)
    monkeypatch.setenv("WAYPOST_SEARCH_CONSOLE_URL", webmasters.google_url)
    monkeypatch.setenv("WAYPOST_BING_WEBMASTER_URL", webmasters.bing_url)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


def test_a_sitemap_is_submitted_to_both_engines_and_what_they_know_is_a_table(invoke: Invoke) -> None:
    result = invoke("submit", SITEMAP)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split()[:3] for line in result.stdout.splitlines()] == [
        ["engine", "sitemap", "state"],
        ["google", SITEMAP, "processed"],
        ["bing", SITEMAP, "Success"],
    ]


def test_an_engine_may_be_chosen(invoke: Invoke, webmasters: WebmasterApis) -> None:
    assert invoke("submit", SITEMAP, "--to", "bing").exit_code == 0
    assert (list(webmasters.bing), webmasters.google, webmasters.token_count) == ([(PROPERTY, SITEMAP)], {}, 0)


def test_the_status_alone_submits_nothing(invoke: Invoke, webmasters: WebmasterApis) -> None:
    assert invoke("submit", SITEMAP).exit_code == 0
    webmasters.requests.clear()
    assert invoke("submit", SITEMAP, "--status").exit_code == 0
    assert {request.split()[0] for request in webmasters.requests if "/token" not in request} == {"GET"}


def test_an_engine_that_refuses_costs_the_other_nothing_and_the_command_fails(
    invoke: Invoke, webmasters: WebmasterApis
) -> None:
    webmasters.properties.clear()
    result = invoke("submit", SITEMAP)
    assert result.exit_code == 7
    assert f"error: google, {SITEMAP}: Google answers 403: {ACCOUNT} has no access to {PROPERTY}" in result.stderr
    assert "error: 1 of 2 requests failed" in result.stderr
    assert list(webmasters.bing) == [(PROPERTY, SITEMAP)]


def test_errors_that_an_engine_reports_in_a_sitemap_end_the_command_with_1(
    invoke: Invoke, webmasters: WebmasterApis
) -> None:
    webmasters.google[PROPERTY, SITEMAP] = {"errors": "2"}
    result = invoke("submit", SITEMAP)
    assert result.exit_code == 1
    assert f"error: google, {SITEMAP}: the engine reports errors in it; Sitemaps in Search Console" in result.stderr


def test_the_answer_in_json_has_failures_too(invoke: Invoke, webmasters: WebmasterApis) -> None:
    webmasters.sites.clear()
    result = invoke("submit", SITEMAP, "--json")
    assert result.exit_code == 7
    google, bing = json.loads(result.stdout)["submissions"]
    assert (google["status"]["url_count"], google["problem"]) == (1_246, "")
    assert (bing["status"], bing["is_submitted"], "no access" in bing["problem"]) == (None, False, True)


def test_the_key_of_bing_is_never_printed(invoke: Invoke, webmasters: WebmasterApis) -> None:
    webmasters.refuse("/bing", (400, {"ErrorCode": 8, "Message": f"the key {BING_KEY}"}))
    assert BING_KEY not in invoke("submit", SITEMAP).output


def test_without_google_auth_the_command_says_what_to_install() -> None:
    script = "import sys; sys.modules['google'] = None; from waypost.cli.main import main; main()"
    command = [sys.executable, "-c", script, "submit", SITEMAP]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--to google: it needs google-auth, which is not installed (pip install google-auth)" in done.stderr


def test_in_a_workflow_the_table_is_in_the_summary_of_the_job(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
    assert invoke("submit", SITEMAP, "--json").exit_code == 0
    assert f"| google | {SITEMAP} | processed |" in (tmp_path / "summary").read_text()


def test_the_answer_is_a_section_of_the_report(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    Path("submitted.json").write_text(invoke("submit", SITEMAP, "--json").stdout)
    result = invoke("report", "site", *FLAGS, "--submitted", "submitted.json")
    assert result.exit_code == 0, result.output
    page = Path("report.html").read_text()
    assert '<h2 id="engines">Search engines</h2>' in page
    assert "1,234 web, 12 image" in page
