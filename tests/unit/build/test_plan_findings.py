"""What the validator finds in sitemaps that are in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builds import BASE, T, page
from sites import Build
from unit.sample_sites import pages, site

from waypost.core import reasons
from waypost.core.model import Skipped
from waypost.report.report_problems import plan_findings, sitemap_findings

if TYPE_CHECKING:
    from sites import MakeSite, Write


def urlset(*locs: str) -> bytes:
    urls = "".join(f"<url><loc>{BASE}{loc}</loc></url>" for loc in locs)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


def test_nothing_is_found_in_what_waypost_renders(write: Write, make_site: MakeSite) -> None:
    source = write({f"{folder}/{n}.html": page(f"{folder} {n}") for folder in "ab" for n in range(9)})
    settings: dict[str, Any] = {"groups": {"a": ["/a/"]}}
    plan = Build().plan(source, **settings)
    assert {document.kind for document in plan.documents} == {"sitemap", "index"}
    assert plan_findings(plan, make_site(**settings), T) == []


def test_sitemaps_are_compared_with_the_site() -> None:
    skipped = [Skipped("private.html", reasons.NOINDEX, "noindex")]
    body = urlset("a.html", "private.html", "gone.html")
    found = sitemap_findings({"sitemap.xml": body}, pages(["a.html", "new.html"]), skipped, site(), T)
    assert {(each.code, each.loc.removeprefix(BASE), each.file) for each in found} == {
        ("listed-noindex", "private.html", "sitemap.xml"),
        ("listed-missing", "gone.html", "sitemap.xml"),
        ("unlisted", "new.html", ""),
    }


def test_all_of_many_findings_are_kept() -> None:
    body = urlset(*(f"{n}.html" for n in range(500)))
    assert len(sitemap_findings({"sitemap.xml": body}, pages(["0.html"]), [], site(), T)) == 499


def test_pages_are_not_called_unlisted_if_a_sitemap_could_not_be_read() -> None:
    found = sitemap_findings({"sitemap.xml": urlset("a.html")[:-9]}, pages(["a.html", "b.html"]), [], site(), T)
    assert "unlisted" not in {each.code for each in found}
    assert found


def test_sitemaps_that_robots_txt_names_may_lie_in_a_folder_of_their_own() -> None:
    bodies = {"en/sitemap.xml": urlset("a.html")}
    robots_txt = f"Sitemap: {BASE}en/sitemap.xml".encode()
    assert [each.code for each in sitemap_findings(bodies, pages(["a.html"]), [], site(), T)] == ["loc-above"]
    assert sitemap_findings(bodies, pages(["a.html"]), [], site(), T, robots_txt) == []


def test_a_page_that_is_listed_in_another_spelling_is_not_called_unlisted() -> None:
    found = sitemap_findings({"sitemap.xml": urlset("\u540d.html")}, pages(["\u540d.html"]), [], site(), T)
    assert [each.code for each in found] == ["loc-not-ascii"]
