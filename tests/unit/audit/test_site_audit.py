"""The audit of a folder: which files are pages, which are only there, and which are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import IMAGE, audit_folder, cases, linked, links, page
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.sample_sites import site

from waypost.audit import AuditResult, UncheckedLink
from waypost.audit.pages import AuditedPage
from waypost.audit.site_audit import PagesRead, audit_graph
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph
from waypost.build.lister import DateSources, Lister
from waypost.core.errors import SourceError
from waypost.files.folder_source import FolderSource
from waypost.pages.html_head import HtmlHead

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
    assert cases(result) == {"broken-link": [("gone.html", ("a.html",))]}  # no server answers at a link to nothing
    assert result.counts.not_checked == {"left-out-folder": 1}
    assert result.unchecked == [UncheckedLink("https://example.org/up.html", "left-out-folder", ("a.html",))]


def test_an_audit_of_the_pages_that_a_build_read_finds_the_same(write: Write) -> None:
    german = page("de", head='<link rel="alternate" hreflang="en" href="en.html">')
    moved = '<meta http-equiv=refresh content="0;url=en.html">'
    folder = write(linked(de=german, en=page("en"), a=page("x", head=NOINDEX), b=links("none.html"), moved=moved))
    the_site = site(lastmod="content", state="x")
    read, source = PagesRead(), FolderSource(folder)
    listing = Lister(source, the_site, DateSources("2026-11-23T00:00:00Z"), nothing, read.add).listing()
    result = read.audit(source, the_site, listing, nothing)
    assert result == audit_folder(folder)
    assert cases(result).keys() == {"broken-link", "alternate-unreturned", "link-redirect"}


BASE = "https://example.org/"
NAMES = ("index.html", "a.html", "b.html", "d/index.html", "d/c.html")
TARGETS = (*NAMES, "none.html", "/x/y.html", "A.html", "https://other.example/", "a", "d/", "../x")
CONTENT = st.tuples(
    st.lists(st.sampled_from(TARGETS)), st.sampled_from(["", "Same", "Other"]), st.sampled_from(TARGETS)
)
SITES = st.dictionaries(st.sampled_from(NAMES), CONTENT, min_size=1)


def audited(contents: list[tuple[str, tuple[list[str], str, str]]]) -> AuditResult:
    """Audit pages of links, a title, and a canonical link, in this order."""
    pages = {
        name: AuditedPage(name, BASE + name, HtmlHead(canonicals=(canonical,)) if title else HtmlHead())
        for name, (_, title, canonical) in contents
    }
    graph = SiteGraph(list(pages.values()), SiteFiles(pages, (), site(), lambda path: False), site())
    for name, (hrefs, title, _) in contents:
        body = "".join(f'<a href="{href}">' for href in hrefs)
        graph.add(pages[name], f"<title>{title}</title>{body}".encode())
    return audit_graph(graph, (), {})


@settings(max_examples=30)
@given(SITES, st.randoms())
def test_the_order_of_the_pages_does_not_matter(
    contents: dict[str, tuple[list[str], str, str]], random: object
) -> None:
    ordered, shuffled = list(contents.items()), list(contents.items())
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert audited(shuffled) == audited(ordered)


@settings(max_examples=30)
@given(SITES)
def test_all_that_is_found_is_about_pages_of_the_site(contents: dict[str, tuple[list[str], str, str]]) -> None:
    result = audited(list(contents.items()))
    assert {each.page for each in result.placed()} <= contents.keys()
    assert sum(result.counts.depths.values()) + result.counts.unreachable in (0, len(contents))


def test_a_page_that_could_not_be_read_is_a_finding() -> None:
    graph = SiteGraph([AuditedPage("a.html", BASE + "a.html")], SiteFiles(["a.html"], (), site(), bool), site())
    result = audit_graph(graph, ["a.html"], {})
    assert ([finding.code for finding in result.findings], result.counts.pages) == (["unreadable"], 0)
