"""References: those that lead nowhere, to redirects, to other sites, and in another form or case."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest
from audits import IMAGE, cases, linked, links, page
from sites import BASE

from waypost.audit import ExternalAnswers, ExternalCounts
from waypost.audit.link_checks import circles

if TYPE_CHECKING:
    from audits import Audit, Cases
    from sites import Files


def redirect(url: str) -> str:
    return page(url, head=f'<meta http-equiv="refresh" content="0; url={url}">')


NAMES = ("", "a.html", "b.html", "c.html")
IN_GERMAN = links(*(f"/{name}" for name in NAMES), *(f"/de/{name}" for name in NAMES), "/d.html")
HEAD = '<script src="/js/a.js?v=1"></script><link rel=stylesheet href=a.css><link rel=icon href=a.ico>'
IMAGES = (
    '<img src="a.png" srcset="b.png 2x"><video src="a.mp4" poster="c.png"></video><img src="data:,x"><img src="d.png">'
)
STYLES: Files = {
    "index.html": page("x", head="<link rel=stylesheet href=css/a.css>"),
    "css/a.css": '@import "b.css"; @import url(none.css); p { background: url("../p.png") }',
    "css/b.css": "/* url(no.png) */ @font-face { src: url(f.woff?x#y) } p { mask: url(#m) } q { x: url(data:,) }",
    "css/unused.css": "p { background: url(unused.png) }",
    "p.png": IMAGE,
}
AT_HOME = ("index.html",)
CHECKED: dict[str, tuple[Files, Cases]] = {
    "a link that leads nowhere is one case with all its pages": (
        linked(a=links("/none.html"), b=links("none.html#x"), c=links("/")),
        {"broken-link": [("none.html", ("a.html", "b.html"))]},
    ),
    "images and videos that do not exist are found": (
        {"index.html": page(IMAGES), "d.png": IMAGE},
        {
            "missing-image": [("a.png", AT_HOME), ("b.png", AT_HOME), ("c.png", AT_HOME)],
            "missing-media": [("a.mp4", AT_HOME)],
        },
    ),
    "scripts, style sheets and other files that do not exist are found": (
        {"index.html": page("x", head=HEAD)},
        {
            "missing-script": [("js/a.js", AT_HOME)],
            "missing-style": [("a.css", AT_HOME)],
            "missing-file": [("a.ico", AT_HOME)],
        },
    ),
    "what a style sheet loads is looked for beside it and through its imports": (
        STYLES,
        {
            "missing-style": [("css/none.css", ("css/a.css",))],
            "missing-file": [("css/f.woff", ("css/b.css",))],
        },
    ),
    "style sheets that import one another are read once": (
        {
            "index.html": page("x", head="<link rel=stylesheet href=a.css>"),
            "a.css": "@import 'b.css'",
            "b.css": "@import 'a.css'",
        },
        {},
    ),
    "a query does not make a file exist": (
        {"index.html": links("none.html?x=1", "search.php?q=1", "/search?q=1")},
        {"broken-link": [("none.html", AT_HOME)]},
    ),
    "links into a folder that does not exist are one case": (
        linked(a=links("/blog/x.html", "/blog/y.html"), b=links("/blog/")),
        {"missing-section": [("blog/", ("a.html", "b.html"))]},
    ),
    "links to a language that was not built are no other base_url": (
        {**linked(a=IN_GERMAN, b=page("b"), c=page("c")), "d.html": page("d")},
        {},
    ),
    "redirects of the server are no broken links": (
        {
            **linked(a=links("/old", "/blog/x/y", "/user/7", "/older")),
            "_redirects": "/old /a.html 301\n/blog/* /a.html\n/user/:id /a.html\n",
        },
        {"broken-link": [("older", ("a.html",))]},
    ),
    "a link to another form of a listed URL is a note": (
        {**linked(a=links("/d/index.html")), "d/index.html": links("/d/", "/a.html")},
        {"link-variant": [("d/index.html", ("a.html",))]},
    ),
    "a redirect to nothing and a circle of redirects are errors": (
        {
            "index.html": page("home"),
            "a.html": redirect("none.html"),
            "b.html": redirect("c.html"),
            "c.html": redirect("b.html"),
        },
        {"broken-redirect": [("none.html", ("a.html",))], "redirect-loop": [("b.html", ("b.html", "c.html"))]},
    ),
    "a redirect that links to itself is no link to a redirect": (
        {"index.html": page("home"), "a.html": redirect("/").replace("</html>", '<a href="a.html">x</a></html>')},
        {},
    ),
    "a fragment alone is one of the page that the base element names": (
        {"index.html": page('<a href="#none"><a href="#b">', head='<base href="/a.html">'), "a.html": page("<p id=b>")},
        {"broken-fragment": [("a.html#none", AT_HOME)]},
    ),
    "a fragment that looks like a script's is an id where the page has such ids": (
        {"a.html": page("<p id='/s:1'>"), "index.html": links("a.html#/s:2", "b.html#/s:2"), "b.html": page("b")},
        {"broken-fragment": [("a.html#/s:2", AT_HOME)]},
    ),
    "an image in a folder that is misspelt is missing": (
        {"figures/a.png": "x", "figures/b.png": "y", "index.html": page('<img src="/figurev/a.png">')},
        {"missing-image": [("figurev/a.png", AT_HOME)]},
    ),
    "a canonical link and an alternate into a folder that does not exist are told": (
        {
            "index.html": page('<a href="a.html">', head='<link rel=canonical href="/blog/x/">'),
            "a.html": page("a", head='<link rel=alternate hreflang=de href="/other/x.html">'),
        },
        {"missing-section": [("blog/", AT_HOME), ("other/", ("a.html",))]},
    ),
    "a query alone leads to the page itself": (
        {"a/b.html": links("?x=1#none", "?y=2"), "index.html": links("/a/b.html")},
        {"broken-fragment": [("a/b.html#none", ("a/b.html",))]},
    ),
    "a relative link into a folder that does not exist is broken, and so is one that misspells a folder": (
        {"index.html": links("blog/x.html", "/gudie/a.html", "/other/x.html"), "guide/a.html": page("a")},
        {
            "broken-link": [("blog/x.html", AT_HOME), ("gudie/a.html", AT_HOME)],
            "missing-section": [("other/", AT_HOME)],
        },
    ),
    "a link to a folder without an index, or to a file as a folder, is told": (
        {"index.html": links("img/", "a.html/"), "a.html": page("a"), "img/x.png": IMAGE},
        {"broken-link": [("a.html/", AT_HOME)], "unserved-link": [("img/", AT_HOME)]},
    ),
    "a fragment of a page that redirects or of another file is not checked": (
        {"index.html": links("r.html#x", "a.pdf#page=2", "a.pdf#x"), "r.html": redirect("/"), "a.pdf": b"%PDF"},
        {"link-redirect": [("r.html", AT_HOME)]},
    ),
}


@pytest.mark.parametrize(("files", "expected"), CHECKED.values(), ids=CHECKED)
def test_what_is_found_of_the_references_of_a_site(audit: Audit, files: Files, expected: Cases) -> None:
    assert cases(audit(files)) == expected


@pytest.mark.parametrize(
    ("files", "code", "case"),
    [
        (linked(a=links("B.html"), b=links("a.html")), "link-case", ("B.html", "b.html")),
        (linked(a=redirect("/b.html"), b=links("b.html")), "link-redirect", ("a.html", f"{BASE}b.html")),
        (
            {"index.html": links("/caf%C3%A9/"), "cafe\u0301/index.html": page("1")},
            *("link-unicode", ("caf%C3%A9/", "cafe\u0301/index.html")),
        ),
        (
            {"index.html": links("/%C3%BCber"), "u\u0308ber.html": page("2")},
            *("link-unicode", ("%C3%BCber", "u\u0308ber.html")),
        ),
        (
            {"index.html": page('<p id="Part"><a href="#part">')},
            *("broken-fragment", ("#part", "an id differs in capital letters")),
        ),
    ],
)
def test_what_there_is_instead_is_named(audit: Audit, files: Files, code: str, case: tuple[str, str]) -> None:
    found = [each for each in audit(files).findings if each.code not in ("unlinked", "link-variant")]
    assert [each.code for each in found] == [code]
    assert [(each.target.removeprefix(BASE), each.detail) for each in found[0].cases] == [case]


ANSWERED = (
    *("b", "b/", "/b.html", "b.html?x=1", "http://www.example.org/b.html", "img/", "guide.pdf", "sitemap.xml", "d"),
    *("d/", "https://other.example/none", "mailto:x@example.org", "{{ url }}", "/search?q=x", ".well-known/x"),
    "../up.html",
)
NOBODY = (
    *("http://localhost:4000/b", "https://192.168.1.5/", "http://intranet/x", "https://printer.local/"),
    *("file:///C:/x.html", "FILE:///x", "htps://example.org/", "httpss://example.org/", "ttp://example.org/"),
    *("C:\\Users\\me\\x.html", "d:/x.html", "htp:/x.example", "https://exa mple.com/", "https://www.example..org/"),
)


def test_a_link_that_a_server_may_answer_is_not_broken(audit: Audit) -> None:
    files = {"img/x.png": IMAGE, "guide.pdf": b"%PDF", "d/index.html": page("d"), ".well-known/x": b"x"}
    result = audit({**linked(a=links(*ANSWERED), b=links("a.html")), **files})
    assert cases(result, "broken-link", "missing-section", "link-case") == {}


def test_a_link_that_works_for_nobody_else_is_found(audit: Audit) -> None:
    result = audit(linked(a=links(*NOBODY, "/b"), b=links("a")))
    found = cases(result, "private-link")["private-link"]
    assert {pages for _, pages in found} == {("a.html",)}
    starts = {target.lower()[:12] for target, _ in found}
    assert starts == {href.lower().replace("\\", "/")[:12] for href in NOBODY}
    assert len(found) == len(NOBODY)


def test_a_link_for_another_program_is_left_to_it(audit: Audit) -> None:
    programs = links("mailto:x@example.org", "tel:1", "steam://run/1", "ftp://example.org/", "tg://x", "/b.html")
    assert cases(audit(linked(a=programs, b=links("a.html")))) == {}


def test_a_site_of_a_private_network_may_link_to_its_other_hosts(audit: Audit) -> None:
    result = audit(linked(a=links("http://wiki.internal/", "/b"), b=links("a")), base_url="http://intranet/")
    assert cases(result, "private-link") == {}


def test_links_of_a_site_that_was_built_for_another_base_url_are_one_case(audit: Audit) -> None:
    files = {"index.html": links("/project/a.html", "/project/b.html"), "a.html": page("a")}
    found = cases(audit({**files, "b.html": links("/project/")}))
    assert found == {"other-base-url": [("project/", ("b.html", "index.html"))]}


def test_what_is_outside_of_base_url_is_not_checked(audit: Audit) -> None:
    result = audit(linked(a=links("/none.html", "https://example.org/other/")), base_url=f"{BASE}docs/")
    assert cases(result) == {}
    assert result.counts.not_checked == {"other-site": 2}


GONE, ASKED = "https://other.example/gone?x=1&y", "https://cdn.example/a.js"
BODY = (
    f'<a href="https://other.example/gone?x=1&amp;y#part">x</a><a href="//other.example/gone?x=1&amp;y">x</a>'
    f'<script src="{ASKED}"></script><a href="https://www.example.org/b?x=1">x</a><a href="mailto:a@b.example">x</a>'
    '<a href="http://localhost/x">x</a><a href="https://{{ host }}/x">x</a><a href="https://a.example">x</a>'
)


class Answering:
    """Answers that one URL is gone, and remembers what it was asked."""

    def __init__(self) -> None:
        self.urls: Sequence[str] = ()

    def __call__(self, urls: Sequence[str]) -> ExternalAnswers:
        self.urls = urls
        problems = {GONE: ("external-gone", "404 Not Found")}
        return ExternalAnswers(problems, ExternalCounts(2, 1, {"why": 1}, True))


def test_each_url_of_another_site_is_asked_once_with_its_query(audit: Audit) -> None:
    ask = Answering()
    audit(linked(a=page(BODY), b=page(BODY)), ask=ask)
    assert ask.urls == ["https://a.example/", ASKED, GONE]


def test_a_link_that_is_gone_is_one_case_with_its_pages(audit: Audit) -> None:
    result = audit(linked(a=page(BODY), b=page(BODY)), ask=Answering())
    assert cases(result, "external-gone") == {"external-gone": [(GONE, ("a.html", "b.html"))]}
    assert "other-site" not in result.counts.not_checked
    external = result.counts.external
    assert external is not None
    assert (external.asked, external.known, external.unasked, external.has_memory) == (2, 1, {"why": 1}, True)


def test_nothing_is_asked_by_default(audit: Audit) -> None:
    result = audit(linked(a=page(BODY), b=page(BODY)))
    assert result.counts.external is None
    assert result.counts.not_checked["other-site"] == 6


PARTS = '<p id=one><p id="Zwei%C3%BC"><p id="Drei"><a name="vier"></a><!-- <p id=five> --><p id="a&amp;b"><p id=über>'


RIGHT = (
    *("one", "Zwei%C3%BC", "vier", "a&amp;b", "a%26b", "über", "%C3%BCber", "top", "TOP", "", "one:~:text=x"),
    *(":~:text=x", "/route", "!/route", "tab=2"),
)


def test_a_fragment_that_a_page_has_or_that_needs_none_is_right(audit: Audit) -> None:
    here = "".join(f'<a href="#{fragment}">' for fragment in RIGHT)
    elsewhere = links(*(f"/#{fragment}" for fragment in RIGHT))
    assert cases(audit({"index.html": page(f"{PARTS}{here}<a href=a.html>"), "a.html": elsewhere})) == {}


@pytest.mark.parametrize("target", ["index.html", "/", "./index.html?x=1", ""])
@pytest.mark.parametrize(
    ("fragment", "detail"), [("five", ""), ("One", "an id differs in capital letters"), ("ones", "")]
)
def test_a_fragment_that_no_element_has_is_found(audit: Audit, target: str, fragment: str, detail: str) -> None:
    link = f'<a href="{target}#{fragment}">'
    files = {"index.html": page(f"{PARTS}<a href=z.html>"), "z.html": page(f"{link}<a href=/>")}
    (finding,) = audit(files if target else {"index.html": page(PARTS + link)}).findings[:1]
    (case,) = finding.cases
    assert (finding.code, case.target, case.detail) == ("broken-fragment", f"{BASE}#{fragment}", detail)
    assert case.pages == (("z.html",) if target else ("index.html",))


def test_the_whole_of_a_long_page_is_checked(audit: Audit) -> None:
    long = page('<a href="#end"><a href=a.html>' + " " * 4_194_304 + "<p id=end><a href=missing.html>")
    found = audit({"index.html": long, "a.html": links("/#end", "/#none")})
    assert cases(found, "broken-fragment", "broken-link") == {
        "broken-link": [("missing.html", ("index.html",))],
        "broken-fragment": [("#none", ("a.html",))],
    }


def test_a_page_that_is_too_long_is_told(audit: Audit) -> None:
    found = audit({"index.html": page("<a href=long.html>"), "long.html": page(" " * 16_777_216)})
    assert [finding.code for finding in found.findings] == ["unreadable"]


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        ({}, []),
        ({"a": "a"}, []),
        ({"a": "b"}, []),
        ({"a": "b", "b": "a"}, [["a", "b"]]),
        ({"c": "a", "a": "b", "b": "c", "x": "b"}, [["a", "b", "c"]]),
        ({"d": "c", "c": "d", "b": "a", "a": "b"}, [["c", "d"], ["a", "b"]]),
        ({f"{n:07}": f"{n + 1:07}" for n in range(30_000)}, []),
        ({f"{n:07}": f"{max(n - 1, 0):07}" for n in range(30_000)}, []),
    ],
)
def test_circles_of_steps_are_found_in_one_walk(following: dict[str, str], expected: list[list[str]]) -> None:
    assert list(circles(following)) == expected


@pytest.mark.slow
def test_many_sections_that_do_not_exist_are_found_in_one_pass(audit: Audit) -> None:
    hrefs = [f"/s{n}/x" for n in range(20_000)]
    assert len(cases(audit(linked(a=links(*hrefs), b=links("a.html"))))["missing-section"]) == 20_000


def test_links_into_one_folder_are_one_case_with_its_targets(audit: Audit) -> None:
    (found,) = audit(linked(a=links("/blog/x.html", "/blog/y.html"), b=links("/blog/"))).findings
    (case,) = found.cases
    assert case.targets == (f"{BASE}blog/", f"{BASE}blog/x.html", f"{BASE}blog/y.html")


def test_ignored_links_are_not_checked_and_a_pattern_that_fits_none_is_told(audit: Audit) -> None:
    files: Files = {"index.html": links("/none.html", "http://localhost:4000/", "/gone/x.html")}
    result = audit(files, audit_ignore=["http://localhost*", "/gone/*", "*/unknown"])
    assert cases(result) == {"broken-link": [("none.html", AT_HOME)], "unused-ignore": [("*/unknown", ())]}
    assert result.counts.not_checked == {"ignored": 2}
    assert [(each.target, each.reason) for each in result.unchecked] == [
        ("http://localhost:4000/", "ignored"),
        (f"{BASE}gone/x.html", "ignored"),
    ]


def test_a_host_that_is_known_makes_the_other_form_of_a_page_an_error(audit: Audit) -> None:
    files: Files = {"index.html": links("/a/"), "a.html": page("a")}
    assert "broken-link" not in cases(audit(files))
    assert cases(audit(files, host="github-pages"))["broken-link"] == [("a/", AT_HOME)]
    with_name: Files = {**files, "CNAME": "example.org"}
    assert cases(audit(with_name))["unserved-link"] == [("a/", AT_HOME)]
