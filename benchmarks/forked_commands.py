"""Runs commands of a checkout, each in a copy of one process that has imported all modules: that takes little time.

As a program, it reads the commands from standard input, a line of JSON each, and answers so.
"""

import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any


class ForkedCommands:
    """The command line of one checkout, which `process` runs."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, arguments: Sequence[str], folder: Path, now: int) -> dict[str, str]:
        """What a command shows that is run in a folder, at a time in Unix seconds."""
        if not (self._process.stdin and self._process.stdout):
            raise ValueError("the process has no pipes")
        request = {"arguments": arguments, "folder": str(folder), "now": str(now)}
        print(json.dumps(request), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of the commands ended before {arguments}")
        shown: dict[str, str] = json.loads(line)
        return shown


@contextmanager
def forked_commands(
    python: Sequence[str], module: str, function: str, variables: dict[str, str]
) -> Iterator[ForkedCommands]:
    """Start the process that imports a module with its packages; the function starts the command line."""
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([*python, __file__, module, function], env=variables, **pipes) as process:
        yield ForkedCommands(process)


def main(module: str, function: str) -> None:
    """Import all modules beside the one that is named, and answer each line of standard input."""
    package = import_module(module.partition(".")[0])
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not found.name.endswith("__main__"):
            with suppress(ImportError):  # the command that needs it says so
                import_module(found.name)
    command = getattr(import_module(module), function)
    for line in sys.stdin:
        print(json.dumps(_answer(command, json.loads(line))), flush=True)


def _answer(command: Callable[[], object], request: dict[str, Any]) -> dict[str, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os._exit(_run(command, request, out, err))
        _, status = os.waitpid(child, 0)
        texts = {name: os.pread(file.fileno(), 1 << 30, 0) for name, file in (("stdout", out), ("stderr", err))}
    shown = {name: text.decode("utf-8", "backslashreplace") for name, text in texts.items()}
    return {"exit code": str(os.waitstatus_to_exitcode(status)), **shown}


def _run(command: Callable[[], object], request: dict[str, Any], out: IO[bytes], err: IO[bytes]) -> int:
    """Run a command with the standard streams of a new process; returns its exit code."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out.fileno(), 1)
    os.dup2(err.fileno(), 2)
    os.chdir(request["folder"])
    os.environ["SOURCE_DATE_EPOCH"] = request["now"]
    sys.argv = ["waypost", *request["arguments"]]
    code: object = 0
    try:
        command()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    main(*sys.argv[1:])
