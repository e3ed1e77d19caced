"""Starts the state machine that rebuilds the partitions of a divided bucket side by side."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from waypost.core.errors import StateError


class ExecutionClient(Protocol):
    """What is used of a client of Step Functions."""

    def start_execution(self, **request: Any) -> Mapping[str, Any]:
        """Start an execution (API reference, "StartExecution")."""

    def list_executions(self, **request: Any) -> Mapping[str, Any]:
        """The executions of a state machine (API reference, "ListExecutions")."""


class StateMachine:
    """The state machine with an ARN, `""` if there is none; `client` creates a client of Step Functions."""

    def __init__(self, arn: str, client: Callable[[], ExecutionClient]) -> None:
        self._arn, self._client = arn, client

    def start(self, partitions: Sequence[Mapping[str, object]], remainder: Mapping[str, object]) -> str:
        """Rebuild with these requests, unless an execution does already; returns the ARN of the execution.

        Raises StateError.
        """
        if not self._arn:
            raise StateError("the bucket is divided, and WAYPOST_STATE_MACHINE names nothing that can rebuild it")
        try:
            client = self._client()
            running = client.list_executions(stateMachineArn=self._arn, statusFilter="RUNNING", maxResults=1)
            for execution in running["executions"]:
                return str(execution["executionArn"])
            payload = msgspec.json.encode({"partitions": partitions, "remainder": remainder}).decode()
            return str(client.start_execution(stateMachineArn=self._arn, input=payload)["executionArn"])
        except (ClientError, BotoCoreError) as error:
            raise StateError(f"the state machine {self._arn} cannot be started: {error}") from error
