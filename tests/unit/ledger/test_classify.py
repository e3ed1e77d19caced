"""What becomes of a record: the page to list, or the reason to leave it out."""

from __future__ import annotations

from typing import Any

import pytest
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.model import Page
from waypost.core.reasons import Reason
from waypost.ledger.classify import PageClassifier
from waypost.ledger.records import Record
from waypost.rules.facts import PageFacts
from waypost.rules.html_head import Head
from waypost.rules.media import Media

NOW = "2026-11-21T12:00:00Z"
LOC = "https://example.org/a.html"


def classify(record: Record, *disallowed: str, **values: Any) -> Page | Reason:
    return PageClassifier(site(**values), NOW, lambda loc: loc in disallowed).classify(record)


def page(record: Record, **values: Any) -> Page:
    found = classify(record, **values)
    assert isinstance(found, Page)
    return found


def test_an_ordinary_record_is_listed_under_its_url() -> None:
    assert classify(Record("a.html", "etag")) == Page("a.html", LOC)


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Record("a.html", "etag", PageFacts(Head("noindex"))), reasons.NOINDEX),
        (Record("a.html", "etag", PageFacts(redirect="/b.html")), reasons.REDIRECT),
        (Record("a.html", "etag", PageFacts(hidden_by="draft: true")), reasons.UNPUBLISHED),
        (Record("a.html", "etag", duplicate_of="a/index.html"), reasons.DUPLICATE),
        (Record("\x01.html", "etag"), reasons.NAME_CONTROL),
        (Record(f"{'a' * 2_100}.html", "etag"), reasons.LOC_TOO_LONG),
    ],
)
def test_a_record_that_is_not_listed_has_the_reason(record: Record, reason: Reason) -> None:
    assert classify(record) == reason


def test_a_url_that_robots_txt_disallows_is_not_listed() -> None:
    assert classify(Record("a.html", "etag"), LOC) == reasons.ROBOTS_TXT
    assert classify(Record("b.html", "etag"), LOC) == Page("b.html", "https://example.org/b.html")


def test_a_duplicate_is_a_duplicate_whatever_it_says_itself() -> None:
    assert classify(Record("a.html", "etag", PageFacts(Head("noindex")), duplicate_of="a/index.html"), LOC) == (
        reasons.DUPLICATE
    )


@pytest.mark.parametrize(
    ("values", "lastmod"),
    [
        ({"lastmod": "none"}, None),
        ({"lastmod": "content", "state": "x"}, "2026-03-01T12:00:00Z"),
        ({"lastmod": "content", "state": "x", "precision": "date"}, "2026-03-01"),
    ],
)
def test_a_page_is_dated_as_the_settings_ask(values: dict[str, Any], lastmod: str | None) -> None:
    assert page(Record("a.html", "etag", lastmod="2026-03-01T12:00:00Z"), **values).lastmod == lastmod


def test_recorded_alternates_are_listed_only_if_the_settings_ask_for_them() -> None:
    record = Record("a.html", "etag", alternates=(("en", LOC), ("de", "https://example.org/de.html")))
    assert page(record, alternates=True).alternates == record.alternates
    assert page(record).alternates == ()


def test_a_page_belongs_to_the_group_of_its_key() -> None:
    assert page(Record("blog/a.html", "etag"), groups={"blog": ["/blog/"]}).group == "blog"


def test_an_article_is_news_at_one_time_and_not_at_a_later_one() -> None:
    settings: dict[str, Any] = {"news": {"name": "The Times", "language": "en"}}
    record = Record("a.html", "etag", PageFacts(media=Media(headline="It happened", published="2026-11-21T00:00:00Z")))
    classifier = PageClassifier(site(**settings), NOW)
    now, later = (each.page(record) for each in (classifier, classifier.at("2026-11-25T00:00:00Z")))
    assert now is not None
    assert later is not None
    assert now.news is not None
    assert later.news is None


def test_the_page_and_the_reason_exclude_each_other() -> None:
    classifier = PageClassifier(site(), NOW)
    listed, left_out = Record("a.html", "etag"), Record("a.html", "etag", PageFacts(Head("noindex")))
    assert (classifier.page(listed), classifier.exclusion_reason(listed)) == (Page("a.html", LOC), None)
    assert (classifier.page(left_out), classifier.exclusion_reason(left_out)) == (None, reasons.NOINDEX)
