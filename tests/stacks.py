"""MiniStack, an emulator of AWS on this machine, and the template deployed in it as users deploy it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import urlopen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mypy_boto3_s3 import S3Client

ROOT = Path(__file__).parents[1]
TOOLS = Path(sys.prefix) / "aws" / "bin"
WHEELS = ROOT / ".venv" / "action-wheels"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
PATIENCE = 900
"""Seconds after which a wait fails the test. No verdict depends on speed: this only prevents waiting for ever."""
KEYS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_PAGER": "",
}
_ALARM_ON_SUM = re.compile(
    r"^  \w+:\n    Type: AWS::CloudWatch::Alarm\n(?:    .*\n)+?      Metrics:\n(?:    .*\n)+\n", re.M
)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def until(question: Callable[[], Any], what: str) -> Any:
    """Ask until the answer is true; what never happens fails the test."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if answer := question():
            return answer
        time.sleep(0.1)
    raise AssertionError(f"{what} never came")


def template() -> str:
    """The template without its alarms on the sum of two metrics, of which the emulator knows none."""
    text = (ROOT / "infra" / "template.yaml").read_text()
    return _ALARM_ON_SUM.sub("", text).replace("rebuild.asl.json", f"{ROOT}/infra/rebuild.asl.json")


def package(folder: Path) -> Path:
    """Build the function's package for this Python, as `make lambda` does; returns its path."""
    command = [sys.executable, str(ROOT / "lambda" / "package.py"), "--python", PYTHON]
    done = subprocess.run(
        [*command, "--wheels", str(WHEELS), "--output", str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "waypost-lambda.zip"


@dataclass(frozen=True)
class Cloud:
    """A running MiniStack, called through the AWS CLI."""

    endpoint: str
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        return {**os.environ, **KEYS, "AWS_ENDPOINT_URL": self.endpoint, "HOME": str(self.folder)}

    def run(self, *arguments: str, stdin: bytes | None = None, **env: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(TOOLS / "aws"), "--endpoint-url", self.endpoint, "--cli-read-timeout", f"{PATIENCE}", *arguments]
        return subprocess.run(
            command, cwd=self.folder, env={**self.environment, **env}, input=stdin, capture_output=True, check=False
        )

    def aws(self, *arguments: str, stdin: bytes | None = None, **env: str) -> bytes:
        done = self.run(*arguments, stdin=stdin, **env)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def get(self, bucket: str, key: str) -> bytes | None:
        done = self.run("s3", "cp", f"s3://{bucket}/{key}", "-")
        return done.stdout if done.returncode == 0 else None

    def keys(self, bucket: str) -> list[str]:
        listed = json.loads(self.aws("s3api", "list-objects-v2", "--bucket", bucket, "--output", "json") or "{}")
        return [entry["Key"] for entry in listed.get("Contents") or ()]

    def outputs(self, stack: str) -> dict[str, str]:
        stacks = json.loads(self.aws("cloudformation", "describe-stacks", "--stack-name", stack, "--output", "json"))
        return {each["OutputKey"]: each["OutputValue"] for each in stacks["Stacks"][0]["Outputs"]}

    def invoke(self, name: str, payload: dict[str, Any]) -> Any:
        (self.folder / "payload.json").write_text(json.dumps(payload))
        self.aws(
            *("lambda", "invoke", "--function-name", name, "--payload", "fileb://payload.json", "answer.json"),
        )
        return json.loads((self.folder / "answer.json").read_bytes())

    def deploy(self, stack: str, code: Path, site: str, **parameters: str) -> dict[str, str]:
        """Package and deploy the template with the AWS CLI; returns the stack's outputs."""
        (self.folder / "template.yaml").write_text(template().replace("../build/lambda/", str(code)))
        self.aws("s3", "mb", f"s3://{stack}-code")
        self.aws(
            *("cloudformation", "package", "--template-file", "template.yaml", "--s3-bucket", f"{stack}-code"),
            *("--output-template-file", "packaged.yaml"),
        )
        given = {"SiteBucket": site, "Runtime": f"python{PYTHON}", "Architecture": "x86_64", **parameters}
        self.aws(
            *("cloudformation", "deploy", "--template-file", "packaged.yaml", "--stack-name", stack),
            *("--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"),
            *("--parameter-overrides", *(f"{name}={value}" for name, value in given.items())),
        )
        return self.outputs(stack)

    def s3(self) -> S3Client:
        """A client of its S3, for thousands of requests."""
        import boto3

        return boto3.client("s3", **self._client)

    def client(self, service: str) -> Any:
        """A client of another service, for repeated requests."""
        import boto3

        return boto3.Session().client(service, **self._client)  # type: ignore[call-overload]

    @property
    def _client(self) -> dict[str, Any]:
        keys = {name.lower(): KEYS[name] for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
        return {**keys, "endpoint_url": self.endpoint, "region_name": KEYS["AWS_DEFAULT_REGION"]}

    def configure(self, name: str, *arguments: str, **variables: str) -> None:
        """Change settings of a function, and variables of its environment."""
        known = self.ask("lambda", "get-function-configuration", "--function-name", name)["Environment"]["Variables"]
        changed = ("--environment", json.dumps({"Variables": known | variables}))
        self.aws("lambda", "update-function-configuration", "--function-name", name, *changed, *arguments)

    def ask(self, *arguments: str) -> Any:
        """The JSON output of an AWS CLI command."""
        return json.loads(self.aws(*arguments, "--output", "json") or "{}")


@contextmanager
def cloud(folder: Path, **env: str) -> Iterator[Cloud]:
    """Start MiniStack on a free port of the loopback interface."""
    port = free_port()
    local = {"BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "GATEWAY_PORT": str(port)}
    settings = {**os.environ, **local, "LAMBDA_EXECUTOR": "local", "AWS_EC2_METADATA_DISABLED": "true", **env}
    settings.pop("AWS_ENDPOINT_URL", None)
    with (folder / "ministack.log").open("wb") as log:
        process = subprocess.Popen(
            [str(TOOLS / "ministack")], env=settings, cwd=folder, stdout=log, stderr=log, start_new_session=True
        )
    try:
        endpoint = f"http://127.0.0.1:{port}"
        until(lambda: _is_ready(endpoint, process), "MiniStack")
        yield Cloud(endpoint, folder)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _is_ready(endpoint: str, process: subprocess.Popen[bytes]) -> bool:
    assert process.poll() is None, "MiniStack has ended"
    try:
        with urlopen(f"{endpoint}/_ministack/health", timeout=PATIENCE):
            return True
    except (URLError, OSError):
        return False
