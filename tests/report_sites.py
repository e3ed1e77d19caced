"""Overviews of invented sites for reports: a healthy one, one with a hundred problems, one with fifty thousand pages.

Usage: python tests/report_sites.py FOLDER writes their reports there.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from waypost.core import reasons
from waypost.core.dates import add_seconds
from waypost.core.finding_types import LEFT_OUT, SITEMAP_RULES, WARNINGS
from waypost.core.model import Changes, DateCount, Document, Example, Page, Plan, SiteWarning, Skipped
from waypost.core.reasons import REASONS
from waypost.report import Overview, ReportProblem, overview_of_plan, render_report
from waypost.report.problems import finding_problems
from waypost.settings.load import ConfigSource, check_settings
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer
from waypost.validate import Finding

NOW = "2026-11-21T12:00:00Z"
BASE = "https://museum.example/"
_DAY = 86_400
_PLACEHOLDER = re.compile(r"\{[^}]*\}")
_SECTIONS = ("collection", "journal", "visit", "shop", "research", "press", "archive", "learning")
_LANGUAGES = ("en", "de", "fr", "pt-br")


def site() -> Site:
    """Settings that read everything."""
    values = {"base_url": BASE, "formats": ["xml", "html"], "images": True, "videos": True, "alternates": True}
    return check_settings([ConfigSource("test", values)])


def _plan(pages: Sequence[Page], skipped: Sequence[Skipped] = (), warnings: Sequence[SiteWarning] = ()) -> Plan:
    dated = sum(page.lastmod is not None for page in pages)
    return Plan(
        pages=pages,
        skipped=skipped,
        warnings=warnings,
        documents=(),
        written=(),
        unchanged=(),
        removed=(),
        changes=Changes(
            added=tuple(page.loc for page in pages[3::97]),
            removed=tuple(f"{BASE}archive/old-{n}.html" for n in range(len(pages) // 200)),
            lastmod_changed=tuple(page.loc for page in pages[5::41]),
        ),
        date_counts=[
            DateCount(dated - dated // 5, "commit"),
            DateCount(dated // 5, "text"),
            *([DateCount(len(pages) - dated, no_date_reason="no-evidence")] if dated < len(pages) else []),
        ],
    )


def _pages(count: int, *, undated_from: int = 10**9, has_languages: bool = True) -> Iterator[Page]:
    """Pages of different ages; from a number on, every third has no date."""
    for n in range(count):
        section = _SECTIONS[min(n % 17, n % 7, n % 8)]
        folder = f"{section}/{('ships', 'charts', 'tools')[n % 3]}/{2000 + n * 7 % 26}" if n % 5 else section
        key = f"{folder}/object-{n:05}.html" if n else "index.html"
        date = (
            None if n >= undated_from and n % 3 == 0 else add_seconds(NOW, -(((n * 37) % 1_900) ** 2 // 1_800) * _DAY)
        )
        loc = BASE + (key if n else "")
        others = _LANGUAGES[1 : 1 + n % 4] if has_languages else ()
        alternates = (("en", loc), *((code, f"{BASE}{code}/{key}") for code in others)) if others else ()
        images = (f"{BASE}i/{n}.jpg",) if n % 4 else ()
        yield Page(key, loc, "", date, alternates=alternates, images=images, title=f"Object {n}" if n % 9 else "")


def _german(pages: Sequence[Page]) -> Iterator[Page]:
    """The German versions that some pages name."""
    for page in pages[: len(pages) // 3]:
        if len(page.alternates) > 1:
            loc = f"{BASE}de/{page.key}"
            yield Page(f"de/{page.key}", loc, "", page.lastmod, alternates=(("de", loc), ("en", page.loc)))


def healthy() -> Overview:
    """A small site on which nothing is to be fixed."""
    pages = list(_pages(240))
    pages += _german(pages)
    skipped = [Skipped(f"print/{n}.html", reasons.CANONICAL, f"{BASE}journal/{n}.html") for n in range(9)]
    skipped += [Skipped("404.html", reasons.ERROR_PAGE), Skipped("style.css", reasons.NOT_A_PAGE)]
    warnings = [SiteWarning("list-page", WARNINGS["list-page"].meaning, 1, (Example("journal/index.html"),))]
    return with_sitemaps(overview_of_plan(_plan(pages, skipped, warnings), site(), NOW))


def with_problems(count: int = 100) -> Overview:
    """A site on which as many things are wrong; some with one page, some with hundreds."""
    pages = list(_pages(900, undated_from=300))
    pages += _german(pages)
    skipped = [Skipped(f"hidden/{n}.html", reasons.NOINDEX, "noindex") for n in range(70)]
    skipped += [
        Skipped(f"broken/{code}/{'very-long-name-of-a-folder/' * (n % 4)}{n}.html", REASONS[code], "../elsewhere")
        for code in LEFT_OUT
        for n in range(8)
    ]
    warnings = [
        SiteWarning(code, row.meaning, n + 1, tuple(Example(page.key, "what was found") for page in pages[: 3 * n + 1]))
        for n, (code, row) in enumerate(WARNINGS.items())
    ]
    problems = list(finding_problems(_findings(pages)))
    overview = overview_of_plan(_plan(pages, skipped, warnings), site(), NOW, problems)
    cut = replace(overview.verdict, problems=overview.verdict.problems[:count])
    return with_sitemaps(replace(overview, verdict=cut))


def _findings(pages: Sequence[Page]) -> Iterator[Finding]:
    for n, (code, rule) in enumerate(SITEMAP_RULES.items()):
        for m, page in enumerate(pages[n : 4 * n + 1]):
            message, advice = (_PLACEHOLDER.sub(f"'{m}'", text) for text in (rule.meaning, rule.advice))
            yield Finding(code, rule.severity, "sitemap.xml", n, page.loc, message, advice, rule.source)


def large(count: int = 50_000) -> Overview:
    """A large site: all its pages have one problem, and a third of them another."""
    pages = list(_pages(count, undated_from=count // 2))
    skipped = [Skipped(f"old/p{n}.html", reasons.NOINDEX, "none") for n in range(count // 5)]
    warnings = [SiteWarning("untracked", WARNINGS["untracked"].meaning, count)]
    cases = {"untracked": [Example(page.key) for page in pages]}
    some = [Example(page.key, "en: https://other.example/") for page in pages[::3]]
    warnings.append(SiteWarning("alternate-unreturned", WARNINGS["alternate-unreturned"].meaning, len(some)))
    plan = replace(_plan(pages, skipped, warnings), cases={**cases, "alternate-unreturned": some})
    return with_sitemaps(overview_of_plan(plan, site(), NOW))


def with_sitemaps(overview: Overview) -> Overview:
    """The overview with a few sitemaps."""
    files = [Document("sitemap.xml", "index", bytes(320), "", 2, "2026-11-20T10:00:00Z")]
    files += [Document(f"sitemap-{n:016x}.xml", "sitemap", bytes(250_000), "", overview.pages // 2) for n in (7, 9)]
    files += [Document(f"sitemap-{n:016x}.html", "html", bytes(40_000), "", 300) for n in range(9)]
    return replace(overview, sitemaps=files)


def one_problem(problem: ReportProblem) -> Overview:
    """The healthy site with one problem."""
    overview = healthy()
    return replace(overview, verdict=replace(overview.verdict, problems=[problem]))


def main(folder: Path) -> None:
    """Write the reports."""
    for name, overview in (("healthy", healthy()), ("problems", with_problems()), ("large", large())):
        (folder / f"{name}.html").write_bytes(render_report(overview, Renderer()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
