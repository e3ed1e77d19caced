"""A bucket that is too large for one state: a rebuild divides it into parts, each of which is a site of its own.

A part has the keys with a prefix, a state, an index and file names of its own. Runs over it are those over any bucket.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from msgspec import structs

from waypost.build import bucket_run, partitions
from waypost.build.bucket_run import BY_SETTINGS, RebuildOptions
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.bucket_state import ROBOTS, BucketState, Memory, StateHead
from waypost.build.partitions import Division, Part, name_of_output
from waypost.core.clock import NO_DEADLINE, Retry
from waypost.core.concurrency import map_concurrently
from waypost.core.diff import all_changes
from waypost.core.errors import ConflictError, EventError, StateError, TooLargeError, WaypostError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.files.parallel_listing import LAST_KEY
from waypost.files.source import ObjectSource
from waypost.settings.output_formats import FILE_FORMATS
from waypost.settings.output_names import output_names

NAME = "partitions"
MOST_OBJECTS = 200_000
"""One state serves so many: an upload takes 8 seconds of CPU and 640 MiB (benchmarks/bucket_costs.py)."""
_GOAL = 100_000
"""So many objects a partition has at most when it is made, so that it may grow."""


class PartitionSource:
    """A bucket that has only the objects of a part; files besides the pages are found wherever they are."""

    has_etags = True

    def __init__(self, objects: ObjectSource, part: Part) -> None:
        self._objects, self._part, self.width = objects, part, objects.width

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """The part's objects."""
        return (each for each in self._objects.items(prunes) if self._part.holds(each.key))

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's bytes; what belongs to another part does not exist."""
        if not self._part.holds(item.key):
            raise FileNotFoundError(2, "it belongs to another partition", item.key)
        return self._objects.read(item, size)

    def find(self, key: str) -> bytes | None:
        """The content of any file of the site, such as robots.txt."""
        return self._objects.find(key)

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The current ETags; what belongs to another part does not exist."""
        names = list(keys)
        return dict.fromkeys(names) | self._objects.etags([key for key in names if self._part.holds(key)])

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The part's objects in order; what belongs to other parts is not listed."""
        points = list(split_points)
        for first, last in self._ranges():
            begin, end = max(first, start_after), min(filter(None, (last, through)), default=None)
            if end is None or begin < end:
                yield from self._objects.list_items(begin, points, end)

    def first_key_after(self, key: str) -> str | None:
        """The first key of the bucket after another, whichever part it belongs to."""
        return self._objects.first_key_after(key)

    def _ranges(self) -> Iterator[tuple[str, str | None]]:
        """The ranges of the part's keys: after one key, and up to another, None for the end of the bucket."""
        begin, prefix = "", self._part.prefix
        if prefix:
            begin = _before(prefix)
        for inner in sorted(self._part.inner):
            if inner + LAST_KEY > begin:
                yield begin, _before(inner)
                begin = inner + LAST_KEY
        yield begin, prefix + LAST_KEY if prefix else None


def _before(prefix: str) -> str:
    """A string after all keys that are before the first one with a prefix."""
    last = ord(prefix[-1]) - 1
    return prefix[:-1] + (chr(0xD7FF if 0xD800 <= last <= 0xDFFF else last) + LAST_KEY if last > 0 else "")


