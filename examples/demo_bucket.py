"""Deploys the AWS function for a bucket on this machine, and shows what uploads do; what `make demo` runs.

MiniStack emulates AWS. Every command shown is one of the AWS CLI, and works on AWS too.
"""

import json
import os
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
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


def main() -> None:
    """Show a deployment, a rebuild, an upload, a change and a deletion."""
    with tempfile.TemporaryDirectory() as name, _emulated_aws(Path(name)) as demo:
        demo.say("A site in a bucket, and the function that keeps its sitemaps up to date:")
        demo.aws("s3", "mb", "s3://garden", is_shown=False)
        demo.aws("s3", "mb", "s3://deployments", is_shown=False)
        demo.aws("s3", "sync", str(SITE), "s3://garden", "--no-follow-symlinks", "--only-show-errors")
        demo.deploy()
        demo.waypost("aws", "connect", "garden")
        demo.say("One command rebuilds everything:")
        demo.invoke({"action": "rebuild"})
        demo.show()
        demo.say("A new page is uploaded. The upload triggers the function, which lists the page with its date:")
        demo.put("blog/roses.html", "<title>Roses</title>")
        demo.await_loc("blog/roses.html")
        demo.say("An upload that does not change the visible text, such as a new build of the page, rewrites nothing:")
        before = demo.generation()
        demo.put("blog/roses.html", "<title>Roses</title><!-- build 2 -->")
        time.sleep(2)
        print(f"the ledger's generation was {before} and is {demo.generation()}")
        demo.say("A page is deleted:")
        demo.aws("s3", "rm", "s3://garden/blog/roses.html")
        demo.await_loc("blog/roses.html", is_listed=False)
        demo.say("Why is a page excluded? What is the state of the sitemaps?")
        demo.invoke({"action": "explain", "key": "guides/draft.html"})
        demo.invoke({"action": "status"})


class Demo:
    """The AWS emulator, and a folder for the files that are sent to it."""

    def __init__(self, endpoint: str, folder: Path) -> None:
        self._endpoint, self._folder = endpoint, folder
        self._environment = {
            **_without_aws_variables(),
            **KEYS,
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_PAGER": "",
            "HOME": str(folder),
        }

    def say(self, line: str) -> None:
        """Print a heading."""
        print(f"\n== {line}", flush=True)

    def aws(self, *arguments: str, is_shown: bool = True) -> str:
        """Run the AWS CLI, and show the command."""
        return self._run(f"aws {' '.join(arguments)}" if is_shown else "", str(TOOLS / "aws"), *arguments)

    def waypost(self, *arguments: str) -> None:
        """Run Waypost, and show the command."""
        print(self._run(f"waypost {' '.join(arguments)}", str(Path(sys.executable).with_name("waypost")), *arguments))

    def deploy(self) -> None:
        """Build the package and deploy the template, as the README says."""
        package = [sys.executable, str(ROOT / "lambda" / "package.py"), "--python", PYTHON]
        self._run(f"make lambda LAMBDA_PYTHON={PYTHON}", *package, "--output", str(ROOT / "build"))
        template, packaged = str(ROOT / "infra" / "template.yaml"), str(self._folder / "packaged.yaml")
        self.aws(
            *("cloudformation", "package", "--template-file", template, "--s3-bucket", "deployments"),
            *("--output-template-file", packaged),
        )
        self.aws(
            *("cloudformation", "deploy", "--template-file", packaged, "--stack-name", "garden-sitemaps"),
            *("--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND", "--parameter-overrides"),
            *("SiteBucket=garden", "BaseUrl=https://garden.example/", "BatchingWindow=1"),
            *(f"Runtime=python{PYTHON}", "Architecture=x86_64"),
        )

    def invoke(self, payload: dict[str, str]) -> None:
        """Invoke the function, and show its answer."""
        (self._folder / "payload.json").write_text(json.dumps(payload))
        print(f"$ echo '{json.dumps(payload)}' > payload.json")
        command = ("lambda", "invoke", "--function-name", "garden-sitemaps-waypost")
        self.aws(*command, "--payload", "fileb://payload.json", "answer.json")
        print(json.dumps(self._answer(), indent=2))

    def generation(self) -> int:
        """The generation of the ledger's manifest."""
        (self._folder / "payload.json").write_text('{"action": "status"}')
        command = ("lambda", "invoke", "--function-name", "garden-sitemaps-waypost")
        self.aws(*command, "--payload", "fileb://payload.json", "answer.json", is_shown=False)
        answer: dict[str, int] = self._answer()
        return answer["generation"]

    def put(self, key: str, content: str) -> None:
        """Upload a page."""
        (self._folder / "page.html").write_text(content)
        self.aws("s3", "cp", "page.html", f"s3://garden/{key}", "--only-show-errors")

    def show(self) -> None:
        """Show the sitemap."""
        print(self.aws("s3", "cp", "s3://garden/sitemap.xml", "-"))

    def await_loc(self, key: str, *, is_listed: bool = True) -> None:
        """Wait until a page is listed, or is not listed any more, and show its line."""
        start = time.monotonic()
        while True:
            lines = self.aws("s3", "cp", "s3://garden/sitemap.xml", "-", is_shown=False).splitlines()
            found = [line for line in lines if key in line]
            if bool(found) == is_listed:
                break
            time.sleep(0.2)
        print(f"after {time.monotonic() - start:.1f} s: {found[0] if found else 'not listed any more'}")

    def _answer(self) -> dict[str, int]:
        answer: dict[str, int] = json.loads((self._folder / "answer.json").read_text())
        return answer

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
        _wait_for(lambda: urlopen(f"http://127.0.0.1:{port}/_ministack/health", timeout=1).close())
        yield Demo(f"http://127.0.0.1:{port}", folder)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _without_aws_variables() -> dict[str, str]:
    """The environment without the variables that configure AWS."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}


def _wait_for(action: Callable[[], object]) -> None:
    for _ in range(150):
        try:
            action()
        except OSError:
            time.sleep(0.2)
        else:
            return
    sys.exit("MiniStack did not start")


if __name__ == "__main__":
    main()
