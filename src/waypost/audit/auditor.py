"""Audits a site: takes its pages one by one, and then answers with all findings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.audit import cases, link_checks, page_checks
from waypost.audit.cases import Found
from waypost.audit.external import ExternalAnswers, external_links, external_urls, without_external
from waypost.audit.page_checks import Texts, alternates, canonical_links, folders
from waypost.audit.page_tags import read_tags
from waypost.audit.pages import AuditedPage
from waypost.audit.result import AuditCounts, AuditResult
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.audit.style_urls import style_urls
from waypost.pages.html_tree import as_utf8
from waypost.settings.schema import Site


class Auditor:
    """The audit of one site; `pages` are all its pages, and each HTML page must be added or be unreadable.

    With `with_external`, links to other sites are told apart by their queries, so that their servers can be asked.
    """

    def __init__(
        self, pages: Sequence[AuditedPage], files: SiteFiles, site: Site, *, with_external: bool = False
    ) -> None:
        self._files, self._texts = files, Texts()
        self._graph = SiteGraph(pages, files, site, keeps_queries=with_external)
        self._unreadable: list[str] = []
        self._read = 0

    def add(self, page: AuditedPage, data: bytes, *, is_whole: bool = True) -> None:
        """Add the content of an HTML page, or its beginning."""
        tags = read_tags(data)
        self._graph.add(page, tags, is_whole=is_whole)
        self._texts.add(page.key, tags)
        self._read += 1

    def style_sheets(self) -> Sequence[str]:
        """The keys of the style sheets to add next; those that they import come with the next call."""
        return self._graph.style_sheets()

    def add_style_sheet(self, key: str, data: bytes) -> None:
        """Add the content of a style sheet; empty if it could not be read."""
        self._graph.add_style_sheet(key, style_urls(as_utf8(data)))

    def add_unreadable(self, key: str) -> None:
        """Add a page that could not be read."""
        self._unreadable.append(key)

    def external_urls(self) -> Sequence[str]:
        """The URLs of other sites that the pages name."""
        return external_urls(self._graph)

    def result(self, severities: Mapping[str, str], external: ExternalAnswers | None = None) -> AuditResult:
        """The findings; `severities` has the severity, or `off`, of codes for which it is not the usual one.

        `external` has what became of the links to other sites, if their servers were asked.
        """
        graph, reach = self._graph, page_checks.reach_from_home(self._graph)
        depths, unreachable = page_checks.depths(graph, reach)
        counts = AuditCounts(
            pages=self._read,
            listed=len(graph.listed),
            links=graph.link_count(),
            fragments=graph.fragments.checked,
            not_checked=without_external(graph.not_checked()) if external else graph.not_checked(),
            external=external.counts if external else None,
            depths=depths,
            unreachable=unreachable,
            depths_not_known=reach.not_known,
            texts=self._texts.counts(graph),
        )
        of_others = external_links(graph, external) if external else ()
        found = [*self._found(), *page_checks.unlinked_pages(graph, reach), *of_others]
        return AuditResult(cases.findings(found, severities), counts)

    def _found(self) -> Iterator[Found]:
        graph = self._graph
        checks: Iterable[Iterator[Found]] = (
            link_checks.broken_references(graph, self._files),
            link_checks.private_references(graph),
            link_checks.broken_fragments(graph),
            link_checks.indirect_links(graph),
            link_checks.redirects(graph),
            canonical_links(graph),
            alternates(graph),
            folders(graph),
            self._texts.findings(graph),
        )
        for check in checks:
            yield from check
        for key in self._unreadable:
            yield Found("unreadable", key, [key])
