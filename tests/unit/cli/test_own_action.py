"""The reference to Waypost's own Action in a workflow."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from waypost import __version__
from waypost.cli.own_action import action_of, own_action

if TYPE_CHECKING:
    from pathlib import Path

    from repositories import Repository

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_a_program_from_a_package_index_names_the_tag_of_its_release() -> None:
    assert action_of("") == f"waypost/waypost@v{__version__}"


def test_a_program_that_was_installed_from_a_commit_names_it() -> None:
    direct_url = {"url": "https://github.com/waypost/waypost", "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    assert action_of(json.dumps(direct_url)) == f"waypost/waypost@{COMMIT} # {__version__}"


def test_a_program_from_a_clone_names_its_commit(repository: Repository) -> None:
    repository.commit({"a.txt": ""}, when=1_700_000_000)
    head = repository.git("rev-parse", "HEAD").strip()
    assert action_of(json.dumps({"url": repository.folder.as_uri()})) == f"waypost/waypost@{head} # {__version__}"


@pytest.mark.parametrize(
    "text", ["not JSON", "{}", '{"url": "https://a.dev/waypost.whl"}', '{"url": "file:///absent"}']
)
def test_an_origin_without_a_commit_gives_the_tag(text: str) -> None:
    assert action_of(text) == f"waypost/waypost@v{__version__}"


def test_a_clone_without_a_commit_gives_the_tag(tmp_path: Path) -> None:
    assert action_of(json.dumps({"url": tmp_path.as_uri()})) == f"waypost/waypost@v{__version__}"


def test_this_installation_has_a_reference() -> None:
    assert re.fullmatch(r"waypost/waypost@(v\d[\w.]*|[0-9a-f]{40} # \d[\w.]*)", own_action())
