import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.pages import frontmatter
from waypost.pages.facts import PageFacts

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
    ],
)
def test_front_matter_dates_a_page_by_its_change_before_its_birth(text: str, date: str | None) -> None:
    assert frontmatter.read_front_matter(text.encode()).own_date == date


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
