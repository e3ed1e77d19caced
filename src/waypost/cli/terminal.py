"""Messages on standard error: colour where a person reads them, progress where they wait."""

import os
import sys
import time

import click

_QUIET_SECONDS = 1.0
_REDRAW_SECONDS = 0.1


def say(message: str, colour: str | None = None) -> None:
    """One line on standard error; NO_COLOR and pipes keep it plain."""
    wants_colour = None if "NO_COLOR" not in os.environ else False
    label, colon, rest = message.partition(":") if colour else ("", "", message)
    click.echo(
        click.style(label + colon, fg=colour, bold=True) + rest if colour else message, err=True, color=wants_colour
    )


def echo(text: str) -> None:
    """An answer on standard output; NO_COLOR and pipes keep it plain."""
    click.echo(text, color=False if "NO_COLOR" in os.environ else None)


class Progress:
    """A line that is redrawn while work lasts over a second; nothing where standard error is no terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._next = time.monotonic() + _QUIET_SECONDS
        self._has_line = False

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Say how far a stage is, at most ten times a second."""
        if not self._is_shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _REDRAW_SECONDS
        count = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        click.echo(f"\r\x1b[K{stage}{count}", err=True, nl=False)
        self._has_line = True

    def clear(self) -> None:
        """Take the line away."""
        if self._has_line:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._has_line = False