class DividedBucket:
    """A bucket, divided or not; `whole` is its site as if it were not. Raises StoreError and StateError when read."""

    def __init__(self, whole: BucketSite, most_objects: int = MOST_OBJECTS, goal: int = _GOAL) -> None:
        self.whole, self.most_objects, self._goal = whole, most_objects, goal

    def division(self) -> Division:
        """The present division."""
        data = self.whole.state.store.read(NAME)
        return partitions.load(data, self.where) if data else Division()

    def readable_division(self) -> Division:
        """The same; of one that cannot be read, nothing: the answer about the whole says what is wrong."""
        try:
            return self.division()
        except WaypostError:
            return Division()

    @property
    def where(self) -> str:
        """The name of the file with the division in messages."""
        return f"{self.whole.state.folder}{NAME}"

    def sites(self, division: Division) -> Sequence[BucketSite]:
        """The sites of all parts; the remainder's is the last."""
        return [self.site(each, division) for each in division.parts]

    def site_named(self, name: str, division: Division) -> BucketSite:
        """The site of the part with this name; raises EventError if there is none."""
        part = next((each for each in division.parts if each.name == name), None)
        if part is None:
            raise EventError(f"there is no partition {name!r}")
        return self.site(part, division)

    def by_site(self, keys: Iterable[str], division: Division) -> Iterator[tuple[BucketSite, Sequence[str]]]:
        """The sites to which these keys belong, each with its own; each site gets the events of robots.txt."""
        found: dict[str, list[str]] = {}
        for key in keys:
            names = [each.name for each in division.parts] if key == ROBOTS else [self._owner(key, division)]
            for name in names:
                found.setdefault(name, []).append(key)
        for name, some in found.items():
            yield self.site_named(name, division), some

    def _owner(self, key: str, division: Division) -> str:
        name = name_of_output(key, self.whole.site.name)
        is_output = name and any(each.name == name for each in division.parts)
        return name if is_output else division.part_of(key).name

    def site(self, part: Part, division: Division) -> BucketSite:
        """The site of a part: only the remainder has what settings name besides the objects, and robots.txt."""
        whole = replace(self.whole, most_objects=self.most_objects if self.can_be_divided else None)
        if not division.partitions:
            return whole
        formats = tuple(each for each in whole.site.formats if not FILE_FORMATS[each].stem)
        site = replace(whole.site, formats=formats)
        if part.name:
            name = f"{site.name}-{part.name}"
            site = replace(site, name=name, robots_sitemaps=False, urls=(), sitemaps=())
        others = division.parts[:-1] if not part.name else ()
        return replace(
            whole,
            site=site,
            part=part,
            objects=PartitionSource(whole.objects, part),
            state=replace(whole.state, part=part.name),
            named_sources=tuple if part.name else whole.named_sources,
            other_roots=partial(self._roots, others, division),
        )

    @property
    def can_be_divided(self) -> bool:
        """Whether no rule looks at pages in all folders at once."""
        site = self.whole.site
        groups = (name for name, _ in site.groups)
        return not (site.versions or site.alternates == "folders" or any(map(_is_like_a_partition, groups)))

    def divide(self, part: Part, division: Division, retry: Retry = NO_DEADLINE) -> Division:
        """Divide a part by as many of its keys as can be listed until the deadline; raises ConflictError."""
        site = self.site(part, division)
        keys = (
            each.key
            for some in takewhile(lambda _: not retry.deadline_reached(), site.objects.list_items("", ()))
            for each in some
            if isinstance(each, Item) and site.exclusion_reason(each.key) is None
        )
        found = division.with_prefixes(part, partitions.divide(keys, self._goal))
        store = self.whole.state.store
        present = store.get(NAME)
        if (partitions.load(present.content, self.where) if present else Division()) != division:
            raise ConflictError(f"{self.where} was changed by another run; run this again")
        store.put_if_match(NAME, partitions.dump(found), present.etag if present else None)
        return found

    def unbuilt(self, part: Part, division: Division) -> Sequence[BucketSite]:
        """The partitions below a part, the innermost first, of which no state is complete yet."""
        found = [self.site(each, division) for each in division.below(part)]
        return [each for each, head in zip(found, self.heads(found), strict=True) if head and not head.built_at]

    def heads(self, sites: Sequence[BucketSite]) -> Sequence[StateHead | None]:
        """The heads of the states of some parts, None of one that this release cannot read."""
        return map_concurrently(_head, sites, self.whole.objects.width)

    def _roots(self, parts: Sequence[Part], division: Division) -> Sequence[str]:
        """The URLs of the sitemaps of these parts that robots.txt names."""
        sites = [self.site(each, division) for each in parts]
        names = [
            name
            for site, head in zip(sites, self.heads(sites), strict=True)
            for name in (head.root_names if head else [output_names(site.site).index()])
        ]
        return [self.whole.site.base_url + name for name in names]


