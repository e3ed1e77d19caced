import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.sample_sites import site

from waypost.core.diff import count_changes
from waypost.core.finding_types import Severity
from waypost.core.model import Changes, Page, printable
from waypost.core.reasons import REASONS
from waypost.notify.submission import SitemapStatus, Submission, SubmittedContent
from waypost.report import html
from waypost.report.overview import ROWS, Overview, ReportedSitemap, ReportRow, make_overview
from waypost.report.verdict import AffectedPage, ReportProblem
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
NOW = "2026-11-21T12:00:00Z"
BASE = "https://example.org/"
EVIL = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><!--",
    "\"'><img src=x onerror=alert(1)>",
    "a\u2028b\u2029c",
    "&lt;&amp;&#x27;",
    "`<b>`",
    "{{ 7 * 7 }}{% raw %}",
    "\\u003c\\",
    "\x85\x7f\ufffd",
]
VOID = {"meta", "input", "br", "link", "img", "wbr"}


class Read(HTMLParser):
    """A page as a parser reads it: its tags, its text, its scripts' contents and all values of attributes."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page.decode())
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "wbr":  # one after each slash
            return
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] == ["script"]:
            self.scripts[-1] += data
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def data(self) -> Any:
        return json.loads(self.scripts[0])


def overview(text: str = "x", **values: Any) -> Overview:
    """A site all of whose words are a text."""
    given: dict[str, Any] = {
        "listed": [Page("a/b.html", f"{BASE}a/b.html", "", "2026-11-20"), Page("c.html", f"{BASE}c.html")],
        "rows": [ReportRow(text, "", text, "a/b.html"), ReportRow(f"2{text}", "noindex", text)],
        "sitemaps": [
            ReportedSitemap("sitemap.xml", "sitemap", 2, 300, "2026-11-20"),
            ReportedSitemap("sitemap.html", "html", 2),
        ],
        "excluded_by_reason": {"noindex": 1},
        "problems": [
            ReportProblem(
                "code", Severity.ERROR, f"t {text}", f"a {text}", (AffectedPage(text, text), AffectedPage("b")), text
            ),
            ReportProblem("note", Severity.NOTE, "title", "advice", found_by=text),
        ],
        "changes": count_changes(Changes(added=(f"{BASE}a/{text}",), lastmod_changed=(f"{BASE}{text}",))),
    }
    made = make_overview(site(), NOW, **{**given, **values})
    return replace(made, submissions=submissions(text), submissions_at=text)


def submissions(text: str) -> list[Submission]:
    """What search engines know of sitemaps, in a text."""
    status = SitemapStatus(None, text, state=text, has_errors=True, contents=(SubmittedContent(text, 3),))
    return [
        Submission("google", text, text, True, status),
        Submission("google", text, text, True),
        Submission("bing", text, text, False, None, text),
    ]


def read(of: Overview) -> Read:
    return Read(html.render_report(of, RENDERER))


@pytest.mark.parametrize("text", EVIL)
def test_no_word_of_a_site_is_taken_for_markup(text: str) -> None:
    plain, evil = read(overview()), read(overview(text))
    assert evil.tags == plain.tags or "`" in text
    assert not {name for name, _ in evil.attributes if name.startswith("on")} - {"onsubmit"}
    assert evil.scripts[1:] == plain.scripts[1:]
    assert "<script>" not in evil.scripts[0]
    assert text.replace("`", "") in evil.text.replace("`", "")


def test_what_dated_pages_is_shown_with_their_numbers() -> None:
    dated = read(overview(date_counts=(("by files that `sources` names", 1_200),)))
    assert "by files that sources names1,200" in dated.text


@pytest.mark.parametrize("text", EVIL)
def test_the_folders_of_a_site_are_data_and_no_markup(text: str) -> None:
    path = f"{quote(text, safe='')}/a.html"
    evil = read(overview(listed=[Page("x", f"{BASE}{path}")]))
    assert evil.tags == read(overview(listed=[Page("x", f"{BASE}x/a.html")])).tags
    assert [name for name, ages, *_ in evil.data["folders"][3] if sum(ages)] == [printable(text)]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(EVIL)


@given(st.lists(st.builds(ReportRow, TEXT, st.sampled_from(["", "noindex"]), TEXT), max_size=5))
def test_rows_are_read_back_as_they_were(rows: list[ReportRow]) -> None:
    found = read(overview(rows=rows))
    states = found.data["states"]
    shown = [(*row, *(0, "")[len(row) - 1 :])[:3] for row in found.data["rows"]]
    assert [(key, states[state], detail) for key, state, detail in shown] == [(r.key, r.reason, r.detail) for r in rows]
    assert "\u2028" not in found.scripts[0]
    assert "<" not in found.scripts[0]


@given(TEXT)
def test_whatever_a_site_says_the_report_is_whole(text: str) -> None:
    assert read(overview(text)).tags[-1] == "script"


@pytest.mark.parametrize(
    "values",
    [
        {"listed": []},
        {"listed": [Page("a.html", f"{BASE}a.html")]},
        {"rows": []},
        {"sitemaps": []},
        {"excluded_by_reason": {}},
        {"problems": ()},
        {"changes": None},
        {"changes": count_changes(Changes())},
        {"listed": [], "rows": [], "sitemaps": [], "excluded_by_reason": {}, "problems": (), "changes": None},
        {"problems": [ReportProblem("no-repository", Severity.WARNING, "alone", "")]},
        {"excluded_by_reason": {str(reason): 1 for reason in REASONS.values()}},
        {"sitemaps": [ReportedSitemap("sitemap.xml", "index", 2, 0), ReportedSitemap("sitemap-news.xml", "news", 2)]},
    ],
)
def test_a_site_that_has_nothing_of_something_has_a_report(values: dict[str, Any]) -> None:
    found = read(overview(**values))
    assert "Sitemaps of example.org" in found.text
    assert "None" not in found.text
    assert ("Sections" in found.text) is (values.get("listed") != [])


def test_every_reason_is_told_with_its_meaning() -> None:
    found = read(overview(excluded_by_reason={str(reason): 1_234 for reason in REASONS.values()})).text
    for reason in REASONS.values():
        assert reason.meaning.replace("`", "") in found
    assert "1,234" in found


def test_the_rows_end_where_they_are_cut_and_the_page_says_so() -> None:
    rows = (ReportRow(f"{n}.html") for n in range(ROWS + 1))
    found = read(overview(rows=rows, listed=(Page(f"{n}", f"{BASE}{n}.html") for n in range(ROWS + 1))))
    assert len(found.data["rows"]) == ROWS
    assert "Only the first 100,000 files" in found.text
    assert "Only the first" not in read(overview(rows=[ReportRow("a"), ReportRow("b"), ReportRow("c")])).text


def test_the_verdict_comes_first() -> None:
    broken, healthy = read(overview()), read(overview(problems=()))
    assert broken.text.index("1 thing to fix") < broken.text.index("What the 2 pages have")
    assert "1 error on 2 pages; 2 pages are listed." in broken.text
    assert healthy.text.index("Healthy") < healthy.text.index("What the 2 pages have")
    assert "2 pages are listed, and nothing needs to be fixed." in healthy.text


def test_a_problem_says_what_it_is_why_it_matters_and_what_to_do_and_has_all_its_pages() -> None:
    pages = tuple(AffectedPage(f"{n}.html", "found") for n in range(1_000))
    problem = ReportProblem(
        "code", Severity.WARNING, "The title", "Do that.", pages, "It matters.", found_by="the test"
    )
    found = read(overview(problems=[problem]))
    for text in (
        "warning",
        "The title",
        "1,000 pages",
        "It matters.",
        "What to do: Do that.",
        "Found by the test: code",
    ):
        assert text in found.text
    ((about, names),) = found.data["problems"][0]
    assert (about, len(names)) == ("found", 1_000)
    assert "on 1,000 pages, such as 0.html" in found.text


def test_what_is_left_out_is_divided_into_what_is_intended_and_what_needs_attention() -> None:
    text = read(overview(excluded_by_reason={"noindex": 7, "duplicate-loc": 2, "not-a-page": 30})).text
    order = [
        text.index(each)
        for each in ("Needs attention (2)", "duplicate-loc", "Intended (7)", "noindex", "No pages (30)")
    ]
    assert order == sorted(order)


def test_languages_are_a_matrix_that_leads_to_missing_counterparts() -> None:
    en, de = f"{BASE}en/a", f"{BASE}de/a"
    listed = [
        Page("en/a", en, alternates=(("de", de), ("en", en))),
        Page("de/a", de, alternates=(("de", de), ("en", en))),
        Page("en/b", f"{BASE}en/b", alternates=(("en", f"{BASE}en/b"), ("x-default", f"{BASE}en/b"))),
    ]
    found = read(make_overview(site(alternates=True), NOW, listed, [], [], {}))
    assert ("aria-label", "en to de: 50%, 1 page without") in found.attributes
    assert ("data-without", "en") not in found.attributes
    assert "Languages" not in read(overview()).text


def test_what_search_engines_know_is_a_section_only_if_they_were_asked() -> None:
    found = read(overview())
    for text in ("Search engines", "3 x", "bing, x: x", "google, x: the engine reports errors in it"):
        assert text in found.text
    assert "Search engines" not in read(make_overview(site(), NOW, [], [], [], {})).text


def test_the_report_loads_nothing_from_anywhere() -> None:
    page = html.render_report(overview(), RENDERER).decode()
    found = Read(page.encode())
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'") in found.attributes
    assert not {"link", "img", "iframe"} & set(found.tags)
    assert not [value for name, value in found.attributes if name == "src"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)
    addresses = [value or "" for name, value in found.attributes if name == "href"]
    assert all(address.startswith(("#", BASE)) for address in addresses)


def test_the_same_site_has_the_same_report() -> None:
    assert html.render_report(overview(), RENDERER) == html.render_report(overview(), Renderer())
