"""Finds the problems that a report shows besides a run's own: what the validator and the audit find."""

from collections.abc import Iterator

from waypost.app.job import Job
from waypost.app.live_answer import CheckLiveAnswer
from waypost.audit import ABOUT_PAGES, AuditCase, AuditResult
from waypost.build.plan_findings import plan_findings, sitemap_findings
from waypost.config.schema import Site
from waypost.core.dates import unix_time
from waypost.core.finding_types import LIVE_RULES
from waypost.core.model import Plan
from waypost.report import AffectedPage, Problem, finding_problems, sentence

_PRESENT = "the current sitemaps of another tool"
_AUDIT, _CHECK_LIVE = "waypost audit", "waypost check-live"
_DATED_BY_RUN = "dates-of-generation"
"""The run knows what dated the pages: a site with one commit has one date."""
_OTHER_SITE = "base-url-changed"
"""With another base_url, the current sitemaps are about another site."""


def plan_problems(plan: Plan, site: Site, now: str) -> Iterator[Problem]:
    """What the validator finds in the sitemaps of a plan."""
    found = plan_findings(plan, site, unix_time(now))
    yield from finding_problems(each for each in found if each.code != _DATED_BY_RUN)


def job_problems(plan: Plan, job: Job, now: str) -> Iterator[Problem]:
    """The same, and what it finds in the current sitemaps if another tool made them; raises StoreError."""
    yield from plan_problems(plan, job.site, now)
    if any(warned.code == _OTHER_SITE for warned in plan.warnings):
        return
    if present := job.present_sitemaps():
        robots_txt = job.present_file("robots.txt") or b""
        found = sitemap_findings(present, plan.pages, plan.skipped, job.site, unix_time(now), robots_txt)
        yield from finding_problems(found, found_in=_PRESENT)


def audit_problems(result: AuditResult, plan: Plan) -> Iterator[Problem]:
    """What an audit finds, but for what the run warns of under the same code."""
    known = {warned.code for warned in plan.warnings}
    for finding in result.findings:
        if finding.code not in known:
            pages = tuple(
                AffectedPage(page, _case_text(finding.code, case)) for case in finding.cases for page in case.pages
            )
            advice, why = sentence(finding.advice), sentence(finding.meaning)
            yield Problem(finding.code, finding.severity, finding.title, advice, pages, why, found_by=_AUDIT)


def live_problems(answer: CheckLiveAnswer) -> Iterator[Problem]:
    """What a check of the live site found."""
    yield from finding_problems(answer.findings, _CHECK_LIVE, "the answers of the server", LIVE_RULES)


def _case_text(code: str, case: AuditCase) -> str:
    return case.detail if code in ABOUT_PAGES else " ".join(filter(None, (case.target, case.detail)))
