"""Answers as lines of text for people."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import UNSET, UnsetType

from waypost.app.answers import BuildAnswer, ExcludedFile, RunAnswer
from waypost.app.source_kind import source_text
from waypost.core import diff
from waypost.core.date_texts import count_text
from waypost.core.model import Changes, DatedBy, PageDating, SiteWarning, UrlFormCount, printable
from waypost.core.reasons import NOT_A_PAGE, REASONS
from waypost.sync.answers import CheckAnswer, Explanation, Problem, StatusAnswer

_MAX_NAMES = 4
_MAX_URLS = 10


def build_lines(answer: BuildAnswer, *, is_written: bool = True) -> Iterator[str]:
    """The summary of a folder's build; in a dry run (`is_written` is false), what it would do."""
    yield _totals(answer.url_count, answer.sitemap_count, answer.root_sitemap)
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
    yield row("left out", _counts(answer.excluded_by_reason))


def change_lines(changes: Changes) -> Iterator[str]:
    """The first URLs that would be added, and the first that would be removed."""
    for kind, mark, urls in (("added", "+", changes.added), ("removed", "-", changes.removed)):
        if urls:
            yield f"{kind} ({len(urls):,}):"
            yield from (f"  {mark} {printable(url)}" for url in urls[:_MAX_URLS])
        if len(urls) > _MAX_URLS:
            yield f"  … and {len(urls) - _MAX_URLS:,} more; --json lists all"


def excluded_lines(answer: BuildAnswer) -> Iterator[str]:
    """Every file that is left out, by reason; files that are not pages are only counted, by type."""
    for reason, count in answer.excluded_by_reason.items():
        yield f"left out, {reason} ({count:,}): {REASONS[reason].meaning}"
        files = [each for each in answer.excluded if each.reason == reason]
        yield from _file_types(files) if reason == NOT_A_PAGE else map(_excluded_line, files)


def run_lines(answer: RunAnswer, *, is_written: bool = True) -> Iterator[str]:
    """The summary of a run over a bucket; in a dry run (`is_written` is false), what it would do."""
    yield _totals(answer.url_count, answer.sitemap_count, ", ".join(answer.root_sitemaps[:3]))
    yield row("written" if is_written else "to write", names(answer.written))
    if answer.removed:
        yield row("removed" if is_written else "to remove", names(answer.removed))
    listed = f" of {answer.objects_listed:,} listed" if answer.objects_listed else ""
    changed = count_noun(answer.records_changed, "record")
    yield row("read", f"{count_noun(answer.objects_read, 'object')}{listed}, {changed} changed")
    yield row("left out", _counts(answer.excluded_by_reason))
    for key in answer.not_found:
        yield row("not found", f"{key}: neither the bucket nor the ledger has this key")
    for key, problem in answer.failed.items():
        yield row("failed", f"{key}: {problem}")


def status_lines(answer: StatusAnswer) -> Iterator[str]:
    """What a ledger holds."""
    yield answer.base_url or "a site without a valid `base_url`"
    yield row("state", answer.state)
    if answer.generation is not None:
        yield row("generation", f"{answer.generation:,}")
    if answer.url_count is not None:
        yield from _count_lines(answer)
    yield from problem_lines(answer.problems)


def _count_lines(answer: StatusAnswer) -> Iterator[str]:
    age = "" if answer.age_seconds is None else f", {_duration(answer.age_seconds)} ago"
    yield row("built", f"{answer.built_at or 'never'}{age}")
    listed, sitemaps = count_noun(answer.url_count or 0, "URL"), count_noun(answer.sitemap_count or 0, "sitemap")
    yield row("listed", f"{listed} in {sitemaps}")
    yield row("left out", _counts(answer.excluded_by_reason or {}))
    if answer.beyond_bounds_count:
        yield row("not read", f"{count_noun(answer.beyond_bounds_count, 'page')} beyond the bounds of the parser")
    yield row("to submit", ", ".join(answer.root_sitemaps or ()) or "nothing")


def problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """What is wrong, where, and what to do."""
    for each in problems:
        yield row("problem", f"{each.where}: {each.problem}")
        yield row("", each.what_to_do)


def check_lines(answer: CheckAnswer) -> Iterator[str]:
    """Whether bucket, ledger and published files agree, and what differs."""
    yield row("in sync", "yes" if answer.in_sync else "no")
    yield row("state", answer.state)
    if not isinstance(answer.drift, UnsetType):
        drift = {"new": answer.drift.new, "changed": answer.drift.changed, "removed": answer.drift.removed}
        for kind, sample in drift.items():
            yield row(kind, f"{sample.count:,}" + (f" ({names(sample.first)})" if sample.first else ""))
    for name, problem in () if isinstance(answer.files, UnsetType) else answer.files.items():
        yield row("file", f"{name} {problem}")
    yield from problem_lines(answer.problems)


