"""The references to Waypost's own Action, package and schema in what `init` writes: to a commit, or to a release."""

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from waypost import RELEASE_TAG, REPOSITORY, SHOWN_ACTION, SHOWN_REPOSITORY, __version__
from waypost.git import Repositories

_GITHUB_URL = re.compile(r"(?:git\+)?https://(?:[^@/\s]+@)?github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?")


_SCHEMA = "docs/schemas/settings.schema.json"


class Origin(NamedTuple):
    """Where this program was installed from: a repository on GitHub, if that is known, and a commit of it."""

    repository: str
    commit: str = ""


def own_action() -> str:
    """The Action at the commit that this program was installed from, or else at its release's tag.

    It has a placeholder for what is not known. A program from PyPI has no other origin than a release (PEP 610 says
    where another came from).
    """
    return action_of(_direct_url())


def action_of(direct_url: str) -> str:
    """The Action for an installation with this `direct_url.json`, which is empty for one from PyPI."""
    repository, commit = _origin(direct_url)
    if commit:
        return f"{repository or SHOWN_REPOSITORY}@{commit} # {__version__}"
    return f"{repository}@v{__version__}" if repository else SHOWN_ACTION


def own_package() -> str:
    """What pip installs: the commit that this program was installed from, or else the release in the registry."""
    return package_of(_direct_url())


def package_of(direct_url: str) -> str:
    """The requirement for an installation with this `direct_url.json`; a registry counts from the first release on."""
    repository, commit = _origin(direct_url)
    if RELEASE_TAG and not commit:
        return f"waypost=={__version__}"
    return f"waypost @ git+https://github.com/{repository or SHOWN_REPOSITORY}@{commit or '<commit>'}"


def own_settings_schema() -> str:
    """The address of the JSON Schema of `waypost.toml` at that commit or release; empty if no repository is known."""
    return settings_schema_of(_direct_url())


def settings_schema_of(direct_url: str) -> str:
    """The address for an installation with this `direct_url.json`."""
    repository, commit = _origin(direct_url)
    revision = commit or (f"v{__version__}" if RELEASE_TAG else "")
    is_known = repository and revision
    return f"https://raw.githubusercontent.com/{repository}/{revision}/{_SCHEMA}" if is_known else ""


def _direct_url() -> str:
    try:
        return distribution("waypost").read_text("direct_url.json") or ""
    except PackageNotFoundError:
        return ""


def _origin(direct_url: str) -> Origin:
    try:
        found = json.loads(direct_url) if direct_url else {}
    except ValueError:
        return Origin(REPOSITORY)
    address = str(found.get("url", ""))
    if commit := found.get("vcs_info", {}).get("commit_id"):
        named = _GITHUB_URL.fullmatch(address)
        return Origin(named[1] if named else REPOSITORY, str(commit))
    url = urlsplit(address)
    folder = Path(unquote(url.path))
    return _clone(folder) if url.scheme == "file" and folder.is_dir() else Origin(REPOSITORY)


def _clone(folder: Path) -> Origin:
    opened = Repositories(folder).of_workspace
    if opened is None:
        return Origin(REPOSITORY)
    return Origin(opened.repository.github_name or REPOSITORY, opened.repository.head.commit or "")
