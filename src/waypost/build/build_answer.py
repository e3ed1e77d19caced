"""Makes the answer of a folder's build."""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from waypost.build.answers import SCHEMA_VERSION
from waypost.build.formatting import warning_text
from waypost.core.model import (
    Changes,
    DateCount,
    Example,
    Page,
    Plan,
    RecognisedPart,
    SiteWarning,
    SourceKind,
    UrlFormCount,
)
from waypost.settings.schema import Site
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.format_registry import crawled_kinds

_STATIC = SourceKind("static")


class WarningAnswer(Struct, frozen=True):
    """A warning: its code and message, how many files it is about, and the first of them; `text` has all in a line."""

    code: str
    message: str
    count: int
    examples: Sequence[Example]
    text: str


class FileAnswer(Struct, frozen=True):
    """A file to publish: its size in bytes is uncompressed, and `url_count` counts its entries."""

    name: str
    kind: str
    loc: str
    url_count: int
    bytes: int
    lastmod: str | None


class ExcludedFile(Struct, frozen=True):
    """A file that is left out, the code of the reason, and what decided; the path of a folder ends with `/`."""

    key: str
    reason: str
    detail: str


class BuildAnswer(Struct, frozen=True):
    """What `waypost build` publishes of a folder; `stale` is whether the published files differ from it.

    `recognised` has the parts of the project that no setting names, with what showed them, and `source_kind` what the
    folder is. `url_forms` says what decided the form of the URLs, and `date_counts` what dated the pages.
    `root_sitemap` is the file to submit to search engines. Paths in `written`, `unchanged` and `removed` are relative
    to the output folder.
    """

    schema_version: int
    base_url: str
    recognised: Sequence[RecognisedPart]
    source_kind: SourceKind
    url_forms: Sequence[UrlFormCount]
    date_counts: Sequence[DateCount]
    root_sitemap: str
    url_count: int
    sitemap_count: int
    excluded_count: int
    excluded_by_reason: Mapping[str, int]
    stale: bool
    written: Sequence[str]
    unchanged: Sequence[str]
    removed: Sequence[str]
    changes: Changes
    files: Sequence[FileAnswer]
    pages: Sequence[Page]
    excluded: Sequence[ExcludedFile]
    warnings: Sequence[WarningAnswer]


def build_answer(
    plan: Plan, site: Site, source_kind: SourceKind = _STATIC, recognised: Sequence[RecognisedPart] = ()
) -> BuildAnswer:
    """The whole plan as an answer; the same site gives the same answer."""
    return BuildAnswer(
        schema_version=SCHEMA_VERSION,
        base_url=site.base_url,
        recognised=recognised,
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
