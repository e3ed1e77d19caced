"""Sends an event to an EventBridge bus after each publication, to which anything else can be attached."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.core.model import Changes
from waypost.notify.aws_clients import events_client
from waypost.notify.base import PublishResult, Sent

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE, DETAIL_TYPE = "waypost", "SitemapsPublished"
_MOST_BYTES = 250_000
"""An entry has at most 256 KB, with its source and type (PutEvents)."""
_BUSY = frozenset({"ThrottlingException", "InternalFailure", "InternalException", "ServiceUnavailable"})
_RETRY_AFTER = 60.0
_SERVER_ERROR, _MOST_TEXT = 500, 300
_FILES, _URLS = ("written", "removed"), Changes.__struct_fields__


class PublishedEvent(msgspec.Struct, frozen=True):
    """The detail of an event: `counts` has the numbers of files and URLs.

    Where these are too many for an event, `files` and `urls` are empty, and the files at `lists` have them: JSON with
    gzip, each a `PublishResult`. They are deleted after a day.
    """

    base_url: str
    ids: list[str]
    counts: dict[str, int]
    files: dict[str, list[str]] = {}
    urls: dict[str, list[str]] = {}
    lists: list[str] = []


class EventBus:
    """Sends events to one bus, which is named or given by its ARN; `client` makes a client when it is needed."""

    name = "event_bus"
    wants_files, wants_urls = True, True

    def __init__(self, bus: str, client: Callable[[], "EventBridgeClient"] = events_client) -> None:
        self._client, self._bus = client, bus

    def would_send(self, results: Iterable[PublishResult]) -> Sent:
        """The URLs and files that an event would have."""
        return _counted(event_of(results))

    def notify(self, results: Iterable[PublishResult]) -> Sent:
        """Send one event for all results."""
        detail = event_of(results)
        entry: Any = {
            "Source": SOURCE,
            "DetailType": DETAIL_TYPE,
            "EventBusName": self._bus,
            "Detail": msgspec.json.encode(detail).decode(),
        }
        try:
            answer = self._client().put_events(Entries=[entry])
        except ClientError as error:
            if error.response["ResponseMetadata"].get("HTTPStatusCode", 0) >= _SERVER_ERROR:
                raise TryLaterError(
                    f"EventBridge cannot take events now: {error}"[:_MOST_TEXT], _RETRY_AFTER
                ) from error
            raise self._refusal(error.response.get("Error", {})) from error
        except BotoCoreError as error:
            raise TryLaterError(f"EventBridge does not answer: {error}", _RETRY_AFTER) from error
        if answer["FailedEntryCount"]:
            failed = answer["Entries"][0]
            raise self._refusal({"Code": failed.get("ErrorCode"), "Message": failed.get("ErrorMessage")})
        return _counted(detail)

    def _refusal(self, error: Any) -> AnnounceError:
        code = error.get("Code") or "an unknown error"
        message = f"EventBridge answers {code}: {error.get('Message') or 'no reason'}"
        if code in _BUSY:
            return TryLaterError(message, _RETRY_AFTER)
        return AnnounceError(f"{message}; look at the bus {self._bus}, and whether events:PutEvents on it is allowed")


def event_of(results: Iterable[PublishResult]) -> PublishedEvent:
    """The event for some results: with all names and URLs if they fit, else with the addresses of the lists."""
    files, urls = ({kind: list[str]() for kind in kinds} for kinds in (_FILES, _URLS))
    counts = dict.fromkeys((*_FILES, *(f"urls_{kind}" for kind in _URLS)), 0)
    ids, lists, size, base_url = list[str](), list[str](), 0, ""
    for result in results:
        base_url = result.base_url
        ids.append(result.id)
        lists += [result.address] if result.address else []
        of_files = ((kind, getattr(result, kind), files[kind]) for kind in _FILES)
        of_urls = ((f"urls_{kind}", getattr(result.changes, kind), urls[kind]) for kind in _URLS)
        for name, values, names in (*of_files, *of_urls):
            counts[name] += len(values)
            size += sum(len(value.encode()) + 3 for value in values)
            names += values if size <= _MOST_BYTES else ()
    if size <= _MOST_BYTES:
        return PublishedEvent(base_url, ids, counts, files, urls)
    return PublishedEvent(base_url, ids, counts, lists=lists)


def _counted(event: PublishedEvent) -> Sent:
    files = event.counts["written"] + event.counts["removed"]
    return Sent(sum(event.counts.values()) - files, files)
