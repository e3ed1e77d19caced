"""One step of a workflow, in a clone whose origin is on the same disk."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from repositories import Repository
from unit.sample_sites import pages, site

from waypost.build.build_answer import build_answer
from waypost.core.errors import AnnounceError, RenderError
from waypost.core.model import Changes, Document, Example, Plan, SiteWarning, Skipped, SourceKind
from waypost.core.reasons import NOINDEX, NOT_A_PAGE
from waypost.github import inputs
from waypost.github.step import ActionResult, Step, job_summary
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from pathlib import Path


PAGE = "<title>A</title>"
PUSH = {"GITHUB_EVENT_NAME": "push", "GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main"}


class Clone(Repository):
    """A clone with one page, which is pushed, and the environment of a workflow for its branch main."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "clone")
        self.origin = Repository(folder / "origin")
        self.origin.git("config", "receive.denyCurrentBranch", "ignore")
        self.git("remote", "add", "origin", self.origin.folder.as_uri())
        self.commit_and_push({"a.html": PAGE})

    def commit_and_push(self, files: dict[str, str | bytes | None]) -> str:
        commit = self.commit(files, when=1_000_000_000)
        self.git("push", "--quiet", "origin", "HEAD:main")
        return commit

    def run(self, **given: str) -> ActionResult:
        """Run a step; keywords are its inputs."""
        values = {"base-url": "https://example.org/", "settings": 'lastmod = "none"', **given}
        texts = {name.replace("_", "-"): text for name, text in values.items()}
        environ = {**PUSH, "GITHUB_WORKSPACE": str(self.folder), "RUNNER_TEMP": str(self.folder.parent)}
        return Step(inputs.read({"WAYPOST_INPUTS": json.dumps(texts)}), environ).run()

    def files_of(self, commit: str) -> list[str]:
        return self.git("show", "--format=", "--name-only", commit).splitlines()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


def test_a_step_that_is_not_to_commit_only_writes_the_files(clone: Clone) -> None:
    result = clone.run()
    assert (result.commit, result.answer.written) == ("", ["sitemap.xml"])
    assert clone.git("status", "--porcelain") == "?? sitemap.xml\n"


def test_a_commit_has_only_the_outputs_and_the_state_and_is_pushed(clone: Clone) -> None:
    clone.write({"a.html": f"{PAGE}<p>changed"})
    result = clone.run(commit="true", settings='state = ".waypost/state.jsonl"')
    assert clone.files_of(result.commit) == [".waypost/state.jsonl", "sitemap.xml"]
    assert clone.origin.git("rev-parse", "main").strip() == clone.git("rev-parse", "HEAD").strip() == result.commit
    assert clone.git("status", "--porcelain") == " M a.html\n"
    assert clone.run(commit="true", settings='state = ".waypost/state.jsonl"').commit == ""


def test_a_step_whose_push_comes_second_renders_again_on_the_newer_commit(
    clone: Clone, capsys: pytest.CaptureFixture[str]
) -> None:
    before = clone.git("rev-parse", "HEAD").strip()
    newer = clone.commit_and_push({"b.html": PAGE})
    clone.git("reset", "--quiet", "--hard", before)
    result = clone.run(commit="true")
    assert [page.key for page in result.plan.pages] == ["a.html", "b.html"]
    assert clone.git("rev-parse", f"{result.commit}^").strip() == newer
    assert clone.origin.git("rev-parse", "main").strip() == result.commit
    assert "::notice title=Waypost::rendering again on the new head" in capsys.readouterr().out


