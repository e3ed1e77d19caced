"""How a command ends: an answer in JSON, or an error in words with the code that is its own."""

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import click
import msgspec

from waypost.cli.terminal import say
from waypost.core.errors import StoreError, WaypostError

_DEFECT = 70
EPILOG = """\
\b
Exit codes:
  0   done; with --check: what stands is right
  1   with --check: what stands is stale; validate: there are errors
  2   the settings or the command line are wrong
  3   the site, or what is to be checked, cannot be read, or holds no page to list
  4   a template failed, or its output breaks the protocol
  5   an output cannot be read or written
  6   the state is damaged, or newer than this program
  7   commit or push failed (the Action)
  70  a defect of Waypost's

\b
Colour is left out where NO_COLOR is set or nobody reads. SOURCE_DATE_EPOCH, in Unix
seconds, stands in for the present time.
"""


@contextmanager
def errors() -> Iterator[None]:
    """Turns what goes wrong inside into a message and an exit."""
    try:
        yield
    except WaypostError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(StoreError.exit_code)
    except OSError as error:
        _fail(f"cannot write the answer: {error.strerror}", StoreError.exit_code)
    except click.ClickException:
        raise
    except Exception:
        traceback.print_exc()
        _fail("this is a defect of Waypost's; please report it with the lines above", _DEFECT)


def print_json(value: Any) -> None:
    """Print a value as JSON on standard output."""
    click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2))


def _fail(message: str, code: int) -> NoReturn:
    say(f"error: {message}", "red")
    sys.exit(code)
