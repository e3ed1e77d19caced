"""Unpacks the function's package, calls it with the example site in an emulated S3, and packages its template."""

import json
import logging
import os
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
from artifacts import PACKAGE
from moto.server import ThreadedMotoServer
from rehearsal import EXAMPLE, ROOT, expect, run
from version import version

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

PROGRAMS = ROOT / ".venv" / "aws" / "bin"
"""An environment with the AWS CLI and boto3, but without Waypost."""
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


def try_function(built: Path, folder: Path) -> None:
    """Try the package and the template in the folder `built`."""
    with emulated_s3() as (endpoint, s3):
        environment = {**KEYS, "AWS_ENDPOINT_URL": endpoint, "PATH": os.environ["PATH"], "HOME": str(folder)}
        with zipfile.ZipFile(built / PACKAGE) as archive:
            archive.extractall(folder)
        call(folder, environment, s3)
        package_template(built, folder, environment, s3)


def call(folder: Path, environment: dict[str, str], s3: "S3Client") -> None:
    """Have the function build the example site's sitemaps, and ask for its status."""
    upload_example(s3)
    output = folder / "answers.json"
    environment |= {
        "LAMBDA_TASK_ROOT": str(folder),
        "WAYPOST_SOURCE": "s3://garden",
        "WAYPOST_STATE": "s3://state/garden",
        "WAYPOST_BASE_URL": "https://garden.example/",
    }
    script = str(ROOT / "release" / "call_function.py")
    run(str(PROGRAMS / "python"), "-P", script, str(output), "rebuild", "status", cwd=folder, env=environment)
    found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    expect(found["version"], version(), "the version of the function")
    expect(sorted(set(found["from_runtime"]) & requirements()), [], "what the package lacks")
    rebuilt, status = found["answers"]
    sitemap = s3.get_object(Bucket="garden", Key="sitemap.xml")["Body"].read().decode()
    expect(rebuilt["written"], ["sitemap.xml"], "what the function wrote")
    expect(rebuilt["url_count"], sitemap.count("<url>"), "the number of URLs in the answer")
    expect(status["url_count"], rebuilt["url_count"], "the number of URLs in the status")


def requirements() -> set[str]:
    """The packages that the function's package must contain, because Lambda's runtime does not."""
    text = (ROOT / "action" / "requirements.txt").read_text(encoding="utf-8")
    return {"waypost", *re.findall(r"^([\w-]+)==", text, re.MULTILINE)}


def upload_example(s3: "S3Client") -> None:
    """Create the buckets, and upload the pages of the example site."""
    for bucket in ("garden", "state", "deployments"):
        s3.create_bucket(Bucket=bucket)
    site = EXAMPLE / "public"
    for path in filter(Path.is_file, site.rglob("*.htm*")):
        s3.upload_file(str(path), "garden", path.relative_to(site).as_posix())


def package_template(built: Path, folder: Path, environment: dict[str, str], s3: "S3Client") -> None:
    """Package the template as docs/releases.md says; it must upload the function's package unchanged."""
    packaged = folder / "packaged.yaml"
    options = ("--s3-bucket", "deployments", "--output-template-file", str(packaged))
    command = (str(PROGRAMS / "aws"), "cloudformation", "package", "--template-file", "template.yaml", *options)
    run(*command, cwd=built, env=environment)
    text = packaged.read_text(encoding="utf-8")
    expect(text.count("CodeUri: s3://deployments/"), 2, "the number of functions with the uploaded package")
    expect([each for each in (PACKAGE, "rebuild.asl.json") if f"Uri: {each}" in text], [], "what was not uploaded")
    objects = s3.list_objects_v2(Bucket="deployments")["Contents"]
    uploaded = [s3.get_object(Bucket="deployments", Key=each["Key"])["Body"].read() for each in objects]
    expect((built / PACKAGE).read_bytes() in uploaded, True, "whether the package was uploaded as it is")


@contextmanager
def emulated_s3() -> Iterator[tuple[str, "S3Client"]]:
    """An S3 on this machine: its address, and a client of it."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # which otherwise logs each request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = f"http://{host}:{port}"
        session = boto3.Session("test", "test", region_name="us-east-1")
        yield endpoint, session.client("s3", endpoint_url=endpoint)
    finally:
        server.stop()
