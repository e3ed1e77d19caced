from unit.sample_sites import site

from waypost.audit.result import TextCounts
from waypost.core.model import Page
from waypost.report.coverage import CoverageBar, CoverageCounter, with_heads

PAGES = [
    Page("a", "https://example.org/a", "", "2026-01-01", images=("i",), title="A"),
    Page("b", "https://example.org/b", alternates=(("en", "x"),)),
]


def test_what_the_settings_have_read_is_counted_and_nothing_else() -> None:
    everything = CoverageCounter(site(formats=["xml", "html"], images=True, videos=True, alternates=True))
    dates_only = CoverageCounter(site())
    for page in PAGES:
        everything.add(page)
        dates_only.add(page)
    assert {bar.name: bar.pages for bar in everything.bars()} == {
        "a date": 1,
        "a title": 1,
        "images": 1,
        "videos": 0,
        "versions in other languages": 1,
    }
    assert [bar.name for bar in dates_only.bars()] == ["a date"]


def test_the_bar_of_dates_is_divided_by_what_dated_the_pages() -> None:
    (bar,) = CoverageCounter(site()).bars([("by commits", 3)])
    assert bar.parts == [("by commits", 3)]


def test_what_was_counted_elsewhere_follows_the_dates_and_replaces_what_has_its_name() -> None:
    bars = [CoverageBar("a date", 5), CoverageBar("a title", 1), CoverageBar("images", 2)]
    found = with_heads(bars, TextCounts(4, 3, 2))
    assert [(bar.name, bar.pages, bar.total) for bar in found] == [
        ("a date", 5, 0),
        ("a title", 3, 4),
        ("a description", 2, 4),
        ("images", 2, 0),
    ]
    assert with_heads(bars, TextCounts()) == bars
