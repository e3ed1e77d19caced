"""The documentation as a site: its links, and the sitemap that Waypost makes of it with nothing but a base URL."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urldefrag, urljoin

import pytest
from browsers import Look, seen
from builds import T
from click.testing import CliRunner, Result
from lxml import etree, html
from repositories import Repository

from waypost import SHOWN_REPOSITORY
from waypost.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
BASE = "https://docs.example/"
REPOSITORY = f"https://github.com/{quote(SHOWN_REPOSITORY)}/"
OF_THE_ROOT = {
    "": "README.md",
    "changelog/": "CHANGELOG.md",
    "contributing/": "CONTRIBUTING.md",
    "security/": "SECURITY.md",
}

pytestmark = pytest.mark.slow


def sources() -> dict[str, str]:
    """The file behind each page: a page's path in the site, and a path in the repository."""
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")]
    return {f"{page.removeprefix('docs/').removesuffix('.md')}/": page for page in pages} | OF_THE_ROOT


def commit_time(source: str) -> int:
    """The time at which the test commits a page's source: an hour after the one before."""
    return T + 3600 * (1 + sorted(sources().values()).index(source))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project in a repository in which each page's source has a commit of its own; the site is in build/docs."""
    repository = Repository(tmp_path_factory.mktemp("project"))
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    own = sources().values()
    for name in filter(None, listed.split("\0")):
        if name not in own and (ROOT / name).exists():
            (repository.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, repository.folder / name)
    repository.commit({}, when=T)
    for name in own:
        repository.commit({name: (ROOT / name).read_bytes()}, when=commit_time(name))
    build(repository.folder)
    return repository.folder


def build(folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]  # with --quiet, warnings would not count
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(project: Path) -> Path:
    """The site with the sitemap that Waypost writes with nothing but the base URL."""
    built = project / "build" / "docs"
    waypost("build", str(built), "--base-url", BASE)
    return built


def waypost(*arguments: str) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == 0, done.output
    return done


def test_the_sitemap_lists_every_page_with_the_date_of_its_source(site: Path) -> None:
    rows = etree.parse(site / "sitemap.xml").getroot().iterchildren()
    listed = {row.findtext("{*}loc"): row.findtext("{*}lastmod") for row in rows}
    expected = {page: commit_time(source) for page, source in sources().items()}
    assert listed == {BASE + page: utc(seconds) for page, seconds in expected.items()}


def utc(seconds: int) -> str:
    command = ["date", "--utc", f"--date=@{seconds}", "+%Y-%m-%dT%H:%M:%SZ"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_validate_finds_nothing_in_the_sitemap(site: Path) -> None:
    done = waypost("validate", str(site), "--url", BASE, "--against", str(site), "--json")
    answer = json.loads(done.stdout)
    assert answer["count_by_code"] == {}
    assert [file["entry_count"] for file in answer["files"]] == [len(sources())]


def test_each_link_of_the_site_leads_to_a_page_a_file_or_a_heading(site: Path) -> None:
    found = ((page, link) for page in pages(site) for link in links(page))
    broken = [f"{page.relative_to(site)}: {link}" for page, link in found if lost(site, page, link)]
    assert broken == []


def test_a_broken_link_is_found(site: Path) -> None:
    first = site / "index.html"
    wrong = ("nowhere/", "dates/#nowhere", "images/nowhere.png", f"{REPOSITORY}blob/main/nowhere.md")
    assert all(lost(site, first, link) for link in wrong)


def test_no_page_shows_a_link_to_a_source_of_another_page(site: Path) -> None:
    files = {f"{REPOSITORY}blob/main/{source}" for source in sources().values()}
    assert [(page, link) for page in pages(site) for link in links(page) if link in files] == []


def test_a_link_to_a_missing_page_fails_the_build(project: Path) -> None:
    page = project / "docs" / "dates.md"
    before = page.read_bytes()
    try:
        for link in ("nowhere.md", "urls.md#nowhere", "../NOWHERE.md"):
            page.write_bytes(before + f"\n[a link]({link})\n".encode())
            with pytest.raises(AssertionError, match="strict mode"):
                build(project)
    finally:
        page.write_bytes(before)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address at which a server on this machine has the site."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_request(self, code: object = "-", size: object = "-") -> None:
        """The test run's output is for the tests."""


@pytest.mark.parametrize("look", [Look(360, 740, "light"), Look(1440, 900, "light"), Look(1440, 900, "dark")], ids=str)
@pytest.mark.parametrize("page", ["", "settings/"])
def test_a_page_can_be_read_and_asks_no_other_host(chromium: Browser, address: str, look: Look, page: str) -> None:
    with seen(chromium, look) as sight:
        sight.page.goto(address + page, wait_until="networkidle")
        assert sight.errors == []
        assert [request for request in sight.requests if not request.startswith(address)] == []
        assert sight.overflow() == 0
        unreadable = ("color-contrast:", "link-in-text-block:", "image-alt:", "document-title:")
        assert [found for found in sight.violations() if found.startswith(unreadable)] == []
        dark = sight.page.locator("body").get_attribute("data-md-color-scheme") == "slate"
        assert dark == (look.scheme == "dark")


def pages(site: Path) -> Iterator[Path]:
    """The site's pages, without the one that is shown for an error, whose links are absolute."""
    return (page for page in site.rglob("*.html") if page != site / "404.html")


@cache
def parsed(page: Path) -> html.HtmlElement:
    return html.parse(page).getroot()


def links(page: Path) -> list[str]:
    """The addresses of the links, pictures, scripts and styles of a page."""
    return [link for _, attribute, link, _ in parsed(page).iterlinks() if attribute in {"href", "src"}]


def lost(site: Path, page: Path, link: str) -> bool:
    """Whether nothing is where a link leads, as far as that is in the site or in the repository."""
    folder = page.relative_to(site).parent.as_posix()
    address, anchor = urldefrag(urljoin(f"{BASE}{folder}/" if folder != "." else BASE, link))
    if address.startswith(REPOSITORY):
        kind, _, path = address.removeprefix(REPOSITORY).partition("/main/")
        return kind in {"blob", "edit", "tree"} and not (ROOT / unquote(path)).exists()
    if not address.startswith(BASE):
        return False
    target = site / unquote(address.removeprefix(BASE))
    target = target / "index.html" if target.is_dir() else target
    return not target.is_file() or bool(anchor and not parsed(target).xpath("//*[@id=$id]", id=unquote(anchor)))
