"""Makes the answers about a folder: what a build publishes, and why a file is listed or not."""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET

from waypost.app.answers import SCHEMA_VERSION, BuildAnswer, ExcludedFile, FileAnswer, WarningAnswer
from waypost.app.formatting import count_noun, warning_text
from waypost.build.lister import Listing
from waypost.config.schema import Site
from waypost.core.model import Document, Page, Plan, SiteWarning, SourceKind, printable
from waypost.core.warnings import MESSAGES
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.formats.registry import crawled_kinds, format_of
from waypost.sync.answers import Explanation, excluded, explain_skipped
from waypost.sync.inspect import NOT_FOUND

_FOLDER = "folder"
_STATIC = SourceKind("static")


def build_answer(plan: Plan, site: Site, source_kind: SourceKind = _STATIC) -> BuildAnswer:
    """The whole plan as an answer; the same site gives the same answer."""
    return BuildAnswer(
        schema_version=SCHEMA_VERSION,
        base_url=site.base_url,
        source_kind=source_kind,
        url_forms=plan.url_forms,
        date_counts=plan.date_counts,
        root_sitemap=_root_sitemap(plan),
        url_count=len(plan.pages),
        sitemap_count=_sitemap_count(plan),
        excluded_count=len(plan.skipped),
        excluded_by_reason=_excluded_by_reason(plan),
        stale=plan.is_stale,
        written=plan.written,
        unchanged=plan.unchanged,
        removed=plan.removed,
        changes=plan.changes,
        files=[FileAnswer(d.name, d.kind, d.loc, d.url_count, len(d.body), d.lastmod) for d in plan.documents],
        pages=plan.pages,
        excluded=[ExcludedFile(each.key, str(each.reason), each.detail) for each in plan.skipped],
        warnings=list(map(_warning_answer, plan.warnings)),
    )


def _excluded_by_reason(plan: Plan) -> dict[str, int]:
    """How many files are left out for each reason: possible pages first, the most frequent reason first."""
    counts = Counter(skipped.reason for skipped in plan.skipped)
    ordered = sorted(counts.items(), key=lambda pair: (not pair[0].is_about_page, -pair[1], pair[0]))
    return {str(reason): count for reason, count in ordered}


def _sitemap_count(plan: Plan) -> int:
    """How many sitemaps the plan has; one that is written in several formats counts once."""
    return max(sum(document.kind == kind for document in plan.documents) for kind in crawled_kinds())


def _root_sitemap(plan: Plan) -> str:
    """The name of the file to submit to search engines."""
    loc = root_sitemaps(plan.documents)[0]
    return next(document.name for document in plan.documents if document.loc == loc)


def _warning_answer(warning: SiteWarning) -> WarningAnswer:
    return WarningAnswer(warning.code, warning.message, warning.count, warning.examples, warning_text(warning))


def explain(listing: Listing, documents: Sequence[Document], key: str) -> Explanation:
    """Why a key is listed, and where, or which rule left it out."""
    page = next((page for page in listing.pages if page.key == key), None)
    if page is not None:
        return _listed(listing, documents, page)
    path = printable(key)
    for skipped in listing.skipped:
        if skipped.key == path or (skipped.key.endswith("/") and f"{path}/".startswith(skipped.key)):
            return explain_skipped(path, skipped)
    prefix = "" if key == "." else f"{key}/"
    page_count = sum(page.key.startswith(prefix) for page in listing.pages)
    skipped_count = sum(skipped.key.startswith(printable(prefix)) for skipped in listing.skipped)
    if page_count or skipped_count:
        return excluded(path, _FOLDER, f"{count_noun(page_count, 'page')} in it listed, {skipped_count:,} left out")
    return excluded(path, NOT_FOUND, "the site's folder has no such file")


def _listed(listing: Listing, documents: Sequence[Document], page: Page) -> Explanation:
    sitemaps = [document for document in documents if document.kind in crawled_kinds()]
    return Explanation(
        printable(page.key),
        listed=True,
        loc=page.loc,
        lastmod=page.lastmod,
        no_date_reason="" if page.lastmod else _no_date_reason(listing, page),
        sitemap=next((each.name for each in sitemaps if _lists(each, page.loc)), None),
        url_decided_by=listing.url_decisions.get(page.key, UNSET),
        dating=listing.datings.get(page.key, UNSET),
    )


def _lists(document: Document, loc: str) -> bool:
    file_format = format_of(document.name)
    entries = file_format.entries(document.name, document.body) if file_format else None
    return any(entry.loc == loc for entry in entries or ())


def _no_date_reason(listing: Listing, page: Page) -> str:
    """Why a page has no date, or an empty string if that is not known."""
    no_repository = next((warning.message for warning in listing.warnings if warning.code == "no-repository"), "")
    return MESSAGES.get(listing.no_date_reason.get(page.key, ""), no_repository)
