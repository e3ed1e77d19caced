"""Whether the hosts' own tools answer the forms of URLs that the table of hosts says: wrangler, superstatic, serve.

TOOLS is a folder with these packages of npm (`npm install --prefix TOOLS wrangler superstatic serve`); it is made if it
does not exist, with the npm on PATH. Each tool serves a small site under each of its options, and the answers at all
forms of a page's and of a folder's URL are compared with what Waypost reads from the same configuration. A form that
the tool answers with 200 must be among the table's, and a form that it redirects or does not know must not be, unless
the table leaves the form open. Prints a row for each; exits with 1 on a difference.
"""

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from measure import say

from waypost.core.model import UrlShape
from waypost.project.host_files import HostFiles
from waypost.project.host_recognition import Hosting

_PAGE = "<!doctype html><html><title>A</title><p>Text"
_SITE = {"index.html": _PAGE, "about.html": _PAGE, "docs/index.html": _PAGE, "404.html": _PAGE}
_PATHS: Mapping[str, Mapping[UrlShape, str]] = {
    "page": {"slash": "/about/", "bare": "/about", "file": "/about.html"},
    "folder": {"slash": "/docs/", "bare": "/docs", "file": "/docs/index.html"},
}
_SECONDS, _OK = 60, 200
_DATE = "2026-01-01"


class Case(NamedTuple):
    """A tool with its options: what it runs, the files it reads, and the host and the files that Waypost reads."""

    name: str
    command: Sequence[str]
    files: Mapping[str, str]
    host: str
    project: Mapping[str, str]


def main() -> None:
    """Try each tool; exit with 1 if one answers otherwise than the table says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", type=Path, metavar="TOOLS", help="a folder with the npm packages")
    given = parser.parse_args()
    if not given.tools.is_dir():
        install = ["npm", "install", "--silent", "--prefix", str(given.tools), "wrangler", "superstatic", "serve"]
        subprocess.run(install, check=True)
    programs = given.tools.resolve() / "node_modules" / ".bin"
    differences = sum(not _agrees(case) for case in _cases(programs))
    say(f"{differences} differences")
    sys.exit(1 if differences else 0)


def _cases(programs: Path) -> Iterator[Case]:
    wrangler = str(programs / "wrangler")
    pages = [wrangler, "pages", "dev", "site", "--ip", "127.0.0.1", "--compatibility-date", _DATE, "--port"]
    yield Case("Cloudflare Pages", pages, {}, "cloudflare-pages", {})
    for handling in ("auto-trailing-slash", "drop-trailing-slash", "force-trailing-slash", "none"):
        assets = {"directory": "site", "html_handling": handling, "not_found_handling": "404-page"}
        text = json.dumps({"name": "t", "compatibility_date": _DATE, "assets": assets})
        command = [wrangler, "dev", "--ip", "127.0.0.1", "--port"]
        files = {"wrangler.jsonc": text}
        yield Case(f"Cloudflare Workers, {handling}", command, files, "cloudflare-workers", files)
    for is_clean in (True, False):
        for slash in (None, True, False):
            options = {"cleanUrls": is_clean, **({} if slash is None else {"trailingSlash": slash})}
            shown = f"cleanUrls {is_clean}, trailingSlash {slash}"
            superstatic = [str(programs / "superstatic"), "site", "--host", "127.0.0.1", "--config", "s.json", "--port"]
            project = {"firebase.json": json.dumps({"hosting": options})}
            yield Case(f"Firebase, {shown}", superstatic, {"s.json": json.dumps(options)}, "firebase", project)
            serve = [str(programs / "serve"), "site", "--no-clipboard", "--listen"]
            files = {"site/serve.json": json.dumps(options)}
            if is_clean:  # without clean URLs this tool lists folders, as Vercel does not
                yield Case(f"Vercel, {shown}", serve, files, "vercel", {"vercel.json": json.dumps(options)})


def _agrees(case: Case) -> bool:
    """Whether a tool answers as Waypost reads; prints a row."""
    shapes = Hosting(HostFiles({}, case.project)).host(case.host, "https://a.dev/").rules.shapes
    answered = {"page": shapes.page, "folder": shapes.folder}
    with TemporaryDirectory() as name:
        folder = Path(name)
        for path, text in {**{f"site/{key}": text for key, text in _SITE.items()}, **case.files}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        with _served(case.command, folder) as port:
            seen = {kind: _answered(port, paths) for kind, paths in _PATHS.items()}
    is_right = all(_is_open(answered[kind]) or set(seen[kind]) == set(answered[kind]) for kind in seen)
    row = "; ".join(f"{kind}: {', '.join(seen[kind]) or 'nothing'}, table {', '.join(answered[kind])}" for kind in seen)
    say(f"{'as the table says' if is_right else 'DIFFERS':18} {case.name}: {row}")
    return is_right


def _is_open(shapes: Sequence[UrlShape]) -> bool:
    return len(shapes) == len(_PATHS["page"])


@contextmanager
def _served(command: Sequence[str], folder: Path) -> Iterator[int]:
    """A tool that serves a folder at a free port, until it is no longer needed."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environ = {**os.environ, "CI": "1", "WRANGLER_SEND_METRICS": "false", "NO_UPDATE_CHECK": "1"}
    server = subprocess.Popen(
        [*command, str(port)],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        _wait(port)
        yield port
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _wait(port: int) -> None:
    for _ in range(_SECONDS * 2):
        try:
            _status(port, "/index.html")
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit("the tool did not start")


def _answered(port: int, paths: Mapping[UrlShape, str]) -> list[UrlShape]:
    return [shape for shape, path in paths.items() if _status(port, path) == _OK]


def _status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


if __name__ == "__main__":
    main()
