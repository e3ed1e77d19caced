"""The pages that people see, in Debian's Chromium: the report, the sitemaps for people, the XML with its stylesheet."""

from __future__ import annotations

import functools
import http.server
import re
import threading
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
import report_sites
from browsers import LOOKS, Look, Sight, seen
from builds import page
from msgspec.structs import replace
from sites import Build
from unit.report.plans import overview

from waypost.core.finding_types import Severity
from waypost.core.model import Page, Plan, SiteWarning
from waypost.report import AffectedPage, Overview, ReportProblem, overview_of_plan, render_report
from waypost.settings.schema import Site
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Locator
    from sites import MakeSite, Write

NOW = "2026-11-21T12:00:00Z"
CUT = """() => [...document.querySelectorAll("main *")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && !each.closest(".cell, thead") && box.right > document.documentElement.clientWidth + 1;
}).map((each) => each.outerHTML.slice(0, 99))"""
"""The elements that are not visible as a whole on a narrow screen."""
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


def _overview(plan: Plan, site: Site, warned: list[SiteWarning]) -> Overview:
    return overview_of_plan(replace(plan, warnings=warned), site, NOW)


def _report(folder: Path, shown: Overview) -> Path:
    path = folder / "report.html"
    path.write_bytes(render_report(shown, Renderer()))
    return path


def _check(sight: Sight, url: str) -> None:
    sight.page.goto(url)
    assert sight.violations() == []
    assert sight.overflow() == 0
    assert sight.errors == []
    assert [request for request in sight.requests if not request.startswith("http://127.0.0.1")] == []


def _follow(sight: Sight, link: Locator) -> None:
    """Click a link, and wait until its page is there: a click alone may return while the old page is shown."""
    address = link.evaluate("each => each.href")
    link.click()
    sight.page.wait_for_url(address)


def test_the_report_is_right_at_every_size_and_in_both_colour_schemes(sight: Sight, written: Path) -> None:
    _check(sight, written.as_uri())
    headings = sight.page.locator("h2").all_inner_texts()
    assert headings[0] == "3 things to fix"
    assert "Sections" in headings
    background = sight.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red = int(re.findall(r"\d+", background)[0])
    assert (red > 200) == (sight.page.evaluate("matchMedia('(prefers-color-scheme: light)').matches"))


@pytest.mark.parametrize("make", [report_sites.healthy, report_sites.with_problems])
def test_a_report_with_everything_open_is_right_at_every_size(
    sight: Sight, tmp_path: Path, make: Callable[[], Overview]
) -> None:
    sight.page.goto(_report(tmp_path, make()).as_uri())
    sight.page.evaluate("document.querySelectorAll('details').forEach((each, n) => { each.open = n < 3; })")
    assert sight.violations() == []
    assert sight.overflow() == 0
    assert sight.errors == []
    assert sight.page.evaluate(CUT) == []


