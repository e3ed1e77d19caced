from unit.sample_sites import site

from waypost.audit import TextCounts
from waypost.core.model import Page
from waypost.report import with_heads
from waypost.report.coverage import CoverageBar, coverage_bars

PAGES = [
    Page("a", "https://example.org/a", "", "2026-01-01", images=("i",), title="A"),
    Page("b", "https://example.org/b", alternates=(("en", "x"),)),
]


def test_what_the_settings_have_read_is_counted_and_nothing_else() -> None:
    everything = site(formats=["xml", "html"], images=True, videos=True, alternates=True)
    assert coverage_bars(PAGES, everything, [("by commits", 1)]) == [
        CoverageBar("a date", 1, [("by commits", 1)]),
        CoverageBar("a title", 1),
        CoverageBar("images", 1),
        CoverageBar("videos", 0),
        CoverageBar("versions in other languages", 1),
    ]
    assert [bar.name for bar in coverage_bars(PAGES, site())] == ["a date"]


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
