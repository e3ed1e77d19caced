"""The entry point of the Action: runs Waypost from the Action's own checkout, with the packages in a folder.

The step's inputs and its token are taken out of the environment, so that no program that the step starts has them.
"""

import os
import sys
from pathlib import Path


def run(packages: list[str]) -> int:
    """Run the step; `packages` are the folders to import from, besides the checkout's."""
    sys.path[:0] = [str(Path(__file__).parents[1] / "src"), *packages]
    from waypost.github.api import OWN_TOKEN
    from waypost.github.inputs import VARIABLE
    from waypost.github.main import main

    environ = dict(os.environ)
    for name in (VARIABLE, OWN_TOKEN):
        os.environ.pop(name, None)
    return main(environ)


sys.exit(run(sys.argv[1:]))
