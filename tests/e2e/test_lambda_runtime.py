"""The package in Lambda's runtime client and runtime interface emulator, called through the AWS CLI."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from stacks import KEYS, TOOLS, Cloud, free_port, package, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from buckets import MadeBucket

BASE = "https://example.org/"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("task")
    with zipfile.ZipFile(package(tmp_path_factory.mktemp("package"))) as archive:
        archive.extractall(folder)
    return folder


class Runtime(NamedTuple):
    """The function in an emulator of Lambda's runtime: how it is called, and the session of its processes."""

    cloud: Cloud
    session: int

    def peak_megabytes(self) -> int:
        """The most memory that the function's process has had."""
        (process,) = (each for each in Path("/proc").glob("[0-9]*") if self._is_function(each))
        return int(re.findall(r"VmHWM:\s+(\d+) kB", (process / "status").read_text())[0]) // 1_024

    def _is_function(self, process: Path) -> bool:
        try:
            command = (process / "cmdline").read_bytes().split(b"\0")
            return os.getsid(int(process.name)) == self.session and command[1:3] == [b"-m", b"awslambdaric"]
        except OSError:
            return False


@pytest.fixture
def runtime(session: Runtime) -> Cloud:
    return session.cloud


@pytest.fixture
def session(unpacked: Path, bucket: MadeBucket, s3_endpoint: str, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime with an empty bucket."""
    bucket.client.create_bucket(Bucket=f"{bucket.name}-state")
    port, api = free_port(), free_port()
    (rie,) = (TOOLS.parent / "lib").glob("python3.*/site-packages/samcli/local/rapid/aws-lambda-rie-x86_64")
    addresses = [
        "--runtime-interface-emulator-address",
        f"127.0.0.1:{port}",
        "--runtime-api-address",
        f"127.0.0.1:{api}",
    ]
    environment = {
        **KEYS,
        "PATH": f"{TOOLS}:{os.environ['PATH']}",
        "PYTHONPATH": str(unpacked),
        "LAMBDA_TASK_ROOT": str(unpacked),
        "AWS_LAMBDA_FUNCTION_TIMEOUT": "900",
        "AWS_ENDPOINT_URL": s3_endpoint,
        "WAYPOST_SOURCE": f"s3://{bucket.name}/www/",
        "WAYPOST_STATE": f"s3://{bucket.name}-state/state",
        "WAYPOST_BASE_URL": BASE,
    }
    command = [
        str(rie),
        "--log-level",
        "warn",
        *addresses,
        str(TOOLS / "python"),
        "-m",
        "awslambdaric",
        "handler.handler",
    ]
    with (tmp_path / "runtime.log").open("wb") as log:
        process = subprocess.Popen(
            command, env=environment, cwd=unpacked, stdout=log, stderr=log, start_new_session=True
        )
    try:
        until(lambda: _listens(port), "the runtime")
        yield Runtime(Cloud(f"http://127.0.0.1:{port}", tmp_path), process.pid)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as found:
        return found.connect_ex(("127.0.0.1", port)) == 0


def ask(runtime: Cloud, **payload: Any) -> Any:
    return runtime.invoke("function", payload)


def test_each_action_returns_an_answer(runtime: Cloud, bucket: MadeBucket) -> None:
    bucket.put({f"www/page {n}.html": f"<title>{n}</title>" for n in range(30)})
    built = ask(runtime, action="rebuild")
    assert (built["finished"], built["url_count"], built["written"]) == (True, 30, ["sitemap.xml"])
    assert bucket.get("www/sitemap.xml").count(b"<loc>") == 30
    bucket.put({"www/new.html": "<title>New</title>"})
    assert ask(runtime, action="update", keys=["new.html"])["written"] == ["sitemap.xml"]
    assert ask(runtime, action="status")["url_count"] == 31
    assert ask(runtime, action="check")["in_sync"]
    assert ask(runtime, action="explain", key="new.html")["explained"][0]["listed"]
    assert "is not an action" in ask(runtime, action="?")["error"]


def test_events_are_processed_and_failed_messages_reported_by_id(runtime: Cloud, bucket: MadeBucket) -> None:
    assert ask(runtime, action="rebuild")["finished"]
    bucket.put({"www/a.html": "<title>A</title>"})
    detail = {"bucket": {"name": bucket.name}, "object": {"key": "www/a.html"}}
    event = {"source": "aws.s3", "detail-type": "Object Created", "detail": detail}
    records = [
        {"eventSource": "aws:sqs", "messageId": "good", "body": json.dumps(event)},
        {"eventSource": "aws:sqs", "messageId": "bad", "body": "?"},
    ]
    assert ask(runtime, Records=records) == {"batchItemFailures": [{"itemIdentifier": "bad"}]}
    assert b"a.html" in bucket.get("www/sitemap.xml")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the memory of a process")
def test_many_large_pages_are_listed_in_a_third_of_the_function_s_memory(session: Runtime, bucket: MadeBucket) -> None:
    large = b"<p>x</p>" * (15_000_000 // 8)
    for n in range(64):
        bucket.put({f"www/{n}.html": b"<title>Large %d</title>" % n + large})
    built = ask(session.cloud, action="rebuild")
    assert (built["finished"], built["url_count"]) == (True, 64)
    (warning,) = built["warnings"]
    assert re.search(r"^beyond-bounds: .* \[64 files: ", warning)
    assert ask(session.cloud, action="status")["beyond_bounds_count"] == 64
    assert session.peak_megabytes() < 1_769 / 3


def test_a_failure_is_returned_as_a_function_error(runtime: Cloud, bucket: MadeBucket) -> None:
    bucket.client.delete_bucket(Bucket=f"{bucket.name}-state")
    error = ask(runtime, action="rebuild")
    assert error["errorType"] == "StoreError"
    assert "NoSuchBucket" in error["errorMessage"]
