"""The runner's workspace, and the paths in it that inputs name."""

from collections.abc import Mapping
from pathlib import Path

from waypost.core import tree_files
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.places import place_of
from waypost.github.inputs import STEP_INPUTS


def workspace(environ: Mapping[str, str]) -> Path:
    """The folder in which the job runs."""
    return Path(environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()


def input_path(root: Path, name: str, path: str) -> Path:
    """Where the path leads that an input names.

    A path that is written as one outside of the workspace, such as a temporary folder's path, is the workflow's own.
    Raises ConfigurationError for a URL, and if a link leads out of the workspace.
    """
    if place_of(path).kind != "path":
        issue = ConfigIssue(STEP_INPUTS, name, f"{path!r} is a URL, and no path", "a path in the workspace")
        raise ConfigurationError((issue,))
    if tree_files.leads_out(root / path, root):
        problem = f"{path!r} is a link that leads out of the workspace, or lies in .git"
        raise ConfigurationError((ConfigIssue(STEP_INPUTS, name, problem, "a path in the workspace"),))
    return (root / path).resolve()
