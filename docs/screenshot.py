"""Writes docs/images/report.png: a screenshot of the report on an invented site of a few hundred pages.

Usage: python docs/screenshot.py, with the test requirements and a browser installed (`make browser`).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

TARGET = Path(__file__).parent / "images" / "report.png"
NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
WIDTH, HEIGHT = 1120, 1500
SETTINGS = """\
base_url = "https://museum.example/"
groups = { collection = ["/collection/"], journal = ["/journal/"] }
exclude = ["/staff/"]
"""
SECTIONS = {"ships": 11, "charts": 9, "photographs": 7, "instruments": 5, "tools": 3, "figureheads": 2}
THINGS = ("anchor", "sextant", "compass", "lantern", "log-book", "model", "chart", "portrait", "bell", "rope", "sail")
PORTS = ("bergen", "cadiz", "hull", "nantes", "trieste")
TOPICS = ("restoring", "dating", "drawing", "lending", "finding")
VISIT = ("tickets", "opening-hours", "getting-here", "accessibility", "schools", "groups", "cafe", "shop")


def main() -> int:
    """Create the site and its history, build its sitemaps, change two pages, and take a screenshot of the report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        publish(folder, dict(pages()))
        waypost(folder, "build", "public")
        commit(folder, {"journal/2026/museum-night.html": html("Museum night")}, NOW - timedelta(days=1))
        (folder / "public/collection/tools/compass-hull.html").unlink()
        git(folder, NOW, "commit", "--all", "--message", "Take a page down")
        waypost(folder, "report", "public", "--to", "report.html")
        take_screenshot(folder / "report.html")
    return 0


def pages() -> Iterator[tuple[str, str]]:
    """The site's files, a key and a content each: most are listed, some are left out for various reasons."""
    yield "index.html", html("Harbour Museum")
    yield "404.html", html("Not found")
    for page in VISIT:
        yield f"visit/{page}.html", html(page)
    for section, thing, port in product(SECTIONS, THINGS, PORTS):
        head = '<meta name="robots" content="noindex">' if (thing, port) == ("rope", "cadiz") else ""
        if THINGS.index(thing) < SECTIONS[section]:
            yield f"collection/{section}/{thing}-{port}.html", html(f"{thing} of {port}", head)
    for topic, thing in product(TOPICS, THINGS):
        yield f"journal/{2022 + TOPICS.index(topic)}/{topic}-a-{thing}.html", html(f"{topic} a {thing}")
    for thing in THINGS[:4]:
        canonical = f'<link rel="canonical" href="https://museum.example/journal/2022/restoring-a-{thing}.html">'
        yield f"print/restoring-a-{thing}.html", html(thing, canonical)
        yield f"old/{thing}.html", html(thing, '<meta http-equiv="refresh" content="0; url=/">')
        yield f"staff/{thing}.html", html(thing)


def html(title: str, head: str = "") -> str:
    """A page."""
    return f"<!doctype html><html lang=en><title>{title}</title>{head}<h1>{title}</h1>"


def publish(folder: Path, files: Mapping[str, str]) -> None:
    """Commit the files in batches over four years, in an order that depends on nothing but their keys."""
    (folder / "public").mkdir()
    (folder / "public/waypost.toml").write_text(SETTINGS)
    git(folder, NOW, "init", "--quiet")
    keys = sorted(files, key=lambda key: sha256(key.encode()).digest())
    chunks = [keys[start : start + 12] for start in range(0, len(keys), 12)]
    for n, chunk in enumerate(chunks):
        age = 1_400 * ((len(chunks) - n) / len(chunks)) ** 2
        commit(folder, {key: files[key] for key in chunk}, NOW - timedelta(days=2 + age))


def commit(folder: Path, files: Mapping[str, str], when: datetime) -> None:
    """Write files of the site and commit them at a time."""
    for key, content in files.items():
        path = folder / "public" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    git(folder, when, "add", "--all")
    git(folder, when, "commit", "--quiet", "--message", "Publish pages")


def git(folder: Path, when: datetime, *arguments: str) -> None:
    """Run Git at a time that is given."""
    identity = ("-c", "user.name=Museum", "-c", "user.email=museum@example.org")
    run(folder, ["git", *identity, *arguments], GIT_AUTHOR_DATE=when.isoformat(), GIT_COMMITTER_DATE=when.isoformat())


def waypost(folder: Path, *arguments: str) -> None:
    """Run Waypost at the time of the picture."""
    command = "from waypost.cli.main import main; main()"
    run(folder, [sys.executable, "-c", command, *arguments], SOURCE_DATE_EPOCH=str(int(NOW.timestamp())))


def run(folder: Path, command: Sequence[str], **environment: str) -> None:
    """Run a program in a folder, quietly."""
    subprocess.run(command, cwd=folder, env={**os.environ, **environment}, check=True, capture_output=True)


def take_screenshot(report: Path) -> None:
    """Open the report in Chromium and save the part that is visible without scrolling."""
    browser_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(report.as_uri())
        TARGET.parent.mkdir(exist_ok=True)
        page.screenshot(path=TARGET)
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
