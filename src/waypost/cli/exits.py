"""How a command ends: with an answer in JSON, or with a message and an exit code."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from waypost.build.answers import to_json
from waypost.cli.terminal import say
from waypost.core.errors import StoreError, WaypostError
from waypost.core.inert_text import inert_json

_EXIT_DEFECT, _EXIT_INTERRUPTED = 70, 130
EXIT_STALE = 1
"""The exit code of a check that finds a difference."""
EXIT_FOUND = 1
"""The exit code of a command that finds what it looks for: errors, or changes."""


@contextmanager
def errors() -> Iterator[None]:
    """Turns an exception into a message and an exit code."""
    try:
        yield
    except WaypostError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:  # the reader has closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(StoreError.exit_code)
    except OSError as error:
        _fail(f"cannot write the answer: {error.strerror}", StoreError.exit_code)
    except click.ClickException:
        raise
    except KeyboardInterrupt:
        _fail("interrupted", _EXIT_INTERRUPTED)
    except Exception:
        traceback.print_exc()
        _fail("this is a defect in Waypost; please report it with the lines above", _EXIT_DEFECT)


def print_json(answer: object) -> None:
    """Print an answer, or a list of them, as JSON on standard output."""
    click.echo(inert_json(to_json(answer)))  # noqa: TID251


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {message}", "red")
    sys.exit(code)
