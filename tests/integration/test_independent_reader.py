"""Another program, ultimate-sitemap-parser, reads back exactly what was listed, over HTTP as a crawler does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.tree import sitemap_from_str, sitemap_tree_for_homepage

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Write

Serve = Callable[[Path], str]

FILES = {
    "index.html": "<title>Home</title>",
    "about.html": "<title>About</title>",
    "blog/index.html": "<title>Blog</title>",
    'blog/a&b\'s "ü" <日本> 100%.html': "<title>Odd</title>",
    "blog/2+2=4,@;(x)!$*~.html": "<title>Odd</title>",
    "files/guide.pdf": "%PDF",
}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Serve a folder on a port of this machine; the root URL is returned."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers: list[tuple[ThreadingHTTPServer, Thread]] = []

    def serve(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def read(home: str) -> AbstractSitemap:
    """What a crawler finds that starts from robots.txt alone."""
    return sitemap_tree_for_homepage(home, use_known_paths=False)


def urls(tree: AbstractSitemap) -> list[str]:
    assert not [sitemap.url for sitemap in tree.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    return [page.url for page in tree.all_pages()]


@pytest.mark.parametrize(
    "settings",
    [
        {"formats": ["xml", "text"]},
        {"formats": ["text"], "gzip": True},
        {"formats": ["text"], "groups": {"blog": ["/blog/"]}},
        {"groups": {"blog": ["/blog/"], "files": ["/files/"]}, "gzip": True},
        {"name": "map", "drop_html": True, "trailing_slash": "always"},
        {"overrides": [{"match": ["*"], "changefreq": "weekly", "priority": 0.3}]},
    ],
)
def test_a_crawler_that_starts_at_robots_txt_finds_exactly_what_is_listed(
    build: Build, write: Write, serve: Serve, settings: dict[str, Any]
) -> None:
    site = write(FILES)
    home = serve(site)
    plan = build(site, home, robots_sitemaps=True, **settings)
    assert len(plan.pages) == len(FILES)
    assert sorted(urls(read(home))) == sorted(page.loc for page in plan.pages)


def test_what_is_left_out_is_not_found(build: Build, write: Write, serve: Serve) -> None:
    site = write({**FILES, "hidden.html": "<meta name=robots content=noindex>", "404.html": "", "x/index.html": ""})
    home = serve(site)
    write({"robots.txt": "User-agent: *\nDisallow: /x/\n"})
    build(site, home, robots_sitemaps=True)
    found = set(urls(read(home)))
    assert len(found) == len(FILES)
    assert not {f"{home}hidden.html", f"{home}404.html", f"{home}x/"} & found


def test_a_crawler_reads_the_dates_that_were_meant(build: Build, repository: Repository, serve: Serve) -> None:
    repository.commit({"index.html": "<title>Home</title>"}, when=1_700_000_000)
    repository.commit({"about.html": "<title>About</title>"}, when=1_700_000_100)
    home = serve(repository.folder)
    build(repository.folder, home, lastmod="git", robots_sitemaps=True)
    found = {page.url: page.last_modified for page in read(home).all_pages()}
    assert {url: date and date.timestamp() for url, date in found.items()} == {
        f"{home}about.html": 1_700_000_100,
        home: 1_700_000_000,
    }


def test_a_crawler_finds_no_hint_that_was_not_given(build: Build, write: Write) -> None:
    site = write(FILES)
    build(site)
    pages = list(sitemap_from_str((site / "sitemap.xml").read_text()).all_pages())
    assert len(pages) == len(FILES)
    assert {(page.last_modified, page.change_frequency, float(page.priority)) for page in pages} == {(None, None, 0.5)}


def test_what_shrank_or_moved_is_found_as_it_is_now(build: Build, write: Write, serve: Serve) -> None:
    site = write(FILES)
    home = serve(site)
    build(site, home, robots_sitemaps=True, groups={"blog": ["/blog/"]}, gzip=True)
    (site / "about.html").unlink()
    plan = build(site, home, robots_sitemaps=True)
    assert sorted(urls(read(home))) == sorted(page.loc for page in plan.pages)
    assert (site / "robots.txt").read_text() == f"Sitemap: {home}sitemap.xml\n"


@pytest.mark.slow
def test_outputs_over_many_shards_are_read_back_whole(build: Build, write: Write, serve: Serve) -> None:
    site = write({})
    for n in range(50_001):
        (site / f"{n}.pdf").write_bytes(b"%PDF")
    home = serve(site)
    plan = build(site, home, robots_sitemaps=True, gzip=True)
    assert sorted(urls(read(home))) == sorted(page.loc for page in plan.pages)
