"""Answers about a bucket with a state as lines of text for people."""

from collections.abc import Iterator

from msgspec import UnsetType

from waypost.build.bucket_check import CheckAnswer
from waypost.build.formatting import count_noun, counts, names, row, totals
from waypost.build.problems import problem_lines
from waypost.build.run_answer import RunAnswer
from waypost.build.status import StatusAnswer


def run_lines(answer: RunAnswer, *, is_written: bool = True) -> Iterator[str]:
    """The summary of a run over a bucket; in a dry run (`is_written` is false), what it would do."""
    yield totals(answer.url_count, answer.sitemap_count, ", ".join(answer.root_sitemaps[:3]))
    yield row("written" if is_written else "to write", names(answer.written))
    if answer.removed:
        yield row("removed" if is_written else "to remove", names(answer.removed))
    listed = f" of {answer.objects_listed:,} listed" if answer.objects_listed else ""
    yield row("read", f"{count_noun(answer.objects_read, 'object')}{listed}")
    yield row("left out", counts(answer.excluded_by_reason))
    for key in answer.not_found:
        yield row("not found", f"{key}: neither the bucket nor the state has this key")
    for key, problem in answer.failed.items():
        yield row("failed", f"{key}: {problem}")


def status_lines(answer: StatusAnswer) -> Iterator[str]:
    """What a state holds."""
    yield answer.base_url or "a site without a valid `base_url`"
    yield row("state", answer.state)
    if answer.url_count is not None:
        yield from _count_lines(answer)
    yield from problem_lines(answer.problems)


def _count_lines(answer: StatusAnswer) -> Iterator[str]:
    age = "" if answer.age_seconds is None else f", {_duration(answer.age_seconds)} ago"
    yield row("built", f"{answer.built_at or 'never'}{age}")
    listed, sitemaps = count_noun(answer.url_count or 0, "URL"), count_noun(answer.sitemap_count or 0, "sitemap")
    yield row("listed", f"{listed} in {sitemaps}")
    yield row("left out", counts(answer.excluded_by_reason or {}))
    if answer.beyond_bounds_count:
        yield row("not read", f"{count_noun(answer.beyond_bounds_count, 'page')} beyond the bounds of the parser")
    yield row("to submit", ", ".join(answer.root_sitemaps or ()) or "nothing")


def check_lines(answer: CheckAnswer) -> Iterator[str]:
    """Whether bucket, state and published files agree, and what differs."""
    yield row("in sync", "yes" if answer.in_sync else "no")
    yield row("state", answer.state)
    if not isinstance(answer.drift, UnsetType):
        drift = {"new": answer.drift.new, "changed": answer.drift.changed, "removed": answer.drift.removed}
        for kind, sample in drift.items():
            yield row(kind, f"{sample.count:,}" + (f" ({names(sample.first)})" if sample.first else ""))
    for name, problem in () if isinstance(answer.files, UnsetType) else answer.files.items():
        yield row("file", f"{name} {problem}")
    yield from problem_lines(answer.problems)


def _duration(seconds: int) -> str:
    """A duration in its largest whole unit."""
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            return count_noun(seconds // size, unit)
    return count_noun(seconds, "second")
