import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.report.plans import BASE, NOW, overview
from unit.sample_sites import pages, site

from waypost.audit import TextCounts
from waypost.core import reasons
from waypost.core.dates import add_seconds
from waypost.core.finding_types import Severity
from waypost.core.model import Changes, DateCount, Document, Example, Page, SiteWarning, Skipped
from waypost.report import AffectedPage, ReportProblem, with_heads
from waypost.report.overview import (
    AGE_NAMES,
    OLDER,
    ROWS,
    UNDATED,
    CoverageBar,
    ReportRow,
    age_of,
    coverage_bars,
    language_matrix,
    languages_of,
)


@pytest.mark.parametrize(
    ("date", "bar"),
    [
        (NOW, "under a week"),
        ("2026-11-14T12:00:01Z", "under a week"),
        ("2026-11-14T12:00:00Z", "a week to a month"),
        ("2026-11-21", "under a week"),
        ("2026-11-14", "a week to a month"),
        ("2026-10-22", "a week to a month"),
        ("2026-10-21", "1 to 3 months"),
        ("2026-06-01", "3 to 6 months"),
        ("2025-12-01", "6 to 12 months"),
        ("2025-01-01", "1 to 2 years"),
        ("2022-01-01", "2 to 5 years"),
        ("2021-01-01", OLDER),
        ("0001-01-01", OLDER),
        ("2027-01-01", "under a week"),
        (None, UNDATED),
    ],
)
def test_a_date_belongs_to_the_first_bar_that_it_is_younger_than(date: str | None, bar: str) -> None:
    assert age_of(date, NOW) == bar


@settings(max_examples=25)
@given(st.integers(0, 60_000_000), st.integers(0, 1_000_000))
def test_what_is_older_never_belongs_to_a_younger_bar(seconds: int, more: int) -> None:
    younger, older = (age_of(add_seconds(NOW, -each), NOW) for each in (seconds, seconds + more))
    assert AGE_NAMES.index(younger) <= AGE_NAMES.index(older)


def test_listed_pages_are_counted_by_section_and_age() -> None:
    listed = pages(["index.html", "a.html", "blog/a.html", "blog/b/c.html", "ü x/a.html"], lastmod="2026-11-20")
    found = overview([*listed, Page("blog/z.html", f"{BASE}blog/z.html")])
    assert (found.base_url, found.now, found.pages, found.folders.pages) == (BASE, NOW, 6, 6)
    assert [(folder.name, folder.pages) for folder in found.folders.folders] == [("blog", 3), ("ü x", 1)]
    ages = dict(zip(AGE_NAMES, found.folders.ages, strict=True))
    assert {name: count for name, count in ages.items() if count} == {"under a week": 5, UNDATED: 1}


def test_the_sections_of_a_site_below_a_folder_begin_there() -> None:
    base = "https://example.org/docs/"
    found = overview([Page(path, base + path) for path in ("a/b.html", "c.html")], settings=site(base))
    assert [(folder.name, folder.pages) for folder in found.folders.folders] == [("a", 1)]
    assert [row.path for row in found.rows] == ["a/b.html", "c.html"]


def test_what_might_have_been_listed_is_shown_first_and_what_never_might_last() -> None:
    skipped = (
        Skipped("style.css", reasons.NOT_A_PAGE),
        Skipped("old.html", reasons.NOINDEX, "noindex"),
        Skipped("draft.html", reasons.EXCLUDED),
        Skipped("older.html", reasons.NOINDEX),
        Skipped("also.css", reasons.NOT_A_PAGE),
    )
    found = overview(pages(["a.html"], lastmod="2026-03-01"), skipped)
    assert found.rows == [
        ReportRow("old.html", "noindex", "noindex"),
        ReportRow("draft.html", "excluded"),
        ReportRow("older.html", "noindex"),
        ReportRow("a.html", "", "2026-03-01", "a.html"),
        ReportRow("style.css", "not-a-page"),
        ReportRow("also.css", "not-a-page"),
    ]
    assert list(found.excluded_by_reason.items()) == [("noindex", 2), ("excluded", 1), ("not-a-page", 2)]
    assert not found.is_cut


