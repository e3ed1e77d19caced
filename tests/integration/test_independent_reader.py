"""Another program, ultimate-sitemap-parser, reads back exactly what was listed, over HTTP as a crawler does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import Server, answer, serving
from usp.objects.sitemap import AbstractSitemap, InvalidSitemap
from usp.tree import sitemap_from_str, sitemap_tree_for_homepage

if TYPE_CHECKING:
    from repositories import Repository
    from sites import Build, Write

FILES = {
    "index.html": "<title>Home</title>",
    "about.html": "<title>About</title>",
    "blog/index.html": "<title>Blog</title>",
    'blog/a&b\'s "ü" <日本> 100%.html': "<title>Odd</title>",
    "blog/2+2=4,@;(x)!$*~.html": "<title>Odd</title>",
    "files/guide.pdf": "%PDF",
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with serving({}) as running:
        yield running


def crawled(server: Server, site: Path) -> AbstractSitemap:
    """What a crawler finds in a published folder that starts from robots.txt alone."""
    files = [path for path in site.glob("*.*") if path.is_file()]
    server.answers = {f"/{path.name}": answer(path.read_bytes(), Connection="close") for path in files}
    tree = sitemap_tree_for_homepage(f"{server.url}/", use_known_paths=False)
    assert not [sitemap.url for sitemap in tree.all_sitemaps() if isinstance(sitemap, InvalidSitemap)]
    return tree


def urls(server: Server, site: Path) -> list[str]:
    return sorted(page.url for page in crawled(server, site).all_pages())


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
    build: Build, write: Write, server: Server, settings: dict[str, Any]
) -> None:
    site = write(FILES)
    home = f"{server.url}/"
    plan = build(site, home, robots_sitemaps=True, **settings)
    assert len(plan.pages) == len(FILES)
    assert urls(server, site) == sorted(page.loc for page in plan.pages)


def test_what_is_left_out_is_not_found(build: Build, write: Write, server: Server) -> None:
    site = write({**FILES, "hidden.html": "<meta name=robots content=noindex>", "404.html": "", "x/index.html": ""})
    home = f"{server.url}/"
    write({"robots.txt": "User-agent: *\nDisallow: /x/\n"})
    build(site, home, robots_sitemaps=True)
    found = set(urls(server, site))
    assert len(found) == len(FILES)
    assert not {f"{home}hidden.html", f"{home}404.html", f"{home}x/"} & found


def test_a_crawler_reads_the_dates_that_were_meant(build: Build, repository: Repository, server: Server) -> None:
    repository.commit({"index.html": "<title>Home</title>"}, when=1_700_000_000)
    repository.commit({"about.html": "<title>About</title>"}, when=1_700_000_100)
    home = f"{server.url}/"
    build(repository.folder, home, lastmod="git", robots_sitemaps=True)
    found = {page.url: page.last_modified for page in crawled(server, repository.folder).all_pages()}
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


def test_what_shrank_or_moved_is_found_as_it_is_now(build: Build, write: Write, server: Server) -> None:
    site = write(FILES)
    home = f"{server.url}/"
    build(site, home, robots_sitemaps=True, groups={"blog": ["/blog/"]}, gzip=True)
    (site / "about.html").unlink()
    plan = build(site, home, robots_sitemaps=True)
    assert urls(server, site) == sorted(page.loc for page in plan.pages)
    assert (site / "robots.txt").read_text() == f"Sitemap: {home}sitemap.xml\n"


@pytest.mark.slow
def test_outputs_over_many_shards_are_read_back_whole(build: Build, write: Write, server: Server) -> None:
    site = write({})
    for n in range(50_001):
        (site / f"{n}.pdf").write_bytes(b"%PDF")
    home = f"{server.url}/"
    plan = build(site, home, robots_sitemaps=True, gzip=True)
    assert urls(server, site) == sorted(page.loc for page in plan.pages)
