"""Calls the unpacked function as Lambda does, and writes its answers and where its modules come from as JSON.

Usage: call_function.py OUTPUT ACTION..., with a Python that has boto3, as Lambda's runtime does, in the folder of the
package. LAMBDA_TASK_ROOT names this folder too.
"""

import json
import os
import sys
from importlib import import_module
from pathlib import Path


class Context:
    """What Lambda passes with an event."""

    aws_request_id = "rehearsal"
    invoked_function_arn = "arn:aws:lambda:us-east-1:000000000000:function:waypost"

    def get_remaining_time_in_millis(self) -> int:
        """As much as a call has at its beginning."""
        return 900_000


def main() -> int:
    """Call the function once for each action."""
    output, *actions = sys.argv[1:]
    sys.path.insert(0, os.environ["LAMBDA_TASK_ROOT"])
    handler = import_module("handler")
    answers = [handler.handler({"action": action}, Context()) for action in actions]
    version = import_module("waypost").__version__
    found = {"answers": answers, "version": version, "from_runtime": from_runtime()}
    Path(output).write_text(json.dumps(found), encoding="utf-8")
    return 0


def from_runtime() -> list[str]:
    """The packages that the function used from the Python that runs it, and not from its own package."""
    own = os.environ["LAMBDA_TASK_ROOT"]
    files = ((name.partition(".")[0], getattr(module, "__file__", None) or "") for name, module in sys.modules.items())
    return sorted({name for name, file in files if "site-packages" in file and not file.startswith(own)})


if __name__ == "__main__":
    sys.exit(main())
