"""Cases: clients that upload and delete pages, also while rebuilds run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from boto3.s3.transfer import TransferConfig
from stacks import KEYS

from operate import pages
from operate.cases import Case, Outcome, SkippedError, of_status, seen
from operate.trial import BUCKET, PREFIX

if TYPE_CHECKING:
    from pathlib import Path

    from operate.trial import Trial

ODD_KEYS = (
    *("red flower.html", "a+b.html", "100%25.html", "100%.html", "'single'.html", '"double".html', "<b>&amp;.html"),
    *("é.html", "e\u0301.html", "日本/語.html", "\U0001f600.html", "semi;colon.html", "hash#mark.html", "what?.html"),
    *("(round) [square] {curly}.html", "~home/index.html", "=equal,comma.html", "c:colon@at.html", "$dollar!.html"),
    *("back\\slash.html", "pipe|caret^.html", "tick`.html", "a  b.html", "dots...html", "x/ y/z .html"),
)
_S3CMD = "s3cmd==2.4.0"
_PART = 5 * 1024 * 1024
"""The smallest part of a multipart upload."""


def first_build(trial: Trial) -> Outcome:
    """The site was uploaded before the stack was deployed; it is built for the first time as the documentation says."""
    started = time.monotonic()
    answer = trial.rebuild()
    assert answer["finished"], answer
    assert answer["url_count"] >= 120, answer
    return Outcome(seen(trial, of_status(trial)), trial.seconds_until_right(started))


def aws_sync(trial: Trial) -> Outcome:
    """It deletes the sitemaps, and replaces robots.txt by one without their line; the function restores both."""
    folder = _next_deployment(trial, "aws")
    (folder / "robots.txt").write_text(pages.ROBOTS)
    trial.aws.aws("s3", "sync", str(folder), f"s3://{BUCKET}/{PREFIX}", "--delete", "--quiet")
    return _right(trial)


def aws_sync_excluding(trial: Trial) -> Outcome:
    """The same with the option that the documentation names, so that the sitemaps stay."""
    folder = _next_deployment(trial, "aws-excluding")
    options = ("--delete", "--quiet", "--exclude", "sitemap*.xml")
    trial.aws.aws("s3", "sync", str(folder), f"s3://{BUCKET}/{PREFIX}", *options)
    return _right(trial)


def rclone_sync(trial: Trial) -> Outcome:
    program, folder = _rclone(trial.folder), _next_deployment(trial, "rclone")
    keys = {"ACCESS_KEY_ID": KEYS["AWS_ACCESS_KEY_ID"], "SECRET_ACCESS_KEY": KEYS["AWS_SECRET_ACCESS_KEY"]}
    settings = {"TYPE": "s3", "PROVIDER": "Minio", "REGION": KEYS["AWS_DEFAULT_REGION"], **keys}
    settings |= {"ENDPOINT": trial.aws.endpoint, "FORCE_PATH_STYLE": "true"}
    variables = {f"RCLONE_CONFIG_SITE_{name}": value for name, value in settings.items()}
    target = f"site:{BUCKET}/{PREFIX.rstrip('/')}"
    _run([program, "sync", str(folder), target, "--retries=1", "--exclude=sitemap*.xml"], trial.folder, **variables)
    return _right(trial)


def s3cmd_sync(trial: Trial) -> Outcome:
    packages, folder = _s3cmd(trial.folder), _next_deployment(trial, "s3cmd")
    host = trial.aws.endpoint.removeprefix("http://")
    keys = [f"--access_key={KEYS['AWS_ACCESS_KEY_ID']}", f"--secret_key={KEYS['AWS_SECRET_ACCESS_KEY']}"]
    server = [f"--host={host}", f"--host-bucket={host}", "--no-ssl", f"--region={KEYS['AWS_DEFAULT_REGION']}"]
    command = [sys.executable, str(packages / "bin" / "s3cmd"), "--config=/dev/null", *keys, *server]
    command += ["sync", "--delete-removed", "--exclude=sitemap*.xml", f"{folder}/", f"s3://{BUCKET}/{PREFIX}"]
    _run(command, trial.folder, PYTHONPATH=str(packages))
    return _right(trial)


def multipart_uploads(trial: Trial) -> Outcome:
    """Two pages in two parts each; their ETags are no digests of their content."""
    in_parts = TransferConfig(multipart_threshold=_PART, multipart_chunksize=_PART)
    for n in range(2):
        path = trial.folder / f"long-{n}.html"
        path.write_text(pages.page(f"Long {n}", text="word " * (_PART // 4)))
        trial.site.client.upload_file(str(path), BUCKET, f"{PREFIX}docs/{path.name}", Config=in_parts)
    return _right(trial)


def odd_keys(trial: Trial) -> Outcome:
    """Keys with spaces, signs, quotes and letters of other scripts; half of them are deleted again."""
    for key in ODD_KEYS:
        trial.put(f"odd/{key}", pages.page(key))
    for key in ODD_KEYS[::2]:
        trial.remove(f"odd/{key}")
    return _right(trial)


def changes_during_rebuilds(trial: Trial) -> Outcome:
    """60 uploads and 60 deletions while six rebuilds run one after another: both functions work at the same time."""
    for n in range(60):
        trial.put(f"gone/page-{n:02}.html", pages.page(f"Gone {n}"))
    trial.seconds_until_right()
    with ThreadPoolExecutor(1) as pool:
        for n in range(6):
            rebuild = pool.submit(trial.rebuild)
            for page in range(10 * n, 10 * n + 10):
                trial.put(f"new/page-{page:02}.html", pages.page(f"New {page}"))
                trial.remove(f"gone/page-{page:02}.html")
            assert rebuild.result()["finished"]
    started = time.monotonic()
    return Outcome(seen(trial, of_status(trial)), trial.seconds_until_right(started))


def command_at_once(trial: Trial) -> Outcome:
    """The documented command builds with the function's own state and settings while events arrive."""
    command = (
        "waypost build s3://my-bucket/www --base-url https://www.example.org/ --state s3://my-private-bucket/state"
    )
    own = f"{trial.state.name}/{trial.outputs['StatePrefix']}"
    with ThreadPoolExecutor(1) as pool:
        options = ("--config", str(trial.folder / "site" / "waypost.toml"))
        built = pool.submit(trial.console.run, command, *options, replace={"my-private-bucket/state": own})
        for n in range(10):
            trial.put(f"new/more-{n}.html", pages.page(f"More {n}"))
        built.result()
    outcome = _right(trial)
    assert trial.check()["in_sync"]
    return outcome


