"""The reference to Waypost's own Action in a workflow."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waypost import REPOSITORY, __version__
from waypost.cli.own_action import action_of, own_action, settings_schema_of

if TYPE_CHECKING:
    from repositories import Repository

COMMIT = "0123456789abcdef0123456789abcdef01234567"


ROOT = Path(__file__).parents[3]
PLACEHOLDER = "<owner>/<repository>"


def action_at(url: str, commit: str = "") -> str:
    vcs = {"vcs_info": {"vcs": "git", "commit_id": commit}} if commit else {}
    return action_of(json.dumps({"url": url, **vcs}))


@pytest.mark.skipif(bool(REPOSITORY), reason="the repository has a name")
@pytest.mark.parametrize(
    "text", ["", "not JSON", "{}", '{"url": "https://a.dev/waypost.whl"}', '{"url": "file:///absent"}']
)
def test_an_origin_without_a_commit_gives_a_placeholder_and_nobody_s_repository(text: str) -> None:
    assert action_of(text) == f"{PLACEHOLDER}@<commit>"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/acme/sitemaps", "acme/sitemaps"),
        ("https://github.com/acme/sitemaps.git", "acme/sitemaps"),
        ("https://token@github.com/acme/site.maps/", "acme/site.maps"),
        ("https://gitlab.com/acme/sitemaps", REPOSITORY or PLACEHOLDER),
        ("https://github.com.evil.example/acme/sitemaps", REPOSITORY or PLACEHOLDER),
    ],
)
def test_a_program_that_was_installed_from_a_commit_names_its_repository_and_it(url: str, name: str) -> None:
    assert action_at(url, COMMIT) == f"{name}@{COMMIT} # {__version__}"


def test_a_program_from_a_clone_names_its_origin_and_its_commit(repository: Repository) -> None:
    repository.commit({"a.txt": ""}, when=1_700_000_000)
    repository.git("remote", "add", "origin", "git@github.com:acme/sitemaps.git")
    head = repository.git("rev-parse", "HEAD").strip()
    assert action_at(repository.folder.as_uri()) == f"acme/sitemaps@{head} # {__version__}"


def test_a_clone_without_an_origin_on_github_has_a_placeholder(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"a.txt": ""}, when=1_700_000_000)
    shown = REPOSITORY or PLACEHOLDER
    assert action_at(repository.folder.as_uri()).startswith(f"{shown}@")
    assert action_at(tmp_path.as_uri()).startswith(f"{shown}@")


def test_the_schema_of_the_settings_is_that_of_the_commit_and_none_where_no_repository_is_known() -> None:
    url = "https://github.com/acme/sitemaps"
    direct_url = json.dumps({"url": url, "vcs_info": {"vcs": "git", "commit_id": COMMIT}})
    address = f"https://raw.githubusercontent.com/acme/sitemaps/{COMMIT}/"
    assert settings_schema_of(direct_url).startswith(address)
    assert (ROOT / settings_schema_of(direct_url).removeprefix(address)).is_file()
    assert settings_schema_of("") == "" or REPOSITORY


def test_this_installation_has_a_reference() -> None:
    assert re.fullmatch(r"\S+/\S+@(v\d[\w.]*|<commit>|[0-9a-f]{40} # \d[\w.]*)", own_action())
