import json
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.report.plans import BASE, overview
from unit.sample_sites import site

from waypost.core import reasons
from waypost.core.finding_types import Severity
from waypost.core.model import Changes, DateCount, Document, Page, Skipped, printable
from waypost.core.reasons import REASONS
from waypost.notify.submission import SitemapStatus, Submission, SubmittedContent
from waypost.report import AffectedPage, Overview, ReportProblem, render_report
from waypost.report.overview import ReportRow
from waypost.sitemaps.render import Renderer

RENDERER = Renderer()
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


def described(text: str = "x", **values: Any) -> Overview:
    """A site all of whose words are a text."""
    given: dict[str, Any] = {
        "pages": [Page("a/b.html", f"{BASE}a/b.html", "", "2026-11-20"), Page("c.html", f"{BASE}c.html")],
        "skipped": [Skipped(text, reasons.NOINDEX, text)],
        "documents": [
            Document("sitemap.xml", "sitemap", bytes(300), "", 2, "2026-11-20"),
            Document("sitemap.html", "html", b"", "", 2),
        ],
        "problems": [
            ReportProblem(
                "code", Severity.ERROR, f"t {text}", f"a {text}", (AffectedPage(text, text), AffectedPage("b")), text
            ),
            ReportProblem("note", Severity.NOTE, "title", "advice", found_by=text),
        ],
        "changes": Changes(added=(f"{BASE}a/{text}",), lastmod_changed=(f"{BASE}{text}",)),
    }
    return replace(overview(**{**given, **values}), submissions=submissions(text), submissions_at=text)


def submissions(text: str) -> list[Submission]:
    """What search engines know of sitemaps, in a text."""
    status = SitemapStatus(None, text, state=text, has_errors=True, contents=(SubmittedContent(text, 3),))
    return [
        Submission("google", text, text, True, status),
        Submission("google", text, text, True),
        Submission("bing", text, text, False, None, text),
    ]


def read(of: Overview) -> Read:
    return Read(render_report(of, RENDERER))


@pytest.mark.parametrize("text", EVIL)
def test_no_word_of_a_site_is_taken_for_markup(text: str) -> None:
    plain, evil = read(described()), read(described(text))
    assert evil.tags == plain.tags or "`" in text
    assert not {name for name, _ in evil.attributes if name.startswith("on")} - {"onsubmit"}
    assert evil.scripts[1:] == plain.scripts[1:]
    assert "<script>" not in evil.scripts[0]
    assert text.replace("`", "") in evil.text.replace("`", "")


@pytest.mark.parametrize("text", EVIL)
def test_the_folders_of_a_site_are_data_and_no_markup(text: str) -> None:
    evil = read(overview([Page("x", f"{BASE}{quote(text, safe='')}/a.html")]))
    assert evil.tags == read(overview([Page("x", f"{BASE}x/a.html")])).tags
    assert [name for name, ages, *_ in evil.data["folders"][3] if sum(ages)] == [printable(text)]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(EVIL)


@settings(max_examples=25)
@given(st.lists(st.builds(ReportRow, TEXT, st.sampled_from(["", "noindex"]), TEXT), max_size=5))
def test_rows_are_read_back_as_they_were(rows: list[ReportRow]) -> None:
    found = read(replace(described(), rows=rows))
    states = found.data["states"]
    shown = [(*row, *(0, "")[len(row) - 1 :])[:3] for row in found.data["rows"]]
    assert [(key, states[state], detail) for key, state, detail in shown] == [(r.key, r.reason, r.detail) for r in rows]
    assert "\u2028" not in found.scripts[0]
    assert "<" not in found.scripts[0]


@settings(max_examples=25)
@given(TEXT)
def test_whatever_a_site_says_the_report_is_whole(text: str) -> None:
    assert read(described(text)).tags[-1] == "script"


NOTHING: dict[str, Any] = {"pages": [], "skipped": [], "documents": [], "problems": [], "changes": Changes()}