def _right(trial: Trial) -> Outcome:
    """Wait until the sitemaps are right after uploads."""
    seconds = trial.seconds_until_right()
    trial.wait_until_handled()
    return Outcome(seen(trial, of_status(trial)), seconds)


def _next_deployment(trial: Trial, name: str) -> Path:
    """The next deployment of the site: a page is new, one has changed, and what the one before added is gone."""
    shutil.copytree(trial.folder / "site", folder := trial.folder / f"site-{name}")
    (folder / f"blog/{name}.html").write_text(pages.page(f"Deployed by {name}"))
    (folder / "robots.txt").write_text(f"{pages.ROBOTS}\nSitemap: {pages.BASE_URL}sitemap.xml\n")
    (folder / "about.html").write_text(pages.page(f"About, by {name}", text=f"We deploy with {name}."))
    return folder


def _rclone(folder: Path) -> str:
    """The path of rclone: an installed one, or Debian's, unpacked in a folder."""
    if found := shutil.which("rclone"):
        return found
    target = folder / "rclone"
    target.mkdir()
    try:
        _run(["apt-get", "-qq", "download", "rclone"], target)
        (package,) = target.glob("rclone_*.deb")
        _run(["dpkg", "-x", package.name, "."], target)
    except (OSError, RuntimeError) as error:
        raise SkippedError(f"rclone is not installed, and cannot be downloaded: {error}") from error
    return str(target / "usr" / "bin" / "rclone")


def _s3cmd(folder: Path) -> Path:
    """The folder of s3cmd and what it needs, installed by pip."""
    target = folder / "s3cmd"
    try:
        _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), _S3CMD], folder)
    except RuntimeError as error:
        raise SkippedError(f"s3cmd cannot be installed: {error}") from error
    return target


def _run(command: list[str], folder: Path, **variables: str) -> None:
    """Run a client; raises RuntimeError with what it prints if it fails."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    done = subprocess.run(command, cwd=folder, env=own | variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")


CASES = (
    Case("the first rebuild of a site of 120 pages", first_build),
    Case("`aws s3 sync --delete` from a folder without sitemaps", aws_sync),
    Case('`aws s3 sync --delete --exclude "sitemap*.xml"`', aws_sync_excluding),
    Case("`rclone sync`", rclone_sync),
    Case("`s3cmd sync --delete-removed`", s3cmd_sync),
    Case("multipart uploads by boto3", multipart_uploads),
    Case(f"{len(ODD_KEYS)} odd keys, half of them deleted again", odd_keys),
    Case("60 uploads and 60 deletions during six rebuilds", changes_during_rebuilds),
    Case("10 uploads during `waypost build` with the function's state", command_at_once),
)
