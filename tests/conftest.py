"""What tests share: a checked Site from a few settings, and real Git repositories."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.runner import runtestprotocol
from buckets import MadeBucket, aws_server
from click.testing import CliRunner
from hypothesis import HealthCheck, settings
from page_content import file_bytes
from repositories import Repository
from sites import Command, Files, MakeSite, Write

from waypost.cli.main import main
from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_s3 import S3Client

_COMMON = settings(
    deadline=None,  # no verdict depends on speed
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
    print_blob=True,
    stateful_step_count=30,
)
settings.register_profile("quick", _COMMON, max_examples=20)
settings.register_profile("thorough", _COMMON, max_examples=100)
settings.load_profile("quick")
_SHOWN_SECONDS = 0.005
_E2E = Path(__file__).parent / "e2e"


def pytest_collection_finish() -> None:
    """Let the garbage collector look only at what tests make: what was imported stays as long as the process."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what needs a browser or an emulator, and what only runs before a release."""
    for item in items:
        if item.path.is_relative_to(_E2E) or item.get_closest_marker("release"):
            item.add_marker(pytest.mark.slow)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a process tell the one that started it what a test came to, and of its phases only what --durations shows.

    Six messages for each test take more time than most tests do.
    """
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if report.when == "call" or not report.passed or report.duration >= _SHOWN_SECONDS:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.fixture
def make_site() -> MakeSite:
    """Make a Site: `make_site(drop_html=True)` has every other setting at its default."""

    def make(base_url: str = "https://example.org/", **values: Any) -> Site:
        return load.check_settings([ConfigSource("test", {"base_url": base_url, **values})])

    return make


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """An empty repository in a folder of its own."""
    return Repository(tmp_path / "repository")


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    """The address of an S3 of moto's, one for all tests of a process."""
    with aws_server() as address:
        yield address


@pytest.fixture(scope="session")
def _s3_client(s3_endpoint: str) -> S3Client:
    import boto3

    session = boto3.Session(aws_access_key_id="test", aws_secret_access_key="test", region_name="us-east-1")
    return session.client("s3", endpoint_url=s3_endpoint)


@pytest.fixture
def s3(s3_endpoint: str, _s3_client: S3Client, monkeypatch: pytest.MonkeyPatch) -> S3Client:
    """A client of it, one for all tests; commands that a test runs find it by the AWS SDK's own variables."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3_endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    return _s3_client


@pytest.fixture
def bucket(s3: S3Client) -> MadeBucket:
    """An empty bucket."""
    return MadeBucket.create(s3)


@pytest.fixture
def waypost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command in the test's folder, in this process; `env` adds to the environment."""

    def run(*arguments: str, cwd: Path = tmp_path, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        with monkeypatch.context() as context:
            context.chdir(cwd)
            done = CliRunner().invoke(main, arguments, input=stdin, env=env)
        return subprocess.CompletedProcess(["waypost", *arguments], done.exit_code, done.stdout, done.stderr)

    return run


@pytest.fixture
def waypost_process(tmp_path: Path) -> Command:
    """The same as a process of its own, for what only that shows: the installed command, signals and encodings."""
    command = Path(sys.executable).with_name("waypost")

    def run(*arguments: str, cwd: Path = tmp_path, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [command, *arguments],
            cwd=cwd,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=False,
            input=stdin,
        )

    return run


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files below the folder `site`, which is returned."""
    root = tmp_path / "site"

    def write(files: Files) -> Path:
        root.mkdir(exist_ok=True)
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file_bytes(name, content))
        return root

    return write