def test_a_step_without_a_repository_may_render_but_not_commit(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.html").write_text(PAGE)
    given = {"base-url": "https://example.org/", "settings": 'lastmod = "none"', "source": "site"}
    environ = {"GITHUB_WORKSPACE": str(tmp_path)}
    for committing in ({"commit": "true"}, {"state-branch": "state"}):
        asked = inputs.read({"WAYPOST_INPUTS": json.dumps({**given, **committing})})
        with pytest.raises(AnnounceError, match="put actions/checkout before this step"):
            Step(asked, environ)
    step = Step(inputs.read({"WAYPOST_INPUTS": json.dumps(given)}), environ)
    assert step.run().answer.written == ["sitemap.xml"]


def test_outputs_that_cannot_be_committed_are_refused(clone: Clone) -> None:
    with pytest.raises(AnnounceError, match="is outside the repository"):
        clone.run(commit="true", output="../public")
    clone.commit_and_push({".gitignore": "sitemap*\n"})
    with pytest.raises(AnnounceError, match=r"Git ignores .*sitemap\.xml, so it was not committed"):
        clone.run(commit="true")


def test_the_state_of_a_state_branch_dates_a_page_whose_content_changed(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    for epoch, content in (("1000000000", PAGE), ("1100000000", f"{PAGE}<p>More")):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
        clone.commit_and_push({"a.html": content})
        result = clone.run(state_branch="state", settings='lastmod = "content"')
    assert [page.lastmod for page in result.plan.pages] == ["2004-11-09T11:33:20Z"]
    assert clone.origin.git("ls-tree", "--name-only", "state") == "waypost-state-example.org-6ec7e91c.jsonl\n"
    assert clone.origin.git("rev-list", "--count", "state").strip() == "2"


def test_a_result_has_every_file_that_the_outputs_depend_on(clone: Clone) -> None:
    clone.write({"waypost.toml": 'templates = "ours"\n', "ours/summary.md.j2": "ours", "ours/notes.txt": ""})
    result = clone.run(settings='lastmod = "none"\nformats = ["xml", "text"]')
    names = [path.relative_to(clone.folder).as_posix() for path in result.input_paths]
    assert names == ["a.html", "waypost.toml", "ours/summary.md.j2"]
    assert [path.name for path in result.output_paths] == ["sitemap.xml", "sitemap.txt"]
    assert [path.name for path in clone.run().output_paths] == ["sitemap.xml", "sitemap.txt"]


BASE = "https://example.org/"
PLAN = Plan(
    pages(["a.html"]),
    [],
    [],
    [Document("sitemap.xml", "sitemap", b"<urlset/>", f"{BASE}sitemap.xml", 1)],
    written=[],
    unchanged=["sitemap.xml"],
    removed=[],
    changes=Changes(),
)
SECTIONS = "| section | added | removed | other date | other description |"
STATIC = SourceKind("static", file="index.html", reason="it is a complete page")


def summary(plan: Plan, renderer: Renderer | None = None, kind: SourceKind | None = None) -> list[str]:
    """The lines of the summary."""
    answer = build_answer(plan, site(), kind) if kind else build_answer(plan, site())
    return job_summary(plan, answer, site(), renderer or Renderer()).splitlines()


def changed(**changes: tuple[str, ...]) -> Plan:
    return replace(PLAN, written=["sitemap.xml"], unchanged=[], changes=Changes(**changes))


@pytest.mark.parametrize(
    ("plan", "lines", "absent"),
    [
        pytest.param(
            PLAN,
            [
                "**1** URL in **1** sitemap; the one to submit is [`sitemap.xml`](https://example.org/sitemap.xml).",
                "Nothing changed since the last run.",
                "The folder is a site as it is (index.html: it is a complete page).",
            ],
            ["| pages added | 0 |"],
            id="nothing changed",
        ),
        pytest.param(
            changed(added=tuple(f"{BASE}{n}.html" for n in range(60)), removed=(f"{BASE}old.html",)),
            [
                "| pages added | 60 |",
                "| pages removed | 1 |",
                "| files written | 1 |",
                "- … and 10 more",
                f"- `{BASE}49.html`",
            ],
            [f"- `{BASE}50.html`", "Nothing changed since the last run."],
            id="the first fifty URLs of a kind",
        ),
        pytest.param(changed(added=(f"{BASE}blog/a.html",)), [], [SECTIONS], id="one section"),
        pytest.param(
            changed(added=(f"{BASE}blog/a.html",), removed=(f"{BASE}docs/b.html",)),
            [SECTIONS, "| `/blog/` | 1 | 0 | 0 | 0 |", "| `/docs/` | 0 | 1 | 0 | 0 |"],
            [],
            id="several sections",
        ),
        pytest.param(
            replace(PLAN, skipped=[Skipped("x.css", NOT_A_PAGE), Skipped("b.html", NOINDEX), Skipped("c", NOINDEX)]),
            ["### Left out", f"| noindex | 2 | {NOINDEX.meaning} |", f"| not-a-page | 1 | {NOT_A_PAGE.meaning} |"],
            [],
            id="reasons",
        ),
        pytest.param(
            replace(
                PLAN,
                warnings=[
                    SiteWarning("code", "a message", 7, (Example("a.html", "what was found"),)),
                    SiteWarning("other", "another message"),
                ],
            ),
            ["- a message (7 files)", "  - `a.html`: `what was found`", "- another message"],
            [],
            id="warnings with their files",
        ),
        pytest.param(
            changed(added=(f"{BASE}`<img src=x>\n# Heading`",)),
            [f"- `{BASE}'<img src=x> # Heading'`"],
            ["# Heading`"],
            id="a URL in its code and its line",
        ),
    ],
)
def test_the_summary_has_what_changed_what_is_left_out_and_the_warnings(
    plan: Plan, lines: list[str], absent: list[str]
) -> None:
    shown = summary(plan, kind=STATIC)
    assert ([line for line in lines if shown.count(line) != 1], [line for line in absent if line in shown]) == ([], [])


def test_a_template_of_the_user_s_gets_the_same_values_and_may_fail() -> None:
    def overriding(text: str) -> Renderer:
        return Renderer({"summary.md.j2": (text, "ours/summary.md.j2")})

    names = "{{ site.base_url }} {{ url_count }} {{ sitemap_count }} {{ sitemap }} {{ sitemap_url }} {{ changed }}"
    assert summary(PLAN, overriding(names)) == [f"{BASE} 1 1 sitemap.xml {BASE}sitemap.xml False"]
    with pytest.raises(RenderError, match=r"ours/summary\.md\.j2:1"):
        summary(PLAN, overriding("{{ nothing.there }}"))
