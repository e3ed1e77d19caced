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
    from collections.abc import Sequence
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
    for committing in ({"commit": "true"}, {"state-branch": "state"}):
        with pytest.raises(AnnounceError, match="put actions/checkout before this step"):
            Step(
                inputs.read({"WAYPOST_INPUTS": json.dumps({**given, **committing})}),
                {"GITHUB_WORKSPACE": str(tmp_path)},
            )
    step = Step(inputs.read({"WAYPOST_INPUTS": json.dumps(given)}), {"GITHUB_WORKSPACE": str(tmp_path)})
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


def summary(plan: Plan, renderer: Renderer | None = None) -> Sequence[str]:
    """The lines of the summary."""
    return job_summary(plan, build_answer(plan, site()), site(), renderer or Renderer()).splitlines()


def changed(**changes: tuple[str, ...]) -> Plan:
    return replace(PLAN, written=["sitemap.xml"], unchanged=[], changes=Changes(**changes))


def test_a_run_that_changed_nothing_has_its_counts_and_the_sitemap_to_submit() -> None:
    lines = summary(PLAN)
    totals = "**1** URL in **1** sitemap; the one to submit is [`sitemap.xml`](https://example.org/sitemap.xml)."
    assert totals in lines
    assert "Nothing changed since the last run." in lines
    assert not any(line.startswith("| pages") for line in lines)


def test_the_folder_is_named_as_it_was_recognised() -> None:
    answer = build_answer(PLAN, site(), SourceKind("static", file="index.html", reason="it is a complete page"))
    lines = job_summary(PLAN, answer, site(), Renderer()).splitlines()
    assert "The folder is a site as it is (index.html: it is a complete page)." in lines


def test_changes_are_counted_and_the_first_fifty_urls_of_a_kind_are_listed() -> None:
    added = tuple(f"{BASE}{n}.html" for n in range(60))
    lines = summary(changed(added=added, removed=(f"{BASE}old.html",)))
    assert "| pages added | 60 |" in lines
    assert "| pages removed | 1 |" in lines
    assert "| files written | 1 |" in lines
    assert lines.count("- … and 10 more") == 1
    assert f"- `{added[49]}`" in lines
    assert f"- `{added[50]}`" not in lines


def test_changes_in_several_sections_have_a_table_of_sections() -> None:
    one = summary(changed(added=(f"{BASE}blog/a.html",)))
    two = summary(changed(added=(f"{BASE}blog/a.html",), removed=(f"{BASE}docs/b.html",)))
    header = "| section | added | removed | other date | other description |"
    assert header not in one
    assert two.count(header) == 1
    assert sum("/blog/" in line and line.startswith("| ") for line in two) == 1


def test_reasons_have_their_counts_and_meanings() -> None:
    skipped = [Skipped("x.css", NOT_A_PAGE), Skipped("b.html", NOINDEX), Skipped("c.html", NOINDEX)]
    lines = summary(replace(PLAN, skipped=skipped))
    start = lines.index("### Left out")
    assert [line for line in lines[start:] if line.startswith("| n")] == [
        f"| noindex | 2 | {NOINDEX.meaning} |",
        f"| not-a-page | 1 | {NOT_A_PAGE.meaning} |",
    ]


def test_a_warning_has_the_files_that_it_is_about() -> None:
    warning = SiteWarning("code", "a message", 7, (Example("a.html", "what was found"),))
    lines = summary(replace(PLAN, warnings=[warning, SiteWarning("other", "another message")]))
    assert "- a message (7 files)" in lines
    assert "  - `a.html`: `what was found`" in lines
    assert "- another message" in lines


def test_a_url_cannot_break_out_of_its_code_or_its_line() -> None:
    lines = summary(changed(added=(f"{BASE}`<img src=x>\n# Heading`",)))
    assert f"- `{BASE}'<img src=x> # Heading'`" in lines
    assert "# Heading`" not in lines


def test_a_template_of_the_user_s_gets_the_same_values_and_may_fail() -> None:
    def overriding(text: str) -> Renderer:
        return Renderer({"summary.md.j2": (text, "ours/summary.md.j2")})

    names = "{{ site.base_url }} {{ url_count }} {{ sitemap_count }} {{ sitemap }} {{ sitemap_url }} {{ changed }}"
    assert summary(PLAN, overriding(names)) == [f"{BASE} 1 1 sitemap.xml {BASE}sitemap.xml False"]
    with pytest.raises(RenderError, match=r"ours/summary\.md\.j2:1"):
        summary(PLAN, overriding("{{ nothing.there }}"))
