"""Compares the published files of a bucket with what its state wants, and says what each is to hold."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from waypost.build.bucket_decision import Decided
from waypost.build.bucket_site import BucketSite
from waypost.build.bucket_state import LeavingFile, PublishedFile, RepairedFile, StateHead
from waypost.build.publication import ROBOTS, MakeRobots, PresentFile, Publisher, is_right
from waypost.core import concurrency
from waypost.sitemaps.documents import robots_body

_HOUR = 3_600
MAX_REPLACEMENTS = 3
"""How often a file that others replaced is repaired within an hour; then it is left until the next rebuild."""
REPLACED, DELETED = 10, 1
"""What counts how much: each deployment by `aws s3 sync --delete` deletes the sitemaps."""
_MOST = MAX_REPLACEMENTS * REPLACED


def with_repaired(head: StateHead, wrong: Mapping[str, int], now: float) -> tuple[StateHead, list[str]]:
    """The head in which wrong files are counted, and the names of those that are contested.

    Each file has `REPLACED`, `DELETED`, or 0 for what a run of the site has written.
    """
    known = {each.name: each for each in head.repaired}
    for name, weight in wrong.items():
        if weight:
            known[name] = counted_again(known.get(name), name, weight, now)
    contested = sorted(name for name in wrong if name in known and is_contested(known[name]))
    return replace(head, repaired=tuple(known[name] for name in sorted(known))), contested


def is_contested(file: RepairedFile) -> bool:
    """Whether others replaced or deleted a file so often that it is left as it is."""
    return file.count > _MOST


def counted_again(before: RepairedFile | None, name: str, weight: int, now: float) -> RepairedFile:
    """A file that is wrong once more; a contested one stays as it is."""
    if before is None or (not is_contested(before) and now - before.since >= _HOUR):
        return RepairedFile(name, now, weight)
    return before if is_contested(before) else replace(before, count=before.count + weight)


def wrong_files(bucket: BucketSite, head: StateHead, names: Iterable[str]) -> dict[str, int]:
    """Those of these files that are not published as they should be, and what others did; not robots.txt.

    What is pending is known to be wrong.
    """
    files, publisher = head.by_name, publisher_of(bucket, head)
    wanted = [files[name] for name in names if name in files and name not in head.pending and name != ROBOTS]
    width = publisher.store.width
    looks = concurrency.map_concurrently(lambda each: publisher.look(each.name, each.etag), wanted, width)
    found = zip(wanted, looks, strict=True)
    return {file.name: _done_by_others(look) for file, look in found if not is_right(file, look)}


def wrong_robots(bucket: BucketSite, head: StateHead, names: Iterable[str]) -> dict[str, int]:
    """robots.txt, if it is one of these files and lacks the right lines."""
    if not bucket.site.robots_sitemaps or ROBOTS not in names:
        return {}
    present = bucket.outputs.read(ROBOTS)
    return {} if present == robots_of(bucket, head)(present) else {ROBOTS: REPLACED if present else DELETED}


def robots_of(bucket: BucketSite, head: StateHead) -> MakeRobots:
    """What robots.txt is to hold, given what it holds."""
    urls = [*(bucket.site.base_url + name for name in head.root_names), *head.other_roots]
    removed = [each.name for each in head.leaving]

    def body(present: bytes | None) -> bytes:
        own = bucket.robots_txt() if bucket.is_elsewhere else None
        text = (present or b"") if own is None else own
        return robots_body(text, urls, bucket.site, bucket.renderer, removed)

    return body


def publisher_of(bucket: BucketSite, head: StateHead, decided: Decided | None = None) -> Publisher:
    """The publisher of a state's files, which `decided` has rendered, or renders again."""
    documents = {each.name: each for each in decided.plan.documents} if decided else {}

    def body(name: str) -> bytes:
        found = documents[name]
        if found.known_digest and decided:
            found = next(each for each in decided.rendered_again() if each.name == name)
        return found.body

    return Publisher(bucket.outputs, bucket.site, bucket.renderer, head.site_id, head.number, head.id, body)


def is_written(file: PublishedFile | None, etags: Mapping[str, str]) -> bool:
    """Whether an event tells of the very write that the state remembers; a later write has an event of its own."""
    return file is not None and bool(file.etag) and etags.get(file.name) == file.etag


def with_published(head: StateHead, finished: Mapping[str, str], now: float) -> StateHead:
    """The head without the files that are published among its pending ones.

    Once nothing is pending, no index names the files that are leaving: they may be deleted from then on.
    """
    files = (replace(each, etag=finished.get(each.name, each.etag)) for each in head.files)
    pending = head.pending - finished.keys()
    leaving = (each if each.since or pending else LeavingFile(each.name, now) for each in head.leaving)
    return replace(head, files=tuple(files), pending=pending, leaving=tuple(leaving))


def _done_by_others(present: PresentFile) -> int:
    if present.etag is None:
        return DELETED
    return 0 if present.is_ours else REPLACED
