"""What a bucket's state holds, and what an operator must be told of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_setting

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from waypost.build.answers import Problem, Problems, advice, count_noun, counts, problem_lines, problems_of, row
from waypost.build.bucket_explanation import UNREADABLE_ADVICE
from waypost.build.bucket_run import LONGEST_PART
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import ROBOTS, StateHead, StateProblem, most_listed, removed_percent
from waypost.build.divided_bucket import DividedBucket, sums
from waypost.build.publication import STATE_ID, is_contested
from waypost.core.concurrency import map_concurrently
from waypost.core.dates import format_unix_time, seconds_between
from waypost.core.errors import StateError, WaypostError
from waypost.core.finding_types import WARNINGS
from waypost.core.model import Page
from waypost.settings.output_names import output_names
from waypost.settings.values import Patterns
from waypost.sitemaps.documents import documents

UNUSABLE_SETTINGS = "the settings cannot be used"
UNREADABLE_STATE = "the state cannot be read"
UP_TO_DATE = "up to date with the last run"
NO_STATE = "there is no state yet; `waypost build`, or the action rebuild, makes it"
_LOST_STATE = "the state is missing, though its files are published"
_BUILDING = "a build is under way; the published files are left unchanged until it is complete"
_STOPPED = "a build was not finished; the next rebuild goes on with it"
_OTHER_SETTINGS = "the state was made with other settings or by another release; start a rebuild"
_NO_PAGE = "there is no page to list; the published files are left unchanged"
_PENDING = "some sitemaps are not published yet; the next event or rebuild publishes them"
_OTHER_RULES = "robots.txt has other rules than the sitemaps follow; a rebuild applies them, unless it was refused"
_REBUILD = "start a rebuild: it makes the state again, with the dates of its last copy or of the published sitemaps"
_CONTESTED = "another writer has replaced or deleted it again and again, so it is left as it is until the next rebuild"
_STOP = "find out who writes it, such as a generator or a second stack, stop that, and rebuild"
_REMOVED_ADVICE = "if that was no deployment of yours, upload the pages again: the sitemaps follow at once"
_DAMAGE_ADVICE = "find out who changed the state; pages that have changed since its last copy may have lost their dates"
_WAITING_ADVICE = "look at the warnings not-announced in the log"
_TOO_LARGE = (
    "it has more than {:,} pages, and is not divided, because its settings compare pages in all folders (`versions`, "
    '`alternates = "folders"`, or a group that is named like a partition)'
)
_TOO_LARGE_ADVICE = "give each version or language a stack of its own, or a larger Memory"
REMOVED_PERCENT = 30
"""From how many percent of the pages on their removal within a day is a problem, unless an alarm has another limit."""
_HOUR, _WEEK = 3_600, 604_800
_MAX_ROOT_SITEMAPS = 10


class LastError(Struct, frozen=True):
    """The last error of the Lambda function since the last complete rebuild; `time` is in UTC."""

    time: str
    message: str
    type: str
    request_id: str


class PartitionStatus(Struct, frozen=True):
    """One part of a bucket: the prefix of its keys, what its state is good for, and how many URLs it lists."""

    prefix: str
    state: str
    built_at: str | None = None
    url_count: int | None = None


class StatusAnswer(Struct, frozen=True):
    """What a state holds, and what is wrong. While a build is under way, the counts are those of what is published.

    `built_at` and `age_seconds` are null before the first build. What cannot be known because of a problem is null.
    `beyond_bounds_count` is how many pages exceed a bound of the parser, so that what they say is not wholly known.
    Only the Lambda function answers with `last_error`, which is null if there is none. `partitions` are the parts of a
    bucket that is divided.
    """

    base_url: str | None
    state: str
    built_at: str | None = None
    age_seconds: int | None = None
    url_count: int | None = None
    sitemap_count: int | None = None
    excluded_by_reason: Mapping[str, int] | None = None
    root_sitemaps: Sequence[str] | None = None
    beyond_bounds_count: int | None = None
    problems: Sequence[Problem] = []
    partitions: Sequence[PartitionStatus] | UnsetType = UNSET
    last_error: LastError | UnsetType | None = UNSET


def status(bucket: DividedBucket, limit: float = REMOVED_PERCENT) -> StatusAnswer:
    """The state, its counts and its age, and what is wrong with it, the site, its robots.txt and the templates.

    It has an answer whatever is wrong: the problems are part of it. `limit` is as for `told`. Of a divided bucket, it
    has the counts of all parts, the oldest age, and each problem once.
    """
    problems = Problems()
    division = problems.attempt(bucket.where, bucket.division)
    if division is None:
        found = _status_of_site(bucket.whole, limit)
        return replace(found, state=UNREADABLE_STATE, problems=[*problems.found, *found.problems])
    *others, last = bucket.sites(division)
    own = _status_of_site(last, limit)
    if not others:
        return replace(own, problems=[*own.problems, *_too_large(bucket, own)])
    answers = map_concurrently(lambda each: _status_of_part(each, limit), others, bucket.whole.objects.width)
    return _combined([last, *others], [own, *answers])


def _status_of_site(bucket: BucketSite, limit: float) -> StatusAnswer:
    problems = Problems()
    return _answer(bucket, *read_state(bucket, problems), problems, limit)


def _status_of_part(bucket: BucketSite, limit: float) -> StatusAnswer:
    """The same of a part of a divided bucket, of which only the state is looked at: the rest is looked at once."""
    problems = Problems()
    head = problems.attempt(bucket.state.where, bucket.state.head)
    text = UNREADABLE_STATE if problems.found else _text(bucket, head or StateHead(), None)
    return _answer(bucket, text, None if problems.found else head or StateHead(), problems, limit)


def _combined(sites: Sequence[BucketSite], answers: Sequence[StatusAnswer]) -> StatusAnswer:
    oldest = min(answers, key=lambda each: each.built_at or "")
    wrong = next(((site, each) for site, each in zip(sites, answers, strict=True) if each.state != UP_TO_DATE), None)
    return replace(
        answers[0],
        state=f"partition {wrong[0].part.prefix or 'of the remaining keys'}: {wrong[1].state}" if wrong else UP_TO_DATE,
        built_at=oldest.built_at,
        age_seconds=oldest.age_seconds,
        url_count=sum(each.url_count or 0 for each in answers),
        sitemap_count=sum(each.sitemap_count or 0 for each in answers),
        excluded_by_reason=sums(each.excluded_by_reason or {} for each in answers),
        root_sitemaps=[url for each in answers for url in each.root_sitemaps or ()],
        beyond_bounds_count=sum(each.beyond_bounds_count or 0 for each in answers),
        problems=each_once(each.problems for each in answers),
        partitions=[
            PartitionStatus(site.part.prefix, each.state, each.built_at, each.url_count)
            for site, each in zip(sites, answers, strict=True)
        ],
    )


def _too_large(bucket: DividedBucket, answer: StatusAnswer) -> Iterator[Problem]:
    if (answer.url_count or 0) > bucket.most_objects and not bucket.can_be_divided:
        yield Problem("site", bucket.whole.site_uri, _TOO_LARGE.format(bucket.most_objects), _TOO_LARGE_ADVICE)


def each_once(problems: Iterable[Sequence[Problem]]) -> list[Problem]:
    """The problems of several answers, each once."""
    return list(dict.fromkeys(problem for some in problems for problem in some))


def _answer(bucket: BucketSite, text: str, head: StateHead | None, problems: Problems, limit: float) -> StatusAnswer:
    if head is None:
        return StatusAnswer(bucket.site.base_url, text, problems=problems.found)
    problems.found += told(bucket, head, limit)
    built_at, now = head.built_at or None, format_unix_time(int(bucket.clock.time()))
    return StatusAnswer(
        bucket.site.base_url,
        text,
        built_at=built_at,
        age_seconds=int(seconds_between(built_at, now)) if built_at else None,
        url_count=head.page_count,
        sitemap_count=head.sitemap_count,
        excluded_by_reason=head.excluded_by_reason,
        root_sitemaps=[bucket.site.base_url + name for name in head.root_names[:_MAX_ROOT_SITEMAPS]],
        beyond_bounds_count=head.beyond_bounds_count,
        problems=problems.found,
    )


def status_without_settings(base_url: str | None, error: WaypostError) -> StatusAnswer:
    """The status of a site whose settings cannot be used, because of an error."""
    return StatusAnswer(base_url, UNUSABLE_SETTINGS, problems=problems_of("settings", error))


def read_state(bucket: BucketSite, problems: Problems) -> tuple[str, StateHead | None]:
    """What the state is good for, and its head, None if it cannot be read; looks at the site, too."""
    rules = _test_site(bucket, problems)
    known = len(problems.found)
    head = problems.attempt(bucket.state.where, bucket.state.verified_head)
    if head is None and len(problems.found) > known:
        return UNREADABLE_STATE, None
    if head is None and problems.attempt(bucket.site_uri, lambda: _has_published(bucket)):
        problems.add(bucket.state.where, StateError(_LOST_STATE), _REBUILD)
        return _LOST_STATE, None
    return _text(bucket, head or StateHead(), rules), head or StateHead()


def told(bucket: BucketSite, head: StateHead, limit: float = REMOVED_PERCENT) -> Iterator[Problem]:
    """What an operator must be told, though the sitemaps may be right; `limit` is in percent of the pages."""
    now = bucket.clock.time()
    yield from (_problem(bucket, each) for each in head.problems)
    yield from (Problem("store", each.name, _CONTESTED, _STOP) for each in head.repaired if is_contested(each))
    if removed_percent(head.counts, head.page_count, now) > limit:
        most = most_listed(head.counts, now)
        text = f"uploads and deletions within a day removed {most - head.page_count:,} of {most:,} listed pages"
        yield Problem("events", bucket.site_uri, text, _REMOVED_ADVICE)
    if head.needs_rebuild:
        yield Problem("state", bucket.state.where, head.needs_rebuild, _REBUILD)
    if head.damage and now - head.damaged_at < _WEEK:
        text = f"it was made again at {format_unix_time(int(head.damaged_at))}: {head.damage}"
        yield Problem("state", bucket.state.where, text, _DAMAGE_ADVICE)
    names = sorted({name for each in head.waiting if now - each.since > _HOUR for name in each.subscribers})
    if names:
        text = f"{', '.join(names)} could not be told of changes for more than an hour"
        yield Problem("events", bucket.site.base_url, text, _WAITING_ADVICE)


def _problem(bucket: BucketSite, problem: StateProblem) -> Problem:
    """A problem that a run has noted, with the first of its cases."""
    named = "; ".join(problem.first)
    if problem.code == "unreadable":
        text = f"{problem.count:,} {'object' if problem.count == 1 else 'objects'} cannot be read: {named}"
        return Problem("site", bucket.site_uri, text, advice(text) or UNREADABLE_ADVICE)
    warning = WARNINGS[problem.code]
    return Problem("site", bucket.site_uri, f"{warning.meaning} ({problem.count:,}: {named})", warning.advice)


def _text(bucket: BucketSite, head: StateHead, rules: str | None) -> str:
    """What state a bucket's state is in; `rules` are those of robots.txt now, if they are known."""
    if head.build:
        return _BUILDING if bucket.clock.time() - head.build.began < LONGEST_PART else _STOPPED
    if not head.built_at:
        return NO_STATE
    if head.made_with != bucket.made_with:
        return _OTHER_SETTINGS
    if not head.page_count:
        return _NO_PAGE
    if head.pending:
        return _PENDING
    return _OTHER_RULES if rules is not None and rules != head.robots_rules else UP_TO_DATE


