"""Answers to questions about a bucket that may be divided: those about its parts, as one."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from waypost.build import bucket_check, bucket_explanation
from waypost.build import status as bucket_status
from waypost.build.answers import Problem, Problems
from waypost.build.bucket_check import CheckAnswer, Drift, KeySample
from waypost.build.bucket_explanation import existing_key, object_key
from waypost.build.bucket_site import BucketSite
from waypost.build.divided_bucket import DividedBucket, sums
from waypost.build.explanation import Explanation
from waypost.build.partitions import Division
from waypost.build.status import REMOVED_PERCENT, UP_TO_DATE, PartitionStatus, StatusAnswer
from waypost.core.concurrency import map_concurrently
from waypost.core.errors import SourceError, WaypostError

_TOO_LARGE = (
    "it has more than {:,} pages, and is not divided, because its settings compare pages in all folders (`versions`, "
    '`alternates = "folders"`, or a group that is named like a partition)'
)
_TOO_LARGE_ADVICE = "give each version or language a stack of its own, or a larger Memory"


def status(bucket: DividedBucket, limit: float = REMOVED_PERCENT) -> StatusAnswer:
    """The status of all parts: the counts of all, the oldest age, and each problem."""
    problems = Problems()
    division = problems.attempt(bucket.where, bucket.division)
    if division is None:
        found = bucket_status.status(bucket.whole, limit)
        return replace(found, state=bucket_status.UNREADABLE_STATE, problems=[*problems.found, *found.problems])
    sites = bucket.sites(division)
    *others, last = sites
    own = bucket_status.status(last, limit)
    if not others:
        return replace(own, problems=[*own.problems, *_too_large(bucket, own)])
    width = bucket.whole.objects.width
    answers = [own, *map_concurrently(lambda each: bucket_status.status_of_part(each, limit), others, width)]
    return _combined([last, *others], answers)


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
        problems=_each_once(each.problems for each in answers),
        partitions=[
            PartitionStatus(site.part.prefix, each.state, each.built_at, each.url_count)
            for site, each in zip(sites, answers, strict=True)
        ],
    )


def _too_large(bucket: DividedBucket, answer: StatusAnswer) -> Iterator[Problem]:
    if (answer.url_count or 0) > bucket.most_objects and not bucket.can_be_divided:
        yield Problem("site", bucket.whole.site_uri, _TOO_LARGE.format(bucket.most_objects), _TOO_LARGE_ADVICE)


def _each_once(problems: Iterable[Sequence[Problem]]) -> list[Problem]:
    return list(dict.fromkeys(problem for some in problems for problem in some))


def _drift(parts: Sequence[Drift]) -> Drift | UnsetType:
    def sample(name: str) -> KeySample:
        samples: list[KeySample] = [getattr(each, name) for each in parts]
        return KeySample(sum(each.count for each in samples), [key for each in samples for key in each.first])

    return Drift(sample("new"), sample("changed"), sample("removed")) if parts else UNSET


def check(bucket: DividedBucket) -> CheckAnswer:
    """The check of each part as one."""
    answers = [bucket_check.check(each) for each in bucket.sites(_division(bucket))]
    if len(answers) == 1:
        return answers[0]
    wrong = [each for each in answers if not each.in_sync]
    first = (wrong or answers)[0]
    return replace(
        first,
        in_sync=not wrong,
        drift=_drift([each.drift for each in answers if not isinstance(each.drift, UnsetType)]),
        files={
            name: text
            for each in answers
            for name, text in ({} if isinstance(each.files, UnsetType) else each.files).items()
        },
        problems=_each_once(each.problems for each in answers),
    )


def explain_objects(bucket: DividedBucket, paths: Sequence[str]) -> list[Explanation]:
    """Why the objects that these paths or URLs mean are listed or not, by the states of their parts."""
    division = _division(bucket)
    owners = [_owner(bucket, path, division) for path in paths]
    found: dict[str, Explanation] = {}
    for name in dict.fromkeys(owners):
        own = [path for path, owner in zip(paths, owners, strict=True) if owner == name]
        site = bucket.site_named(name, division)
        found |= dict(zip(own, bucket_explanation.explain_objects(site, own), strict=True))
    return [found[path] for path in paths]


def _division(bucket: DividedBucket) -> Division:
    """The division; of one that cannot be read, nothing: the answer about the whole says what is wrong."""
    try:
        return bucket.division()
    except WaypostError:
        return Division()


def _owner(bucket: DividedBucket, path: str, division: Division) -> str:
    """The name of the part to which the object belongs that a path means."""
    if not division.partitions:
        return ""
    try:
        key = existing_key(path, bucket.whole)
    except SourceError:
        key = object_key(path, bucket.whole.site, bucket.whole.site_uri)
    return division.part_of(key).name
