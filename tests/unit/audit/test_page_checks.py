"""Canonical links, other languages, titles and descriptions, and which links lead to a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from audits import cases, linked, links, page
from sites import BASE
from unit.sample_sites import site

from waypost.audit import TextCounts
from waypost.audit.page_checks import MAX_CLICKS, unlinked_pages
from waypost.audit.pages import AuditedPage
from waypost.audit.site_files import SiteFiles
from waypost.audit.site_graph import SiteGraph

if TYPE_CHECKING:
    from audits import Audit, Cases
    from sites import Files

NOINDEX = '<meta name="robots" content="noindex">'
X, Y = ('<meta name="description" content="x">', '<meta name="description" content="y">')


def redirect(url: str) -> str:
    return page(head=f'<meta http-equiv="refresh" content="0; url={url}">')


def canonical(*hrefs: str, head: str = "") -> str:
    return page(str(hrefs), head="".join(f'<link rel="canonical" href="{href}">' for href in hrefs) + head)


def named(**hrefs: str) -> str:
    """A page that names its versions by their languages."""
    codes = {code.replace("_", "-"): href for code, href in hrefs.items()}
    elements = (f'<link rel="alternate" hreflang="{code}" href="{href}">' for code, href in codes.items())
    return page(str(hrefs), head="".join(elements))


def spoken(language: str, text: str) -> str:
    return page(text).replace("<html>", f'<html lang="{language}">')


BOTH = {"en": "/en.html", "de": "/de.html", "x_default": "/"}
IN_FOLDERS = {f"{name}.html": spoken("en", name) for name in "abc"} | {
    f"de/{name}.html": spoken("en" if name == "a" else "de-AT", f"d{name}") for name in "abc"
}
CHAIN = {f"{n}.html": links(f"{n + 1}.html") for n in range(1, MAX_CLICKS + 1)}
LAST = f"{MAX_CLICKS + 1}.html"
UNLINKED = {"index.html": links("a.html"), "a.html": page("a")}
CHECKED: dict[str, tuple[Files, Cases]] = {
    "a canonical link must name a page that exists and may be indexed": (
        linked(a=canonical("none.html"), b=canonical("c.html"), c=page(head=NOINDEX)),
        {"canonical-missing": [("none.html", ("a.html",))], "canonical-noindex": [("c.html", ("b.html",))]},
    ),
    "a chain of canonical links is found": (
        linked(a=canonical("b.html"), b=canonical("c.html"), c=page("c"), d=canonical("e.html"), e=redirect("c.html")),
        {
            "canonical-chain": [("b.html", ("a.html",)), ("e.html", ("d.html",))],
            "link-redirect": [("e.html", ("index.html",))],
        },
    ),
    "a circle of canonical links is one case": (
        linked(a=canonical("b.html"), b=canonical("c.html"), c=canonical("a.html")),
        {"canonical-loop": [("a.html", ("a.html", "b.html", "c.html"))]},
    ),
    "several canonical links are found unless they agree": (
        linked(a=canonical("/x", "/y"), b=canonical("/b.html", "b.html")),
        {"canonical-several": [(f"x, {BASE}y", ("a.html",))]},
    ),
    "the canonical link of a page with noindex is not checked": (linked(a=canonical("none.html", head=NOINDEX)), {}),
    "versions that name each other and themselves are right": (linked(en=named(**BOTH), de=named(**BOTH)), {}),
    "a version that does not exist is an error and nothing else": (
        linked(en=named(en="/en.html", de="/none.html", x_default="/also-none.html")),
        {"alternate-missing": [("also-none.html", ("en.html",)), ("none.html", ("en.html",))]},
    ),
    "a version that is not listed or does not return the link is found": (
        linked(en=named(en="/en.html", de="/de.html", fr="/fr.html"), de=page("de"), fr=page(head=NOINDEX)),
        {"alternate-unlisted": [("fr.html", ("en.html",))], "alternate-unreturned": [("de.html", ("en.html",))]},
    ),
    "mistakes in the links of one page are found": (
        linked(
            en=page(
                "en", head='<link rel=alternate hreflang=de href="/de.html"><link rel=alternate hreflang=de href=/>'
            ),
            de=named(de="/de.html", en="/en.html", english="/en.html"),
        ),
        {
            "alternates-contradict": [("", ("en.html",))],
            "alternates-without-self": [("", ("en.html",))],
            "hreflang-code": [("", ("de.html",))],
        },
    ),
    "pages that say another language than their folder are one case for each language": (
        {"index.html": links(*IN_FOLDERS), **IN_FOLDERS},
        {"language-folder": [("de/", ("de/a.html",))]},
    ),
    "listed pages with one title are one case": (
        linked(a=page("a", "Same"), b=page("b", " Same\n"), c=page("c", "Same", NOINDEX)),
        {"duplicate-title": [("Same", ("a.html", "b.html"))]},
    ),
    "a page without a title is found": (
        linked(a="<!doctype html><title> </title>", b="<!doctype html><body>x"),
        {"missing-title": [("a.html", ("a.html",)), ("b.html", ("b.html",))]},
    ),
    "descriptions are missing only where most pages have one": (
        linked(a=page("a", head=X), b=page("b", head=X), c=page("c", head=Y), d=page("d")),
        {
            "missing-description": [("", ("index.html",)), ("d.html", ("d.html",))],
            "duplicate-description": [("x", ("a.html", "b.html"))],
        },
    ),
    "a site that describes few pages lacks no descriptions": (
        linked(a=page("a", head=X), b=page("b"), c=page("c")),
        {},
    ),
    "a file that is no HTML needs no title": ({"index.html": page('<a href="a.pdf">'), "a.pdf": b"%PDF"}, {}),
    "pages that only link to each other are one case": (
        {**UNLINKED, "b.html": links("c.html"), "c.html": links("b.html")},
        {"unreachable": [("b.html", ("b.html", "c.html"))]},
    ),
    "what an unlinked page leads to is one case": (
        {**UNLINKED, "b.html": links("c.html"), "c.html": links("d.html"), "d.html": page("d")},
        {"unlinked": [("b.html", ("b.html",))], "unreachable": [("b.html", ("c.html", "d.html"))]},
    ),
    "pages are reached through pages that are not listed": (
        {
            "index.html": links("a.html"),
            "a.html": page('<a href="b.html">', head=NOINDEX),
            "b.html": links("old.html"),
            "old.html": redirect("c.html"),
            "c.html": page("c"),
        },
        {"link-redirect": [("old.html", ("b.html",))]},
    ),
    "a page far from the home page is a note": (
        {"index.html": links("1.html"), **CHAIN, LAST: page("last")},
        {"deep": [(LAST, (LAST,))]},
    ),
}


@pytest.mark.parametrize(("files", "expected"), CHECKED.values(), ids=CHECKED)
def test_what_is_found_on_the_pages_of_a_site(audit: Audit, files: Files, expected: Cases) -> None:
    assert cases(audit(files)) == expected


@pytest.mark.parametrize("href", ["/a.html", "/b.html", "/a", "https://other.example/x", "/blog/x.html", ""])
def test_a_canonical_link_to_a_page_that_is_listed_is_right(audit: Audit, href: str) -> None:
    result = audit(linked(a=canonical(href), b=page("b"), c=canonical("b.html")))
    assert not [finding.code for finding in result.findings if finding.code.startswith("canonical")]


def test_a_chain_of_canonical_links_names_where_it_leads(audit: Audit) -> None:
    result = audit(CHECKED["a chain of canonical links is found"][0])
    assert {case.detail for finding in result.findings for case in finding.cases} == {f"{BASE}c.html"}


@pytest.mark.parametrize(
    "keys",
    [
        ("en/about.html", "de/about.html"),
        ("1.0/about.html", "2.0/about.html", "latest/about.html"),
        ("blog/index.html", "blog/page/2/index.html", "blog/page/3/index.html"),
        ("blog.html", "blog2.html"),
        ("pt-BR/about.html", "pt/about.html"),
    ],
)
def test_versions_of_one_page_may_have_one_title(audit: Audit, keys: tuple[str, ...]) -> None:
    result = audit({"index.html": links(*keys), **{key: page(key, "Same") for key in keys}})
    assert cases(result, "duplicate-title") == {}


def test_the_texts_of_listed_pages_are_counted(audit: Audit) -> None:
    hidden = page("c", "Hidden", X + NOINDEX)
    files = linked(a=page("a", head=X), b="<!doctype html><title> </title><body>x", c=hidden)
    assert audit(files).counts.texts == TextCounts(3, 2, 1)


@pytest.mark.parametrize(
    ("files", "depths", "unreachable", "why_not"),
    [
        (
            {"index.html": links("a.html"), "a.html": links("a"), "b.html": links("b.html", "a.html")},
            {0: 1, 1: 1},
            1,
            "",
        ),
        ({"index.html": page("home")}, {0: 1}, 0, ""),
        ({"a.html": page("a"), "b.html": page("b")}, {}, 0, "the site has no home page"),
        (
            {"index.html": page("<script src=app.js></script>"), "a.html": page("a"), "app.js": b"1"},
            *({}, 0, "the home page has no links in its HTML to pages of the site"),
        ),
    ],
)
def test_pages_are_counted_by_their_distance_as_far_as_links_are_in_the_html(
    audit: Audit, files: Files, depths: dict[int, int], unreachable: int, why_not: str
) -> None:
    result = audit(files)
    counts = result.counts
    assert (counts.depths, counts.unreachable, counts.depths_not_known) == (depths, unreachable, why_not)
    found = {"unlinked": [("b.html", ("b.html",))]} if unreachable else {}
    assert cases(result, "unlinked", "unreachable", "deep") == found


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
