"""An audit as lines of text for people."""

from collections.abc import Iterator, Sequence

from waypost.audit import ABOUT_PAGES, AuditCase, AuditCounts, AuditFinding, AuditResult, ExternalCounts
from waypost.build.answers import count_noun, severity_counts
from waypost.core.model import printable

_MAX_PAGES = 3
_MAX_REASONS = 5
"""How many reasons are printed: each host may have one of its own."""
NOT_CHECKED = {
    "other-site": "to other sites, or outside of base_url",
    "above-site": "to folders above the site's folder",
    "outside": "to what others publish, by the setting `outside`",
    "left-out-folder": "into folders that are not read",
    "folder-without-index": "to folders without an index file",
    "other-language": "into the folder of another language, which may be published apart",
    "other-version": "into the folder of another version, which may be published apart",
    "of-host": "to what the host answers itself, such as a function",
    "written-later": "to what is written after the audit, such as the sitemap",
    "server-rules": "to what the server's own rules answer",
    "query": "with a query that a program may answer, to what is not in the folder",
    "placeholder": "with a placeholder in the URL",
    "not-http": "with an invalid URL",
    "ignored": "by the setting `audit_ignore`",
}
"""What each reason means for which a reference is not checked."""


def finding_lines(finding: AuditFinding, most: int) -> Iterator[str]:
    """The first `most` cases of a finding (0: all), how many more there are, and what to do."""
    shown = finding.cases[: most or None]
    yield from (f"    {case_text(finding.code, case)}" for case in shown)
    if more := len(finding.cases) - len(shown):
        yield f"    and {more:,} more (--most 0 prints all)"
    yield f"  {finding.meaning}; {finding.advice}"


def case_text(code: str, case: AuditCase) -> str:
    """A case with the first of its pages, or only the page if that is what it is about."""
    about = printable(" ".join(filter(None, [case.target, f"({case.detail})" if case.detail else ""])))
    if code in ABOUT_PAGES:
        return about
    if case.targets:
        about += f" ({count_noun(len(case.targets), 'target')}: {_some(case.targets)})"
    pages = _some(case.pages)
    if len(case.pages) > _MAX_PAGES:
        pages = f"{count_noun(len(case.pages), 'page')}: {pages}"
    return " on ".join(filter(None, (about, pages)))


def _some(texts: Sequence[str]) -> str:
    return ", ".join([*map(printable, texts[:_MAX_PAGES]), *(["…"] if len(texts) > _MAX_PAGES else [])])


def unchecked_lines(result: AuditResult) -> Iterator[str]:
    """Each reference that was not checked, with the reason and its pages."""
    for each in result.unchecked:
        yield f"  not checked: {printable(each.target)} ({NOT_CHECKED[each.reason]}) on {_some(each.pages)}"


def summary_lines(result: AuditResult) -> Iterator[str]:
    """How much was checked, how far the pages are from the home page, and what was found."""
    counts = result.counts
    counted = severity_counts(result.count)
    yield f"{count_noun(counts.pages, 'page')}, {count_noun(counts.links, 'link')}: {counted}"
    yield from (f"  not checked: {count_noun(n, 'link')} {NOT_CHECKED[why]}" for why, n in counts.not_checked.items())
    if counts.external:
        yield from _external_lines(counts.external)
    yield _depths(counts)
    if result.hidden:
        yield f"  known by the baseline, and not shown: {result.hidden:,}"
    if result.resolved:
        yield f"  in the baseline, but no longer found: {len(result.resolved):,}; --write-baseline removes them"


def _external_lines(counts: ExternalCounts) -> Iterator[str]:
    known = f", {counts.known:,} known from an earlier run" if counts.known else ""
    yield f"  {count_noun(counts.asked, 'URL')} of other sites asked{known}"
    reasons = list(counts.unasked.items())
    yield from (
        f"  not checked: {count_noun(n, 'URL')} of other sites, since {printable(why)}"
        for why, n in reasons[:_MAX_REASONS]
    )
    if rest := sum(n for _, n in reasons[_MAX_REASONS:]):
        yield f"  not checked: {count_noun(rest, 'URL')} of other sites for other reasons (--json has all)"
    if not counts.has_memory:
        yield "  without --external-answers, missing pages of other sites are warnings; with it, errors on a second day"


def _depths(counts: AuditCounts) -> str:
    if counts.depths_not_known:
        return f"  not checked: which pages can be reached, because {counts.depths_not_known}"
    listed = ", ".join(f"{clicks}: {pages:,}" for clicks, pages in counts.depths.items())
    return f"  pages by clicks from the home page: {listed}" + (
        f"; not reached: {counts.unreachable:,}" if counts.unreachable else ""
    )