def test_sitemaps_are_all_files_that_list_pages() -> None:
    documents = [
        Document(f"sitemap.{kind}", kind, b"1", f"{BASE}sitemap.{kind}")
        for kind in ("sitemap", "html", "stylesheet", "robots")
    ]
    found = overview(documents=documents)
    assert found.sitemaps == documents[:2]
    assert (found.limits.urls, found.limits.bytes, found.limits.sitemaps) == (50_000, 10_485_760, 1_000)


def test_the_verdict_is_about_warnings_exclusions_and_what_others_found() -> None:
    skipped = (Skipped("odd", reasons.UNREADABLE, "denied"), Skipped("old.html", reasons.NOINDEX))
    other = ReportProblem("found", Severity.ERROR, "Something", "Do it.", (AffectedPage("a"), AffectedPage("b")))
    found = overview([], skipped, [other], warnings=[SiteWarning("shallow", "no date")])
    assert [each.code for each in found.verdict.problems] == ["found", "unreadable", "shallow"]


def test_a_warning_has_all_its_pages_where_the_plan_has_them() -> None:
    cases = {"copies": [Example(f"{n}.html") for n in range(50)]}
    warned = [SiteWarning("copies", "…", 50, tuple(cases["copies"][:3]))]
    (problem,) = overview(warnings=warned, cases=cases).verdict.problems
    assert len(problem.pages) == problem.page_count == 50


def test_changes_are_counted_by_kind_and_by_the_same_folders_as_pages() -> None:
    changes = Changes(added=(f"{BASE}a/b",), removed=(f"{BASE}gone/b", f"{BASE}a/c/d"))
    found = overview(pages(["a/b"]), changes=changes)
    assert [(each.name, each.pages, each.changes) for each in found.folders.folders] == [
        ("a", 1, [1, 1, 0, 0]),
        ("gone", 0, [0, 1, 0, 0]),
    ]
    assert found.changes == changes


def test_what_dated_pages_and_why_others_have_no_date_is_counted() -> None:
    found = overview(date_counts=[DateCount(1_200, "text"), DateCount(2, no_date_reason="list-page")])
    assert found.coverage[0].parts == [
        ("by a tracked file with the same text", 1_200),
        ("without a date: lists of other pages", 2),
    ]


def test_rows_are_cut_at_a_number_and_all_is_counted() -> None:
    found = overview([], [Skipped("a.css", reasons.NOT_A_PAGE)] * (ROWS + 5))
    assert (len(found.rows), found.excluded_by_reason, found.is_cut) == (ROWS, {"not-a-page": ROWS + 5}, True)


def test_an_empty_site_has_an_overview() -> None:
    found = overview()
    assert (found.pages, found.folders.pages, found.rows, found.excluded_by_reason) == (0, 0, [], {})
    assert (found.is_cut, found.verdict.is_healthy, found.languages) == (False, True, None)


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


A, B = "https://example.org/a", "https://example.org/b"


def page(loc: str, **alternates: str) -> Page:
    return Page("k", loc, alternates=tuple((code.replace("_", "-"), href) for code, href in sorted(alternates.items())))


def test_a_page_has_the_language_under_which_it_names_itself() -> None:
    assert languages_of(page(A, en=A, de=B, x_default=A)) == ("en", "de")
    assert languages_of(page(A, de=B)) == ()
    assert languages_of(page(A)) == ()


def test_the_matrix_counts_pages_with_and_without_counterparts() -> None:
    pages = [page(A, en=A, de=B), page(B, en=A, de=B), page(A, en=A, fr=B), page(A, en=A), page(B)]
    matrix = language_matrix(pages)
    assert matrix is not None
    assert (matrix.languages, dict(matrix.pages)) == (["en", "de", "fr"], {"en": 3, "de": 1})
    assert [matrix.missing("en", other) for other in ("de", "fr")] == [2, 2]
    assert matrix.missing("de", "en") == 0


def test_a_site_in_one_language_has_no_matrix() -> None:
    assert language_matrix([page(A, en=A)]) is None
