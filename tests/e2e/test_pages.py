"""The pages that people see, in Debian's Chromium: the report, the sitemaps for people, the XML with its stylesheet."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from typing import TYPE_CHECKING

import pytest
from browsers import LOOKS, Look, Sight, seen
from builds import page
from msgspec.structs import replace
from sites import Build

from waypost.config.schema import Site
from waypost.core import reasons
from waypost.core.model import Page, Plan, SiteWarning, Skipped
from waypost.report import html, overview
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser
    from sites import MakeSite, Write

pytestmark = pytest.mark.xdist_group("browser")
NOW = "2026-11-21T12:00:00Z"
DESKTOP = Look(1440, 900, "light")
SITE = {
    "index.html": page("Home", '<link rel="alternate" hreflang="de" href="/de/">'),
    "de/index.html": page("Start"),
    "blog/one.html": page("One", body='<img src="/one.png">'),
    "blog/two.html": page("Two & <three>"),
    "blog/private.html": page("Private", '<meta name="robots" content="noindex">'),
    "docs/a/b/c.html": page("C"),
    'docs/<img src=x onerror="alert(1)">.html': page("Odd"),
    "docs/copy.html": page("Copy", '<link rel="canonical" href="/docs/a/b/c.html">'),
    "style.css": "",
}


@pytest.fixture(params=LOOKS, ids=str)
def sight(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Sight]:
    """A page at every size, in light and in dark."""
    with seen(chromium, request.param) as opened:
        yield opened


@pytest.fixture
def desk(chromium: Browser) -> Iterator[Sight]:
    with seen(chromium, DESKTOP) as opened:
        yield opened


@pytest.fixture
def written(write: Write, make_site: MakeSite, tmp_path: Path) -> Path:
    """The report on a small site that has something of everything."""
    build, source = Build(), write(SITE)
    build(source, groups={"blog": ["/blog/"]})
    (source / "blog/new.html").write_text(page("New"))
    plan = build.plan(source, groups={"blog": ["/blog/"]}, alternates=True)
    warned = [*plan.warnings, SiteWarning("foreign-canonical", "set `base_url` right", 1, ())]
    return _report(tmp_path, _overview(plan, make_site(groups={"blog": ["/blog/"]}), warned))


def _overview(plan: Plan, site: Site, warned: list[SiteWarning]) -> overview.Overview:
    return overview.overview_of_plan(replace(plan, warnings=warned), site, NOW)


def _report(folder: Path, shown: overview.Overview) -> Path:
    path = folder / "report.html"
    path.write_bytes(html.render_report(shown, Renderer()))
    return path


def _check(sight: Sight, url: str) -> None:
    sight.page.goto(url)
    assert sight.violations() == []
    assert sight.overflow() == 0
    assert sight.errors == []
    assert [request for request in sight.requests if not request.startswith("http://127.0.0.1")] == []


def test_the_report_is_right_at_every_size_and_in_both_colour_schemes(sight: Sight, written: Path) -> None:
    _check(sight, written.as_uri())
    headings = sight.page.locator("h2").all_inner_texts()
    assert headings[0] == "Warnings"
    assert "Pages by section" in headings
    background = sight.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red = int(re.findall(r"\d+", background)[0])
    assert (red > 200) == (sight.page.evaluate("matchMedia('(prefers-color-scheme: light)').matches"))


def test_what_is_left_out_is_searched_and_filtered(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    rows, found = desk.page.locator("#rows tr"), desk.page.locator("#found")
    assert desk.page.locator("#reason").input_value() == "-"
    desk.page.get_by_label("Part of a path").fill("PRIVATE")
    found.get_by_text("1 file", exact=True).wait_for()
    assert rows.all_inner_texts() == ["blog/private.html\tnoindex\tnoindex"]
    desk.page.get_by_label("Part of a path").fill("")
    desk.page.get_by_label("Show", exact=True).select_option("canonical")
    assert rows.all_inner_texts() == ["docs/copy.html\tcanonical\thttps://example.org/docs/a/b/c.html"]
    desk.page.get_by_label("Show", exact=True).select_option("")
    assert "blog/one.html\tlisted\t" in rows.all_inner_texts()
    assert desk.errors == []


def test_a_key_of_the_map_shows_its_section(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    desk.page.locator("svg.wide a", has_text="/blog/").focus()
    desk.page.keyboard.press("Enter")
    assert desk.page.locator("#query").input_value() == "blog/"
    assert all(row.startswith("blog/") for row in desk.page.locator("#rows tr").all_inner_texts())
    assert desk.page.evaluate("document.activeElement.id") == "query"


def test_the_keyboard_reaches_everything_in_order(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    reached = []
    for _ in range(60):
        desk.page.keyboard.press("Tab")
        reached.append(desk.page.evaluate("(document.activeElement.id || document.activeElement.tagName)"))
    assert {"a", "SUMMARY", "query", "reason"} <= set(reached)
    assert reached.index("a") < reached.index("query") < reached.index("reason")


def test_what_a_site_names_its_files_never_runs(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    desk.page.get_by_label("Show", exact=True).select_option("*")
    assert 'docs/<img src=x onerror="alert(1)">.html' in desk.page.locator("#rows").inner_text()
    assert desk.page.locator("#rows img").count() == 0
    assert desk.errors == []


def test_a_report_on_fifty_thousand_pages_shows_a_few_hundred_rows_at_a_time(
    desk: Sight, make_site: MakeSite, tmp_path: Path
) -> None:
    site: Site = make_site()
    keys = [f"s{n % 40}/p{n}.html" for n in range(50_000)]
    pages = [Page(key, site.base_url + key, "", "2026-01-01") for key in keys]
    skipped = [Skipped(f"old/p{n}.html", reasons.NOINDEX, "none") for n in range(20_000)]
    rows = [
        *(overview.ReportRow(s.key, str(s.reason), s.detail) for s in skipped),
        *(overview.ReportRow(p.key) for p in pages),
    ]
    listed = [(each.loc, each.lastmod) for each in pages]
    shown = overview.make_overview(site, NOW, listed, rows, [], {"noindex": len(skipped)})
    desk.page.goto(_report(tmp_path, shown).as_uri())
    desk.page.get_by_text("20,000 files, the first 200 shown").wait_for()
    desk.page.get_by_role("button", name="Show more").click()
    assert desk.page.locator("#rows tr").count() == 400
    desk.page.get_by_label("Show", exact=True).select_option("*")
    desk.page.get_by_label("Part of a path").fill("s7/ 49")
    desk.page.get_by_text(re.compile(r"^\d+ files$")).wait_for()
    found = [row.split("\t")[0] for row in desk.page.locator("#rows tr").all_inner_texts()]
    assert found == [key for key in keys if "s7/" in key and "49" in key]
    assert desk.errors == []


def test_an_empty_report_is_a_report(desk: Sight, make_site: MakeSite, tmp_path: Path) -> None:
    _check(desk, _report(tmp_path, overview.make_overview(make_site(), NOW, [], [], [], {})).as_uri())


@pytest.fixture
def serve() -> Iterator[Callable[[Path], str]]:
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        handler = functools.partial(_Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/favicon.ico":  # which a browser asks for by itself
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """The test run's output is for the tests."""


