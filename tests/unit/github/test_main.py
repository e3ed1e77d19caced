"""The entry point of the Action: what its steps do, and what they report to the runner."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from operator import ne
from typing import TYPE_CHECKING

import pytest
from repositories import Repository
from search_engine import KEY, SearchEngine
from unit.cli.invoke import BASE, urlset

from waypost.github.main import main, write_outputs

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

PAGE = "<title>A</title>"
GUEST = '<link rel=canonical href="https://elsewhere.example/">'
TWO_FORMATS = 'lastmod = "none"\nformats = ["xml", "text"]'


@dataclass
class Action:
    """Runs the Action in this process; its workspace is the test's folder."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, **given: str) -> tuple[int, str]:
        """The exit code and what is printed; keywords are the step's inputs."""
        inputs = {"base_url": BASE, "settings": 'lastmod = "none"', "source": "site", **given}
        environ = {
            "WAYPOST_INPUTS": json.dumps({name.replace("_", "-"): text for name, text in inputs.items()}),
            "GITHUB_WORKSPACE": str(self.folder),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        return main(environ), self.capsys.readouterr().out

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs, as the runner reads them: `name<<delimiter`, lines, delimiter; a later one replaces others."""
        outputs, lines = {}, iter((self.folder / "output").read_text().split("\n")[:-1])
        for line in lines:
            name, _, delimiter = line.partition("<<")
            outputs[name] = "\n".join(takewhile(partial(ne, delimiter), lines))
        return outputs

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()


@pytest.fixture
def action(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Action:
    return Action(tmp_path, capsys)


def test_a_step_has_outputs_and_a_summary(write: Write, action: Action) -> None:
    write({"a.html": PAGE, "b.html": "<meta name=robots content=noindex>", "style.css": ""})
    code, printed = action.run(settings=TWO_FORMATS)
    assert (code, "::" in printed.replace("https://", "")) == (0, False)
    assert action.outputs == {
        "sitemap-path": "site/sitemap.xml",
        "url-count": "1",
        "excluded-count": "1",
        "changed": "true",
        "files": "site/sitemap.xml\nsite/sitemap.txt",
        "commit-sha": "",
        "pull-request-url": "",
        "report-path": "",
    }
    assert action.summary.startswith(f"## Sitemaps of {BASE}\n")


def test_a_step_that_changes_nothing_says_so_and_files_that_were_removed_are_changes(
    write: Write, action: Action
) -> None:
    write({"a.html": PAGE})
    action.run(settings=TWO_FORMATS)
    for settings, changed, files in ((TWO_FORMATS, "false", ""), ('lastmod = "none"', "true", "site/sitemap.txt")):
        action.run(settings=settings)
        assert (action.outputs["changed"], action.outputs["files"]) == (changed, files)


def test_outputs_keep_their_lines_and_those_of_earlier_steps(action: Action) -> None:
    file = action.folder / "output"
    outputs = {"files": "a.xml\nb.xml", "commit-sha": "", "forged": "x\nEOF\nurl-count<<EOF\n9\nEOF"}
    write_outputs({"GITHUB_OUTPUT": str(file)}, {"url-count": "1"})
    write_outputs({"GITHUB_OUTPUT": str(file)}, outputs)
    assert action.outputs == {"url-count": "1", **outputs}
    delimiters = [line.partition("<<")[2] for line in file.read_text().splitlines() if "<<end-" in line]
    assert len(set(delimiters)) == 4


def test_outside_of_a_workflow_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_outputs({}, {"a": "1"})
    assert list(tmp_path.iterdir()) == []


def test_a_warning_is_annotated_at_each_of_its_files_or_at_the_run(write: Write, action: Action) -> None:
    write({"docs/a.html": GUEST, "b.html": GUEST})
    code, printed = action.run(settings='lastmod = "git"')
    annotations = [line for line in printed.splitlines() if line.startswith("::")]
    assert code == 0
    assert [line.partition("::rel")[0].partition("::pages")[0] for line in annotations] == [
        "::warning title=Waypost%3A no-repository",
        "::warning file=site/b.html,title=Waypost%3A foreign-canonical",
        "::warning file=site/docs/a.html,title=Waypost%3A foreign-canonical",
    ]


def test_every_issue_in_the_settings_is_annotated_and_one_of_a_file_at_its_line(write: Write, action: Action) -> None:
    write({"a.html": PAGE, "waypost.toml": 'name = "map"\ngzip = "what"\n'})
    code, printed = action.run(push="maybe")
    in_step, in_file = printed.splitlines()
    assert code == 2
    assert in_step.startswith("::error title=Waypost%3A settings::the step's inputs: push: ")
    assert in_file.startswith(
        "::error file=site/waypost.toml,line=2,title=Waypost%3A settings::site/waypost.toml:2: gzip: "
    )
    assert not (action.folder / "output").exists()


def test_an_error_is_annotated_and_gives_its_exit_code(action: Action) -> None:
    code, printed = action.run(source="absent")
    (line,) = printed.splitlines()
    assert (code, line.startswith("::error title=Waypost::")) == (3, True)


def test_a_report_is_written_with_what_the_step_changed(write: Write, action: Action) -> None:
    write({"a.html": PAGE})
    assert action.run(report="out/report.html")[0] == 0
    assert action.outputs["report-path"] == "out/report.html"
    assert "Added (1)" in (action.folder / "out" / "report.html").read_text()


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ("site/a.html", "exists and is not a report"),
        ("../report.html", "is outside the workspace"),
        ("https://example.org/report.html", "is a URL; name a file in the workspace"),
    ],
)
def test_a_report_that_may_not_be_written_is_refused_before_the_step(
    write: Write, action: Action, report: str, message: str
) -> None:
    source = write({"a.html": PAGE})
    code, printed = action.run(report=report)
    assert (code, message in printed, (source / "sitemap.xml").exists()) == (5, True, False)


def test_a_report_that_cannot_be_written_is_an_error_after_the_result_of_the_step(write: Write, action: Action) -> None:
    source = write({"a.html": PAGE})
    code, printed = action.run(report="site/a.html/report.html")
    assert (code, "::error title=Waypost::cannot write " in printed) == (5, True)
    assert (action.outputs["changed"], action.outputs["report-path"]) == ("true", "")
    assert (source / "sitemap.xml").exists()


def test_a_step_that_would_remove_most_pages_fails_with_the_reasons_and_writes_nothing(
    write: Write, action: Action
) -> None:
    site = write({f"page-{n:02}.html": PAGE for n in range(30)})
    action.run()
    before = (site / "sitemap.xml").read_bytes()
    for n in range(20):
        (site / f"page-{n:02}.html").unlink()
    code, printed = action.run()
    assert code == 8
    assert printed.startswith("::error title=Waypost::20 of the 30 pages in sitemap.xml would no longer be listed")
    assert "%0A  why: 20 have no file%0A" in printed
    assert "## The sitemaps were not changed\n\n```\n20 of the 30 pages" in action.summary
    assert (site / "sitemap.xml").read_bytes() == before
    assert action.run(settings='lastmod = "none"\nmax_removed = 100')[0] == 0


DATE = "2026-01-02T00:00:00Z"


@pytest.fixture
def dated(action: Action) -> Action:
    """The Action where a commit dates the pages of a site, and another tool's sitemap has other dates."""
    pages: dict[str, str | bytes | None] = {"site/a.html": "<title>a</title><p>Text", "site/b.html": "<title>b</title>"}
    Repository(action.folder).commit(pages, 1_767_312_000)
    (action.folder / "site/sitemap.xml").write_text(urlset("a", "c", lastmod="2026-02-20"))
    return action


def test_the_sitemaps_of_other_tools_are_dated_in_their_places(dated: Action) -> None:
    code, printed = dated.run(date="site/sitemap.xml", settings="", source="")
    assert code == 0
    text = (dated.folder / "site/sitemap.xml").read_text()
    assert f"<loc>{BASE}a</loc><lastmod>{DATE}</lastmod>" in text
    assert f"<loc>{BASE}c</loc><lastmod>2026-02-20</lastmod>" in text
    assert dated.outputs == {"url-count": "2", "changed": "true", "files": "site/sitemap.xml"}
    shown = f"{BASE}a: 2026-02-20 -> {DATE} (the page changed then)"
    assert (shown in printed, shown in dated.summary) == (True, True)
    assert "2 URLs, 1 of them found on the site: 1 wrong date, 0 missing" in dated.summary
    assert not (dated.folder / "site/sitemap-pages.xml").exists()
    assert dated.run(date="site/sitemap.xml", settings="")[0] == 0
    assert dated.outputs == {"url-count": "2", "changed": "false", "files": ""}


@pytest.mark.parametrize(
    ("given", "code", "problem"),
    [
        ({"date": "site/sitemap.xml", "commit": "true"}, 2, "it dates the sitemaps of a built site, and commits"),
        ({"date": "site/none.xml"}, 3, "none.xml does not exist"),
        ({"date": "site/a.html"}, 3, "a.html is a title, and only sitemaps"),
        ({"date": "site/link.xml"}, 2, "is a link that leads out of the workspace"),
        ({"date": "https://example.org/sitemap.xml"}, 2, "is a URL, and no path"),
    ],
)
def test_what_cannot_be_dated_is_an_annotation(dated: Action, given: dict[str, str], code: int, problem: str) -> None:
    (dated.folder / "site/link.xml").symlink_to("/etc/hostname")
    failed, printed = dated.run(settings="", **given)
    assert (failed, printed.startswith("::error"), problem in printed) == (code, True, True)


@dataclass
class Publish:
    """Writes pages and runs the Action for a site of which a search engine is to be told."""

    write: Write
    action: Action
    engine: SearchEngine

    def __call__(self, *names: str, **inputs: str) -> str:
        """What the step printed."""
        self.write({f"{name}.html": f"<title>{name}</title>" for name in names})
        code, printed = self.step(**inputs)
        assert code == 0
        return printed

    def step(self, **inputs: str) -> tuple[int, str]:
        toml = f'lastmod = "none"\nindexnow = {{ key = "{KEY}", engine = "{self.engine.url}/indexnow" }}'
        return self.action.run(**{"base_url": self.engine.site, "settings": toml, **inputs})


@pytest.fixture
def publish(write: Write, action: Action, engine: SearchEngine) -> Publish:
    """The step after the deployment sends what an earlier step has kept."""
    return Publish(write, action, engine)


def test_a_later_step_sends_what_the_first_one_has_kept(publish: Publish, engine: SearchEngine) -> None:
    publish("a")
    publish("a", "b", changes="changes.json")
    assert engine.submitted == []
    assert publish.step(notify="changes.json") == (0, "indexnow: sent 1 URL\n")
    assert engine.submitted == [[f"{engine.site}b.html"]]


def test_without_a_file_for_the_changes_a_warning_says_that_nobody_was_notified(
    publish: Publish, engine: SearchEngine
) -> None:
    assert "nobody was notified, because the site is not deployed yet; set `changes`" in publish("a")
    assert "nobody was notified" not in publish("a")
    assert engine.submitted == []


def test_a_refusal_is_an_error_of_the_step(publish: Publish, engine: SearchEngine) -> None:
    publish("a")
    publish("a", "b", changes="changes.json")
    engine.key_file = None
    code, printed = publish.step(notify="changes.json")
    assert (code, printed.startswith("::error title=Waypost%3A not-announced::")) == (7, True)
    assert f"publish a file {KEY}.txt" in printed


@pytest.mark.parametrize(
    ("inputs", "code", "message"),
    [({"notify": "none.json"}, 7, "cannot be read"), ({"notify": "changes.json", "settings": ""}, 2, "is not set")],
)
def test_a_step_that_can_send_nothing_says_why(
    publish: Publish, inputs: dict[str, str], code: int, message: str
) -> None:
    publish("a", changes="changes.json")
    failed, printed = publish.step(**inputs)
    assert (failed, message in printed) == (code, True)
