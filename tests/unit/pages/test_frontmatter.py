import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.pages import frontmatter
from waypost.pages.facts import PageFacts
from waypost.pages.own_dates import MODIFICATION_KEYS, NO_DATES

NOTHING = PageFacts()


@pytest.mark.parametrize(
    ("text", "hidden_by"),
    [
        ("---\nrobots: NONE\n---\n", "robots: NONE"),
        ("---\nurl: /other/\n---\n", "url: /other/"),
        ("---\ndraft: true # not yet\n---\n", "draft: true"),
        ('---\ntitle: "x"\n"draft": no\ndraft: true\n---\n', "draft: true"),
        ("---\r\ndraft: true\r\n---\r\n", "draft: true"),
        ("---  \ndraft: true\n---", "draft: true"),
    ],
)
def test_front_matter_keeps_a_page_unpublished_or_elsewhere(text: str, hidden_by: str) -> None:
    assert frontmatter.read_front_matter(text.encode()).hidden_by == hidden_by


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("---\ndate: 2026-03-01T12:00:00+01:00\n---\n", "2026-03-01T11:00:00Z"),
        ("---\ndate: 2025-01-01\nupdated: some day\n---\n", "2025-01-01"),
        ("---\ndate: tomorrow\n---\n", None),
        ("---\npubDate: 2025-01-01\nlastUpdated: 2026-01-01\n---\n", "2026-01-01"),
        ("\ufeff---\r\nlastmod: '2026-01-01' # then\r\n---\r\n", "2026-01-01"),
    ],
)
def test_front_matter_dates_a_page_by_its_change_before_its_birth(text: str, date: str | None) -> None:
    assert frontmatter.read_front_matter(text.encode()).own_dates.date(None) == date


@pytest.mark.parametrize(
    "text",
    [
        *(f"---\ntitle: x\n{key}: 2026-01-02\n---\n" for key in (*MODIFICATION_KEYS, "lastUpdated", "Last-Modified")),
        "---\nlast_update:\n  author: a\n  date: 2026-01-02\n---\n",
        "---\nlast_update: {date: 2026-01-02, author: a}\n---\n",
        "+++\nupdated = 2026-01-02\n[params]\nupdated = 2020-01-01\n+++\n",
        '{\n  "title": "x",\n  "last_update": {"date": "2026-01-02"}\n}\n\nText',
        '{\n  "lastmod": "2026-01-02"\n}\nText',
        "Title: x\nModified: 2026-01-02\n\nText",
        "Title\n=====\n\n:date: 2020-01-01\n:modified: 2026-01-02\n\nText",
        "// licence\n= Title\nA. Uthor <a@example.org>\nv1.0\n:toc:\n:revdate: 2026-01-02\n\nText",
        "<!--\n.. title: x\n.. updated: 2026-01-02\n-->\nText",
        "#+title: x\n#+lastmod: 2026-01-02\n\nText",
    ],
)
def test_every_form_of_front_matter_says_when_the_page_changed(text: str) -> None:
    found = frontmatter.own_dates(text).modified
    assert found is not None
    assert found.date == "2026-01-02"


@pytest.mark.parametrize(
    "text",
    [
        "---\nauthor:\n  updated: 2026-01-02\nevents:\n- date: 2026-01-02\n---\n",
        "+++\n[[events]]\ndate = 2026-01-02\n+++\n",
        '{\n  "lastmod": "2026-01-02"\n}\n',
        '{\n  "lastmod": \n}\nText',
        "{\n" + '"a": [' * 5_000 + "\n}\nText",
        "Text\n\nupdated: 2026-01-02\nModified: 2026-01-02\n",
    ],
)
def test_dates_in_other_objects_and_in_data_are_not_the_page_s(text: str) -> None:
    assert frontmatter.own_dates(text) == NO_DATES


def test_fields_below_a_title_are_front_matter() -> None:
    """Three lines may be before them: a fourth makes a paragraph."""
    fields = ":modified: 2026-01-02\n"
    for head in ("#####\nTitle\n#####\n\n", "= Title\nA. Uthor\nv1.0\n", ""):
        assert frontmatter.own_dates(head + fields).modified
        assert frontmatter.without_modification_dates(f"{head}{fields}\nText") == f"{head}\nText"
    assert frontmatter.own_dates("One\ntwo\nthree\nfour\n" + fields) == NO_DATES


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n---\ndraft: true\n---\n",
        "---\n---\ndraft: true\n\n---\n",
        "---\n---\n",
        "---\nparams:\n  draft: true\n  slug: x\n---\n",
        '+++\ntitle = "x"\n[[menu.main]]\nurl = "/x/"\n+++\n',
    ],
)
def test_only_top_level_lines_of_a_block_at_the_beginning_count(text: str) -> None:
    assert frontmatter.read_front_matter(text.encode()) == NOTHING


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    assert isinstance(frontmatter.read_front_matter(data), PageFacts)
    assert isinstance(frontmatter.read_front_matter(b"---\n" + data + b"\n---\n"), PageFacts)


def test_a_very_long_date_is_none() -> None:
    text = "---\ndate: '2020-01-01T00:00" + " " * 500_000 + "x'\n---\n"
    assert frontmatter.read_front_matter(text.encode()) == NOTHING


@pytest.mark.parametrize(
    "text", ["\n" * 300_000, "---\na: {" + "a" * 300_000 + "}\n---\n", "---\na: " + "{a," * 100_000 + "\n---\n"]
)
def test_hostile_front_matter_takes_no_time_out_of_proportion(text: str) -> None:
    assert frontmatter.own_dates(text) == NO_DATES
    assert frontmatter.without_modification_dates(text) == text
