"""Deploys the Lambda function over a bucket on this machine and shows what uploads do; `make demo-aws` runs it.

MiniStack emulates AWS. Every command that is shown is the AWS CLI's own, and works on AWS unchanged, with
infra/template.yaml as the template.
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
SITE = ROOT / "examples" / "garden" / "public"
TOOLS = ROOT / ".venv" / "aws" / "bin"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
SUMMED_ALARM = re.compile(
    r"^  \w+:\n    Type: AWS::CloudWatch::Alarm\n(?:    .*\n)+?      Metrics:\n(?:    .*\n)+\n", re.MULTILINE
)
"""A resource of the template: an alarm on the sum of two metrics, which MiniStack does not know."""
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


def main() -> None:
    """Deploy, build, upload, change and delete pages, and ask about them."""
    with tempfile.TemporaryDirectory() as name, _emulated_aws(Path(name)) as demo:
        demo.say("Copy a site to a bucket, and deploy the function that keeps its sitemaps up to date:")
        demo.aws("s3", "mb", "s3://garden", is_shown=False)
        demo.aws("s3", "mb", "s3://deployments", is_shown=False)
        demo.aws("s3", "sync", str(SITE), "s3://garden", "--no-follow-symlinks", "--only-show-errors")
        demo.deploy()
        demo.waypost("aws", "connect", "garden")
        demo.say("Build all sitemaps. The pages have no dates, because it is not known when their text last changed:")
        demo.invoke({"action": "rebuild"})
        demo.show()
        demo.say("Upload a new page. The event of the upload triggers the function, which adds the page with its date:")
        demo.put("blog/roses.html", "<title>Roses</title>")
        demo.await_line("blog/roses.html</loc><lastmod>")
        demo.say("Change another page. It gets a date of its own:")
        demo.put("about.html", "<title>About the garden</title>")
        demo.await_line("about.html</loc><lastmod>")
        demo.say("Upload the new page again with the same text, which keeps its date, and delete an old page:")
        demo.put("blog/roses.html", "<title>Roses</title><!-- build 2 -->")
        demo.aws("s3", "rm", "s3://garden/guides/pruning.html")
        demo.await_line("guides/pruning.html", is_listed=False)
        demo.show()
        demo.say("Ask why a page is left out, and for the status:")
        demo.invoke({"action": "explain", "key": "guides/draft.html"})
        demo.invoke({"action": "status"})


class Demo:
    """The emulated AWS, and a folder for the files that are sent to it."""

    def __init__(self, endpoint: str, folder: Path) -> None:
        self._endpoint, self._folder = endpoint, folder
        self._environment = {**_without_aws_variables(), **KEYS, "AWS_ENDPOINT_URL": endpoint}
        self._environment |= {"AWS_PAGER": "", "HOME": str(folder)}

    def say(self, line: str) -> None:
        """Print a heading."""
        print(f"\n== {line}", flush=True)

    def aws(self, *arguments: str, is_shown: bool = True) -> str:
        """Run the AWS CLI, and show the command."""
        program = (str(TOOLS / "aws"), "--cli-read-timeout", "0")  # a busy machine may be slow to answer
        return self._run(f"aws {' '.join(arguments)}" if is_shown else "", *program, *arguments)

    def waypost(self, *arguments: str) -> None:
        """Run Waypost, and show the command."""
        print(self._run(f"waypost {' '.join(arguments)}", str(Path(sys.executable).with_name("waypost")), *arguments))

    def deploy(self) -> None:
        """Build the package and deploy the template, as docs/function.md says, but for alarms on two metrics."""
        package = [sys.executable, str(ROOT / "lambda" / "package.py"), "--python", PYTHON]
        self._run(f"make lambda LAMBDA_PYTHON={PYTHON}", *package, "--output", str(ROOT / "build"))
        template = SUMMED_ALARM.sub("", (ROOT / "infra" / "template.yaml").read_text())
        code = str(ROOT / "build" / "lambda")
        template = template.replace("rebuild.asl.json", str(ROOT / "infra" / "rebuild.asl.json"))
        (self._folder / "template.yaml").write_text(template.replace("../build/lambda/", code))
        packaged = str(self._folder / "packaged.yaml")
        self.aws(
            *("cloudformation", "package", "--template-file", "template.yaml", "--s3-bucket", "deployments"),
            *("--output-template-file", packaged),
        )
        self.aws(
            *("cloudformation", "deploy", "--template-file", packaged, "--stack-name", "garden-sitemaps"),
            *("--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND", "--parameter-overrides"),
            *("SiteBucket=garden", "BaseUrl=https://garden.example/", "BatchingWindow=1"),
            *(f"Runtime=python{PYTHON}", "Architecture=x86_64"),
        )

    def invoke(self, payload: dict[str, str]) -> None:
        """Call the function, and show its answer."""
        (self._folder / "payload.json").write_text(json.dumps(payload))
        print(f"$ echo '{json.dumps(payload)}' > payload.json")
        self.aws(*self._invoke_command(), "--payload", "fileb://payload.json", "answer.json")
        print(json.dumps(json.loads((self._folder / "answer.json").read_text()), indent=2))

    def _invoke_command(self) -> tuple[str, ...]:
        """Return the command that calls the function for requests, whose name is an output of the stack."""
        query = "Stacks[0].Outputs[?OutputKey=='RebuildFunctionName'].OutputValue"
        asked = ("cloudformation", "describe-stacks", "--stack-name", "garden-sitemaps", "--query", query)
        name = self.aws(*asked, "--output", "text", is_shown=False).strip()
        return "lambda", "invoke", "--function-name", name

    def put(self, key: str, content: str) -> None:
        """Upload a page."""
        (self._folder / "page.html").write_text(content)
        self.aws("s3", "cp", "page.html", f"s3://garden/{key}", "--only-show-errors")

    def show(self) -> None:
        """Show the sitemap."""
        print(self.aws("s3", "cp", "s3://garden/sitemap.xml", "-"))

    def await_line(self, part: str, *, is_listed: bool = True) -> None:
        """Wait until a line of the sitemap has this part, or none has, and show it."""
        start = time.monotonic()

        def lines() -> list[str]:
            content = self.aws("s3", "cp", "s3://garden/sitemap.xml", "-", is_shown=False)
            return [line for line in content.splitlines() if part in line]

        _wait_for(lambda: bool(lines()) == is_listed, "the function did not update the sitemap")
        found = lines()[0] if is_listed else "it is not listed any more"
        print(f"after {time.monotonic() - start:.1f} s: {found}")

    def _run(self, shown: str, *command: str) -> str:
        if shown:
            print(f"$ {shown.replace(f'{ROOT}/', '').replace(f'{self._folder}/', '')}", flush=True)
        done = subprocess.run(
            command, cwd=self._folder, env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout or done.stderr


@contextmanager
def _emulated_aws(folder: Path) -> Iterator[Demo]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"BIND_HOST": "127.0.0.1", "MINISTACK_HOST": "127.0.0.1", "GATEWAY_PORT": str(port)}
    settings |= {"LAMBDA_EXECUTOR": "local", "AWS_EC2_METADATA_DISABLED": "true"}
    process = subprocess.Popen(
        [str(TOOLS / "ministack")],
        env={**_without_aws_variables(), **settings},
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait_for(lambda: _answers(port), "MiniStack did not start")
        yield Demo(f"http://127.0.0.1:{port}", folder)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _without_aws_variables() -> dict[str, str]:
    """Return the environment without the variables that name another AWS."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/_ministack/health"):
            return True
    except OSError:
        return False


def _wait_for(action: Callable[[], bool], problem: str) -> None:
    """Ask until the answer is yes; the limit only keeps the demonstration from waiting for ever."""
    end = time.monotonic() + 900
    while not action():
        if time.monotonic() > end:
            sys.exit(problem)
        time.sleep(0.2)


if __name__ == "__main__":
    main()
