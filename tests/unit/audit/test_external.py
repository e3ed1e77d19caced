"""Links to other sites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from audits import cases, linked, page

from waypost.audit import ExternalAnswers
from waypost.audit.result import ExternalCounts

if TYPE_CHECKING:
    from audits import Audit

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
