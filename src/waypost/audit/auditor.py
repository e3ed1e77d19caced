"""Runs all checks over the graph of a site, and answers with all findings."""

from collections.abc import Iterable, Mapping
from itertools import chain

from waypost.audit import link_checks, page_checks
from waypost.audit.result import AuditCounts, AuditIssue, AuditResult, ExternalAnswers, gather
from waypost.audit.site_graph import SiteGraph


def audit_graph(
    graph: SiteGraph,
    unreadable: Iterable[str],
    severities: Mapping[str, str],
    external: ExternalAnswers | None = None,
) -> AuditResult:
    """The findings; each HTML page was added to the graph, or is among the keys of those that are `unreadable`.

    `severities` has the severity, or `off`, of codes for which it is not the usual one. `external` has what became of
    the links to other sites, if their servers were asked.
    """
    issues = chain(
        *(check(graph) for check in _CHECKS),
        graph.fragments.broken(lambda key: graph.pages[key].loc),
        (AuditIssue("unreadable", key, [key]) for key in unreadable),
        link_checks.external_links(graph, external) if external else (),
    )
    return AuditResult(gather(issues, severities), _counts(graph, external))


_CHECKS = (
    link_checks.broken_references,
    link_checks.private_references,
    link_checks.indirect_links,
    link_checks.redirects,
    page_checks.canonical_links,
    page_checks.alternates,
    page_checks.folders,
    page_checks.texts,
    page_checks.unlinked_pages,
)


def _counts(graph: SiteGraph, external: ExternalAnswers | None) -> AuditCounts:
    """How much was checked; what was asked was checked, too."""
    depths, unreachable = page_checks.depths(graph)
    return AuditCounts(
        pages=len(graph.texts),
        listed=len(graph.listed),
        links=graph.link_count(),
        fragments=graph.fragments.checked,
        not_checked={why: n for why, n in graph.not_checked().items() if not (external and why == "other-site")},
        external=external.counts if external else None,
        depths=depths,
        unreachable=unreachable,
        depths_not_known=page_checks.depths_not_known(graph),
        texts=page_checks.text_counts(graph),
    )
