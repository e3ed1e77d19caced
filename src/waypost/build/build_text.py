"""A folder's build as lines of text for people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from waypost.build.build_answer import BuildAnswer, ExcludedFile
from waypost.build.formatting import count_noun, counts, names, row, totals
from waypost.core import diff
from waypost.core.dates import count_text
from waypost.core.model import Changes, UrlFormCount, printable
from waypost.core.reasons import NOT_A_PAGE, REASONS
from waypost.project.published_folder import source_text

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
