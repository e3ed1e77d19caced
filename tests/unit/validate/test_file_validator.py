import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from unit.validate.given import BASE, NOW, URL, Given, examine, feed, index, loc, news, seen, shown, url, urlset

from waypost.core import dates
from waypost.core.dates import DateRange
from waypost.core.finding_types import Severity
from waypost.validate.file_validator import FileResult, FileValidator, is_priority
from waypost.validate.findings import FindingReport
from waypost.validate.sitemap_entry import IMAGE_NAMESPACE, NEWS_NAMESPACE, SITEMAP_NAMESPACE

DAY = 86_400
PLAIN = f'xmlns="{SITEMAP_NAMESPACE}"'


def dated(*written: str) -> bytes:
    return urlset("".join(url(f"<lastmod>{date}</lastmod>", f"{n}") for n, date in enumerate(written)))


def test_what_a_file_came_to_is_told() -> None:
    body = dated("2026-02-01", "2026-03-01T12:00:00Z", "2026-02-15")
    examined = examine(body).examined
    newest = dates.parse_strict_w3c_date("2026-03-01T12:00:00Z")
    assert isinstance(newest, DateRange)
    assert examined == FileResult(
        "sitemap.xml", URL, "urlset", 3, len(body), (newest.start, "2026-03-01T12:00:00Z"), [], is_broken=False
    )


@given(st.lists(st.sampled_from(["", "a", "a b", "ü", "#", "?a&amp;b", "{a}"]), max_size=6), st.integers(0, 9))
def test_it_does_not_matter_whether_a_file_is_compressed(paths: list[str], level: int) -> None:
    body = urlset("".join(url(path=path) for path in paths))
    plain, packed = examine(body), examine(gzip.compress(body, level))
    assert packed.entries == plain.entries
    assert seen(packed.findings) == seen(plain.findings)
    assert packed.examined == plain.examined


def test_a_broken_file_tells_what_was_read_of_it() -> None:
    file = Given((urlset(url() + url(path="b"))[:-20],), fails=OSError(5, "it was cut off"))
    result = examine(file)
    assert [(each.code, each.message) for each in result.findings] == [
        ("unreadable", "the file cannot be read: it was cut off")
    ]
    assert (result.examined.is_broken, result.examined.kind, result.examined.entries) == (True, "urlset", 1)


def test_an_error_without_words_is_told_by_its_name() -> None:
    (finding,) = examine(Given((), fails=OSError("gone"))).findings
    assert finding.message == "the file cannot be read: gone"


@pytest.mark.parametrize(
    "body", [b"", b"\n\n", urlset("", PLAIN), urlset("<!-- -->", PLAIN), index(), feed()], ids=shown
)
def test_a_file_that_lists_nothing_is_empty(body: bytes) -> None:
    result = examine(body)
    assert (result.codes, result.examined.is_broken) == (["empty"], False)


def test_a_file_that_is_broken_is_not_called_empty_too() -> None:
    assert examine(b"<urlset").codes == ["not-well-formed"]


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


@pytest.mark.parametrize(
    "value", ["", ".", "-0.1", "+1", "1.1", "2", "0,5", "high", "1e0", "nan", "\u0660", "0.5.5", "\u00bd"]
)
def test_what_is_none_is_no_priority(value: str) -> None:
    assert not is_priority(value)


@given(st.text(max_size=10))
def test_whatever_a_priority_holds_it_is_judged(text: str) -> None:
    assert is_priority(text) in (True, False)


@pytest.mark.parametrize("value", ["", "Daily", "often", "daily daily"])
def test_a_changefreq_is_one_of_seven_words(value: str) -> None:
    assert examine(urlset(url(f"<changefreq>{value}</changefreq>"))).codes == ["changefreq"]


@pytest.mark.parametrize(
    ("written", "codes"),
    [
        (["2026-02-01"] * 4, []),
        (["2026-02-01"] * 5, ["dates-all-equal"]),
        (["2026-02-01"] * 99 + ["2026-02-02"], []),
        (["x"] * 5, ["date-form"] * 5),
        (["2999-01-01"] * 5, ["date-future"] * 5),
    ],
)
def test_many_dates_that_are_all_the_same_are_distrusted(written: list[str], codes: list[str]) -> None:
    assert examine(dated(*written)).codes == codes


