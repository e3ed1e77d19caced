"""The hook for pre-commit, run as pre-commit runs it: the entry and the arguments, in the root of the repository."""

import shlex
from pathlib import Path

import yaml
from repositories import Repository
from sites import Command

ROOT = Path(__file__).parents[2]
PAGE = "<!doctype html><title>{0}</title><p>{0}</p>"
SETTINGS = 'base_url = "https://example.org/"\n'


def test_the_hook_fails_until_the_sitemaps_are_up_to_date_and_changes_nothing(
    repository: Repository, waypost: Command
) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    program, *arguments = [*shlex.split(hook["entry"]), "public"]
    assert (program, hook["pass_filenames"], hook["always_run"]) == ("waypost", False, True)
    repository.commit({"waypost.toml": SETTINGS, "public/index.html": PAGE.format("Home")}, when=1_700_000_000)

    def check() -> int:
        return waypost(*arguments, cwd=repository.folder).returncode

    assert check() == 1
    assert repository.git("status", "--porcelain") == ""
    waypost("build", "public", cwd=repository.folder)
    assert check() == 0
    repository.commit({"public/new.html": PAGE.format("New")}, when=1_700_000_100)
    assert check() == 1
    waypost("build", "public", cwd=repository.folder)
    repository.commit({}, when=1_700_000_200)
    assert check() == 0
