"""The reference to Waypost's own Action in a workflow: a commit that exists, or the tag of a release."""

import json
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

from waypost import __version__
from waypost.core.errors import SourceError
from waypost.git import Repositories

_ACTION = "waypost/waypost"


def own_action() -> str:
    """The Action at the commit that this program was installed from, or else at its release's tag.

    A program from PyPI has no other origin than a release (PEP 610 says where another came from).
    """
    return action_of(_direct_url())


def action_of(direct_url: str) -> str:
    """The Action for an installation with this `direct_url.json`, which is empty for one from PyPI."""
    commit = _commit(direct_url)
    return f"{_ACTION}@{commit} # {__version__}" if commit else f"{_ACTION}@v{__version__}"


def _direct_url() -> str:
    try:
        return distribution("waypost").read_text("direct_url.json") or ""
    except PackageNotFoundError:
        return ""


def _commit(direct_url: str) -> str:
    try:
        found = json.loads(direct_url) if direct_url else {}
    except ValueError:
        return ""
    if named := found.get("vcs_info", {}).get("commit_id"):
        return str(named)
    url = urlsplit(str(found.get("url", "")))
    folder = Path(unquote(url.path))
    if url.scheme != "file" or not folder.is_dir():
        return ""
    try:
        opened = Repositories(folder).find(folder)
    except SourceError:
        return ""
    return (opened.repository.head.commit or "") if opened else ""
