"""What `waypost notify` sends: the changes in a file, what waits in a bucket's state, or all URLs of a site."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from msgspec import Struct, structs

from waypost.build import bucket_run
from waypost.build.answers import count_noun
from waypost.build.divided_bucket import DividedBucket
from waypost.core.model import Changes
from waypost.notify import DroppedUrl, Notification, PublishResult

_PORTION = 10_000
"""How many URLs are in memory at a time."""
_SHOWN, _NAMED = 10_000, 5


class NotifiedAnswer(Struct, frozen=True):
    """A subscriber and what it accepted; `problem` is empty unless that failed.

    `dropped` are the first of the URLs that it does not get, each with the reason.
    """

    subscriber: str
    problem: str = ""
    url_count: int = 0
    file_count: int = 0
    dropped_count: int = 0
    dropped: Sequence[DroppedUrl] = ()

    @property
    def summary(self) -> str:
        """What was sent, or would be, in words."""
        urls, files = count_noun(self.url_count, "URL"), count_noun(self.file_count, "file")
        return f"{urls} and {files}" if self.url_count and self.file_count else files if self.file_count else urls

    @property
    def dropped_lines(self) -> Iterator[str]:
        """The first URLs that are not sent, by their reasons."""
        by_reason: dict[str, list[str]] = {}
        for each in self.dropped:
            by_reason.setdefault(each.reason, []).append(each.url)
        for reason, urls in by_reason.items():
            more = f" and {len(urls) - _NAMED:,} more" if len(urls) > _NAMED else ""
            yield f"{count_noun(len(urls), 'URL')} not sent, {', '.join(urls[:_NAMED])}{more}: {reason}"


class NotifyAnswer(Struct, frozen=True):
    """What `waypost notify` sent, or in a dry run would send, and to whom: files, and the first 10,000 changed URLs."""

    url_count: int
    urls: Sequence[str]
    written: Sequence[str]
    removed: Sequence[str]
    subscribers: Sequence[NotifiedAnswer]


class AllUrls:
    """All URLs of a site as results, which can be iterated several times; `urls` begins to list them."""

    def __init__(self, base_url: str, urls: Callable[[], Iterator[str]]) -> None:
        self._base_url, self._urls = base_url, urls

    def __iter__(self) -> Iterator[PublishResult]:
        left = self._urls()
        while some := tuple(islice(left, _PORTION)):
            yield PublishResult("all", self._base_url, changes=Changes(added=some))


def waiting_results(bucket: DividedBucket) -> list[PublishResult]:
    """What the subscribers of a bucket have not been told; raises StateError and StoreError."""
    heads = (each.state.head() for each in bucket.sites(bucket.division()))
    return [each.result for head in heads if head for each in head.waiting]


def send_waiting(bucket: DividedBucket) -> list[Notification]:
    """Notify the subscribers of a bucket of what waits for them, and publish what is pending before that.

    Raises what `bucket_run.publish` does.
    """
    done = [bucket_run.publish(each) for each in bucket.sites(bucket.division())]
    failed = [warning for each in done for warning in each.warnings if warning.code == "not-announced"]
    return [Notification("", warning, problem=warning.message) for warning in failed]


def notify_answer(results: Iterable[PublishResult], notifications: Iterable[Notification]) -> NotifyAnswer:
    """What was sent, or would be: all files, and at most 10,000 of the URLs."""
    urls: dict[str, None] = {}
    written, removed = set[str](), set[str]()
    for result in results:
        written, removed = written.union(result.written), removed.union(result.removed)
        urls |= dict.fromkeys(result.changes.urls)
    return NotifyAnswer(
        len(urls),
        tuple(islice(urls, _SHOWN)),
        tuple(sorted(written)),
        tuple(sorted(removed)),
        [NotifiedAnswer(each.subscriber, each.problem, **structs.asdict(each.sent)) for each in notifications],
    )