@pytest.mark.parametrize(("name", "title"), [("sitemap.xml", "Sitemap index"), ("sitemap-blog.xml", "Sitemap")])
def test_the_xml_is_shown_as_a_table_by_its_stylesheet(
    sight: Sight, write: Write, serve: Callable[[Path], str], name: str, title: str
) -> None:
    source = write(SITE)
    Build()(source, stylesheet=True, images=True, alternates=True, groups={"blog": ["/blog/"]})
    sight.page.goto(f"{serve(source)}/{name}")
    assert sight.page.evaluate("getComputedStyle(document.documentElement, '::before').content") == f'"{title}"'
    row = "document.documentElement.firstElementChild"
    assert sight.page.evaluate(f"getComputedStyle({row}).display") == "flex"
    assert sight.page.evaluate(f"{row}.getBoundingClientRect().height") > 20
    assert sight.overflow() == 0
    assert sight.errors == []


@pytest.mark.parametrize("name", ["sitemap.html", "sitemap-blog.html"])
def test_the_pages_for_people_are_right_at_every_size(
    sight: Sight, write: Write, serve: Callable[[Path], str], name: str
) -> None:
    source = write(SITE)
    Build()(source, formats=["xml", "html"], groups={"blog": ["/blog/"]})
    _check(sight, f"{serve(source)}/{name}")


def test_the_pages_for_people_lead_to_the_site_s_pages(desk: Sight, write: Write, serve: Callable[[Path], str]) -> None:
    source = write(SITE)
    Build()(source, formats=["xml", "html"], groups={"blog": ["/blog/"]})
    desk.page.goto(f"{serve(source)}/sitemap.html")
    desk.page.get_by_role("link", name="blog").click()
    links = desk.page.get_by_role("link").all()
    assert [(link.inner_text(), link.get_attribute("href")) for link in links] == [
        ("All pages", "sitemap.html"),
        ("One", "https://example.org/blog/one.html"),
        ("Two & <three>", "https://example.org/blog/two.html"),
    ]
