"""The answer of a folder's build, and its lines of text for people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from waypost.build.answers import SCHEMA_VERSION, count_noun, counts, names, row, totals, warning_text
from waypost.core import diff
from waypost.core.dates import count_text
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
    printable,
)
from waypost.core.reasons import NOT_A_PAGE, REASONS
from waypost.project.published_folder import source_text
from waypost.settings.schema import Site
from waypost.sitemaps.documents import root_sitemaps
from waypost.sitemaps.format_registry import crawled_kinds

_STATIC = SourceKind("static")
_MAX_URLS = 10
_DECIDED_BY = {
    "setting": "by a setting",
    "generator": "by the generator's permalinks",
    "canonical": "by canonical links",
    "links": "by the site's links",
    "host": "by the host's rule",
    "sitemap": "by the site's sitemap",
    "default": "by default",
}
_KINDS = {"home": "home page", "folder": "folder", "page": "page"}


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


def build_lines(answer: BuildAnswer, *, is_written: bool = True) -> Iterator[str]:
    """The summary of a folder's build; in a dry run (`is_written` is false), what it would do."""
    yield totals(answer.url_count, answer.sitemap_count, answer.root_sitemap)
    yield from (row(each.name, f"{each.value} ({each.evidence})") for each in answer.recognised)
    if answer.source_kind.reason:
        yield row("source", source_text(answer.source_kind))
    yield from (row("URLs", url_form_text(form)) for form in answer.url_forms)
    yield from (row("dates", count_text(each)) for each in answer.date_counts)
    yield row("written" if is_written else "to write", names(answer.written))
    yield row("unchanged", names(answer.unchanged))
    if answer.removed:
        yield row("removed" if is_written else "to remove", names(answer.removed))
    if answer.stale:
        yield row("changes", diff.summary(answer.changes))
    yield row("left out", counts(answer.excluded_by_reason))


def change_lines(changes: Changes, dates: Mapping[str, str | None] | None = None) -> Iterator[str]:
    """The first URLs that would be added, get another date or be removed, with their dates if these are given."""
    kinds = [("added", "+", changes.added), ("removed", "-", changes.removed)]
    if dates is not None:
        kinds.insert(1, ("another date", "~", changes.lastmod_changed))
    for kind, mark, urls in kinds:
        if urls:
            yield f"{kind} ({len(urls):,}):"
            shown = None if kind == "removed" else dates
            yield from (f"  {mark} {printable(url)}{_date(url, shown)}" for url in urls[:_MAX_URLS])
        if len(urls) > _MAX_URLS:
            yield f"  … and {len(urls) - _MAX_URLS:,} more; --json lists all"


def _date(url: str, dates: Mapping[str, str | None] | None) -> str:
    return "" if dates is None else f"  {dates.get(url) or 'no date'}"


def excluded_lines(answer: BuildAnswer) -> Iterator[str]:
    """Every file that is left out, by reason; files that are not pages are only counted, by type."""
    for reason, count in answer.excluded_by_reason.items():
        yield f"left out, {reason} ({count:,}): {REASONS[reason].meaning}"
        files = [each for each in answer.excluded if each.reason == reason]
        yield from _file_types(files) if reason == NOT_A_PAGE else map(_excluded_line, files)


def url_form_text(form: UrlFormCount) -> str:
    """How many pages of a kind are listed in which form, and why."""
    shown = f" as {form.example}" if form.example else ""
    links = f" ({form.agreeing:,} of {form.links:,})" if form.links else ""
    return f"{count_noun(form.count, _KINDS[form.kind])}{shown} {_DECIDED_BY[form.decided_by]}{links}"


def _excluded_line(file: ExcludedFile) -> str:
    return f"  {file.key}" + (f" ({file.detail})" if file.detail else "")


def _file_types(files: Sequence[ExcludedFile]) -> Iterator[str]:
    types = Counter(PurePosixPath(each.key).suffix.lower() or "no file extension" for each in files)
    yield "  " + ", ".join(f"{count:,} {name}" for name, count in types.most_common())
