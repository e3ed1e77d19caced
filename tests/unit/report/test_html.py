import json
import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from unit.sample_sites import site

from waypost.core.diff import count_changes
from waypost.core.model import Changes, Example, SiteWarning
from waypost.core.reasons import REASONS
from waypost.report import html
from waypost.report.overview import ROWS, Overview, ReportedSitemap, ReportRow, make_overview
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
VOID = {"meta", "input", "br", "link", "img"}


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
    def rows(self) -> Any:
        return json.loads(self.scripts[0])


def overview(text: str = "x", **values: Any) -> Overview:
    """A site all of whose words are a text."""
    given: dict[str, Any] = {
        "listed": [(f"{BASE}a/b.html", "2026-11-20"), (f"{BASE}c.html", None)],
        "rows": [ReportRow(text, "", text), ReportRow(f"2{text}", "noindex", text)],
        "sitemaps": [
            ReportedSitemap("sitemap.xml", "sitemap", 2, 300, "2026-11-20"),
            ReportedSitemap("sitemap.html", "html", 2),
        ],
        "excluded_by_reason": {"noindex": 1},
        "warnings": [SiteWarning("code", f"message {text}", 2, (Example(text, text), Example(text)))],
        "changes": count_changes(Changes(added=(f"{BASE}a/{text}",), lastmod_changed=(f"{BASE}{text}",))),
    }
    return make_overview(site(), NOW, **{**given, **values})


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


def test_what_dated_pages_is_a_table_of_its_own() -> None:
    dated = read(replace(overview(), date_counts=(("by files that `sources` names", 1_200),)))
    assert dated.tags.count("table") == read(overview()).tags.count("table") + 1
    assert "by files that sources names1,200" in dated.text


@pytest.mark.parametrize("text", EVIL)
def test_the_sections_of_a_site_are_no_markup_wherever_they_are_shown(text: str) -> None:
    evil = read(replace(overview(), sections={f"/{text}/": 5, "/": 1}))
    plain = read(replace(overview(), sections={"/x/": 5, "/": 1}))
    assert [tag for tag in evil.tags if tag != "text"] == [tag for tag in plain.tags if tag != "text"]
    assert ("data-section", f"/{text}/") in evil.attributes


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(EVIL)


@settings(max_examples=50)
@given(st.lists(st.builds(ReportRow, TEXT, st.sampled_from(["", "noindex"]), TEXT), max_size=5))
def test_rows_are_read_back_as_they_were(rows: list[ReportRow]) -> None:
    found = read(overview(rows=rows))
    assert found.rows == [[row.key, row.reason, row.detail] for row in rows]
    assert "\u2028" not in found.scripts[0]
    assert "<" not in found.scripts[0]


@settings(max_examples=50)
@given(TEXT)
def test_whatever_a_site_says_the_report_is_whole(text: str) -> None:
    assert read(overview(text)).tags[-1] == "script"


@pytest.mark.parametrize(
    "values",
    [
        {"listed": []},
        {"listed": [(f"{BASE}a.html", None)]},
        {"rows": []},
        {"sitemaps": []},
        {"excluded_by_reason": {}},
        {"warnings": ()},
        {"changes": None},
        {"changes": count_changes(Changes())},
        {"listed": [], "rows": [], "sitemaps": [], "excluded_by_reason": {}, "warnings": (), "changes": None},
        {"warnings": [SiteWarning("no-repository", "alone")]},
        {"excluded_by_reason": {str(reason): 1 for reason in REASONS.values()}},
        {"sitemaps": [ReportedSitemap("sitemap.xml", "index", 2, 0), ReportedSitemap("sitemap-news.xml", "news", 2)]},
    ],
)
def test_a_site_that_has_nothing_of_something_has_a_report(values: dict[str, Any]) -> None:
    found = read(overview(**values))
    assert "Sitemaps of example.org" in found.text
    assert "None" not in found.text
    assert ("svg" in found.tags) is (values.get("listed") != [])


def test_every_reason_is_told_with_its_meaning() -> None:
    found = read(overview(excluded_by_reason={str(reason): 1_234 for reason in REASONS.values()})).text
    for reason in REASONS.values():
        assert reason.meaning.replace("`", "") in found
    assert "1,234" in found


def test_the_rows_end_where_they_are_cut_and_the_page_says_so() -> None:
    rows = (ReportRow(f"{n}.html") for n in range(ROWS + 1))
    found = read(overview(rows=rows, listed=((f"{BASE}{n}.html", None) for n in range(ROWS + 1))))
    assert len(found.rows) == ROWS
    assert "Only the first 100,000 files" in found.text
    assert "Only the first" not in read(overview(rows=[ReportRow("a"), ReportRow("b"), ReportRow("c")])).text


def test_the_report_loads_nothing_from_anywhere() -> None:
    page = html.render_report(overview(), RENDERER).decode()
    found = Read(page.encode())
    assert ("content", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'") in found.attributes
    assert not {"link", "img", "iframe"} & set(found.tags)
    assert not [value for name, value in found.attributes if name == "src"]
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)
    assert {value for name, value in found.attributes if name == "href"} == {"#files"}


def test_the_drawings_are_well_formed_and_hold_every_section_in_their_room() -> None:
    listed = [(f"{BASE}s{n}/{m}.html", None) for n in range(40) for m in range(40 - n)]
    page = html.render_report(overview(listed=listed), RENDERER).decode()
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) == 2
    for drawing in drawings:
        root = ElementTree.fromstring(drawing)
        _, _, width, height = map(float, root.attrib["viewBox"].split())
        cells = [{name: float(value) for name, value in rect.attrib.items()} for rect in root.iter("rect")]
        assert len(cells) == 25
        assert sum(cell["width"] * cell["height"] for cell in cells) == pytest.approx(width * height, rel=0.01)
        assert all(cell["x"] + cell["width"] <= width + 0.2 for cell in cells)
        assert all(cell["y"] + cell["height"] <= height + 0.2 for cell in cells)
        assert "16 more: 136 pages" in "".join(root.itertext())


def test_the_same_site_has_the_same_report() -> None:
    assert html.render_report(overview(), RENDERER) == html.render_report(overview(), Renderer())
