"""A second, real S3: conditional writes under races, a listing of 30,000 keys, a site synchronised by the AWS CLI."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from stacks import KEYS, ROOT, TOOLS, Cloud, free_port, until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BASE = ("--base-url", "https://example.org/")
WAYPOST = str(Path(sys.executable).with_name("waypost"))
SECRET = {"AWS_SECRET_ACCESS_KEY": "testtest"}


class Server(Cloud):
    """A running SeaweedFS."""

    @property
    def environment(self) -> dict[str, str]:
        return {**super().environment, **SECRET}

    def waypost(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [WAYPOST, *arguments], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def told(self, *arguments: str) -> Any:
        done = self.waypost(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("seaweed")
    places = {name: _low_port() for name in ("s3", "filer", "master", "volume")}
    ports = [*(f"-{name}.port={port}" for name, port in places.items()), "-s3.port.iceberg=0", "-s3.port.lance=0"]
    alone = ["-filer", "-s3", "-master.telemetry=false", "-ip=127.0.0.1", "-ip.bind=127.0.0.1"]
    # By itself it takes no object on a disk of which less than 1% is free, and has eight volumes: one bucket's.
    room = ["-volume.minFreeSpace=1MiB", "-volume.max=200", "-master.volumeSizeLimitMB=64"]
    (folder / "data").mkdir()
    with (folder / "weed.log").open("wb") as log:
        process = subprocess.Popen(
            [str(TOOLS / "weed"), "server", f"-dir={folder / 'data'}", *ports, *alone, *room],
            env={**os.environ, **KEYS, **SECRET},
            cwd=folder,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        found = Server(f"http://127.0.0.1:{places['s3']}", folder)
        until(lambda: found.run("s3", "mb", "s3://first").returncode == 0, "SeaweedFS")
        (folder / "filer").write_text(str(places["filer"]))
        yield found
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # it may wait for ever when it is asked to end
        process.wait()


def _low_port() -> int:
    """A free port; the server also takes the one that is 10,000 above it."""
    return next(port for port in iter(free_port, 0) if port + 10_000 < 65_536)


def fill(server: Server, bucket: str, objects: Mapping[str, bytes]) -> None:
    """Put many objects by the server's own quick way."""
    port, keys = int((server.folder / "filer").read_text()), list(objects)

    def put(some: list[str]) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for key in some:
            connection.request("PUT", f"/buckets/{bucket}/{key}", objects[key], {"Content-Type": "text/html"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status < 300
        connection.close()

    server.aws("s3", "mb", f"s3://{bucket}")
    with ThreadPoolExecutor(8) as writers:
        list(writers.map(put, (keys[n::8] for n in range(8))))


def test_a_site_is_synchronised_built_and_kept_right(server: Server) -> None:
    site = ROOT / "examples" / "garden" / "public"
    server.aws("s3", "mb", "s3://garden")
    server.aws("s3", "mb", "s3://garden-state")
    server.aws("s3", "sync", str(site), "s3://garden/www", "--no-follow-symlinks", "--quiet")
    flags = (*BASE, "--state", "s3://garden-state/state")
    built = server.told("build", "s3://garden/www", *flags)
    assert built["written"] == ["sitemap.xml"]
    assert server.told("build", "s3://garden/www", *flags)["written"] == []
    server.aws("s3", "cp", "-", "s3://garden/www/new post+1.html", stdin=b"<title>New</title>")
    assert server.told("update", "s3://garden/www", "new post+1.html", *flags)["written"] == ["sitemap.xml"]
    assert b"<loc>https://example.org/new%20post%2B1.html</loc>" in (server.get("garden", "www/sitemap.xml") or b"")
    assert server.told("status", "s3://garden/www", *flags, "--check")["in_sync"]


@pytest.mark.release
def test_thirty_thousand_keys_are_listed_in_parts_without_a_gap(server: Server) -> None:
    pages = [f"shop/{n % 7}/item-{n:06}.html" for n in range(0, 30_000, 50)]
    others = [f"shop/{n % 7}/item-{n:06}.jpg" for n in range(29_400)]
    fill(server, "shop", dict.fromkeys((*pages, *others), b"<title>Item</title>"))
    server.aws("s3", "mb", "s3://shop-state")
    flags = (*BASE, "--state", "s3://shop-state/state")
    built = server.told("build", "s3://shop", *flags)
    assert (built["objects_listed"], built["url_count"]) == (30_000, 600)
    assert built["ignored"] == {"not-a-page": 29_400}
    again = server.told("build", "s3://shop", *flags)
    assert (again["objects_listed"], again["objects_read"], again["written"]) == (30_001, 0, [])


@pytest.mark.release
def test_writers_at_once_lose_no_key(server: Server) -> None:
    """Twelve commands at once, each with pages of its own, over one state and one sitemap."""
    for bucket in ("busy", "busy-state"):
        server.aws("s3", "mb", f"s3://{bucket}")
    flags = (*BASE, "--state", "s3://busy-state/state")
    server.aws("s3", "cp", "-", "s3://busy/index.html", stdin=b"<title>Home</title>")
    server.told("build", "s3://busy", *flags)

    def run(n: int) -> subprocess.CompletedProcess[str]:
        for part in range(2):
            server.aws("s3", "cp", "-", f"s3://busy/page-{n}-{part}.html", stdin=f"<title>{n}</title>".encode())
        return server.waypost("update", "s3://busy", f"page-{n}-0.html", f"page-{n}-1.html", *flags, "--json")

    began = time.monotonic()
    with ThreadPoolExecutor(6) as writers:
        done = list(writers.map(run, range(12)))
    assert [each.stderr for each in done if each.returncode] == [], time.monotonic() - began
    assert (server.get("busy", "sitemap.xml") or b"").count(b"<loc>") == 25
    assert server.told("status", "s3://busy", *flags, "--check")["in_sync"]
