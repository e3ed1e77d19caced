"""What a report finds besides a run's own warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from builds import page
from msgspec.structs import replace

from waypost.audit.site_audit import audit_job
from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.core.finding_types import Severity
from waypost.core.model import SiteWarning
from waypost.report import overview_of_plan
from waypost.report.report_problems import audit_problems, job_problems, plan_problems
from waypost.settings.load import ConfigSource

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Write

NOW = "2026-11-21T12:00:00Z"
FOREIGN = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://example.org/a.html</loc></url><url><loc>https://example.org/gone.html</loc></url></urlset>"""


def job_of(source: Path, base_url: str = "https://example.org/", **values: object) -> Job:
    settings = ConfigSource("test", {"base_url": base_url, "lastmod": "none", **values}, is_trusted=True)
    return prepare(source, settings, working_folder=source.parent)


@pytest.fixture
def job(write: Write) -> Job:
    return job_of(write({"a.html": page("A"), "b.html": page("B")}))


def test_a_site_whose_sitemaps_are_right_has_no_problem(job: Job) -> None:
    plan = job.plan()
    assert list(plan_problems(plan, job.site, NOW)) == []
    assert list(job_problems(plan, job, NOW)) == []
    job.apply(plan)
    assert list(job_problems(job.plan(), job, NOW)) == []


def test_the_present_sitemap_of_another_tool_is_compared_with_the_site(job: Job) -> None:
    (job.paths.source / "sitemap.xml").write_text(FOREIGN)
    plan = job.plan_publication(*job.list_pages(lambda *_: None), lambda *_: None)
    found = {each.code: [page.name for page in each.pages] for each in job_problems(plan, job, NOW)}
    assert found == {
        "listed-missing": ["https://example.org/gone.html"],
        "unlisted": ["https://example.org/b.html"],
    }
    assert all("another tool" in each.found_in for each in job_problems(plan, job, NOW))


def test_the_former_sitemap_of_waypost_is_no_problem_because_the_next_run_replaces_it(job: Job) -> None:
    job.apply(job.plan())
    (job.paths.source / "c.html").write_text(page("C"))
    assert list(job_problems(job.plan(), job, NOW)) == []


def test_a_site_with_one_commit_is_not_blamed_for_its_one_date(write: Write) -> None:
    source = write({f"{folder}/{n}.html": page(f"{folder} {n}") for folder in "ab" for n in range(9)})
    job = job_of(source, groups={"a": ["/a/"]}, lastmod="content", state="../state")
    plan = job.plan()
    dates = {loc.lastmod for loc in plan.pages}
    assert len(dates) == 1
    assert [each.code for each in plan_problems(plan, job.site, NOW)] == []


def test_with_another_base_url_the_present_sitemap_is_not_compared(write: Write) -> None:
    job = job_of(write({"a.html": page("A"), "sitemap.xml": FOREIGN}), "https://other.example/")
    plan = job.plan_publication(*job.list_pages(lambda *_: None), lambda *_: None)
    assert [each.code for each in job_problems(plan, job, NOW)] == []


def test_what_the_audit_finds_is_a_problem_with_its_own_severity_also_if_the_run_warns_of_it(write: Write) -> None:
    link = '<a href="gone.html">gone</a>'
    source = write({name: f"<!doctype html><title>{name}</title><body>{link}" for name in ("a.html", "b.html")})
    job = job_of(source)
    plan, result = job.plan(), audit_job(job, lambda *_: None)
    (broken,) = [each for each in audit_problems(result) if each.code == "broken-link"]
    assert [page.name for page in broken.pages] == ["a.html", "b.html"]
    assert "https://example.org/gone.html" in broken.pages[0].detail
    assert broken.found_by == "waypost audit"
    warned = replace(plan, warnings=[SiteWarning("canonical-missing", "")])
    found = overview_of_plan(
        warned, job.site, NOW, [*audit_problems(result), replace(broken, code="canonical-missing")]
    )
    assert [each.severity for each in found.verdict.problems if each.code == "canonical-missing"] == [Severity.ERROR]
