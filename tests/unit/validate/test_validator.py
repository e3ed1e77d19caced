from contextlib import closing

import pytest
from unit.validate.given import BASE, NOW, Given, index, loc, survey, url, urlset

from waypost.validate import FindingReport, SitemapEntry, SitemapFile, Validator


def file(stem: str, body: bytes) -> Given:
    return Given((body,), f"{stem}.xml", f"{BASE}{stem}.xml")


class Followed:
    """What a validator reads of files and of those that their indexes list."""

    def __init__(self, files: list[Given], listed: list[Given]) -> None:
        self.asked: list[tuple[str, str]] = []
        self.entries: list[SitemapEntry] = []
        self._by_loc = {each.loc: each for each in listed}
        with closing(Validator(NOW, FindingReport(10), self._open, self.entries.extend)) as validator:
            self.files = [result.file for result in validator.validate(files)]
            self.locs = list(validator.locs())
            self.report = validator.report

    def _open(self, parent: SitemapFile, child: str) -> Given | None:
        self.asked.append((parent.name, child))
        return self._by_loc.get(child)


def test_an_index_is_followed_to_its_sitemaps_and_each_is_read_once() -> None:
    children = [file(stem, urlset(url(path=stem))) for stem in "ab"]
    top = file("index", index(loc("a.xml"), loc("b.xml"), loc("a.xml"), loc("c.xml"), loc("index.xml")))
    followed = Followed([top, *children], children)
    assert followed.files == ["index.xml", "a.xml", "b.xml"]
    assert followed.asked == [("index.xml", f"{BASE}{stem}.xml") for stem in ("a", "b", "c")]
    assert followed.locs == [entry.loc for entry in followed.entries] == [f"{BASE}a", f"{BASE}b"]
    assert [each.code for each in followed.report] == ["duplicate", "index-of-itself"]


@pytest.mark.parametrize("is_read_before", [False, True])
def test_nobody_follows_an_index_in_an_index(*, is_read_before: bool) -> None:
    inner, top = file("inner", index(loc("a.xml"))), file("index", index(loc("inner.xml")))
    followed = Followed([inner, top] if is_read_before else [top], [inner])
    assert sorted(followed.files) == ["index.xml", "inner.xml"]
    assert (followed.asked[-1], len(followed.asked)) == (("index.xml", f"{BASE}inner.xml"), 1 + is_read_before)
    (finding,) = followed.report
    assert (finding.code, finding.file, finding.loc) == ("nested-index", "index.xml", f"{BASE}inner.xml")


def test_an_index_that_lists_itself_is_read_once() -> None:
    top = file("index", index(loc("index.xml")))
    moved = Given((index(loc("b.xml")),), "a.xml", f"{BASE}a.xml", redirected_to=f"{BASE}b.xml")
    for followed in (Followed([top], [top]), Followed([moved], [file("b", urlset(url()))])):
        assert (len(followed.files), followed.asked) == (1, [])
        assert "index-of-itself" in followed.report.counts


def test_the_first_of_many_repetitions_are_those_that_are_shown() -> None:
    body = urlset("\n".join(url(path=f"{n % 50}") for n in range(200)))
    report = Followed([file("a", body)], []).report
    assert [(each.line, each.loc) for each in report] == [(52 + n, f"{BASE}{n}") for n in range(10)]
    assert report.counts == {"duplicate": 150}


def test_a_file_that_cannot_be_read_keeps_none_of_the_others_back() -> None:
    broken = Given((urlset(url())[:-20],), "a.xml", f"{BASE}a.xml", fails=OSError(5, "it was cut off"))
    report = survey([broken, file("b", urlset(url(path="b c")))])
    assert [(each.file, each.code) for each in report] == [("a.xml", "unreadable"), ("b.xml", "loc-space")]


@pytest.mark.parametrize(
    ("date", "codes"),
    [
        ("2026-02-02T12:00:00Z", []),
        ("2026-02-03", []),
        ("2026-02-02", []),
        ("2026-02", []),
        ("2026", []),
        ("2026-02-01", ["child-date"]),
        ("2026-02-02T11:59:58Z", ["child-date"]),
        ("2026-01", ["child-date"]),
    ],
)
def test_an_index_may_say_that_a_sitemap_changed_after_its_pages_and_not_before(date: str, codes: list[str]) -> None:
    child = file("a", urlset(url("<lastmod>2026-02-02T12:00:00Z</lastmod>")))
    top = file("index", index(f"{loc('a.xml')}<lastmod>{date}</lastmod>"))
    assert [each.code for each in survey([top, child])] == codes


def test_a_sitemap_that_robots_txt_names_may_list_the_whole_site_and_its_own_folder() -> None:
    cdn, report = "https://cdn.example.net/maps/sitemap.xml", FindingReport()
    body = urlset(url(path="a") + url(path="https://cdn.example.net/maps/b") + url(path="https://example.com/c"))
    with closing(Validator(NOW, report, robots_of=lambda file: f"{BASE}robots.txt")) as validator:
        assert [result.file for result in validator.validate([Given((body,), cdn, cdn)])] == [cdn]
    (finding,) = report
    assert (finding.code, finding.line, finding.loc) == ("loc-host", 2, "https://example.com/c")
    assert finding.message == "the host of the URL, example.com, differs from that of the robots.txt"


def test_a_robots_txt_at_no_url_decides_nothing() -> None:
    report = FindingReport()
    with closing(Validator(NOW, report, robots_of=lambda file: "robots.txt")) as validator:
        list(validator.validate([file("a", urlset(url(path="https://example.com/c")))]))
    assert list(report) == []


def test_a_sitemap_in_a_folder_that_lists_what_is_above_is_a_warning_that_says_what_allows_it() -> None:
    (finding,) = survey([Given((urlset(url()),), "sitemap.xml", f"{BASE}en/sitemap.xml")])
    assert (finding.code, finding.severity) == ("loc-above", "warning")
    assert "robots.txt" in finding.advice
    assert "Search Console" in finding.advice


def test_listed_urls_that_differ_from_the_site_are_reported_where_they_are() -> None:
    report = FindingReport()
    with closing(Validator(NOW, report)) as validator:
        list(validator.validate([file("a", urlset(url())), file("b", urlset(f"{url(path='c')}\n{url(path='d')}"))]))
        validator.compare(lambda loc: ("listed-variant", f"{BASE}e") if loc == f"{BASE}d" else None)
    (finding,) = report
    assert (finding.code, finding.file, finding.line, finding.loc) == ("listed-variant", "b.xml", 3, f"{BASE}d")


def test_how_much_of_a_file_was_read_is_told_before_it_is_used() -> None:
    sizes: list[tuple[str, int, int]] = []
    body = urlset(url())
    given = Given((body[:9], body[9:]), fails=OSError("gone"))
    validator = Validator(NOW, FindingReport(), on_read=lambda file, size: sizes.append((file.name, size, given.taken)))
    with closing(validator):
        assert [result.is_broken for result in validator.validate([given])] == [True]
    whole = len(body)
    assert sizes == [("sitemap.xml", 0, 0), ("sitemap.xml", 9, 9), ("sitemap.xml", whole, whole)]
