"""Hooks of a proxy: they delay requests, or answer them with errors."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING

from stacks import PATIENCE

if TYPE_CHECKING:
    from proxies import Request


class Gate:
    """Delays all requests that match, until the test opens it."""

    def __init__(self, matches: Callable[[Request], bool]) -> None:
        self._matches, self._is_reached, self._is_open = matches, Event(), Event()

    def __call__(self, request: Request) -> None:
        if self._matches(request):
            self._is_reached.set()
            assert self._is_open.wait(PATIENCE), "the test did not open the gate"

    def wait_until_reached(self) -> None:
        assert self._is_reached.wait(PATIENCE), "no request reached the gate"

    def open(self) -> None:
        self._is_open.set()


class ErrorResponses:
    """Answers the first request that matches, and its repetitions, with an error; only once scan tasks were written."""

    def __init__(self, response: bytes, times: int, matches: Callable[[Request], bool]) -> None:
        self._matches, self._is_planned = matches, False
        self._first: Request | None = None
        self.left = [response] * times

    def __call__(self, request: Request) -> bytes | None:
        self._is_planned |= puts("-scan-")(request)
        if self._is_planned and self._first is None and self._matches(request):
            self._first = request
        return self.left.pop() if self.left and request == self._first else None


class DelayedFirst:
    """Delays the first request that matches until a second one arrives."""

    def __init__(self, matches: Callable[[Request], bool]) -> None:
        self._matches, self._first, self.is_repeated = matches, iter([True]), Event()

    def __call__(self, request: Request) -> None:
        if not self._matches(request):
            return
        if next(self._first, False):
            assert self.is_repeated.wait(PATIENCE), "the request was not repeated"
        self.is_repeated.set()


def puts(part: str) -> Callable[[Request], bool]:
    return lambda request: request.method == "PUT" and part in request.path


def gets(path: str) -> Callable[[Request], bool]:
    return lambda request: request.method == "GET" and request.path == path


def lists(request: Request) -> bool:
    """Whether a request lists a range that has a first key."""
    return "list-type" in request.query and "start-after" in request.query
