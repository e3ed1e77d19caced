"""The job summary of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from unit.sample_sites import pages, site

from waypost.build.build_answer import build_answer
from waypost.core.errors import RenderError
from waypost.core.model import Changes, Document, Example, Plan, SiteWarning, Skipped, SourceKind
from waypost.core.reasons import NOINDEX, NOT_A_PAGE
from waypost.github.step_outputs import job_summary
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Sequence

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