def _has_published(bucket: BucketSite) -> bool:
    """Whether one of the published files was made of a state."""
    names = bucket.outputs.list_files(output_names(bucket.site).stem)
    infos = (bucket.outputs.head(name) for name in names)
    return any(info is not None and STATE_ID in info.metadata for info in infos)


def _test_site(bucket: BucketSite, problems: Problems) -> str | None:
    """Find out whether the bucket can be listed, and the templates render; returns the present rules of robots.txt."""
    problems.attempt(bucket.site_uri, lambda: bucket.objects.first_key_after(""))
    if bucket.site.templates:
        problems.attempt(f"the templates in {bucket.site.templates}", lambda: render_sample(bucket))
    return problems.attempt(f"{bucket.site_uri}{ROBOTS}", bucket.robots_rules)


def render_sample(bucket: BucketSite) -> None:
    """Render the documents of a site with one page in each of two sitemaps; raises RenderError."""
    site = replace_setting(bucket.site, groups=(("sample", Patterns(())),))
    pages = [Page(key, site.base_url + key, group) for key, group in (("a.html", ""), ("b.html", "sample"))]
    documents(pages, site, bucket.renderer, lambda shard, document: None)


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


def _duration(seconds: int) -> str:
    """A duration in its largest whole unit."""
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            return count_noun(seconds // size, unit)
    return count_noun(seconds, "second")
