"""A deployed stack, what is done to it, and what an operator sees of that."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from buckets import MadeBucket
from proxies import Proxy, proxy_for
from stacks import PYTHON, ROOT, WHEELS, Cloud, cloud, template, until

from operate import pages
from operate.cases import TARGET
from operate.console import Console
from operate.log import Log

if TYPE_CHECKING:
    from collections.abc import Iterator

BUCKET, PREFIX = "my-bucket", "www/"
REBUILD, STATUS, CHECK = "rebuild.json", "status.json", "check.json"
_PACKAGE = (
    "aws cloudformation package --template-file infra/template.yaml --s3-bucket my-deployments "
    "--output-template-file packaged.yaml"
)
_DEPLOY = (
    "aws cloudformation deploy --template-file packaged.yaml --stack-name sitemaps "
    "--capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND "
    "--parameter-overrides SiteBucket=my-bucket SitePrefix=www/ BaseUrl=https://www.example.org/"
)
_PARAMETERS = {
    "Config": f"s3://{BUCKET}/{PREFIX}waypost.toml",
    "WritesRobots": "true",
    "BatchingWindow": "1",
    "LagAlarm": "60",
    "Runtime": f"python{PYTHON}",
    "Architecture": "x86_64",
}
_ERRORS = """log LogGroupName '{ $.level = "ERROR" }'"""
_INVOKE = 'aws lambda invoke --function-name "$(output RebuildFunctionName)"'
_LASTMOD = re.compile(rb"\s*<lastmod>[^<]*</lastmod>")


class Times(NamedTuple):
    """The times of a trial in seconds; `visibility` is the queue's, `throttling` how long S3 throttles."""

    visibility: int = 240
    throttling: int = 20
    window: int = 1

    @property
    def after_kill(self) -> int:
        """How long it may take until the sitemaps are right after a worker that handled events was killed."""
        return self.visibility + self.window + TARGET


SHORT = Times(visibility=20, throttling=5)


