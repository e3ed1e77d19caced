"""Finds the problems that a report shows besides a run's own: what the validator and the audit find."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from waypost.audit import ABOUT_PAGES, AuditCase, AuditResult
from waypost.build.job import Job
from waypost.build.lister import Listing
from waypost.build.site_checks import named_sitemaps
from waypost.build.site_comparison import SiteComparison
from waypost.core.dates import unix_time
from waypost.core.finding_types import LIVE_RULES
from waypost.core.model import Page, Plan, Skipped
from waypost.live.live_answer import CheckLiveAnswer
from waypost.report.problems import finding_problems, sentence
from waypost.report.verdict import AffectedPage, ReportProblem
from waypost.settings.output_names import output_url
from waypost.settings.schema import Site
from waypost.sitemaps.format_registry import crawled_kinds
from waypost.validate import Finding, FindingReport, SitemapInMemory, Validator

_PRESENT = "the current sitemaps of another tool"
_AUDIT, _CHECK_LIVE = "waypost audit", "waypost check-live"
_DATED_BY_RUN = "dates-of-generation"
"""The run knows what dated the pages: a site with one commit has one date."""
_OTHER_SITE = "base-url-changed"
"""With another base_url, the current sitemaps are about another site."""


def plan_findings(plan: Plan, site: Site, now: float) -> list[Finding]:
    """All that the validator finds in the sitemaps of a plan, and where they differ from the site."""
    kinds = ("index", "news", *crawled_kinds())
    documents = sorted((d for d in plan.documents if d.kind in kinds), key=lambda each: each.kind != "index")
    return sitemap_findings({each.name: each.body for each in documents}, plan.pages, plan.skipped, site, now)


def sitemap_findings(
    bodies: Mapping[str, bytes],
    pages: Sequence[Page],
    skipped: Sequence[Skipped],
    site: Site,
    now: float,
    robots_txt: bytes = b"",
) -> list[Finding]:
    """All that the validator finds in uncompressed sitemaps, by name, and where they differ from these pages.

    `now` is in Unix seconds. An index comes before the sitemaps that it lists. If `robots_txt` names one of them, they
    may lie anywhere (sitemaps.org 0.9, "Sitemaps & Cross Submits").
    """
    files = [SitemapInMemory(name, output_url(site, name), body) for name, body in bodies.items()]
    listing = Listing(list(pages), list(skipped), [], {}, {}, {})
    is_named = any(url in named_sitemaps(robots_txt, site) for url in (each.loc for each in files))
    robots_url = f"{site.base_url}robots.txt" if is_named else ""
    return list(_findings(files, SiteComparison(listing, site), now, robots_url))


def _findings(
    files: Sequence[SitemapInMemory], comparison: SiteComparison, now: float, robots_url: str
) -> Iterator[Finding]:
    by_loc, report = {each.loc: each for each in files}, FindingReport(0)

    validator = Validator(now, report, lambda index, loc: by_loc.get(loc), robots_of=lambda file: robots_url)
    with closing(validator):
        is_complete = not any(result.is_broken for result in validator.validate(files))
        validator.compare(comparison.mismatch)
        for loc in comparison.unlisted(validator.locs()) if is_complete else ():
            report.add("unlisted", "", 0, loc)  # no file lists it
    yield from report


def plan_problems(plan: Plan, site: Site, now: str) -> Iterator[ReportProblem]:
    """What the validator finds in the sitemaps of a plan."""
    found = plan_findings(plan, site, unix_time(now))
    yield from finding_problems(each for each in found if each.code != _DATED_BY_RUN)


def job_problems(plan: Plan, job: Job, now: str) -> Iterator[ReportProblem]:
    """The same, and what it finds in the current sitemaps if another tool made them; raises StoreError."""
    yield from plan_problems(plan, job.site, now)
    if any(warned.code == _OTHER_SITE for warned in plan.warnings):
        return
    if present := job.present_sitemaps():
        robots_txt = job.store.read("robots.txt") or b""
        found = sitemap_findings(present, plan.pages, plan.skipped, job.site, unix_time(now), robots_txt)
        yield from finding_problems(found, found_in=_PRESENT)


def audit_problems(result: AuditResult) -> Iterator[ReportProblem]:
    """What an audit finds, with its severities; of what the run warns of, too, the report shows this."""
    for finding in result.findings:
        cases = ((page, case) for case in finding.cases for page in case.pages)
        pages = tuple(AffectedPage(page, _case_text(finding.code, case)) for page, case in cases)
        advice, why = sentence(finding.advice), sentence(finding.meaning)
        yield ReportProblem(finding.code, finding.severity, finding.title, advice, pages, why, found_by=_AUDIT)


def live_problems(answer: CheckLiveAnswer) -> Iterator[ReportProblem]:
    """What a check of the live site found."""
    yield from finding_problems(answer.findings, _CHECK_LIVE, "the answers of the server", LIVE_RULES)


def _case_text(code: str, case: AuditCase) -> str:
    return case.detail if code in ABOUT_PAGES else " ".join(filter(None, (case.target, case.detail)))
