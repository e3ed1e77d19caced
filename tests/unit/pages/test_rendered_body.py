"""What is read of a page before Jekyll renders it."""

import pytest

from waypost.pages.html_head import HtmlHead, read_head, visible_text
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, read_front_matter
from waypost.pages.jekyll_source import html_body

LOC = "https://example.org/a.html"


def head(text: str, *, is_html: bool = True) -> HtmlHead:
    read = read_head(html_body(read_front_matter(text.encode()), is_html=is_html), is_whole=True, is_dated=True)
    assert read is not None
    return read


def test_the_text_of_a_page_is_not_taken_for_a_head() -> None:
    text = (
        '---\ntitle: A & B\n---\n<meta name="robots" content="noindex">\n{{ page.url }} <link rel="canonical" href="/">'
    )
    for is_html in (True, False):
        assert head(text, is_html=is_html) == HtmlHead()
        assert head(f"{text}<html>", is_html=is_html) == HtmlHead()


def test_title_robots_and_date_of_the_front_matter_are_in_the_head() -> None:
    text = "---\ntitle: A & <B>\nrobots: [noindex, follow]\nlast_modified_at: 2024-05-01\n---\nx"
    body = html_body(read_front_matter(text.encode()), is_html=False)
    assert b"<title>A &amp; &lt;B&gt;</title>" in body
    assert head(text, is_html=False) == HtmlHead(noindex="noindex", date="2024-05-01")


def test_the_visible_text_is_that_of_the_source() -> None:
    assert visible_text(html_body(read_front_matter(b"---\ntitle: T\n---\none < two"), is_html=False)) == "T\none < two"


def test_a_whole_document_may_begin_with_comments_and_template_tags() -> None:
    text = '---\n---\n{% include x %}\n<!-- a --><!-- b -->{{ y }}\n<html><meta name="robots" content="noindex">'
    assert head(text) == HtmlHead(noindex="noindex")
    assert head(text, is_html=False) == HtmlHead()


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ('<meta name="robots" content="noindex">', HtmlHead(noindex="noindex")),
        ('{% if x %}<meta name="robots" content="noindex">{% endif %}', HtmlHead()),
        ('{% if x %}{% highlight y %}{% endhighlight %}<meta name="robots" content="noindex">{% endif %}', HtmlHead()),
        ('{%- unless x -%}{% if y %}{% endif %}<meta name="robots" content="none">{%- endunless -%}', HtmlHead()),
        ('<link rel="canonical" href="/fixed/">', HtmlHead(canonicals=("/fixed/",))),
        ('<link rel="canonical" href="{{ site.url }}{{ page.url }}">', HtmlHead()),
        ('<link rel="canonical" href="https://example.org{{ page.url }}">', HtmlHead()),
        ('<meta http-equiv="refresh" content="0; url={{ site.baseurl }}/new/">', HtmlHead(refresh="/new/")),
        ("{% include head.html %}{% seo %}", HtmlHead()),
    ],
)
def test_only_what_no_condition_and_no_value_decides_is_read_of_a_whole_document(tags: str, expected: HtmlHead) -> None:
    assert head(f"---\nlayout: null\n---\n<!DOCTYPE html><html><head>{tags}</head><body>x</body></html>") == expected


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("{%" * 40_000, True),
        ("{%" + " " * 40_000, True),
        ("{% aaaaaaaa" * 10_000, True),
        ("<a " + "{{" * 40_000, True),
        ("{{ " * 40_000, True),
        ("<a" * 40_000, True),
        ("{% if a %}" * 20_000, False),
        ("{{ a }}" * 20_000, False),
    ],
)
def test_marks_that_nothing_closes_are_searched_once(text: str, kept: bool) -> None:
    body = html_body(JekyllFrontMatter({}, f"<html>{text}"), is_html=True)
    assert body == (f"<html>{text}" if kept else "<html>").encode()