@pytest.mark.parametrize(
    "values",
    [
        *({name: nothing} for name, nothing in NOTHING.items()),
        NOTHING,
        {"pages": [Page("a.html", f"{BASE}a.html")]},
        {"problems": [ReportProblem("no-repository", Severity.WARNING, "alone", "")]},
        {"documents": [Document("sitemap.xml", "index", b"", "", 2), Document("sitemap-news.xml", "news", b"", "", 2)]},
    ],
)
def test_a_site_that_has_nothing_of_something_has_a_report(values: dict[str, Any]) -> None:
    found = read(described(**values))
    assert "Sitemaps of example.org" in found.text
    assert "None" not in found.text
    assert ("Sections" in found.text) is (values.get("pages") != [])


def test_every_reason_is_told_with_its_meaning_and_its_number_of_files() -> None:
    skipped = [Skipped(f"{n}", reason) for reason in REASONS.values() for n in range(12)]
    found = read(overview(skipped=[*skipped, *[Skipped("a", reasons.NOINDEX)] * 1_222])).text
    for reason in REASONS.values():
        assert reason.meaning.replace("`", "") in found
    assert "1,234" in found


def test_a_report_whose_rows_are_cut_says_so() -> None:
    whole = described()
    assert "Only the first 2 files" in read(replace(whole, rows=whole.rows[:2])).text
    assert "Only the first" not in read(whole).text


def test_the_verdict_comes_first() -> None:
    broken, healthy = read(described()), read(described(problems=()))
    assert broken.text.index("1 thing to fix") < broken.text.index("What the 2 pages have")
    assert "1 error on 2 pages; 2 pages are listed." in broken.text
    assert healthy.text.index("Healthy") < healthy.text.index("What the 2 pages have")
    assert "2 pages are listed, and nothing needs to be fixed." in healthy.text


def test_a_problem_says_what_it_is_why_it_matters_and_what_to_do_and_has_all_its_pages() -> None:
    pages = tuple(AffectedPage(f"{n}.html", "found") for n in range(1_000))
    problem = ReportProblem("code", Severity.WARNING, "The title", "Do that.", pages, "It matters.", found_by="me")
    found = read(described(problems=[problem]))
    told = ("warning", "The title", "1,000 pages", "It matters.", "What to do: Do that.", "Found by me: code")
    assert [text for text in told if text not in found.text] == []
    ((about, names),) = found.data["problems"][0]
    assert (about, len(names)) == ("found", 1_000)
    assert "on 1,000 pages, such as 0.html" in found.text


def test_the_parts_of_a_report_have_their_numbers() -> None:
    skipped = [
        *[Skipped("a", reasons.NOINDEX)] * 7,
        *[Skipped("b", reasons.DUPLICATE)] * 2,
        *[Skipped("c", reasons.NOT_A_PAGE)] * 30,
    ]
    documents = [
        Document("sitemap.xml", "index", bytes(1_048_576), "", 500),
        Document("news.xml", "news", b"", "", 250),
        Document("1.xml", "sitemap", b"", "", 25_000),
        *[Document("a.html", "html", bytes(600), "")] * 2,
    ]
    dates = [DateCount(1_200, "text")]
    text = read(described(skipped=skipped, documents=documents, date_counts=dates)).text
    parts = [
        *("by a tracked file with the same text1,200", "Needs attention (2)", "duplicate-loc", "Intended (7)"),
        *("noindex", "No pages (30)", "500 50%", "1,048,576", "10%", "250 25%", "25000 50%"),
        "HTML sitemaps for visitors: 2 files, 1,200 bytes.",
    ]
    place = 0
    for part in parts:
        place = text.index(part, place)


