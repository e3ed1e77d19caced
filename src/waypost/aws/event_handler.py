"""Handles events of objects: which keys of the site they change, and which messages failed."""

from collections.abc import Callable, Mapping, Sequence, Set

from waypost.aws.call import Call
from waypost.aws.event_queue import EventQueue
from waypost.aws.function_answers import BatchAnswer, FailedMessage
from waypost.aws.logs import LogLine, log, write_line
from waypost.aws.runner import Runner
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.build.divided_bucket import DividedBucket
from waypost.build.locations import Location
from waypost.build.partitions import Division
from waypost.core import reasons
from waypost.core.errors import (
    ConflictError,
    EventError,
    OtherRunError,
    OutdatedSettingsError,
    RebuildNeededError,
    SourceError,
    WaypostError,
)
from waypost.files import s3_events
from waypost.files.s3_events import ObjectChange, QueueMessage

MUST_WAIT = (OtherRunError, OutdatedSettingsError, RebuildNeededError)
"""The errors of a run that must wait for another one. SQS repeats its messages; that is no failure of the function."""
_WAITS = (ConflictError, *MUST_WAIT)
_Waiting = Sequence[tuple[WaypostError, Set[str]]]
"""Each error of a batch after which messages must wait, with the keys that they are about."""


class EventHandler:
    """Handles the events of the site at one location, of which `runner_of` runs each part."""

    def __init__(
        self,
        bucket: DividedBucket,
        location: Location,
        runner_of: Callable[[BucketSite], Runner],
        queue: EventQueue,
    ) -> None:
        self._bucket, self._location, self._runner_of, self._queue = bucket, location, runner_of, queue

    def handle(self, event: Mapping[str, object], call: Call) -> BatchAnswer:
        """Update the sitemaps for a batch of events; the answer names the messages that SQS delivers again, and soon.

        Raises EventError or SourceError for an event that did not come through a queue, so that its sender repeats it.
        """
        messages = s3_events.parse_messages(event)
        for message in messages:
            if problem := message.problem:
                write_line(LogLine(level="ERROR", message=problem, request_id=call.request_id, message_id=message.id))
        is_queued = bool(messages[0].id)
        if messages[0].problem and not is_queued:
            raise EventError(messages[0].problem)
        changes = [change for message in messages for change in message.changes if self._concerns_site(change)]
        has_work = changes or any(message.asks_to_publish for message in messages)
        division = self._bucket.division() if has_work else Division()
        failed, waiting = self._update(changes, division, call)
        if not is_queued:
            for error, _ in waiting:
                raise error
            if failed:
                raise SourceError(f"cannot read {', '.join(failed)}; the event will be delivered again")
        again = self._again(messages, failed, waiting, call)
        return BatchAnswer([*again, *self._publish(messages, division, call)])

    def _update(self, changes: Sequence[ObjectChange], division: Division, call: Call) -> tuple[Set[str], _Waiting]:
        """Update the sitemaps for all events that could be read, part by part; returns the keys that failed, too."""
        etags = self._etags(changes)
        failed, waiting = set[str](), list[tuple[WaypostError, Set[str]]]()
        for site, keys in self._bucket.by_site(etags, division):
            own = {key: etags[key] for key in keys}
            try:
                result = self._runner_of(site).update_for_events(own.keys(), own, call)
            except _WAITS as error:
                waiting.append((error, set(keys)))
                continue
            failed |= result.failed.keys()
            if result != BucketResult() or not all(site.exclusion_reason(key) == reasons.OUTPUT for key in own):
                events = [each for each in changes if self._key(each) in own]
                self._runner_of(site).conclude("update", result, call, events)
        return failed, waiting

    def _again(
        self, messages: Sequence[QueueMessage], failed: Set[str], waiting: _Waiting, call: Call
    ) -> list[FailedMessage]:
        """Have the messages delivered again that could not be handled."""
        left, again = list(messages), list[FailedMessage]()
        for error, keys in waiting:
            own = [message for message in left if self._keys(message) & keys]
            again += self._wait(own, error, call)
            left = [message for message in left if message not in own]
        unread = [message for message in left if message.problem or self._keys(message) & failed]
        return [*again, *self._repeat(unread, call)]

    def _keys(self, message: QueueMessage) -> Set[str]:
        """The keys of the site in a message."""
        return {self._key(change) for change in message.changes if self._concerns_site(change)}

    def _etags(self, changes: Sequence[ObjectChange]) -> dict[str, str]:
        """The ETag that events give of each key, `""` if they name several writes, or a deletion."""
        found: dict[str, str] = {}
        for change in changes:
            key = self._key(change)
            found[key] = change.etag if found.get(key, change.etag) == change.etag else ""
        return found

    def _publish(self, messages: Sequence[QueueMessage], division: Division, call: Call) -> list[FailedMessage]:
        """Publish what is pending if messages ask for that; they alone fail if they must wait."""
        asking = [message for message in messages if message.asks_to_publish]
        names = {message.part for message in asking}
        try:
            for part in (each for each in division.parts if each.name in names):
                runner = self._runner_of(self._bucket.site(part, division))
                runner.conclude("publish", runner.publish(call), call)
        except _WAITS as error:
            return self._wait(asking, error, call)
        return []

    def _wait(self, messages: Sequence[QueueMessage], error: WaypostError, call: Call) -> list[FailedMessage]:
        log("INFO", str(error), call.request_id)
        return self._repeat(messages, call, error.retry_after)

    def _repeat(
        self, failed: Sequence[QueueMessage], call: Call, retry_after: int | None = None
    ) -> list[FailedMessage]:
        """Have messages delivered again."""
        self._queue.deliver_again(failed, call.request_id, retry_after)
        return [FailedMessage(message.id) for message in failed]

    def _concerns_site(self, change: ObjectChange) -> bool:
        """Whether a change is of the site."""
        return change.bucket == self._location.bucket and change.key.startswith(self._location.prefix)

    def _key(self, change: ObjectChange) -> str:
        return change.key.removeprefix(self._location.prefix)
