"""`waypost report`: one page about a folder or a bucket, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs
from unit.cli.invoke import BASE, FLAGS, PAGES, STATE
from unit.live.test_live_answer import ANSWER, FOUND

from waypost.build.answers import to_json

if TYPE_CHECKING:
    from fake_cloud import Cloud
    from sites import Write
    from unit.cli.invoke import Invoke


def test_a_report_of_a_folder_writes_only_the_report(write: Write, invoke: Invoke) -> None:
    site = write(PAGES)
    result = invoke("report", "site", *FLAGS, "--to", "out.html", "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["excluded_by_reason"] == {"noindex": 1}
    assert "1 page listed, nothing to fix; the report is out.html" in result.stderr
    assert "warning" not in result.stderr
    assert Path("out.html").read_text().startswith("<!doctype html>")
    assert not (site / "sitemap.xml").exists()


def test_the_answer_has_what_the_report_says_to_fix_with_all_pages(write: Write, invoke: Invoke) -> None:
    link = "<a href=gone.html>gone</a>"
    write({**PAGES, "x.html": f"<title>X</title>{link}", "y.html": f"<title>Y</title>{link}"})
    answer = json.loads(invoke("report", "site", *FLAGS, "--to", "out.html", "--json").stdout)
    broken = next(each for each in answer["problems"] if each["code"] == "broken-link")
    assert (broken["severity"], broken["count"], broken["found_by"]) == ("error", 2, "waypost audit")
    assert [page["name"] for page in broken["pages"]] == ["x.html", "y.html"]
    assert answer["is_healthy"] is False


def test_what_the_server_answered_is_in_the_report(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    Path("live.json").write_bytes(to_json(ANSWER))
    answer = json.loads(invoke("report", "site", *FLAGS, "--to", "out.html", "--live", "live.json", "--json").stdout)
    (found,) = [each for each in answer["problems"] if each["code"] == "live-missing"]
    assert (found["found_by"], found["severity"]) == ("waypost check-live", "error")
    assert "The server was asked for 8 of 9 URLs in the sitemaps" in Path("out.html").read_text()
    assert invoke("report", "site", *FLAGS, "--live", "gone.json").exit_code == 3


def test_answers_about_another_site_are_left_out_of_the_report(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    other = structs.replace(FOUND, loc="https://other.example/a")
    Path("live.json").write_bytes(to_json(structs.replace(ANSWER, findings=[FOUND, other])))
    result = invoke("report", "site", *FLAGS, "--to", "out.html", "--live", "live.json", "--csv")
    assert "warning: 1 finding in live.json left out, since they are not below https://example.org/" in result.stderr
    assert "other.example" not in result.stdout
    assert "Listed URLs at which there is no page" in result.stdout


def test_a_report_inside_the_site_is_a_warning(write: Write, invoke: Invoke) -> None:
    write(PAGES)
    result = invoke("report", "site", *FLAGS, "--to", "site/report.html")
    assert result.exit_code == 0
    assert "warning: site/report.html is inside the site and names what is left out" in result.stderr


def test_a_file_that_is_no_report_is_not_replaced(write: Write, invoke: Invoke) -> None:
    site = write(PAGES)
    result = invoke("report", "site", *FLAGS, "--to", "site/index.html")
    assert result.exit_code != 0
    assert (site / "index.html").read_text() == PAGES["index.html"]


def test_the_report_of_a_bucket_shows_what_its_state_holds(cloud: Cloud, invoke: Invoke) -> None:
    cloud.site.put("a.html", "one")
    invoke("build", "cloud://site/", *STATE)
    cloud.site.put("b.html", "two")
    result = invoke("report", "cloud://site/", *STATE)
    assert (result.exit_code, "1 page listed, 1 thing to fix; the report is report.html" in result.stderr) == (0, True)


def test_a_site_without_a_date_is_not_healthy_unless_its_settings_want_none(write: Write, invoke: Invoke) -> None:
    write({"index.html": "<title>A</title><p>Text"})
    healthy = [
        "nothing to fix" in invoke("report", "site", "--base-url", BASE, "--set", f"lastmod={value}").stderr
        for value in ("git", "none")
    ]
    assert healthy == [False, True]
