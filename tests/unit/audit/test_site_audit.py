"""The audit of a folder: which files are pages, which are only there, and which are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import IMAGE, audit_folder, cases, linked, links, page
from unit.sample_sites import site

from waypost.audit.site_audit import PagesRead
from waypost.build.lister import DateSources
from waypost.build.pipeline import list_pages
from waypost.core.errors import SourceError
from waypost.files.folder_source import FolderSource

if TYPE_CHECKING:
    from sites import Write


def nothing(stage: str, done: int, total: int | None) -> None:
    """No progress."""


NOINDEX = '<meta name="robots" content="noindex">'


def test_the_links_of_pages_that_are_not_listed_are_checked_too(write: Write) -> None:
    hidden, canonical = (
        page('<a href="x.html">', head=NOINDEX),
        page('<a href="y.html">', head='<link rel=canonical href="/">'),
    )
    result = audit_folder(write(linked(a=hidden, b=canonical)))
    assert cases(result) == {"broken-link": [("x.html", ("a.html",)), ("y.html", ("b.html",))]}
    assert (result.counts.pages, result.counts.listed) == (3, 1)


def test_files_that_are_left_out_exist(write: Write) -> None:
    files = {"404.html": page("none"), "x/secret.html": page("s"), "robots.txt": "User-agent: *\nDisallow: /x/\n"}
    result = audit_folder(write({**linked(a=links("/404.html", "/x/secret.html", "/b.zip")), **files, "b.zip": b"PK"}))
    assert cases(result) == {}


def test_an_excluded_page_is_not_audited_and_what_is_in_an_excluded_folder_is_not_known(write: Write) -> None:
    files = {**linked(a=links("/old/x.html", "/b.html")), "b.html": links("none.html"), "old/y.html": page("y")}
    result = audit_folder(write(files), exclude=["/old/", "/b.html"])
    assert (cases(result), result.counts.not_checked) == ({}, {"left-out-folder": 1})


def test_a_piece_of_a_page_is_not_audited(write: Write) -> None:
    assert cases(audit_folder(write({**linked(a=page("a")), "part.html": b'<a href="none.html">'}))) == {}


def test_a_redirect_by_a_script_is_a_redirect(write: Write) -> None:
    script = '<!doctype html><title>Moved</title><script>location.href = "b.html"</script>'
    result = audit_folder(write(linked(a=script, b=page("b"))))
    assert cases(result) == {"link-redirect": [("a.html", ("index.html",))]}


def test_names_that_urls_encode_are_found(write: Write) -> None:
    hrefs = ("caf%C3%A9.html", "a%20b%26c%27s%20100%25.html", "+.png")
    names: dict[str, str | bytes] = {"caf\xe9.html": page("1"), "a b&c's 100%.html": page("2"), "+.png": IMAGE}
    assert cases(audit_folder(write({"index.html": links(*hrefs), **names}))) == {}


def test_the_severity_of_a_finding_can_be_set(write: Write) -> None:
    site = write(linked(a=links("none.html")))
    assert [str(each.severity) for each in audit_folder(site, audit_severity={"broken-link": "note"}).findings] == [
        "note"
    ]
    assert audit_folder(site, audit_severity={"broken-link": "off"}).findings == ()


def test_a_folder_without_pages_cannot_be_audited(write: Write) -> None:
    with pytest.raises(SourceError):
        audit_folder(write({"a.txt": "x"}))


def test_a_link_out_of_the_folder_is_not_known(write: Write) -> None:
    site = write(linked(a=links("/up.html", "/gone.html")))
    (site.parent / "up.html").write_text("x")
    (site / "up.html").symlink_to("../up.html")
    (site / "gone.html").symlink_to("nowhere.html")
    result = audit_folder(site)
    assert (cases(result), result.counts.not_checked) == ({}, {"left-out-folder": 2})


def test_an_audit_of_the_pages_that_a_build_read_finds_the_same(write: Write) -> None:
    german = page("de", head='<link rel="alternate" hreflang="en" href="en.html">')
    moved = '<meta http-equiv=refresh content="0;url=en.html">'
    folder = write(linked(de=german, en=page("en"), a=page("x", head=NOINDEX), b=links("none.html"), moved=moved))
    the_site = site(lastmod="content", state="x")
    read, source = PagesRead(), FolderSource(folder)
    listing = list_pages(source, the_site, DateSources("2026-11-23T00:00:00Z"), nothing, frozenset(), read.add)
    result = read.audit(source, the_site, listing, nothing)
    assert result == audit_folder(folder)
    assert cases(result).keys() == {"broken-link", "alternate-unreturned", "link-redirect"}
