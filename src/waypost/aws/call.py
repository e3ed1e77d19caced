"""One call of the Lambda function: its identity, and how long it may take."""

from typing import Protocol

_RESERVE_MILLISECONDS = 120_000
"""A run that has less time left than this starts nothing new; with a short timeout it is half of that."""


class Context(Protocol):
    """What Lambda passes with each call."""

    aws_request_id: str
    invoked_function_arn: str

    def get_remaining_time_in_millis(self) -> int:
        """How long the call may still take."""


class Call:
    """A call that has just begun.

    `rebuild_function` is the ARN of the function that rebuilds. If it is empty, this function does that itself;
    otherwise it is only for events.
    """

    def __init__(self, context: Context, rebuild_function: str = "") -> None:
        self._context = context
        self.request_id, self.is_for_events = context.aws_request_id, bool(rebuild_function)
        self.rebuild_function = rebuild_function or context.invoked_function_arn
        self._reserve = min(_RESERVE_MILLISECONDS, context.get_remaining_time_in_millis() // 2)

    def deadline_reached(self) -> bool:
        """Whether the call should finish what it has begun, and start nothing new."""
        return self._context.get_remaining_time_in_millis() < self._reserve
