from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from audits import cases, linked, page
from sites import BASE

if TYPE_CHECKING:
    from audits import Audit


def canonical(*hrefs: str, head: str = "") -> str:
    return page(str(hrefs), head="".join(f'<link rel="canonical" href="{href}">' for href in hrefs) + head)


@pytest.mark.parametrize("href", ["/a.html", "/b.html", "/a", "https://other.example/x", "/blog/x.html", ""])
def test_a_canonical_link_to_a_page_that_is_listed_is_right(audit: Audit, href: str) -> None:
    result = audit(linked(a=canonical(href), b=page("b"), c=canonical("b.html")))
    assert not [finding.code for finding in result.findings if finding.code.startswith("canonical")]


def test_a_canonical_link_must_name_a_page_that_exists_and_may_be_indexed(audit: Audit) -> None:
    noindex = page(head='<meta name="robots" content="noindex">')
    result = audit(linked(a=canonical("none.html"), b=canonical("c.html"), c=noindex))
    assert cases(result) == {
        "canonical-missing": [("none.html", ("a.html",))],
        "canonical-noindex": [("c.html", ("b.html",))],
    }


def test_a_chain_of_canonical_links_is_found(audit: Audit) -> None:
    redirect = page(head='<meta http-equiv="refresh" content="0; url=c.html">')
    result = audit(linked(a=canonical("b.html"), b=canonical("c.html"), c=page("c"), d=canonical("e.html"), e=redirect))
    assert cases(result, "canonical-chain") == {"canonical-chain": [("b.html", ("a.html",)), ("e.html", ("d.html",))]}
    details = {case.detail for each in result.findings if each.code == "canonical-chain" for case in each.cases}
    assert details == {f"{BASE}c.html"}


def test_a_circle_of_canonical_links_is_one_case(audit: Audit) -> None:
    result = audit(linked(a=canonical("b.html"), b=canonical("a.html")))
    assert cases(result, "canonical-loop", "canonical-chain") == {"canonical-loop": [("a.html", ("a.html", "b.html"))]}


def test_several_canonical_links_are_found_unless_they_agree(audit: Audit) -> None:
    result = audit(linked(a=canonical("/x", "/y"), b=canonical("/b.html", "b.html")))
    assert cases(result) == {"canonical-several": [(f"x, {BASE}y", ("a.html",))]}


def test_the_canonical_link_of_a_page_with_noindex_is_not_checked(audit: Audit) -> None:
    result = audit(linked(a=canonical("none.html", head='<meta name="robots" content="noindex">')))
    assert cases(result) == {}
