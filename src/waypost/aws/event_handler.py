"""Handles events of objects: which keys of the site they change, and which messages failed."""

from collections.abc import Mapping, Sequence

from waypost.app.locations import Location
from waypost.aws.call import Call
from waypost.aws.function_answers import BatchAnswer, FailedMessage
from waypost.aws.logs import LogLine, MessageLine, log
from waypost.aws.redelivery import Redelivery
from waypost.aws.runner import Runner
from waypost.build.bucket_site import BucketResult, BucketSite
from waypost.core import reasons
from waypost.core.errors import (
    EventError,
    OtherRunError,
    OutdatedSettingsError,
    RebuildNeededError,
    SourceError,
    WaypostError,
)
from waypost.sources import s3_events
from waypost.sources.s3_events import ObjectChange, QueueMessage

_WAITS = (OtherRunError, OutdatedSettingsError, RebuildNeededError)
"""The errors of a run that must wait for another one. SQS repeats its messages; that is no failure of the function."""


class EventHandler:
    """Handles the events of the site at one location."""

    def __init__(self, bucket: BucketSite, location: Location, runner: Runner, redelivery: Redelivery) -> None:
        self._bucket, self._location, self._runner, self._redelivery = bucket, location, runner, redelivery

    def handle(self, event: Mapping[str, object], call: Call) -> BatchAnswer:
        """Update the sitemaps for a batch of events; the answer names the messages that SQS delivers again, and soon.

        Raises EventError or SourceError for an event that did not come through a queue, so that its sender repeats it.
        """
        messages = s3_events.parse_messages(event)
        for message in messages:
            if message.problem:
                _log_problem(message, call)
        is_queued = bool(messages[0].id)
        if messages[0].problem and not is_queued:
            raise EventError(messages[0].problem)
        try:
            result = self._update(messages, call)
        except _WAITS as error:
            if not is_queued:
                raise
            return BatchAnswer(self._wait(messages, error, call))
        if result.failed and not is_queued:
            raise SourceError(f"cannot read {', '.join(result.failed)}; the event will be delivered again")
        failed = self._failed_messages(messages, result)
        return BatchAnswer([*self._repeat(failed, call), *self._publish(messages, call)])

    def _update(self, messages: Sequence[QueueMessage], call: Call) -> BucketResult:
        """Update the sitemaps for all messages that could be read."""
        changes = [change for message in messages for change in message.changes if self._concerns_site(change)]
        result = BucketResult()
        if changes:
            etags = self._etags(changes)
            result = self._runner.update_for_events(etags.keys(), etags, call)
            if result != BucketResult() or not all(map(self._is_output, etags)):
                self._runner.conclude("update", result, call, changes)
        return result

    def _etags(self, changes: Sequence[ObjectChange]) -> dict[str, str]:
        """The ETag that events give of each key, `""` if they name several writes, or a deletion."""
        found: dict[str, str] = {}
        for change in changes:
            key = self._key(change)
            found[key] = change.etag if found.get(key, change.etag) == change.etag else ""
        return found

    def _is_output(self, key: str) -> bool:
        """Whether a key is a published file's; each publication causes events of these, which need no line of log."""
        return self._bucket.exclusion_reason(key) == reasons.OUTPUT

    def _publish(self, messages: Sequence[QueueMessage], call: Call) -> list[FailedMessage]:
        """Publish what is pending if messages ask for that; they alone fail if they must wait."""
        asking = [message for message in messages if message.asks_to_publish]
        if not asking:
            return []
        try:
            self._runner.conclude("publish", self._runner.publish(call), call)
        except _WAITS as error:
            return self._wait(asking, error, call)
        return []

    def _wait(self, messages: Sequence[QueueMessage], error: WaypostError, call: Call) -> list[FailedMessage]:
        log(LogLine(level="INFO", message=str(error), request_id=call.request_id))
        return self._repeat(messages, call, error.retry_after)

    def _repeat(
        self, failed: Sequence[QueueMessage], call: Call, retry_after: int | None = None
    ) -> list[FailedMessage]:
        """Have messages delivered again."""
        self._redelivery.schedule(failed, call.request_id, retry_after)
        return [FailedMessage(message.id) for message in failed]

    def _failed_messages(self, messages: Sequence[QueueMessage], result: BucketResult) -> list[QueueMessage]:
        return [
            message
            for message in messages
            if message.problem or any(self._has_failed(change, result) for change in message.changes)
        ]

    def _has_failed(self, change: ObjectChange, result: BucketResult) -> bool:
        return self._concerns_site(change) and self._key(change) in result.failed

    def _concerns_site(self, change: ObjectChange) -> bool:
        """Whether a change is of the site."""
        return change.bucket == self._location.bucket and change.key.startswith(self._location.prefix)

    def _key(self, change: ObjectChange) -> str:
        return change.key.removeprefix(self._location.prefix)


def _log_problem(message: QueueMessage, call: Call) -> None:
    log(MessageLine(level="ERROR", message=message.problem, request_id=call.request_id, message_id=message.id))
