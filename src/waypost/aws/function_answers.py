"""What the function answers, as values that are encoded as JSON."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct, UnsetType

from waypost import __version__
from waypost.app.bucket_events import BucketEvents
from waypost.sync.status_answers import Explanation, KeySample, StatusAnswer

_MAX_KEYS = 20


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
    """The status of a ledger, of the queue of events, and of what sends them.

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


class RefusedAnswer(Struct, frozen=True):
    """The function's answer to a rebuild that would remove too many listed pages: nothing was changed."""

    finished: bool
    refused: str


class FailedMessage(Struct, frozen=True, rename="camel"):
    """A message that SQS should deliver again; the name is Lambda's."""

    item_identifier: str


class BatchAnswer(Struct, frozen=True, rename="camel"):
    """The function's answer to events: the messages that failed (Lambda, "Reporting batch item failures")."""

    batch_item_failures: Sequence[FailedMessage] = ()


class StartAnswer(Struct, frozen=True):
    """The function's answer to a rebuild that the state machine does: its execution, and the command to watch it."""

    finished: bool
    execution: str
    watch: str
    note: str


class TaskFile(Struct, frozen=True):
    """The object that holds the payloads of a Distributed Map, a JSON array."""

    bucket: str
    key: str


class StepAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The function's answer to a step of the state machine: the next step, and its tasks if it has many workers."""

    next_step: str
    tasks: TaskFile | None = None
    task_count: int = 0
    note: str = ""


class FailureSample(Struct, frozen=True):
    """How many objects could not be read, and the first of them, each with the reason."""

    count: int
    first: Mapping[str, str]


class FinalStepAnswer(StepAnswer, frozen=True, kw_only=True):
    """The function's answer to the last step of a distributed rebuild, which is the output of the execution.

    It is small, because an execution's output holds 256 KB at most.
    """

    finished: bool
    url_count: int
    generation: int
    objects_listed: int
    objects_read: int
    records_changed: int
    conflicts: int
    written: KeySample
    removed: KeySample
    failed: FailureSample
    ignored: Mapping[str, int]


def sample_keys(keys: Sequence[str]) -> KeySample:
    """How many keys there are, and the first twenty."""
    return KeySample(len(keys), tuple(keys[:_MAX_KEYS]))


def sample_failures(failed: Mapping[str, str], count: int) -> FailureSample:
    """How many failures there are, and the first twenty."""
    return FailureSample(count, dict(list(failed.items())[:_MAX_KEYS]))
