"""`waypost audit`: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from audits import linked, links, page
from fake_stores import VirtualClock
from sites import BASE
from unit.live.fake_site import SITE, FakeSite, reply

from waypost.audit import ExternalAnswers
from waypost.cli.audit_command import ask_other_sites
from waypost.core.errors import StoreError

if TYPE_CHECKING:
    from sites import Write
    from unit.cli.invoke import Invoke


FLAGS = ("--base-url", BASE)
BROKEN = linked(a=links("none.html"))
WARNING = {**linked(a=page("a")), "b.html": page("b")}


def test_a_site_without_errors_exits_with_0(write: Write, invoke: Invoke) -> None:
    write(linked(a=page("a")))
    result = invoke("audit", "site", *FLAGS)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("2 pages, 1 link: 0 errors, 0 warnings, 0 notes\n")


def test_an_error_exits_with_1(write: Write, invoke: Invoke) -> None:
    write(BROKEN)
    result = invoke("audit", "site", *FLAGS)
    assert result.exit_code == 1
    assert (
        "error broken-link: Links to pages that do not exist (1)\n    https://example.org/none.html on a.html"
        in result.stdout
    )


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1), ("note", 1)])
def test_what_is_serious_enough_to_fail_can_be_chosen(write: Write, invoke: Invoke, fail_on: str, code: int) -> None:
    write(WARNING)
    assert invoke("audit", "site", *FLAGS, "--fail-on", fail_on).exit_code == code


def test_a_severity_can_be_set(write: Write, invoke: Invoke) -> None:
    write(BROKEN)
    assert invoke("audit", "site", *FLAGS, "--set", 'audit_severity={broken-link="warning"}').exit_code == 0


def test_the_answer_in_json_has_all_pages(write: Write, invoke: Invoke) -> None:
    write(linked(**{f"p{n}": links("none.html", str(n)) for n in range(20)}))
    answer = json.loads(invoke("audit", "site", *FLAGS, "--json", "--most", "1").stdout)
    (case,) = (
        each for finding in answer["findings"] for each in finding["cases"] if each["target"] == f"{BASE}none.html"
    )
    assert len(case["pages"]) == 20
    assert (answer["error_count"], answer["checked"]["listed"], answer["base_url"]) == (21, 21, BASE)
    assert answer["count_by_code"]["broken-link"] == 21


def test_known_cases_are_not_reported(write: Write, invoke: Invoke) -> None:
    site = write(BROKEN)
    known = ("--baseline", "known.json")
    assert invoke("audit", "site", *FLAGS, *known, "--write-baseline").exit_code == 0
    hidden = invoke("audit", "site", *FLAGS, *known)
    assert (hidden.exit_code, hidden.stdout) == (0, "")
    assert "known by the baseline, and not shown: 1" in hidden.stderr
    (site / "a.html").write_text(links("also-none.html"))
    new = invoke("audit", "site", *FLAGS, *known, "--json")
    answer = json.loads(new.stdout)
    assert (new.exit_code, answer["error_count"], answer["hidden_count"]) == (1, 1, 0)
    assert answer["resolved"] == [{"code": "broken-link", "page": "a.html", "target": f"{BASE}none.html"}]


def test_a_sarif_log_has_paths_from_the_root_of_the_repository(write: Write, invoke: Invoke) -> None:
    write(BROKEN)
    Path(".git").mkdir()
    invoke("audit", "site", *FLAGS, "--sarif", "audit.sarif")
    (result,) = json.loads(Path("audit.sarif").read_text())["runs"][0]["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "site/a.html"


def test_in_a_workflow_each_finding_is_one_annotation(
    write: Write, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(linked(a=links("x.html", "y.html")))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (line,) = invoke("audit", "site", *FLAGS).stdout.splitlines()
    assert line.startswith("::error title=Waypost%3A broken-link::Links to pages that do not exist: ")
    assert "x.html on a.html and 1 more" in line


def test_the_servers_of_other_sites_are_asked_only_if_that_is_wanted(write: Write, invoke: Invoke) -> None:
    write(linked(a=links("https://docs.waypost.dev/gone")))
    command = ("audit", "site", *FLAGS)
    assert "of other sites" not in invoke(*command).stderr
    shown = invoke(*command, "--external", "--external-max-minutes", "0").stderr
    assert "  0 URLs of other sites asked\n" in shown
    assert "  not checked: 1 URL of other sites, since the time was over" in shown


GONE, SERVER_ERROR = f"{SITE}/gone", f"{SITE}/broken"
DAY = 86_400


def ask(site: FakeSite, clock: VirtualClock, memory: Path | None = None, minutes: int | None = None) -> ExternalAnswers:
    answers = ask_other_sites([GONE, SERVER_ERROR], memory, 0, minutes, lambda stage, done, total: None, site, clock)
    assert answers.counts.has_memory == (memory is not None)
    return answers


def test_only_what_a_file_remembers_as_missing_on_two_days_is_gone(tmp_path: Path) -> None:
    clock, site = VirtualClock(), FakeSite({GONE: reply(404), SERVER_ERROR: reply(500)})
    first = {GONE: "external-missing", SERVER_ERROR: "external-unreachable"}
    for memory, second in ((tmp_path / "answers", "external-gone"), (None, "external-missing")):
        for expected in (first, {**first, GONE: second}):
            assert {url: code for url, (code, _) in ask(site, clock, memory).problems.items()} == expected
            clock.sleep(2 * DAY)


def test_after_the_time_limit_no_other_site_is_asked() -> None:
    counts = ask(FakeSite(), VirtualClock(), minutes=0).counts
    assert (counts.asked, sum(counts.unasked.values())) == (0, 2)


def test_a_file_that_cannot_remember_answers_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("text" * 999)
    with pytest.raises(StoreError, match="cannot be used for answers"):
        ask(FakeSite(), VirtualClock(), tmp_path / "other")


def test_links_that_are_not_checked_are_listed_and_can_fail_a_run(write: Write, invoke: Invoke) -> None:
    write({**linked(a=links("/api/x.html", "search.php?q=1", "https://other.dev/"))})
    flags = (*FLAGS, "--set", 'outside=["/api/"]')
    quiet, verbose = (invoke("audit", "site", *flags, *more) for more in ((), ("--verbose",)))
    line = "  not checked: https://example.org/api/x.html (to what others publish, by the setting `outside`) on a.html"
    assert (line in quiet.stderr, line in verbose.stderr) == (False, True)
    assert json.loads(invoke("audit", "site", *flags, "--json").stdout)["unchecked"] == [
        {"target": "https://example.org/api/x.html", "reason": "outside", "pages": ["a.html"]},
        {"target": "https://example.org/search.php?", "reason": "query", "pages": ["a.html"]},
    ]
    codes = [invoke("audit", "site", *flags, "--fail-on", name).exit_code for name in ("note", "unchecked")]
    assert codes == [0, 1]


def test_a_folder_that_does_not_exist_opens_to_its_targets(write: Write, invoke: Invoke) -> None:
    write(linked(a=links(*(f"/blog/{name}.html" for name in "abcde"))))
    text = "https://example.org/blog/ (5 targets: https://example.org/blog/a.html, https://example.org/blog/b.html, "
    assert text in invoke("audit", "site", *FLAGS).stdout
    (found,) = json.loads(invoke("audit", "site", *FLAGS, "--json").stdout)["findings"]
    assert len(found["cases"][0]["targets"]) == 5