def explanation_lines(answer: Explanation) -> Iterator[str]:
    """Why a file is listed or not."""
    yield answer.path
    if answer.listed:
        yield from _listed_lines(answer)
    elif answer.listed is None:
        yield "  unknown   a problem prevents that this is known"
    else:
        yield f"  left out  {answer.reason}: {answer.detail}"
        if answer.decided_by != answer.path:
            yield f"  decided   for the folder {answer.decided_by}"
    if not isinstance(answer.problems, UnsetType):
        yield from problem_lines(answer.problems)


def _listed_lines(answer: Explanation) -> Iterator[str]:
    yield f"  listed    {answer.loc}"
    if answer.url_decided_by is not UNSET:
        yield f"  form      {_DECIDED_FOR_ONE[answer.url_decided_by]}"
    commit = f", commit {answer.commit}" if answer.commit else ""
    why_not = f": {answer.no_date_reason}" if answer.no_date_reason else ""
    yield f"  lastmod   {answer.lastmod or 'none'}{commit}{why_not}"
    if not isinstance(answer.dating, UnsetType):
        yield from _dating_lines(answer.dating)
    yield f"  sitemap   {answer.sitemap or 'none'}"
    if answer.ledger is not UNSET:
        yield f"  ledger    {answer.ledger}"


def warning_text(warning: SiteWarning) -> str:
    """A warning in one line: the message, how many files it is about, and some of them."""
    if not warning.examples:
        return warning.message
    examples = [f"{each.key} ({each.detail})" if each.detail else each.key for each in warning.examples]
    more = ["…"] if warning.count > len(examples) else []
    return f"{warning.message} [{count_noun(warning.count, 'file')}: {', '.join(examples + more)}]"


def count_noun(number: int, noun: str) -> str:
    """A number with its noun, in the plural where it must be."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def row(label: str, text: str) -> str:
    """A line of a summary."""
    return f"  {label:<10} {text}"


def names(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    if not names:
        return "nothing"
    first = ", ".join(names[:_MAX_NAMES])
    return first if len(names) <= _MAX_NAMES else f"{first} and {len(names) - _MAX_NAMES:,} more"


def _totals(url_count: int, sitemap_count: int, root_sitemaps: str) -> str:
    submit = f"; the one to submit is {root_sitemaps}" if root_sitemaps else ""
    return f"{count_noun(url_count, 'URL')} in {count_noun(sitemap_count, 'sitemap')}{submit}"


_DECIDED_BY = {
    "setting": "by a setting",
    "generator": "by the generator's permalinks",
    "canonical": "by canonical links",
    "links": "by the site's links",
    "og:url": "by og:url",
    "default": "by default",
}
_DECIDED_FOR_ONE = {
    "setting": "by a setting",
    "generator": "by the generator's permalink",
    "canonical": "by its canonical link",
    "links": "by the site's links",
    "og:url": "by its og:url",
    "default": "by default",
}
_KINDS = {"home": "home page", "folder": "folder", "page": "page"}


def url_form_text(form: UrlFormCount) -> str:
    """How many pages of a kind are listed in which form, and why."""
    shown = f" as {form.example}" if form.example else ""
    links = f" ({form.agreeing:,} of {form.links:,})" if form.links else ""
    return f"{count_noun(form.count, _KINDS[form.kind])}{shown} {_DECIDED_BY[form.decided_by]}{links}"


def _dating_lines(dating: PageDating) -> Iterator[str]:
    """The files that a page is made of, and those that were considered."""
    if dating.dated_by and dating.files:
        strength = f" ({dating.strength})" if dating.strength else ""
        yield f"  made of   {', '.join(map(printable, dating.files))}, {_KINDS_OF_EVIDENCE[dating.dated_by]}{strength}"
    for text in dating.considered:
        yield f"            not {printable(text)}"


_KINDS_OF_EVIDENCE: Mapping[DatedBy, str] = {
    "copy": "by its bytes",
    "generator-date": "by the generator's date",
    "text": "by its text",
    "edit-link": "by a link on the page",
    "preset": "by the generator's paths",
}


def _counts(count_by_reason: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in count_by_reason.items()) or "nothing"


def _duration(seconds: int) -> str:
    """A duration in its largest whole unit."""
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            return count_noun(seconds // size, unit)
    return count_noun(seconds, "second")


def _excluded_line(file: ExcludedFile) -> str:
    return f"  {file.key}" + (f" ({file.detail})" if file.detail else "")


def _file_types(files: Sequence[ExcludedFile]) -> Iterator[str]:
    types = Counter(PurePosixPath(each.key).suffix.lower() or "no file extension" for each in files)
    yield "  " + ", ".join(f"{count:,} {name}" for name, count in types.most_common())
