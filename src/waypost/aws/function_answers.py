"""What the function answers, as values that are encoded as JSON."""

from collections.abc import Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost import __version__
from waypost.build.bucket_checks import BucketEvents
from waypost.build.explanation import Explanation
from waypost.build.status import StatusAnswer


class QueueStatus(Struct, frozen=True):
    """The queue of events: how many messages wait in it, and how many a call handles or will be delivered again.

    `oldest_seconds` is the age of the oldest message, and null if there is none or CloudWatch does not know it yet. If
    the queue cannot be read, there is only `problem`, which says why.
    """

    waiting: int | UnsetType = UNSET
    in_flight: int | UnsetType = UNSET
    oldest_seconds: int | UnsetType | None = UNSET
    problem: str | UnsetType = UNSET


class FunctionStatus(StatusAnswer, frozen=True):
    """The status of a bucket, of the queue of events, and of what sends them.

    `release` is that of the function's package. `queue` is absent if the function has none, and `bucket_events` with
    it.
    """

    release: str = __version__
    queue: QueueStatus | UnsetType = UNSET
    bucket_events: BucketEvents | UnsetType = UNSET


class ExplainAnswer(Struct, frozen=True):
    """The function's answer to the action `explain`, one explanation for each key."""

    explained: Sequence[Explanation]


class ErrorAnswer(Struct, frozen=True):
    """The function's answer to a request that it cannot understand: what is wrong, and the actions that there are."""

    error: str
    actions: Sequence[str]


class StartedAnswer(Struct, frozen=True):
    """The function's answer to a rebuild of a divided bucket: the execution of the state machine that does it."""

    finished: bool
    partitions: int
    execution: str


class PartitionAnswer(Struct, frozen=True):
    """The function's answer to the state machine: whether a partition is rebuilt, or else the part that goes on."""

    finished: bool
    part: str = ""


class RefusedAnswer(Struct, frozen=True):
    """The function's answer to a rebuild that would remove too many listed pages, or while another one is under way.

    Nothing was changed.
    """

    finished: bool
    refused: str


class FailedMessage(Struct, frozen=True, rename="camel"):
    """A message that SQS should deliver again; the name is Lambda's."""

    item_identifier: str


class BatchAnswer(Struct, frozen=True, rename="camel"):
    """The function's answer to events: the messages that failed (Lambda, "Reporting batch item failures")."""

    batch_item_failures: Sequence[FailedMessage] = ()
