"""How a command ends: with an answer in JSON, or with a message and an exit code."""

import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import click

from waypost.app.answers import to_json
from waypost.cli.terminal import say
from waypost.core.errors import StoreError, WaypostError
from waypost.core.inert_text import inert_json
from waypost.sync.answers import Problem
from waypost.sync.problems import KINDS

_EXIT_DEFECT, _EXIT_INTERRUPTED = 70, 130
EXIT_STALE = 1
"""The exit code of a check that finds a difference."""
EPILOG = """\
\b
Exit codes:
  0   done; with --check: the published files are up to date
  1   with --check: they are not; validate, audit, check-live: there are errors; diff --exit-code:
      something changed
  2   the settings or the command line are wrong
  3   the site, or a file to check, cannot be read, or there is no page to list, or the folder is
      the source of a site that must be built first; check-live: not all URLs were asked
  4   a template failed, or its output breaks the protocol
  5   an output cannot be read or written
  6   the state is damaged, of another site, or was written by a newer version
  7   commit or push failed (the Action); notify: a subscriber could not be notified
  8   too many of the listed pages would be removed (max_removed)
  9   diff: more URLs were removed than --fail-if-removed allows
  70  a defect in Waypost
  130 interrupted (Ctrl-C)

\b
Output has no colour if NO_COLOR is set or it is not a terminal. SOURCE_DATE_EPOCH, in Unix
seconds, replaces the current time.
"""


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


def exit_for(problems: Sequence[Problem], default: int = 0) -> None:
    """Exit with the code of the first problem, or else with `default`, unless that is 0."""
    code = KINDS[problems[0].kind].exit_code if problems else default
    if code:
        sys.exit(code)


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {message}", "red")
    sys.exit(code)