class Trial:
    """A deployed stack whose functions reach S3 through a proxy; the site's bucket is written to without it."""

    def __init__(self, aws: Cloud, console: Console, proxy: Proxy, folder: Path, times: Times) -> None:
        self.aws, self.console, self.proxy, self.folder, self.times = aws, console, proxy, folder, times
        self.site, self.outputs = MadeBucket(aws.s3(), BUCKET), aws.outputs("sitemaps")
        self.state = MadeBucket(aws.s3(), self.outputs["StateBucketName"])
        self._logs, self._queues, self._started = aws.client("logs"), aws.client("sqs"), 0.0

    def start(self) -> None:
        """Begin a new case: what the log has from now on belongs to it."""
        self.wait_until_handled()
        self._started = time.time()

    def put(self, key: str, content: str | bytes) -> None:
        """Upload an object of the site."""
        body = content.encode() if isinstance(content, str) else content
        self.site.client.put_object(Bucket=BUCKET, Key=PREFIX + key, Body=body, ContentType="text/html")

    def remove(self, key: str) -> None:
        """Delete an object of the site."""
        self.site.client.delete_object(Bucket=BUCKET, Key=PREFIX + key)

    def ask(self, file: str, *more: str) -> Any:
        """Send a documented request to RebuildFunction; returns its answer."""
        self.console.run(_request_of(file))
        timeout = "" if file == STATUS else "--cli-read-timeout 0 "
        self.console.run(f"{_INVOKE} {timeout}--payload fileb://{file} answer.json", *more)
        return json.loads(self.console.run("cat answer.json"))

    def status(self) -> Any:
        """The answer of `status`."""
        return self.ask(STATUS)

    def check(self) -> Any:
        """The answer of `check`."""
        return self.ask(CHECK)

    def rebuild(self) -> Any:
        """Rebuild, and return the answer."""
        return self.ask(REBUILD)

    def play_schedule(self, lag: int) -> None:
        """Call RebuildFunction as the schedule does, with another `lag`."""
        answer = self.aws.invoke(self.outputs["RebuildFunctionName"], {"action": "rebuild", "lag": lag})
        assert answer["finished"], answer

    def log(self) -> Log:
        """What the functions have logged since the case began."""
        asked = {"logGroupName": self.outputs["LogGroupName"], "startTime": int(self._started * 1000)}
        found = self._logs.get_paginator("filter_log_events").paginate(**asked)
        return Log(each["message"] for page in found for each in page["events"])

    def errors(self) -> list[str]:
        """What the documented command shows of errors in the log since the case began."""
        shown = Log(self.console.run(_ERRORS).splitlines()).messages("ERROR")
        return [message for message in self.log().messages("ERROR") if message in shown]

    def published(self) -> dict[str, bytes]:
        """The published files by name, without their dates."""
        names = [key.removeprefix(PREFIX) for key in self.site.versions() if key.startswith(f"{PREFIX}sitemap")]
        found = {name: self._content(name) for name in [*names, "robots.txt"]}
        return {name: _without_dates(content) for name, content in found.items() if content is not None}

    def built(self) -> dict[str, bytes]:
        """What `waypost build` makes of the bucket without any state, without dates."""
        work, output = self.folder / "comparison", self.folder / "comparison" / "output"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        (work / "waypost.toml").write_bytes(self.site.get(f"{PREFIX}waypost.toml"))
        source = (f"s3://{BUCKET}/{PREFIX}", "--base-url", pages.BASE_URL, "--output", str(output))
        command = [str(Path(sys.executable).with_name("waypost")), "build", *source]
        done = subprocess.run(command, cwd=work, env=self.aws.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return {path.name: _without_dates(path.read_bytes()) for path in output.iterdir() if path.is_file()}

    def seconds_until_right(self, since: float | None = None) -> float:
        """Wait until the published files are as after a full build; returns the seconds since then, or since now."""
        start = time.monotonic() if since is None else since
        wanted = self.built()
        until(lambda: self.published() == wanted, "what a full build makes")
        return time.monotonic() - start

    def wait_until_handled(self) -> None:
        """Wait until no message waits for a call, and none is being handled."""
        until(lambda: self._messages("EventQueueUrl") == (0, 0), "an empty queue")

    def dead_letters(self) -> int:
        """How many messages are in the dead-letter queue."""
        return self._messages("DeadLetterQueueUrl")[0]

    def set_queue(self, **attributes: object) -> None:
        """Set attributes of the queue of events."""
        texts = {name: str(value) for name, value in attributes.items()}
        self._queues.set_queue_attributes(QueueUrl=self.outputs["EventQueueUrl"], Attributes=texts)

    def allow_receives(self, count: int) -> None:
        """Change after how many receives a message becomes a dead letter."""
        policy = {"deadLetterTargetArn": self.outputs["DeadLetterQueueArn"], "maxReceiveCount": count}
        self.set_queue(RedrivePolicy=json.dumps(policy))

    def _content(self, key: str) -> bytes | None:
        try:
            return self.site.get(PREFIX + key)
        except self.site.client.exceptions.NoSuchKey:  # it was deleted since the listing
            return None

    def _messages(self, output: str) -> tuple[int, int]:
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        asked = {"QueueUrl": self.outputs[output], "AttributeNames": names}
        found = self._queues.get_queue_attributes(**asked)["Attributes"]
        return int(found[names[0]]), int(found[names[1]])


def _request_of(file: str) -> str:
    """The documented command that writes a file with a request."""
    action = file.removesuffix(".json")
    return f"""echo '{{"action": "{action}"}}' > {file}"""


def _without_dates(content: bytes) -> bytes:
    return _LASTMOD.sub(b"", content)


@contextmanager
def deployed(folder: Path, times: Times) -> Iterator[Trial]:
    """A trial of a stack that was deployed, and connected to a bucket, by the documented commands."""
    _build_package(folder)
    with cloud(folder) as aws, proxy_for(aws.endpoint) as s3_proxy:
        console = Console(folder, aws.environment)
        for name in (BUCKET, "my-deployments"):
            aws.aws("s3", "mb", f"s3://{name}")
        aws.aws("s3", "sync", str(pages.write(folder / "site")), f"s3://{BUCKET}/{PREFIX}", "--quiet")
        console.run(_PACKAGE)
        console.run(_DEPLOY, *(f"{name}={value}" for name, value in _PARAMETERS.items()))
        trial = Trial(aws, console, s3_proxy, folder, times)
        for output in ("EventFunctionName", "RebuildFunctionName"):
            aws.configure(trial.outputs[output], AWS_ENDPOINT_URL_S3=s3_proxy.url)
        trial.set_queue(VisibilityTimeout=times.visibility)
        console.run("waypost aws connect my-bucket")
        yield trial


def _build_package(folder: Path) -> None:
    """Build the package as `make lambda` does, and put the template beside it as in a checkout."""
    (folder / "infra").mkdir()
    (folder / "infra" / "template.yaml").write_text(template())
    command = [sys.executable, str(ROOT / "lambda" / "package.py"), "--python", PYTHON, "--wheels", str(WHEELS)]
    subprocess.run([*command, "--output", str(folder / "build")], check=True, stdout=subprocess.DEVNULL)