def test_what_is_left_out_is_searched_and_filtered(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    rows, found = desk.page.locator("#rows tr"), desk.page.locator("#found")
    assert desk.page.locator("#reason").input_value() == "-"
    desk.page.get_by_label("Part of a path, or of").fill("PRIVATE")
    found.get_by_text("1 file", exact=True).wait_for()
    assert rows.all_inner_texts() == ["blog/private.html\tnoindex\tnoindex"]
    desk.page.get_by_label("Part of a path, or of").fill("")
    desk.page.get_by_label("Show", exact=True).select_option("canonical")
    assert rows.all_inner_texts() == ["docs/copy.html\tcanonical\thttps://example.org/docs/a/b/c.html"]
    desk.page.get_by_label("Show", exact=True).select_option("")
    listed = desk.page.locator("#rows tr", has_text="blog/one.html").locator("td, th")
    assert listed.all_text_contents() == ["blog/one.html", "listed", ""]
    assert (
        desk.page.get_by_role("link", name="blog/one.html").get_attribute("href") == "https://example.org/blog/one.html"
    )
    assert desk.errors == []


def test_a_reason_leads_to_the_files_that_it_is_about(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    desk.page.get_by_role("button", name="noindex").click()
    assert desk.page.locator("#rows tr").all_inner_texts() == ["blog/private.html\tnoindex\tnoindex"]


def test_the_table_of_sections_leads_into_folders_and_to_their_pages(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    desk.page.locator("#folder-rows button", has_text="docs/").focus()
    desk.page.keyboard.press("Enter")
    trail = desk.page.locator("#trail button")
    assert trail.all_inner_texts() == ["All sections", "docs/", "Show these 2 pages"]
    assert desk.page.evaluate("document.activeElement.textContent") == "docs/"
    desk.page.locator("#folder-rows button", has_text="a/").click()
    desk.page.locator("#folder-rows button", has_text="b/").click()
    assert desk.page.locator("#rows tr").all_inner_texts() == ["docs/a/b/c.html\tlisted\t"]
    assert desk.page.evaluate("document.activeElement.id") == "query"
    trail.get_by_text("All sections").click()
    desk.page.locator("#folder-rows button", has_text="pages here").click()
    assert desk.page.locator("#only").inner_text().startswith("Only pages in / (pages here)")
    assert desk.errors == []


def test_what_several_pages_have_in_common_is_one_row_that_opens(desk: Sight, tmp_path: Path) -> None:
    links = [AffectedPage(f"page-{n:03}.html", "https://example.org/gone.html") for n in range(120)]
    links += [
        AffectedPage("a.html", "https://example.org/other.html"),
        AffectedPage("page-001.html", "https://b.example/"),
    ]
    problem = ReportProblem("broken-link", Severity.ERROR, "Links to nothing", "Correct them.", tuple(links))
    desk.page.goto(_report(tmp_path, report_sites.one_problem(problem)).as_uri())
    box = desk.page.locator(".problem").first
    assert "3 cases on 121 pages" in box.locator("summary").first.inner_text()
    box.locator("summary").first.click()
    rows = box.locator(".body > .pages > li")
    assert rows.count() == 3
    assert rows.first.locator("summary .path").inner_text() == "https://example.org/gone.html"
    assert rows.first.locator("summary .detail").inner_text() == "on 120 pages"
    rows.first.locator("summary").click()
    rows.first.locator("li").nth(49).wait_for()
    rows.first.get_by_role("button", name="Show more of the 120").click()
    assert rows.first.locator("li").count() == 100
    assert desk.errors == []


def test_a_problem_shows_all_its_pages_some_at_a_time_and_all_are_searched(desk: Sight, tmp_path: Path) -> None:
    desk.page.goto(_report(tmp_path, report_sites.large(5_000)).as_uri())
    problem = desk.page.locator(".problem").first
    assert problem.locator("li").count() == 5
    problem.locator("summary").click()
    problem.locator("li").nth(49).wait_for()
    assert problem.locator("li").count() == 50
    problem.get_by_role("button", name="Show more of the 5,000").click()
    assert problem.locator("li").count() == 100
    desk.page.get_by_label("Search all of these").fill("object-04998")
    desk.page.get_by_text("2 things of 2").wait_for()
    assert problem.locator("li").count() == 1
    link = problem.get_by_role("link").get_attribute("href")
    assert link is not None
    assert link.endswith("/object-04998.html")
    desk.page.get_by_label("Search all of these").fill("object-04999")
    desk.page.get_by_text("1 thing of 2").wait_for()
    assert desk.errors == []


def test_a_share_of_languages_leads_to_the_pages_without_a_counterpart(desk: Sight, tmp_path: Path) -> None:
    desk.page.goto(_report(tmp_path, report_sites.healthy()).as_uri())
    cell = desk.page.locator("[data-language=en][data-without=fr]")
    count = int(re.findall(r"(\d+) page", cell.get_attribute("aria-label") or "")[0])
    cell.click()
    assert desk.page.locator("#rows tr").count() == count
    desk.page.get_by_role("button", name="Show all again").click()
    assert desk.page.locator("#only").is_hidden()


def test_the_keyboard_reaches_everything_in_order(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    reached = []
    for _ in range(90):
        desk.page.keyboard.press("Tab")
        reached.append(desk.page.evaluate("(document.activeElement.id || document.activeElement.className)"))
    assert reached.index("link") < reached.index("query") < reached.index("reason")


def test_what_a_site_names_its_files_never_runs(desk: Sight, written: Path) -> None:
    desk.page.goto(written.as_uri())
    desk.page.get_by_label("Show", exact=True).select_option("*")
    assert 'docs/<img src=x onerror="alert(1)">.html' in desk.page.locator("#rows").inner_text()
    assert desk.page.locator("img").count() == 0
    assert desk.errors == []


def test_a_hostile_name_of_a_folder_is_a_name_in_the_table_in_the_trail_and_in_problems(
    desk: Sight, tmp_path: Path
) -> None:
    name = "<img src=x onerror=alert(1)>"
    loc = f"https://example.org/{quote(name)}/a/b.html"
    problem = ReportProblem("x", Severity.ERROR, name, name, (AffectedPage("javascript:alert(1)", name),), name)
    shown = overview([Page("k", loc, lastmod="2026-01-01")], problems=[problem])
    desk.page.goto(_report(tmp_path, shown).as_uri())
    desk.page.locator("#folder-rows button").first.click()
    assert name in desk.page.locator("#trail").inner_text()
    desk.page.locator(".problem summary").first.click()
    desk.page.locator(".problem .detail").first.wait_for()
    assert name in desk.page.locator(".problem .detail").first.inner_text()
    assert desk.page.locator("img, a[href^=javascript]").count() == 0
    assert desk.errors == []


def test_a_report_on_fifty_thousand_pages_shows_a_few_hundred_rows_at_a_time(desk: Sight, tmp_path: Path) -> None:
    desk.page.goto(_report(tmp_path, report_sites.large()).as_uri())
    desk.page.get_by_text("10,000 files, the first 200 shown").wait_for()
    desk.page.locator("#more").click()
    assert desk.page.locator("#rows tr").count() == 400
    desk.page.get_by_label("Show", exact=True).select_option("*")
    desk.page.get_by_label("Part of a path, or of").fill("journal/ 499")
    desk.page.locator("#found").get_by_text(re.compile(r"^\d+ files$")).wait_for()
    found = [row.split("\t")[0] for row in desk.page.locator("#rows tr").all_inner_texts()]
    assert found
    assert all("journal/" in key and "499" in key for key in found)
    assert desk.errors == []


def test_an_empty_report_is_a_report(desk: Sight, tmp_path: Path) -> None:
    _check(desk, _report(tmp_path, overview()).as_uri())


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
    _follow(desk, desk.page.get_by_role("link", name="blog"))
    links = desk.page.get_by_role("link").all()
    assert [(link.inner_text(), link.get_attribute("href")) for link in links] == [
        ("All pages", "sitemap.html"),
        ("One", "https://example.org/blog/one.html"),
        ("Two & <three>", "https://example.org/blog/two.html"),
    ]


def test_a_long_list_for_people_is_searched_in_all_its_files(
    sight: Sight, write: Write, serve: Callable[[Path], str]
) -> None:
    source = write({f"part-{n % 4}/p{n}.html": page(f"Thing {n} | Acme") for n in range(700)})
    Build()(source, formats=["xml", "html"])
    _check(sight, f"{serve(source)}/sitemap.html")
    assert sight.page.locator("#lists li").count() > 3
    sight.page.get_by_label("Search all pages").fill("thing 69")
    sight.page.locator("#found").get_by_text("17 pages").wait_for()
    names = sight.page.locator("#results a").all_inner_texts()
    assert sorted(names) == sorted(f"Thing {n}" for n in range(700) if "69" in str(n))
    sight.page.get_by_label("Search all pages").fill("")
    _follow(sight, sight.page.locator("#lists a").first)
    assert sight.page.locator("h1").inner_text().startswith("Pages of example.org: Part ")
    assert sight.violations() == []
    assert sight.overflow() == 0
    sight.page.get_by_label("Search this list").fill("zzz")
    sight.page.get_by_text("0 pages").wait_for()
    assert sight.page.locator("section:visible").count() == 0
    assert sight.errors == []
