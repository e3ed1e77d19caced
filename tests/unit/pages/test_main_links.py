"""The links in the main content of a page."""

import pytest

from waypost.pages.main_links import main_links

LOC = "https://example.org/blog/"


def links(body: str) -> list[str]:
    return [url.removeprefix("https://example.org/") for url in main_links(f"<title>A</title>{body}".encode(), LOC)]


def test_each_link_of_the_content_is_there_once_and_absolute() -> None:
    body = "<ul><li><a href=a/>A</a><li><a href=/b#x>B</a> <a href=a/>more</a> <a href='//other.org/'>C</a></ul>"
    assert links(body) == ["blog/a/", "b", "https://other.org/"]


@pytest.mark.parametrize(
    "body",
    [
        "<nav><a href=/menu>M</a></nav><main><a href=/a>A</a></main>",
        "<header><a href=/menu>M</a></header><a href=/a>A</a><footer><a href=/f>F</a></footer>",
        "<article><header><a href=/a>A</a></header></article><aside><a href=/s>S</a></aside>",
        "<div class='site-nav'><a href=/m>M</a></div><div id=sidebar><a href=/m>M</a></div><p><a href=/a>A</a>",
        "<div role=banner><a href=/m>M</a></div><div role=main><header><a href=/a>A</a></header></div>",
        "<main><a href=/a>A</a><div class=pagination><a href=/page/2/>2</a></div></main>",
        "<div class=menu-page><main class=post><a href=/a>A</a></main></div>",
        "<a href=/a>A</a><a>none</a><a href=''>self</a><a href='#top'>top</a><a href='mailto:a@b.c'>mail</a>",
    ],
)
def test_links_beside_the_content_are_left_out(body: str) -> None:
    assert [link for link in links(body) if link != "blog/"] == ["a"]


def test_a_hostile_page_ends_soon() -> None:
    assert len(links("<p><a href=/a>a</a>" * 10_000)) <= 1
    assert links("<div>" * 100_000 + "<a href=/a>a</a>") == []