def generated(body: bytes, modified: float | None = None, index: DateRange | None = None) -> list[str]:
    report = FindingReport()
    FileValidator(Given((body,), modified=modified), report, NOW, date_in_index=index).validate()
    return [finding.code for finding in report]


def test_dates_at_which_the_file_was_made_are_distrusted() -> None:
    made = [f"2026-03-01T12:00:0{n}Z" for n in range(9)]
    at = NOW - DAY
    assert generated(dated(*made, "2026-01-01"), at) == ["dates-of-generation"]
    assert generated(dated(*made, "2026-01-01"), at + 9) == ["dates-of-generation"]
    assert generated(dated(*made, "2026-01-01"), index=DateRange(at, at + 1)) == ["dates-of-generation"]
    assert generated(dated(*made[:8], "2026-01-01", "2026-01-02"), at) == []
    assert generated(dated(*made, "2026-01-01"), at + 200) == []
    assert generated(dated(*made, "2026-01-01")) == []


def test_days_are_no_times_of_generation() -> None:
    assert generated(dated(*["2026-03-01"] * 4, "2026-02-01"), NOW - DAY) == []


def test_equal_dates_that_are_those_of_generation_are_told_once() -> None:
    assert generated(dated(*["2026-03-01T12:00:00Z"] * 5), NOW - DAY) == ["dates-of-generation"]


@pytest.mark.parametrize(
    ("date", "codes"),
    [
        ("Sun, 01 Mar 2026 12:00:00 +0000", []),
        ("01 Mar 2026 12:00 EST", []),
        ("Sun, 01 Mar 2026 12:00:00 -0000", []),
        ("2026-03-01", []),
        ("Sun, 01 Mar 2999 12:00:00 GMT", ["date-future"]),
        ("Sun, 31 Feb 2026 12:00:00 GMT", ["date-impossible"]),
        ("Sun, 01 Mar 2026 25:00:00 GMT", ["date-impossible"]),
        ("yesterday", ["date-form-rss"]),
        ("", ["date-form-rss"]),
        ("01 Mar 2026 12:00:00 +99999999999999999999", ["date-form-rss"]),
        (f"01 Mar 2026 12:00:00 +{'9' * 5_000}", ["date-form-rss"]),
        (f"{'9' * 5_000} Mar 2026 12:00:00 +0000", ["date-form-rss"]),
    ],
    ids=shown,
)
def test_the_dates_of_rss_have_a_form_of_their_own(date: str, codes: list[str]) -> None:
    assert examine(feed(f"<link>{BASE}a</link><pubDate>{date}</pubDate>")).codes == codes


@given(st.text(st.sampled_from('0123456789 +-:,.MarSunGMTESZ()"\\[]@'), max_size=40))
def test_whatever_a_date_of_rss_holds_it_is_judged(text: str) -> None:
    codes = examine(feed(f"<link>{BASE}a</link><pubDate>{text}</pubDate>")).codes
    assert set(codes) <= {"date-form-rss", "date-future", "date-impossible"}


def test_an_index_is_told_of_its_children_in_its_own_words() -> None:
    result = examine(index("<loc>http://www.example.org/a.xml</loc>", "<loc>/b.xml</loc>", "<lastmod>2026</lastmod>"))
    assert result.codes == ["child-elsewhere", "loc-relative", "missing-loc"]
    assert [child.loc for child in result.examined.children] == ["http://www.example.org/a.xml", "/b.xml"]


def test_an_index_of_too_many_is_followed_as_far_as_it_may_list() -> None:
    result = examine(index(*(loc(f"{n}.xml") for n in range(50_010))))
    assert (result.codes, result.examined.entries) == (["too-many-sitemaps"], 50_010)
    assert len(result.examined.children) == 50_000


