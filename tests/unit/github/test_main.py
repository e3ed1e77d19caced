"""The entry point of the Action: what it reports to the runner."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from waypost.github.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

Run = Callable[..., int]
PAGE = "<title>A</title>"
GUEST = '<link rel=canonical href="https://elsewhere.example/">'


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the Action in this process; keywords are its inputs, and the workspace is the test's folder."""

    def run(**given: str) -> int:
        inputs = {"base_url": "https://example.org/", "settings": 'lastmod = "none"', "source": "site", **given}
        return main(
            {
                "WAYPOST_INPUTS": json.dumps({name.replace("_", "-"): text for name, text in inputs.items()}),
                "GITHUB_WORKSPACE": str(tmp_path),
                "GITHUB_OUTPUT": str(tmp_path / "output"),
                "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            }
        )

    return run


def outputs(folder: Path) -> dict[str, str]:
    """The outputs of the last run that wrote some, as the runner reads them."""
    found: dict[str, str] = {}
    lines = iter((folder / "output").read_text().split("\n")[:-1])
    for line in lines:
        name, _, delimiter = line.partition("<<")
        values = []
        while (value := next(lines)) != delimiter:
            values.append(value)
        found[name] = "\n".join(values)
    return found


def test_a_step_has_outputs_and_a_summary(
    write: Write, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a.html": PAGE, "b.html": "<meta name=robots content=noindex>", "style.css": ""})
    assert run(settings='lastmod = "none"\nformats = ["xml", "text"]') == 0
    assert outputs(tmp_path) == {
        "sitemap-path": "site/sitemap.xml",
        "url-count": "1",
        "excluded-count": "1",
        "changed": "true",
        "files": "site/sitemap.xml\nsite/sitemap.txt",
        "commit-sha": "",
        "pull-request-url": "",
        "report-path": "",
    }
    assert (tmp_path / "summary").read_text().startswith("## Sitemaps of https://example.org/\n")
    assert "::" not in capsys.readouterr().out.replace("https://", "")


def test_a_step_that_changes_nothing_says_so_and_files_that_were_removed_are_changes(
    write: Write, run: Run, tmp_path: Path
) -> None:
    write({"a.html": PAGE})
    run(settings='lastmod = "none"\nformats = ["xml", "text"]')
    run(settings='lastmod = "none"\nformats = ["xml", "text"]')
    assert (outputs(tmp_path)["changed"], outputs(tmp_path)["files"]) == ("false", "")
    run()
    assert (outputs(tmp_path)["changed"], outputs(tmp_path)["files"]) == ("true", "site/sitemap.txt")


def test_a_warning_is_annotated_at_each_of_its_files_or_at_the_run(
    write: Write, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"docs/a.html": GUEST, "b.html": GUEST})
    assert run(settings='lastmod = "git"') == 0
    annotations = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    assert [line.partition("::rel")[0].partition("::pages")[0] for line in annotations] == [
        "::warning title=Waypost%3A no-repository",
        "::warning file=site/b.html,title=Waypost%3A foreign-canonical",
        "::warning file=site/docs/a.html,title=Waypost%3A foreign-canonical",
    ]


def test_every_issue_in_the_settings_is_annotated_and_one_of_a_file_at_its_line(
    write: Write, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a.html": PAGE, "waypost.toml": 'name = "map"\ngzip = "what"\n'})
    assert run(push="maybe") == 2
    in_step, in_file = capsys.readouterr().out.splitlines()
    assert in_step.startswith("::error title=Waypost%3A settings::the step's inputs: push: ")
    assert in_file.startswith(
        "::error file=site/waypost.toml,line=2,title=Waypost%3A settings::site/waypost.toml:2: gzip: "
    )
    assert not (tmp_path / "output").exists()


def test_an_error_is_annotated_and_gives_its_exit_code(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(source="absent") == 3
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::error title=Waypost::")


def test_a_report_is_written_with_what_the_step_changed(write: Write, run: Run, tmp_path: Path) -> None:
    write({"a.html": PAGE})
    assert run(report="out/report.html") == 0
    assert outputs(tmp_path)["report-path"] == "out/report.html"
    assert "Added (1)" in (tmp_path / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("report", "message"),
    [("site/a.html", "exists and is not a report"), ("../report.html", "is outside the workspace")],
)
def test_a_report_that_may_not_be_written_is_refused_before_the_step(
    write: Write, run: Run, capsys: pytest.CaptureFixture[str], report: str, message: str
) -> None:
    source = write({"a.html": PAGE})
    assert run(report=report) == 5
    assert message in capsys.readouterr().out
    assert not (source / "sitemap.xml").exists()


def test_a_report_that_cannot_be_written_is_an_error_after_the_result_of_the_step(
    write: Write, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write({"a.html": PAGE})
    assert run(report="site/a.html/report.html") == 5
    assert (outputs(tmp_path)["changed"], outputs(tmp_path)["report-path"]) == ("true", "")
    assert (source / "sitemap.xml").exists()
    assert "::error title=Waypost::cannot write " in capsys.readouterr().out


def test_a_step_that_would_remove_most_pages_fails_with_the_reasons_and_writes_nothing(
    write: Write, run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = write({f"page-{n:02}.html": PAGE for n in range(30)})
    run()
    before = (site / "sitemap.xml").read_bytes()
    for n in range(20):
        (site / f"page-{n:02}.html").unlink()
    capsys.readouterr()
    assert run() == 8
    annotation = capsys.readouterr().out
    assert annotation.startswith("::error title=Waypost::20 of the 30 pages in sitemap.xml would no longer be listed")
    assert "%0A  why: 20 have no file%0A" in annotation
    assert "## The sitemaps were not changed\n\n```\n20 of the 30 pages" in (tmp_path / "summary").read_text()
    assert (site / "sitemap.xml").read_bytes() == before
    assert run(settings='lastmod = "none"\nmax_removed = 100') == 0
