"""Gives the sitemaps of any tool the dates of the site's pages."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from servers import answer, serving
from unit.cli.invoke import BASE, index, urlset
from unit.sample_sites import site

from waypost.build.sitemap_dates import DateAnswer, DateChange, DatedFile, Redated, base_url_of, change_lines, redate
from waypost.core.dates import unix_time
from waypost.core.errors import ConfigurationError, RemovalError, RenderError, SourceError
from waypost.core.model import Page
from waypost.core.private_hosts import EVERY_HOST
from waypost.dates.honest_dates import Why

NOW = int(unix_time("2026-03-01T12:00:00Z"))
DATE = "2026-02-03T04:05:06Z"
PAGES = {
    "a.html": Page("a.html", f"{BASE}a", lastmod=DATE),
    "b/index.html": Page("b/index.html", f"{BASE}b/", lastmod="2026-01-01"),
}


def test_pages_are_found_by_any_form_of_their_url() -> None:
    body = urlset("a.html", "b", "c").encode()
    found = redate({"sitemap.xml": body}, PAGES, site(), NOW)
    assert (found.answer.url_count, found.answer.found_count, found.answer.wrong_count) == (3, 2, 0)
    assert [(each.loc, each.after) for each in found.answer.changes] == [
        (f"{BASE}a.html", DATE),
        (f"{BASE}b", "2026-01-01"),
    ]
    assert redate(found.bodies, PAGES, site(), NOW).answer.changed_files == []


def test_a_child_of_an_index_has_the_date_of_its_newest_page_if_all_are_known() -> None:
    files = {
        "index.xml": index(f"{BASE}one.xml", f"{BASE}two.xml", f"{BASE}three.xml").encode(),
        "one.xml": urlset("a", "b/").encode(),
        "two.xml": urlset("a", "c", lastmod=DATE).encode(),
    }
    found = redate(files, PAGES, site(), NOW)
    assert f"<loc>{BASE}one.xml</loc><lastmod>{DATE}</lastmod>" in found.bodies["index.xml"].decode()
    assert found.bodies["index.xml"].count(b"<lastmod>") == 1
    assert DateChange("index.xml", f"{BASE}one.xml", "", DATE, Why.CHANGED_THEN) in found.answer.changes


def test_too_many_dates_that_would_go_stop_the_run() -> None:
    body = urlset(*(f"x{n}" for n in range(30)), lastmod="2031-01-01").encode()
    with pytest.raises(RemovalError, match="30 of 30 dates would go"):
        redate({"a.xml": body}, PAGES, site(), NOW)
    assert b"lastmod" not in redate({"a.xml": body}, PAGES, site(max_removed=100), NOW).bodies["a.xml"]


def sitemap_of_size(size: int) -> bytes:
    """A sitemap of so many bytes, with one page whose date is missing."""
    body = urlset("a").encode()
    return body.replace(b"</urlset>", b" " * (size - len(body)) + b"</urlset>")


def test_a_file_that_would_become_too_large_is_not_written() -> None:
    with pytest.raises(RenderError, match=r"a\.xml would have 52,428,8"):
        redate({"a.xml": sitemap_of_size(52_428_800)}, PAGES, site(), NOW)


def test_a_file_of_another_tool_has_the_limits_of_today() -> None:
    body = sitemap_of_size(10_485_760)
    (changed,) = redate({"a.xml": body}, PAGES, site(limits="strict"), NOW).bodies.values()
    assert len(body) == 10_485_760 < len(changed)


@pytest.mark.parametrize(
    ("files", "base_url"),
    [
        ({"index.html", "a/index.html", "b.html"}, "https://example.org/docs/"),
        ({"docs/index.html", "docs/a/index.html"}, "https://example.org/"),
        ({"docs/index.html", "a/index.html", "b.html"}, "https://example.org/docs/"),
        ({"other.html"}, None),
    ],
)
def test_the_base_url_is_the_one_below_which_most_urls_are_files(files: set[str], base_url: str | None) -> None:
    odd = "".join(f"<url><loc>{loc}</loc></url>" for loc in ("https://example.org", "x://", "/docs/", "https://[x/"))
    body = urlset("docs/", "docs/a/", "docs/b").replace("</urlset>", f"{odd}</urlset>").encode()
    assert base_url_of({"a.xml": body}, files.__contains__) == base_url


def test_a_folder_without_any_page_of_the_sitemap_is_warned_of() -> None:
    assert redate({"a.xml": urlset("a").encode()}, PAGES, site(), NOW).answer.warning == ""
    assert "none of the URLs is a page" in redate({"a.xml": urlset("x").encode()}, PAGES, site(), NOW).answer.warning


def test_a_child_is_the_file_beside_its_index_and_no_other() -> None:
    locs = [f"{BASE}{path}" for path in ("en/sitemap.xml", "fr/sitemap.xml", "x/y/gone.xml")]
    files = {
        "site/sitemap.xml": index(*locs).encode(),
        "site/en/sitemap.xml": urlset("a").encode(),
        "other/fr/sitemap.xml": urlset("a").encode(),
    }
    found = redate(files, PAGES, site(), NOW)
    assert found.bodies["site/sitemap.xml"].count(b"<lastmod>") == 1
    assert "2 sitemaps of an index could not be read" in found.answer.warning


def test_a_text_sitemap_of_an_index_stays_as_it_is() -> None:
    files = {
        "sitemap.xml": index(f"{BASE}a.xml", f"{BASE}b.txt").encode(),
        "a.xml": urlset("a").encode(),
        "b.txt": b"x",
    }
    found = redate(files, PAGES, site(), NOW)
    assert sorted(found.answer.changed_files) == ["a.xml", "sitemap.xml"]
    assert "b.txt" not in found.bodies


def test_an_entry_without_a_url_is_not_the_home_page() -> None:
    pages = {"index.html": Page("index.html", BASE, lastmod=DATE)}
    body = urlset().replace("></urlset>", "><url><loc></loc></url></urlset>").encode()
    assert redate({"a.xml": body}, pages, site(), NOW).answer.found_count == 0


BUILT = "2026-02-20T10:00:00Z"


def test_the_time_of_a_build_goes_from_pages_and_from_an_index() -> None:
    stamped = index(f"{BASE}a.xml", f"{BASE}b.xml").replace("</loc>", "</loc><lastmod>2026-02-20T10:00:09Z</lastmod>")
    files = {
        "index.xml": stamped.encode(),
        "a.xml": urlset("a", "b/", lastmod=BUILT).encode(),
        "b.xml": urlset("a", "x", lastmod=BUILT).encode(),
    }
    found = redate(files, PAGES, site(), NOW)
    after = {(each.file, each.loc.removeprefix(BASE)): each.after for each in found.answer.changes}
    assert (after["b.xml", "x"], after["index.xml", "b.xml"], after["index.xml", "a.xml"]) == ("", "", DATE)
    assert "6 wrong dates (2 of these are a time that nearly all URLs have), 0 missing" in found.answer.summary
    again = redate(found.bodies, PAGES, site(), NOW).answer
    assert (again.changes, again.wrong_count) == ([], 0)


def test_an_index_of_which_only_the_dates_are_those_of_a_build_loses_them() -> None:
    stamped = index(*(f"{BASE}{name}.xml" for name in "abc")).replace("</loc>", f"</loc><lastmod>{BUILT}</lastmod>")
    lists = {"a.xml": urlset("a"), "b.xml": urlset("b/"), "c.xml": urlset("x")}
    files = {"index.xml": stamped.encode(), **{name: body.encode() for name, body in lists.items()}}
    found = redate(files, PAGES, site(), NOW)
    dates = [each.after for each in found.answer.changes if each.file == "index.xml"]
    assert dates == [DATE, "2026-01-01", ""]


def test_the_time_of_a_build_goes_however_many_dates_that_are() -> None:
    body = urlset("a", "b/", *(f"x{n}" for n in range(30)), lastmod=BUILT).encode()
    assert redate({"a.xml": body}, PAGES, site(), NOW).bodies["a.xml"].count(b"lastmod") == 4


def test_a_compressed_twin_changes_with_its_file_and_counts_once() -> None:
    body = urlset("a", lastmod=BUILT).encode()
    found = redate({"a.xml": body, "a.xml.gz": body}, PAGES, site(), NOW)
    assert (found.answer.url_count, found.answer.wrong_count) == (1, 1)
    assert found.answer.changed_files == ["a.xml", "a.xml.gz"]
    assert found.bodies["a.xml.gz"] == found.bodies["a.xml"] == urlset("a", lastmod=DATE).encode()


def test_an_index_may_list_the_compressed_one_of_two_twins() -> None:
    body = urlset("a").encode()
    files = {"index.xml": index(f"{BASE}a.xml.gz").encode(), "a.xml.gz": body, "a.xml": body}
    assert f"<lastmod>{DATE}</lastmod>" in redate(files, PAGES, site(), NOW).bodies["index.xml"].decode()


@pytest.mark.parametrize("named", ["a.xml", "a.xml.gz"])
def test_a_file_that_lists_the_same_urls_compressed_is_a_twin(tmp_path: Path, named: str) -> None:
    plain, compressed = tmp_path / "a.xml", tmp_path / "a.xml.gz"
    plain.write_text(urlset("a"))
    compressed.write_bytes(gzip.compress(urlset("a", lastmod=BUILT).encode()))
    assert set(DatedFile(str(tmp_path / named), EVERY_HOST, has_twins=True).bodies) == {str(plain), str(compressed)}
    assert set(DatedFile(str(tmp_path / named), EVERY_HOST).bodies) == {str(tmp_path / named)}


@pytest.mark.parametrize("other", [urlset("a", "b").encode(), b"\x1f\x8b", b""])
def test_another_file_with_such_a_name_is_no_twin(tmp_path: Path, other: bytes) -> None:
    (tmp_path / "a.xml").write_text(urlset("a"))
    (tmp_path / "a.xml.gz").write_bytes(gzip.compress(other) if other else other)
    found = DatedFile(str(tmp_path / "a.xml"), EVERY_HOST, has_twins=True)
    assert list(found.bodies) == [str(tmp_path / "a.xml")]


def redated(path: str, body: bytes) -> Redated:
    return Redated(DateAnswer([path], 1, 1, 1, 1, 0, ()), {path: body})


def test_a_file_is_read_with_what_it_lists_and_only_what_changed_is_written(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(index(f"{BASE}a.xml"))
    (tmp_path / "a.xml").write_text(urlset("a"))
    found = DatedFile(str(tmp_path / "sitemap.xml"), EVERY_HOST)
    assert list(found.bodies) == [str(tmp_path / "sitemap.xml"), str(tmp_path / "a.xml")]
    assert found.site == str(tmp_path)
    found.write(redated(str(tmp_path / "a.xml"), b"new"))
    assert (tmp_path / "a.xml").read_bytes() == b"new"
    assert (tmp_path / "sitemap.xml").read_text() == index(f"{BASE}a.xml")


def test_a_name_alone_is_a_file_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xml").write_text(urlset("a"))
    monkeypatch.chdir(tmp_path)
    found = DatedFile("a.xml", EVERY_HOST)
    assert (list(found.bodies), found.site) == (["a.xml"], ".")


def test_a_url_is_read_and_has_no_place_to_be_written() -> None:
    with serving({"/a.xml": answer(urlset("a").encode())}) as server:
        found = DatedFile(f"{server.url}/a.xml", EVERY_HOST)
    assert list(found.bodies.values()) == [urlset("a").encode()]
    with pytest.raises(ConfigurationError, match="cannot be written"):
        found.write(redated("a.xml", b""))


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(urlset("a").encode()))))
    assert list(DatedFile("-", EVERY_HOST).bodies.values()) == [urlset("a").encode()]


def test_nothing_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.xml does not exist"):
        DatedFile(str(tmp_path / "none.xml"), EVERY_HOST)


def test_the_first_changes_are_said_and_how_many_more_there_are() -> None:
    changes = [DateChange("a.xml", f"{BASE}{n}", "2026-02-01", "", Why.FUTURE) for n in range(3)]
    found: Any = SimpleNamespace(changes=changes)
    assert list(change_lines(found, 2, "; all")) == [
        f"{BASE}0: 2026-02-01 -> no date (it is in the future)",
        f"{BASE}1: 2026-02-01 -> no date (it is in the future)",
        "… and 1 more; all",
    ]
