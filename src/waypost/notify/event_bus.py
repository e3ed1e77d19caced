"""Sends an event to an EventBridge bus after each publication, to which anything else can be attached."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import AnnounceError, TryLaterError
from waypost.core.model import Changes
from waypost.notify.base import PublishResult, Sent

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

SOURCE, DETAIL_TYPE = "waypost", "SitemapsPublished"
_MOST_BYTES = 250_000
"""An entry has at most 256 KB, with its source and type (PutEvents)."""
_BUSY = frozenset({"ThrottlingException", "InternalFailure", "InternalException", "ServiceUnavailable"})
_RETRY_AFTER = 60.0
_SERVER_ERROR, _MOST_TEXT = 500, 300
_KINDS = Changes.__struct_fields__


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

    def __init__(self, client: Callable[[], "EventBridgeClient"], bus: str) -> None:
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
    files: dict[str, list[str]] = {"written": [], "removed": []}
    urls: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    counts = dict.fromkeys((*files, *map(_count_name, _KINDS)), 0)
    ids, lists, size, base_url = list[str](), list[str](), 0, ""
    for result in results:
        base_url = result.base_url
        ids.append(result.id)
        lists += [result.address] if result.address else []
        for kind, values in _files(result):
            counts[kind] += len(values)
            size += _add(values, files[kind], size)
        for kind in _KINDS:
            values = getattr(result.changes, kind)
            counts[_count_name(kind)] += len(values)
            size += _add(values, urls[kind], size)
    if size <= _MOST_BYTES:
        return PublishedEvent(base_url, ids, counts, files, urls)
    return PublishedEvent(base_url, ids, counts, lists=lists)


def _counted(event: PublishedEvent) -> Sent:
    files = event.counts["written"] + event.counts["removed"]
    return Sent(sum(event.counts.values()) - files, files)


def _files(result: PublishResult) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "written", result.written
    yield "removed", result.removed


def _count_name(kind: str) -> str:
    return f"urls_{kind}"


def _add(values: tuple[str, ...], names: list[str], size: int) -> int:
    """Add values to names unless an event of `size` bytes becomes too large; returns the bytes that they have."""
    added = sum(len(value.encode()) + 3 for value in values)
    if size + added <= _MOST_BYTES:
        names += values
    return added
