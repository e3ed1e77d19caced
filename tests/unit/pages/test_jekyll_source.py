"""A Jekyll folder as a source."""

import os
from pathlib import Path

import pytest
from jekyll_builds import NOW, MakeSource, skipped

from waypost.core import reasons
from waypost.core.errors import SourceError
from waypost.core.model import Body, Example, Item, Skipped
from waypost.core.reasons import Reason
from waypost.files.folder_source import FolderSource
from waypost.pages.html_head import HtmlHead, read_head, visible_text
from waypost.pages.jekyll_front_matter import JekyllFrontMatter, read_front_matter
from waypost.pages.jekyll_source import JekyllSource, html_body
from waypost.pages.own_dates import OwnDate, OwnDates


def everything(path: str) -> Reason | None:
    del path
    return None


def test_an_item_has_the_key_of_the_output_and_the_read_key_of_the_source(make_source: MakeSource) -> None:
    files = {"_config.yml": "permalink: pretty\n", "about.md": "", "_posts/2024-01-02-a.md": "", "static.html": "<p>"}
    assert {each for each in make_source(files).items(everything) if isinstance(each, Item)} == {
        Item("2024/01/02/a/index.html", "_posts/2024-01-02-a.md", url_path="2024/01/02/a/"),
        Item("about/index.html", "about.md", url_path="about/"),
        Item("static.html", "static.html"),
    }


def test_a_page_that_is_not_for_sitemaps_is_left_out(make_source: MakeSource) -> None:
    source = make_source({"a.md": "---\nsitemap: false\n---\n", "b.md": "---\nsitemap: 'false'\n---\n"})
    assert Skipped("a.md", reasons.UNPUBLISHED, "sitemap: false") in skipped(source)
    assert [file.key for file in source.written] == ["a.html", "b.html"]


def test_the_source_may_be_a_folder_of_the_folder(make_source: MakeSource) -> None:
    files = {"_config.yml": "source: web/src\ndestination: web/src/out\n", "a.md": "", "web/b.md": ""}
    source = make_source(files | {"web/src/c.md": "", "web/src/_x/d.md": "", "web/src/out/c.html": "<p>", "z/e.md": ""})
    assert [each for each in source.items(everything) if isinstance(each, Item)] == [
        Item("c.html", "web/src/c.md", url_path="c.html")
    ]
    assert skipped(source) == [
        Skipped("_config.yml", reasons.GENERATOR_EXCLUDED, "source: web/src/"),
        Skipped("a.md", reasons.GENERATOR_EXCLUDED, "source: web/src/"),
        Skipped("web/b.md", reasons.GENERATOR_EXCLUDED, "source: web/src/"),
        Skipped("web/src/_x/", reasons.UNPUBLISHED),
        Skipped("web/src/out/", reasons.GENERATOR_EXCLUDED),
        Skipped("z/", reasons.GENERATOR_EXCLUDED),
    ]


def test_a_static_file_is_read_as_it_is_and_a_page_as_what_is_known_of_it(make_source: MakeSource) -> None:
    static = "<title>{{ x }}</title>"
    source = make_source({"a.html": static, "b.md": "---\ntitle: B\n---\n# {{ x }}\n"})
    items = {each.key: each for each in source.items(everything) if isinstance(each, Item)}
    assert source.read(items["a.html"]) == Body(static.encode())
    assert source.read(items["a.html"], 3) == Body(b"<ti", is_whole=False)
    body = source.read(items["b.html"], 3)
    assert body.is_whole
    assert b"<title>B</title>" in body.data
    assert source.read(items["b.html"], 0) == Body(b"", is_whole=False)


def test_a_source_that_is_gone_cannot_be_read(make_source: MakeSource, tmp_path: Path) -> None:
    source = make_source({"b.md": ""})
    (item,) = (each for each in source.items(everything) if isinstance(each, Item))
    (tmp_path / "b.md").unlink()
    with pytest.raises(FileNotFoundError):
        source.read(item)


def test_a_file_is_found_by_the_path_at_which_it_is_written(make_source: MakeSource) -> None:
    files = {"robots.txt": "---\n---\nUser-agent: *\n", "static/x.txt": "x", "_includes/y.txt": "y"}
    source = make_source(files)
    assert source.find("robots.txt") == b"User-agent: *\n"
    assert source.find("static/x.txt") == b"x"
    assert source.find("_includes/y.txt") is None
    assert source.find("none.txt") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_that_cannot_be_read_is_left_out(make_source: MakeSource, tmp_path: Path) -> None:
    source = make_source({"a.md": ""})
    (tmp_path / "a.md").chmod(0)
    assert Skipped("a.md", reasons.UNREADABLE, "Permission denied") in skipped(source)


def test_a_link_is_a_page_of_its_own(make_source: MakeSource, tmp_path: Path) -> None:
    source = make_source({"a.md": ""})
    (tmp_path / "b.md").symlink_to("a.md")
    assert Item("b.html", "a.md", url_path="b.html") in list(source.items(everything))


def test_warnings_name_what_cannot_be_seen_and_what_cannot_be_read(make_source: MakeSource) -> None:
    files = {
        "_config.yml": "plugins: [own-plugin]\ntimezone: Nowhere/City\n",
        "a.md": "---\na: [\n---\n",
        "_posts/2024-01-01-b.md": "---\ndate: soon\n---\n",
    }
    found = {warning.code: (warning.count, warning.examples) for warning in make_source(files).warnings}
    assert found == {
        "jekyll-layouts": (1, ()),
        "jekyll-plugin": (1, (Example("own-plugin"),)),
        "jekyll-timezone": (1, (Example("Nowhere/City"),)),
        "jekyll-front-matter": (
            2,
            (
                Example("a.md", "line 3: did not find expected node content"),
                Example("_posts/2024-01-01-b.md", "'soon' is not a date"),
            ),
        ),
    }


def test_a_site_without_problems_has_one_warning(make_source: MakeSource) -> None:
    assert [warning.code for warning in make_source({"a.md": ""}).warnings] == ["jekyll-layouts"]


def test_a_permalink_with_an_unknown_placeholder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "_posts").mkdir()
    (tmp_path / "_posts" / "2024-01-01-a.md").write_text("---\npermalink: /:nothing/\n---\n")
    with pytest.raises(SourceError, match=":nothing"):
        list(JekyllSource(FolderSource(tmp_path), "jekyll", NOW).items(everything))


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
    text = "---\ntitle: A & <B>\nrobots: [noindex, follow]\nlast_modified_at: 2024-05-01\ndate: 2024-01-02\n---\nx"
    body = html_body(read_front_matter(text.encode()), is_html=False)
    assert b"<title>A &amp; &lt;B&gt;</title>" in body
    assert head(text, is_html=False) == HtmlHead(
        noindex="noindex",
        dates=OwnDates(OwnDate("2024-05-01", "article:modified_time"), OwnDate("2024-01-02", "article:published_time")),
    )


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
