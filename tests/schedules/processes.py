"""Simulated processes, which take turns at every request and share one clock, each with an offset of its own."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from greenlet import getcurrent, greenlet  # type: ignore[import-untyped]

from waypost.core.errors import ConflictError, StoreError, UncertainError

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
START = 1_795_219_200.0
"""2026-11-21T00:00:00Z in Unix seconds."""
NOON = START + 43_200
MAX_REQUEST_SECONDS = 20.0
"""How long after its beginning a request may take effect: less than a publisher's margin."""
_SECONDS_PER_REQUEST = 0.05


class Crash(BaseException):
    """A process ends at a request, as when it is killed; nothing may catch it."""


class Fault(Enum):
    """What goes wrong with a request."""

    NONE = "nothing"
    ERROR = "error"
    CONFLICT = "409"
    DROPPED = "no answer, no effect"
    APPLIED = "no answer, but its effect"
    LATE = "no answer, and a late effect"
    CRASH = "crash before it"
    CRASH_APPLIED = "crash after it"
    CRASH_LATE = "crash, and a late effect"
    OVERSLEPT = "sent after a sleep that outlasts the lease"

    @property
    def is_crash(self) -> bool:
        return self in (Fault.CRASH, Fault.CRASH_APPLIED, Fault.CRASH_LATE)


class Request(NamedTuple):
    """A request that a process is about to make; `is_conditional` if it is a write with a condition."""

    verb: str
    name: str
    is_write: bool = False
    is_conditional: bool = False

    def __str__(self) -> str:
        return f"{self.verb} {self.name}"


class Process:
    """A run that waits before each of its requests until it is resumed; `owners` are the leases it may publish in."""

    def __init__(self, processes: Processes, label: str, run: Callable[[], Any], offset: float) -> None:
        self._processes, self.label, self._run, self.offset = processes, label, run, offset
        self.owners: set[str] = set()
        self.at, self.wakes_at = Request("START", label), processes.now
        self.is_done = False
        self.result: Any = None
        self.error: BaseException | None = None
        self._fault, self._late_by = Fault.NONE, 0.0
        self._greenlet = greenlet(self._work)
        self._greenlet.process = self

    def __repr__(self) -> str:
        return self.label

    def _work(self) -> None:
        try:
            if not self._fault.is_crash:
                self.result = self._run()
            else:
                self.error = Crash()
        except (Crash, Exception) as error:
            self.error = error
        self.is_done = True

    def resume(self, fault: Fault = Fault.NONE, late_by: float = 0.0) -> None:
        """Let the run make the request that it waits before, and go on to the next one."""
        self._processes.requests += 1
        self._processes.advance(max(self._processes.now, self.wakes_at) + _SECONDS_PER_REQUEST)
        self._fault, self._late_by = fault, late_by
        self._greenlet.switch()

    def sleep(self, seconds: float) -> None:
        """Called in the run: wait until so many seconds have passed."""
        self._wait(Request("SLEEP", f"{seconds:.1f}"), self._processes.now + seconds)
        if self._fault.is_crash:
            raise Crash

    def request(self, request: Request, effect: Callable[[], T]) -> T:
        """Called in the run: wait for the next turn, then make the request, or fail at it."""
        if self._processes.trace is None:
            return self._answer(request, effect)
        text = ""
        try:
            return self._answer(request, effect)
        except BaseException as error:
            text = f": {type(error).__name__} {error}"
            raise
        finally:
            self._processes.trace(f"{self._processes.now - START:10.2f}  {self.label[:30]:30}  {request}{text}")

    def _answer(self, request: Request, effect: Callable[[], T]) -> T:
        sent = self._processes.now
        self._wait(request, sent)
        fault = self._fault
        if fault is Fault.OVERSLEPT:
            self._processes.has_overslept = True
            return effect()
        if fault is Fault.NONE:
            if request.is_write and self._processes.now - sent > MAX_REQUEST_SECONDS:
                raise UncertainError(f"{request} had no answer")
            return effect()
        if fault is Fault.CRASH:
            raise Crash
        if fault is Fault.CONFLICT and request.is_conditional:
            raise ConflictError(f"{request} conflicts with another request")
        if request.is_write and fault not in (Fault.ERROR, Fault.CONFLICT):
            self._apply_unanswered(fault, sent, effect)
            raise Crash if fault.is_crash else UncertainError(f"{request} had no answer")
        raise Crash if fault.is_crash else StoreError(f"{request} failed")

    def _apply_unanswered(self, fault: Fault, sent: float, effect: Callable[[], Any]) -> None:
        """Let a write take effect now or later; one that began longer ago than a request may take has none."""
        now = self._processes.now
        if fault is Fault.DROPPED or now - sent > MAX_REQUEST_SECONDS:
            return
        if fault in (Fault.LATE, Fault.CRASH_LATE):
            due = sent + min(self._late_by, MAX_REQUEST_SECONDS)
            self._processes.apply_at(max(due, now), effect)
        else:
            _without_conflict(effect)

    def _wait(self, request: Request, wakes_at: float) -> None:
        self.at, self.wakes_at = request, wakes_at
        self._processes.hub.switch()


class Processes:
    """The shared clock, and writes that take effect after their process has stopped waiting for them.

    `started` counts processes, `requests` what they have waited for: requests, and pauses. `has_overslept` if one has
    sent a request long after it looked at its clock: then only the end is as it should be.
    """

    def __init__(self) -> None:
        self.has_overslept = False
        self.now, self.hub = START, getcurrent()
        self.trace: Callable[[str], None] | None = None
        self.started = self.requests = 0
        self._late: list[tuple[float, int, Callable[[], Any]]] = []
        self._count = 0

    def start(self, label: str, run: Callable[[], Any], offset: float = 0.0) -> Process:
        """A process that has not made its first request."""
        self.started += 1
        return Process(self, label, run, offset)

    def advance(self, to: float) -> None:
        """Let time pass, and late writes take effect at their time."""
        while self._late and self._late[0][0] <= to:
            due, _, effect = heappop(self._late)
            self.now = max(self.now, due)
            _without_conflict(effect)
        self.now = max(self.now, to)

    def apply_at(self, due: float, effect: Callable[[], Any]) -> None:
        """Let a write take effect later."""
        self._count += 1
        heappush(self._late, (due, self._count, effect))


def current_process() -> Process | None:
    """The process that runs now; None if it is the test itself."""
    return getattr(getcurrent(), "process", None)


class ProcessClock:
    """The clock of a process, which is wrong by `offset` seconds."""

    def __init__(self, processes: Processes, offset: float) -> None:
        self._processes, self._offset = processes, offset

    def time(self) -> float:
        return self._processes.now + self._offset

    def sleep(self, seconds: float) -> None:
        process = current_process()
        if process:
            process.sleep(seconds)
        else:
            self._processes.advance(self._processes.now + seconds)


def _without_conflict(effect: Callable[[], Any]) -> None:
    """Let a write take effect if its condition is true; nobody reads the answer."""
    with suppress(ConflictError):
        effect()
