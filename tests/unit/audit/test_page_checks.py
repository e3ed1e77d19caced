from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from audits import cases, links, page
from sites import BASE
from unit.sample_sites import site

from waypost.audit.page_checks import MAX_CLICKS, unlinked_pages
from waypost.audit.pages import AuditedPage
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph

if TYPE_CHECKING:
    from audits import Audit


def test_a_page_that_nothing_links_to_is_found(audit: Audit) -> None:
    files = {"index.html": links("a.html"), "a.html": links("a"), "b.html": links("b.html", "a.html")}
    result = audit(files)
    assert cases(result, "unlinked", "unreachable") == {"unlinked": [("b.html", ("b.html",))]}
    assert (result.counts.depths, result.counts.unreachable) == ({0: 1, 1: 1}, 1)


def test_pages_that_only_link_to_each_other_are_one_case(audit: Audit) -> None:
    files = {"index.html": links("a.html"), "a.html": page("a"), "b.html": links("c.html"), "c.html": links("b.html")}
    assert cases(audit(files)) == {"unreachable": [("b.html", ("b.html", "c.html"))]}


def test_what_an_unlinked_page_leads_to_is_one_case(audit: Audit) -> None:
    files = {"index.html": links("a.html"), "a.html": page("a"), "b.html": links("c.html"), "c.html": links("d.html")}
    assert cases(audit({**files, "d.html": page("d")})) == {
        "unlinked": [("b.html", ("b.html",))],
        "unreachable": [("b.html", ("c.html", "d.html"))],
    }


def test_pages_are_reached_through_pages_that_are_not_listed(audit: Audit) -> None:
    hidden = page('<a href="b.html">', head='<meta name="robots" content="noindex">')
    redirect = page(head='<meta http-equiv="refresh" content="0; url=c.html">')
    files = {"index.html": links("a.html"), "a.html": hidden, "b.html": links("old.html"), "old.html": redirect}
    assert cases(audit({**files, "c.html": page("c")}), "unlinked", "unreachable") == {}


def test_a_page_far_from_the_home_page_is_a_note(audit: Audit) -> None:
    last = MAX_CLICKS + 1
    files = {f"{n}.html": links(f"{n + 1}.html") for n in range(1, last)}
    result = audit({"index.html": links("1.html"), **files, f"{last}.html": page("last")})
    assert cases(result) == {"deep": [(f"{last}.html", (f"{last}.html",))]}
    assert result.counts.depths[last] == 1


def test_nothing_is_said_of_a_site_of_which_scripts_make_the_links(audit: Audit) -> None:
    result = audit({"index.html": page("<script src=app.js></script>"), "a.html": page("a"), "app.js": b"1"})
    assert cases(result) == {}
    assert result.counts.depths_not_known == "the home page has no links in its HTML to pages of the site"


def test_nothing_is_said_of_a_site_without_a_home_page(audit: Audit) -> None:
    result = audit({"a.html": page("a"), "b.html": page("b")})
    assert (cases(result), result.counts.depths_not_known) == ({}, "the site has no home page")


def test_one_page_is_a_site(audit: Audit) -> None:
    assert audit({"index.html": page("home")}).counts.depths == {0: 1}


@pytest.mark.slow
def test_many_unlinked_pages_are_found_in_one_walk() -> None:
    count = 30_000
    linked = {"index.html": "a.html", "a.html": ""} | {f"p{n}.html": f"q{n}.html" for n in range(count)}
    keys = [*linked, *(f"q{n}.html" for n in range(count))]
    pages = [AuditedPage(key, BASE + key) for key in keys]
    graph = SiteGraph(pages, SiteFiles(keys, (), site(), bool), site())
    for each in pages:
        graph.add(each, f'<a href="{linked.get(each.key, "")}">'.encode())
    assert Counter(each.code for each in unlinked_pages(graph)) == {"unlinked": count, "unreachable": count}