def test_as_many_news_as_readers_take_are_no_mistake() -> None:
    assert examine(urlset("".join(url(news(), f"{n}") for n in range(1_000)))).codes == []


def test_of_each_code_so_many_findings_are_kept_and_all_are_counted() -> None:
    result = examine(urlset("".join(url(path=f"a b{n}") for n in range(12_345))))
    assert result.codes == ["loc-space"] * 100
    assert result.report.counts == {"loc-space": 12_345}
    assert result.report.count(Severity.ERROR) == 12_345
    assert result.report.count(Severity.NOTE) == 0


def test_a_report_may_keep_all() -> None:
    report = FindingReport(most=0)
    for n in range(500):
        report.add("loc-space", "a", n)
    assert len(list(report)) == 500


def test_findings_are_told_file_by_file_in_the_order_of_lines() -> None:
    report = FindingReport()
    for file, line in (("b", 5), ("a", 3), ("b", 1), ("a", 0)):
        report.add("loc-space", file, line)
    assert [(each.file, each.line) for each in report] == [("b", 1), ("b", 5), ("a", 0), ("a", 3)]


def test_no_more_of_a_value_is_told_than_a_person_reads() -> None:
    report = FindingReport()
    report.add("loc-relative", "a", 1, "x" * 100_000)
    report.add("wrong-namespace", "a", 1, name="n" * 100_000, found="f" * 100_000, right="r")
    assert all(len(each.message) + len(each.advice) + len(each.loc) < 10_000 for each in report)


def test_braces_in_what_was_seen_are_shown_as_they_are() -> None:
    (finding,) = examine(urlset("<url><loc>{why}</loc></url>")).findings[1:]
    assert finding.message == "'{why}' is not an absolute URL"


def test_a_news_sitemap_may_be_empty_and_any_other_may_not() -> None:
    news = f'xmlns="{SITEMAP_NAMESPACE}" xmlns:news="{NEWS_NAMESPACE}"'
    assert examine(urlset("", news)).codes == []
    assert examine(urlset("", news.replace(":news=", ":n="))).codes == []
    assert examine(urlset("", f'xmlns="{SITEMAP_NAMESPACE}" xmlns:image="{IMAGE_NAMESPACE}"')).codes == ["empty"]
    news_index = index().replace(b"<sitemapindex ", f'<sitemapindex xmlns:news="{NEWS_NAMESPACE}" '.encode())
    assert examine(news_index).codes == ["empty"]


def test_a_blank_before_the_xml_declaration_is_called_by_its_name() -> None:
    assert examine(b"\n " + urlset(url())).codes == ["blank-before-declaration"]
    assert examine(b"\n" + urlset(url()).partition(b"\n")[2]).codes == []


def test_gzip_in_gzip_is_called_by_its_name() -> None:
    result = examine(gzip.compress(gzip.compress(urlset(url()))), "sitemap.xml.gz")
    assert (result.codes, result.examined.is_broken) == (["gzip-twice"], True)


@pytest.mark.parametrize(
    "body",
    [
        urlset("<url><loc>{{ site.url }}/a</loc></url>" * 3),
        urlset("<url><loc>{% url 'a' %}</loc></url>"),
        urlset("\n{% for page in pages %}\n<url></url>"),
        b"---\nlayout: null\n---\n" + urlset(url()),
        b"<?php echo 1; ?>\n" + urlset(url()),
        urlset("<url><loc><%= page.url %></loc></url>"),
    ],
    ids=shown,
)
def test_a_template_that_was_not_rendered_is_told_once(body: bytes) -> None:
    assert examine(body).codes == ["not-rendered"]


def test_braces_in_a_text_are_no_template() -> None:
    assert examine(urlset(url(news(title="What {{ x }} means")))).codes == []


def test_xml_that_is_malformed_is_shown() -> None:
    (finding,) = examine(urlset("\n" + url(path="?a&b=1"))).findings
    assert (finding.code, finding.line) == ("not-well-formed", 3)
    assert "after '<url><loc>https://www.example.org/?a&b'" in finding.message
