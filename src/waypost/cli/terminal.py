"""Messages on standard error, with colour and progress on a terminal."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from threading import Lock, Timer

import click

from waypost.build.answers import count_noun
from waypost.core.inert_text import inert, without_commands
from waypost.validate import FileResult, SitemapFile

_MAX_NAME = 40
_QUIET_SECONDS = 1.0
_REDRAW_SECONDS = 0.1


class ReadingProgress:
    """A line with the number of the URLs of all files so far, and with the file that is being read."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._line, self._url_count = Progress(clock=clock), 0

    def on_read(self, file: SitemapFile, size: int) -> None:
        """Show the size of what was read of a file; a file at a URL is shown before its server answers."""
        name = file.name.rpartition("/")[2][-_MAX_NAME:] or file.name[-_MAX_NAME:]
        at_once = "://" in file.name and not size
        self._line(f"URLs checked {self._url_count:,}, reading {name}", size // 1_000, None, " kB", at_once=at_once)

    def shown(self, files: Iterator[FileResult]) -> Iterator[FileResult]:
        """The same files; the URLs of each are counted when it was read, but not the URLs of sitemaps."""
        with self._line:
            for file in files:
                self._url_count += file.entries if file.kind != "sitemapindex" else 0
                self._line("URLs checked", self._url_count, None)
                yield file


def _is_dumb() -> bool:
    """Whether the terminal has neither colours nor a cursor that moves (`TERM=dumb`, as in an editor's shell)."""
    return os.environ.get("TERM") == "dumb"


def _colour() -> bool | None:
    """False for no colour; None to leave it to whether there is a terminal."""
    return False if "NO_COLOR" in os.environ or _is_dumb() else None


def say(message: str, colour: str | None = None) -> None:
    """Print one line on standard error; the part up to its first colon is coloured on a terminal that can."""
    shown = inert(message)
    label, colon, rest = shown.partition(":") if colour else ("", "", shown)
    click.echo(  # noqa: TID251
        click.style(label + colon, fg=colour, bold=True) + rest if colour else shown, err=True, color=_colour()
    )


def warn(message: str) -> None:
    """Print a warning."""
    say(f"warning: {message}", "yellow")


def say_finished(started: float, *, is_written: bool) -> None:
    """Print how long a run took that started at this monotonic time."""
    say(f"  {'finished' if is_written else 'nothing written'}, {time.monotonic() - started:.2f} s")


def echo(text: str) -> None:
    """Print an answer on standard output; without colour if it is no terminal that can."""
    click.echo(without_commands(text), color=_colour())  # noqa: TID251


class Progress:
    """A line that is redrawn while work takes over a second; nothing if standard error is not a terminal.

    After that second there is a line, also if the first step is not done yet. Only tests give `make_timer` and `clock`.
    """

    def __init__(
        self,
        make_timer: Callable[[float, Callable[[], None]], Timer] = Timer,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_shown, self._clock = sys.stderr.isatty() and not _is_dumb(), clock
        self._next_redraw = clock() + _QUIET_SECONDS
        self._line, self._is_drawn, self._is_over, self._lock = "working", False, False, Lock()
        self._timer = make_timer(_QUIET_SECONDS, self._draw_first)
        self._timer.daemon = True

    def __enter__(self) -> "Progress":
        if self._is_shown:
            self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        self.clear()

    def __call__(self, stage: str, done: int, total: int | None, unit: str = "", *, at_once: bool = False) -> None:
        """Show how far a stage is, at most ten times a second unless it is to be shown at once."""
        if not self._is_shown:
            return
        count = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        with self._lock:
            self._line = f"{inert(stage)}{count}{unit if count else ''}"
            if self._clock() >= self._next_redraw or at_once:
                self._draw()

    def clear(self) -> None:
        """Remove the line."""
        with self._lock:
            self._is_over = True
            if self._is_drawn:
                click.echo("\r\x1b[K", err=True, nl=False)  # noqa: TID251
                self._is_drawn = False

    def _draw_first(self) -> None:
        with self._lock:
            if not (self._is_drawn or self._is_over):
                self._draw()

    def _draw(self) -> None:
        self._next_redraw = self._clock() + _REDRAW_SECONDS
        click.echo(f"\r\x1b[K{self._line}", err=True, nl=False)  # noqa: TID251
        self._is_drawn = True


def pause(seconds: float, what: str = "a subscriber could not be notified") -> None:
    """Say what is tried again later, and wait until then."""
    say(f"{what}; the next attempt is in {count_noun(round(seconds), 'second')}", "yellow")
    time.sleep(seconds)
