"""One file from its first byte to its last: what it is, how much of it was read, and what is wrong with all of it."""

import gzip
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import (
    BASE,
    NEWS_NAMESPACE,
    URL,
    Given,
    examine,
    feed,
    index,
    news,
    seen,
    shown,
    url,
    urlset,
)

from waypost.core import dates
from waypost.validate import SITEMAP_NAMESPACE, FileResult, is_priority

PLAIN = f'xmlns="{SITEMAP_NAMESPACE}"'


def test_what_a_file_came_to_is_told() -> None:
    written = ("2026-02-01", "2026-03-01T12:00:00Z", "2026-02-15")
    body = urlset("".join(url(f"<lastmod>{date}</lastmod>", date) for date in written))
    newest = (dates.unix_time("2026-03-01T12:00:00Z"), "2026-03-01T12:00:00Z")
    assert examine(body).examined == FileResult("sitemap.xml", URL, "urlset", 3, len(body), newest, [], is_broken=False)


@given(st.lists(st.sampled_from(["", "a", "a b", "ü", "#", "?a&amp;b", "{a}"]), max_size=6), st.integers(0, 9))
def test_it_does_not_matter_whether_a_file_is_compressed(paths: list[str], level: int) -> None:
    body = urlset("".join(url(path=path) for path in paths))
    plain, packed = examine(body), examine(gzip.compress(body, level))
    assert packed.entries == plain.entries
    assert seen(packed.findings) == seen(plain.findings)
    assert packed.examined == plain.examined


@pytest.mark.parametrize(
    ("content", "error", "message", "entries"),
    [
        ((urlset(url() + url(path="b"))[:-20],), OSError(5, "it was cut off"), "it was cut off", 1),
        ((), OSError("gone"), "gone", 0),
    ],
    ids=shown,
)
def test_a_file_that_breaks_off_tells_why_and_what_was_read_of_it(
    content: tuple[bytes, ...], error: OSError, message: str, entries: int
) -> None:
    result = examine(Given(content, fails=error))
    (finding,) = result.findings
    assert (finding.code, finding.message) == ("unreadable", f"the file cannot be read: {message}")
    assert (result.examined.is_broken, result.examined.entries) == (True, entries)
    assert result.examined.kind == ("urlset" if content else "")


class Redirected(Given):
    """A file whose redirect is known once it is read."""

    def chunks(self) -> Iterator[bytes]:
        self.redirected_to = "https://example.org/a.xml"
        yield from super().chunks()


def test_the_url_after_redirects_decides_what_a_file_may_list() -> None:
    body = urlset(url(path="https://example.org/a") + url(path="b"))
    assert [(each.code, each.loc) for each in examine(Redirected((body,))).findings] == [
        ("moved", ""),
        ("loc-host", f"{BASE}b"),
    ]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", ""),
        (b"\n\n", "text"),
        (urlset("", PLAIN), "urlset"),
        (urlset("<!-- -->", PLAIN), "urlset"),
        (index(), "sitemapindex"),
        (feed(), "rss"),
    ],
    ids=shown,
)
def test_a_file_that_lists_nothing_is_empty(body: bytes, kind: str) -> None:
    result = examine(body)
    assert (result.codes, result.examined.is_broken, result.examined.kind) == (["empty"], False, kind)


def test_a_file_that_is_broken_is_not_called_empty_too() -> None:
    assert examine(b"<urlset").codes == ["not-well-formed"]


def test_a_news_sitemap_may_be_empty_and_any_other_may_not() -> None:
    news_namespace = f'{PLAIN} xmlns:news="{NEWS_NAMESPACE}"'
    assert examine(urlset("", news_namespace)).codes == []
    assert examine(urlset("", news_namespace.replace(":news=", ":n="))).codes == []
    news_index = index().replace(b"<sitemapindex ", f'<sitemapindex xmlns:news="{NEWS_NAMESPACE}" '.encode())
    assert examine(news_index).codes == ["empty"]


def test_where_nobody_says_where_a_file_is_the_first_loc_decides_the_site() -> None:
    body = urlset(url(path="a/b") + url(path="c") + url(path="https://example.net/"))
    (finding,) = examine(body, loc="").findings
    assert (finding.code, finding.loc) == ("loc-host", "https://example.net/")
    assert finding.message == "the host of the URL, example.net, differs from that of the first URL of the file"


def test_a_relative_loc_decides_no_site() -> None:
    assert examine(urlset(url().replace(BASE, "/a") + url() + url(path="b")), loc="").codes == ["loc-relative"]


@pytest.mark.parametrize("value", ["0", "1", "0.0", "1.0", "0.5", ".5", "1.", "0.123456789"])
def test_a_number_from_0_to_1_is_a_priority(value: str) -> None:
    assert is_priority(value)
    assert examine(urlset(url(f"<priority>{value}</priority>"))).codes == []


@pytest.mark.parametrize(
    "value", ["", ".", "-0.1", "+1", "1.1", "2", "0,5", "high", "1e0", "nan", "\u0660", "0.5.5", "\u00bd"]
)
def test_what_is_none_is_no_priority(value: str) -> None:
    assert not is_priority(value)
    assert examine(urlset(url(f"<priority>{value}</priority>"))).codes == ["priority"]


@pytest.mark.parametrize("value", ["", "Daily", "often", "daily daily"])
def test_a_changefreq_is_one_of_seven_words(value: str) -> None:
    assert examine(urlset(url(f"<changefreq>{value}</changefreq>"))).codes == ["changefreq"]


def test_an_index_is_told_of_its_children_in_its_own_words() -> None:
    result = examine(index("<loc>http://www.example.org/a.xml</loc>", "<loc>/b.xml</loc>", "<lastmod>2026</lastmod>"))
    assert result.codes == ["child-elsewhere", "loc-relative", "missing-loc"]
    assert [child.loc for child in result.examined.children] == ["http://www.example.org/a.xml", "/b.xml"]


def test_an_entry_of_a_feed_that_has_no_link_is_told_in_the_words_of_feeds() -> None:
    assert examine(feed("<title>News</title>", f"<link>{BASE}a</link>")).codes == ["feed-link"]


def test_as_many_news_as_readers_take_are_no_mistake() -> None:
    assert examine(urlset("".join(url(news(), f"{n}") for n in range(1_000)))).codes == []


def test_braces_in_what_was_seen_are_shown_as_they_are() -> None:
    (finding,) = examine(urlset("<url><loc>{why}</loc></url>")).findings[1:]
    assert finding.message == "'{why}' is not an absolute URL"


def test_a_blank_before_the_xml_declaration_is_called_by_its_name() -> None:
    assert examine(b"\n " + urlset(url())).codes == ["blank-before-declaration"]
    assert examine(b"\n" + urlset(url()).partition(b"\n")[2]).codes == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (urlset("<url><loc>{{ site.url }}/a</loc></url>" * 3), 2),
        (urlset("<url><loc>{% url 'a' %}</loc></url>"), 2),
        (urlset("\n{% for page in pages %}\n<url></url>"), 3),
        (b"---\nlayout: null\n---\n" + urlset(url()), 1),
        (b"<?php echo 1; ?>\n" + urlset(url()), 1),
        (urlset("<url><loc><%= page.url %></loc></url>"), 2),
    ],
    ids=shown,
)
def test_a_template_that_was_not_rendered_is_told_once(body: bytes, line: int) -> None:
    assert [(each.code, each.line) for each in examine(body).findings] == [("not-rendered", line)]


def test_braces_in_a_text_are_no_template() -> None:
    assert examine(urlset(url(news(title="What {{ x }} means")))).codes == []