def rebuild_part(
    bucket: DividedBucket, name: str = "", retry: Retry = NO_DEADLINE, options: RebuildOptions = BY_SETTINGS
) -> BucketResult:
    """Rebuild one part, or a partition below it that was never built; the options' `part` is that of its build.

    The state of the part is read for what a new partition takes over: the dates of its pages. If there are too many
    objects, the part is divided. Until all is done, the result is unfinished. Raises as `bucket_run.rebuild`.
    """
    division = bucket.division()
    own = bucket.site_named(name, division)
    for child in bucket.unbuilt(own.part, division)[:1]:
        of_child = options._replace(lag=None, adopted=_taken_over(bucket, child, division))
        return structs.replace(bucket_run.rebuild(child, retry, of_child), is_unfinished=True)
    options = options._replace(adopted=options.adopted or _taken_over(bucket, own, division))
    try:
        return bucket_run.rebuild(own, retry, options)
    except TooLargeError:
        if bucket.divide(own.part, division, retry) == division:  # its keys do not differ where they could be divided
            return bucket_run.rebuild(replace(own, most_objects=None), retry, options)
        return BucketResult(is_unfinished=True)


def rebuild(bucket: DividedBucket, adopted: BucketState | None = None) -> BucketResult:
    """Rebuild the parts one after another, the remainder at the end, which names the others in robots.txt."""
    done: dict[str, BucketResult] = {}
    while left := [each.name for each in bucket.division().parts if each.name not in done]:
        result = rebuild_part(bucket, left[0], options=RebuildOptions(adopted=adopted))
        if not result.is_unfinished:
            done[left[0]] = result
    return combined(list(done.values()))


def would_rebuild(bucket: DividedBucket, adopted: BucketState | None = None) -> BucketResult:
    """What a rebuild of the parts, as they are divided now, would do; for a bucket that is not written to."""
    sites = [replace(each, most_objects=None) for each in bucket.sites(bucket.division())]
    return combined([bucket_run.rebuild(each, options=RebuildOptions(adopted=adopted)) for each in sites])


def not_rebuilt(bucket: DividedBucket, division: Division, since: str) -> Sequence[str]:
    """The names of the partitions whose last rebuild ended before a time (W3C)."""
    sites = bucket.sites(division)[:-1]
    found = zip(sites, bucket.heads(sites), strict=True)
    return [site.part.name for site, head in found if not head or head.built_at < since]


def update(bucket: DividedBucket, keys: Iterable[str]) -> BucketResult:
    """Update the parts to which these keys belong; raises as `bucket_run.update`."""
    return combined([bucket_run.update(site, some) for site, some in bucket.by_site(keys, bucket.division())])


def combined(results: Sequence[BucketResult]) -> BucketResult:
    """The results of runs over several parts as one."""
    if len(results) == 1:
        return results[0]
    heads = [each.head for each in results if each.head]
    plans = [each.plan for each in results if each.plan]
    changes = all_changes(each.changes for each in plans)
    return BucketResult(
        structs.replace(plans[-1], changes=changes) if plans else None,
        _combined_heads(heads) if heads else None,
        tuple(name for each in results for name in each.written),
        tuple(name for each in results for name in each.removed),
        {key: error for each in results for key, error in each.failed.items()},
        tuple(key for each in results for key in each.not_found),
        tuple(warning for each in results for warning in each.warnings),
        sum(each.objects_listed for each in results),
        sum(each.objects_read for each in results),
        sums(each.ignored for each in results),
        sum(each.drift for each in results),
    )


def _combined_heads(heads: Sequence[StateHead]) -> StateHead:
    """What an answer says of several states."""
    return structs.replace(
        heads[-1],
        page_count=sum(each.page_count for each in heads),
        object_count=sum(each.object_count for each in heads),
        files=tuple(file for each in heads for file in each.files),
        excluded_by_reason=sums(each.excluded_by_reason for each in heads),
    )


def sums(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    """The sum of each count."""
    found: dict[str, int] = {}
    for each in counts:
        for name, count in each.items():
            found[name] = found.get(name, 0) + count
    return dict(sorted(found.items()))


def _taken_over(bucket: DividedBucket, site: BucketSite, division: Division) -> BucketState | None:
    """What the state of the parent knows of a new partition's objects."""
    part = site.part
    if not part.name or site.state.usable_head() is not None:
        return None
    parent = next(each.parent for each in division.partitions if each.prefix == part.prefix)
    above = bucket.site(next(each for each in division.parts if each.prefix == parent), division)
    state = above.state.read()
    records = tuple(each for each in state.memory.objects if part.holds(each.key))
    return BucketState(state.head, Memory(records, rules_version=state.memory.rules_version))


def _head(site: BucketSite) -> StateHead | None:
    try:
        return site.state.usable_head() or StateHead()
    except StateError:
        return None


def _is_like_a_partition(group: str) -> bool:
    return name_of_output(f"x-{group}.", "x") != ""
