"""Faults between the functions and S3, between an operator and SQS, and of the functions' processes."""

from __future__ import annotations

import os
import signal
import uuid
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from servers import answer
from stacks import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from proxies import Request
    from stacks import Cloud

_SLOW_DOWN = answer(
    "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>", 503, Connection="close"
)
_DENIED = answer("<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>", 403)


def slow_down(request: Request) -> bytes:
    """Answer every request as S3 does when it throttles."""
    del request
    return _SLOW_DOWN


def deny_reading(path: str) -> Callable[[Request], bytes | None]:
    """Refuse to read one object, as S3 does when a policy forbids it."""
    return lambda request: _DENIED if request.method == "GET" and request.path == path else None


class Hold:
    """Holds requests to write below a path, until they are dropped; they never reach the server."""

    def __init__(self, path: str) -> None:
        self._path, self._is_reached, self._is_dropped = path, Event(), Event()

    def __call__(self, request: Request) -> bytes | None:
        if request.method != "PUT" or not request.path.startswith(self._path):
            return None
        self._is_reached.set()
        assert self._is_dropped.wait(PATIENCE), "the request was not dropped"
        return _SLOW_DOWN

    def wait_until_reached(self) -> None:
        assert self._is_reached.wait(PATIENCE), "nothing was written"

    def drop(self) -> None:
        self._is_dropped.set()


def kill_workers(function: str, port: int) -> int:
    """Kill the processes in which the emulator on a port runs a function; returns their number."""
    named = (f"AWS_LAMBDA_FUNCTION_NAME={function}", f"GATEWAY_PORT={port}")
    killed = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has ended, or is another user's
            continue
        if set(named) <= set(variables):
            os.kill(int(folder.name), signal.SIGKILL)
            killed += 1
    return killed


class MoveTasks:
    """Does what SQS does for StartMessageMoveTask, which the emulator does not know: moves all messages to a queue."""

    def __init__(self, aws: Cloud, source: str, target: str) -> None:
        self._aws, self._source, self._target = aws, source, target

    def __call__(self, request: Request) -> bytes | None:
        if request.target != "AmazonSQS.StartMessageMoveTask":
            return None
        while messages := self._receive():
            for message in messages:
                self._aws.aws("sqs", "send-message", "--queue-url", self._target, "--message-body", message["Body"])
                handle = ("--receipt-handle", message["ReceiptHandle"])
                self._aws.aws("sqs", "delete-message", "--queue-url", self._source, *handle)
        return answer(f'{{"TaskHandle": "{uuid.uuid4()}"}}', Content_Type="application/x-amz-json-1.0")

    def _receive(self) -> list[dict[str, str]]:
        asked = ("sqs", "receive-message", "--queue-url", self._source, "--max-number-of-messages", "10")
        return list(self._aws.ask(*asked).get("Messages", ()))
