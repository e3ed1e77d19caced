from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import cases, linked, page

from waypost.audit.result import TextCounts

if TYPE_CHECKING:
    from audits import Audit


def test_listed_pages_with_one_title_are_one_case(audit: Audit) -> None:
    hidden = page("c", "Same", '<meta name="robots" content="noindex">')
    result = audit(linked(a=page("a", "Same"), b=page("b", " Same\n"), c=hidden))
    assert cases(result) == {"duplicate-title": [("Same", ("a.html", "b.html"))]}


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
    body = "".join(f'<a href="{key}">' for key in keys)
    result = audit({"index.html": page(body), **{key: page(key, "Same") for key in keys}})
    assert cases(result, "duplicate-title") == {}


def test_a_page_without_a_title_is_found(audit: Audit) -> None:
    result = audit(linked(a="<!doctype html><title> </title>", b="<!doctype html><body>x"))
    assert cases(result) == {"missing-title": [("a.html", ("a.html",)), ("b.html", ("b.html",))]}


def test_descriptions_are_missing_only_where_most_pages_have_one(audit: Audit) -> None:
    same, other = ('<meta name="description" content="x">', '<meta name="description" content="y">')
    result = audit(linked(a=page("a", head=same), b=page("b", head=same), c=page("c", head=other), d=page("d")))
    assert cases(result) == {
        "missing-description": [("", ("index.html",)), ("d.html", ("d.html",))],
        "duplicate-description": [("x", ("a.html", "b.html"))],
    }


def test_a_site_that_describes_few_pages_lacks_no_descriptions(audit: Audit) -> None:
    assert (
        cases(audit(linked(a=page("a", head='<meta name="description" content="x">'), b=page("b"), c=page("c")))) == {}
    )


def test_a_file_that_is_no_html_needs_no_title(audit: Audit) -> None:
    assert cases(audit({"index.html": page('<a href="a.pdf">'), "a.pdf": b"%PDF"})) == {}


def test_the_texts_of_listed_pages_are_counted(audit: Audit) -> None:
    head = '<meta name="description" content="x">'
    hidden = page("c", "Hidden", f'{head}<meta name="robots" content="noindex">')
    files = linked(a=page("a", head=head), b="<!doctype html><title> </title><body>x", c=hidden)
    assert audit(files).counts.texts == TextCounts(3, 2, 1)
