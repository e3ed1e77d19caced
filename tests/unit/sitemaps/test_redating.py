"""Changing the dates in a sitemap, and nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.core.errors import SourceError
from waypost.sitemaps.redating import WrittenSitemap

XMLNS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
NEW = "2026-02-03"


def redated(body: str, *dates: str) -> str:
    return WrittenSitemap("a.xml", body.encode()).with_dates(dates).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<loc>u</loc><lastmod>2020</lastmod>", f"<loc>u</loc><lastmod>{NEW}</lastmod>"),
        ("<loc>u</loc>", f"<loc>u</loc><lastmod>{NEW}</lastmod>"),
        ("\n  <loc>u</loc>\n", f"\n  <loc>u</loc>\n  <lastmod>{NEW}</lastmod>\n"),
        ("<loc>u</loc>\n<lastmod>\n 2020 \n</lastmod>", f"<loc>u</loc>\n<lastmod>\n {NEW} \n</lastmod>"),
        ("<lastmod/><loc>u</loc>", f"<lastmod>{NEW}</lastmod><loc>u</loc>"),
        ("<lastmod  /><loc>u</loc>", f"<lastmod>{NEW}</lastmod><loc>u</loc>"),
        ("<lastmod></lastmod><loc>u</loc>", f"<lastmod>{NEW}</lastmod><loc>u</loc>"),
        ("<lastmod> </lastmod ><loc>u</loc>", f"<lastmod> {NEW}</lastmod ><loc>u</loc>"),
        ("<loc>u</loc><lastmod><![CDATA[2020]]></lastmod>", f"<loc>u</loc><lastmod>{NEW}</lastmod>"),
        ("<loc>u</loc><priority>1</priority>", f"<loc>u</loc><lastmod>{NEW}</lastmod><priority>1</priority>"),
        ("<loc\n>u</loc\n><!-- <lastmod> -->", f"<loc\n>u</loc\n><lastmod>{NEW}</lastmod><!-- <lastmod> -->"),
        ('<loc>u</loc><lastmod a="b>c">2020</lastmod>', f'<loc>u</loc><lastmod a="b>c">{NEW}</lastmod>'),
        ("<loc>&amp;é</loc><x y='<lastmod>'/>", None),
        ("<loc>u</loc><x xmlns='urn:x'><lastmod>2020</lastmod></x>", None),
    ],
)
def test_a_date_is_written_where_it_was_or_after_the_loc(before: str, after: str | None) -> None:
    frame = f"\ufeff<?xml version='1.0'?>\n<!-- é -->\n<urlset {XMLNS}>\n <url>%s</url>\r\n</urlset >\n"
    if after is None:
        after = before.replace("</loc>", f"</loc><lastmod>{NEW}</lastmod>", 1)
    before = before.replace("<x y='<", "<x y='&lt;")
    after = after.replace("<x y='<", "<x y='&lt;")
    assert redated(frame % before, NEW) == frame % after
    assert redated(frame % after, NEW) == frame % after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<loc>u</loc><lastmod>2020</lastmod>", "<loc>u</loc>"),
        ("\n <loc>u</loc>\n <lastmod>2020</lastmod>\n", "\n <loc>u</loc>\n"),
        ("\n <lastmod>2020</lastmod>\n <loc>u</loc>\n", "\n <loc>u</loc>\n"),
        ("<loc>u</loc>", "<loc>u</loc>"),
    ],
)
def test_a_date_goes_with_its_line(before: str, after: str) -> None:
    frame = f"<urlset {XMLNS}><url>%s</url></urlset>"
    assert redated(frame % before, "") == frame % after


def test_a_prefix_and_an_index_are_kept() -> None:
    body = '<s:sitemapindex xmlns:s="urn:s"><s:sitemap><s:loc>u</s:loc></s:sitemap></s:sitemapindex>'
    assert WrittenSitemap("a.xml", body.encode()).kind == "sitemapindex"
    assert redated(body, NEW) == body.replace("</s:loc>", f"</s:loc><s:lastmod>{NEW}</s:lastmod>")


@pytest.mark.parametrize(
    "body",
    [
        '<urlset xmlns="urn:s"><url><s:loc xmlns:s="urn:s">u</s:loc></url></urlset>',
        '<s:urlset xmlns:s="urn:s"><s:url><loc xmlns="urn:s">u</loc></s:url></s:urlset>',
    ],
)
def test_a_date_is_in_the_scope_of_the_entry(body: str) -> None:
    found = redated(body, NEW)
    assert [entry.lastmod for entry in WrittenSitemap("a.xml", found.encode()).entries] == [NEW]
    assert redated(found, NEW) == found


def test_a_file_with_too_many_entries_is_not_read() -> None:
    with pytest.raises(SourceError, match="more than 200,000 entries"):
        WrittenSitemap("a.xml", f"<urlset {XMLNS}>{'<url><loc/></url>' * 200_001}</urlset>".encode())


def test_entries_are_read_as_they_mean() -> None:
    body = f"<urlset {XMLNS}><url><loc> a&amp;b<![CDATA[<]]> </loc><lastmod> 2020 </lastmod></url><url/></urlset>"
    (entry,) = WrittenSitemap("a.xml", body.encode()).entries
    assert (entry.loc, entry.lastmod) == ("a&b<", "2020")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"https://example.org/", "a.xml is no XML: a text sitemap has no dates"),
        (b"<rss/>", "a.xml is a rss, and only sitemaps and indexes in XML have dates to change"),
        (b"<urlset>", "is no XML sitemap that can be read"),
        ("<?xml version='1.0' encoding='utf-16'?><urlset/>".encode("utf-16"), "a.xml is no XML"),
        (b"<?xml version='1.0' encoding='iso-8859-1'?><urlset/>", "another encoding than UTF-8"),
        (b"<urlset>\xe9</urlset>", "another encoding than UTF-8"),
        (b'<!DOCTYPE urlset [<!ENTITY a "b">]><urlset/>', "document type"),
    ],
)
def test_a_file_whose_dates_cannot_be_changed_says_why(body: bytes, problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        WrittenSitemap("a.xml", body)


_space = st.sampled_from(["", " ", "\n  ", "\r\n\t"])
_other = st.sampled_from(["", "<priority>1</priority>", "<!-- <loc> -->", "<x:y xmlns:x='urn:x' z='/>'/>", "<?p a?>"])
_date = st.sampled_from(["", "<lastmod/>", "<lastmod>2020-01-02</lastmod>", "<lastmod> 2020 </lastmod>"])
_url = st.tuples(_space, _other, _space, _date, _space, _other, _space).map(
    lambda parts: f"<url>{''.join(parts[:3])}<loc>u</loc>{''.join(parts[3:])}</url>"
)
_urls = st.lists(st.tuples(_url, st.sampled_from(["", NEW, "2020"])), max_size=5)


@given(_urls, _space)
def test_everything_but_the_dates_stays_and_the_dates_are_those_that_were_asked_for(
    urls: list[tuple[str, str]], space: str
) -> None:
    body = f"<urlset {XMLNS}>" + space.join(url for url, _ in urls) + "</urlset>"
    dates = [date for _, date in urls]
    found = redated(body, *dates)
    assert [entry.lastmod for entry in WrittenSitemap("a.xml", found.encode()).entries] == dates
    assert redated(found, *dates) == found
    parts = [re.sub(r"\s*<lastmod(/>|>.*?</lastmod>)", "", text, flags=re.DOTALL) for text in (body, found)]
    assert re.sub(r"\s+", " ", parts[0]) == re.sub(r"\s+", " ", parts[1])