def test_pages_are_counted_by_age_in_columns_up_to_the_highest() -> None:
    dates = ["2026-11-20"] * 4 + ["2026-11-10"] * 2
    found = read(overview([Page(f"{n}", f"{BASE}{n}", "", date) for n, date in enumerate(dates)]))
    heights = [value for name, value in found.attributes if name == "style" and value and value.startswith("height")]
    assert heights[:3] == ["height: 80.0%; --size: 80.0%", "height: 40.0%; --size: 40.0%", "height: 0.0%; --size: 0.0%"]
    assert "4under a week" in found.text.replace("\n", "")


def test_languages_are_a_matrix_that_leads_to_missing_counterparts() -> None:
    en, de = f"{BASE}en/a", f"{BASE}de/a"
    listed = [
        Page("en/a", en, alternates=(("de", de), ("en", en))),
        Page("de/a", de, alternates=(("de", de), ("en", en))),
        Page("en/b", f"{BASE}en/b", alternates=(("en", f"{BASE}en/b"), ("x-default", f"{BASE}en/b"))),
    ]
    found = read(overview(listed, settings=site(alternates=True)))
    assert ("aria-label", "en to de: 50%, 1 page without") in found.attributes
    assert ("data-without", "en") not in found.attributes
    assert "Languages" not in read(described()).text


def test_what_search_engines_know_is_a_section_only_if_they_were_asked() -> None:
    found = read(described()).text
    for text in ("Search engines", "3 x", "bing, x: x", "google, x: the engine reports errors in it"):
        assert text in found
    assert "Search engines" not in read(overview()).text


def test_the_report_loads_nothing_from_anywhere() -> None:
    page = render_report(described(), RENDERER).decode()
    found = Read(page.encode())
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'") in found.attributes
    assert not {"link", "img", "iframe"} & set(found.tags)
    assert not [value for name, value in found.attributes if name == "src"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)
    addresses = [value or "" for name, value in found.attributes if name == "href"]
    assert all(address.startswith(("#", BASE)) for address in addresses)


def test_the_same_site_has_the_same_report() -> None:
    assert render_report(described(), RENDERER) == render_report(described(), Renderer())


def data(*pages: AffectedPage) -> Any:
    """The data of a report on a site with one problem on these pages."""
    listed = [
        Page("index.html", BASE, "", "2026-01-01"),
        Page("a/b.html", f"{BASE}a/b.html", alternates=(("en", f"{BASE}a/b.html"), ("de", BASE))),
        Page("a/c.html", f"{BASE}a/c"),
    ]
    problem = ReportProblem("code", Severity.WARNING, "title", "advice", pages)
    return read(overview(listed, [Skipped("old.html", reasons.NOINDEX, "none")], [problem])).data


def test_rows_have_what_differs_from_the_usual_and_no_more() -> None:
    found = data()
    assert found["states"] == ["", "noindex"]
    assert found["rows"] == [
        ["old.html", 1, "none"],
        ["index.html", 0, "2026-01-01", 0, "/"],
        ["a/b.html", 0, "", 1, "", 1],
        ["a/c.html", 0, "", 1, "a/c"],
    ]
    assert found["languages"] == [[], ["en", "de"]]


def test_a_page_of_a_problem_is_the_number_of_its_row_by_its_key_or_its_url() -> None:
    pages = ("old.html", f"{BASE}a/c", BASE, "robots.txt")
    found = data(*(AffectedPage(name, "found" if name.endswith("c") else "") for name in pages))
    assert found["problems"] == [[0, [3, "found"], 1, "robots.txt"]]


def test_a_page_to_fix_that_is_named_by_its_key_and_by_its_url_is_one_page() -> None:
    named = [AffectedPage("c.html"), AffectedPage(f"{BASE}c.html")]
    problem = ReportProblem("code", Severity.ERROR, "title", "advice", named)
    note = ReportProblem("note", Severity.NOTE, "title", "advice", [AffectedPage("a/b.html")])
    assert "1 error on 1 page;" in read(described(problems=[problem, note])).text
