from unit.validate.given import BASE, NOW, Given, index, link, loc, seen, survey, url, urlset

from waypost.validate.file_validator import ListedSitemap, SitemapFile
from waypost.validate.findings import FindingReport
from waypost.validate.sitemap_entry import SitemapEntry
from waypost.validate.validator import Validator


def file(stem: str, body: bytes) -> Given:
    return Given((body,), f"{stem}.xml", f"{BASE}{stem}.xml")


def entries_of(made: Validator, files: list[Given]) -> list[str]:
    return [found.file for found in made.validate(files)]


def test_an_index_is_followed_to_its_sitemaps_and_each_is_read_once() -> None:
    children = {f"{BASE}{stem}.xml": file(stem, urlset(url(path=stem))) for stem in "ab"}
    top = file("index", index(loc("a.xml"), loc("b.xml"), loc("a.xml"), loc("c.xml"), loc("index.xml")))
    asked: list[tuple[str, str]] = []

    def follow(parent: SitemapFile, child: ListedSitemap) -> SitemapFile | None:
        asked.append((parent.name, child.loc))
        return children.get(child.loc)

    made = Validator(NOW, FindingReport(), follow)
    assert entries_of(made, [top, *children.values()]) == ["index.xml", "a.xml", "b.xml"]
    assert asked == [("index.xml", f"{BASE}{stem}.xml") for stem in ("a", "b", "c")]
    assert [each.loc for each in made.url_index.places()] == [f"{BASE}a", f"{BASE}b"]
    assert [made.name(n) for n in range(3)] == ["index.xml", "a.xml", "b.xml"]
    assert [each.code for each in made.report] == ["duplicate", "index-of-itself"]
    made.url_index.close()


def test_nobody_follows_an_index_in_an_index() -> None:
    inner = file("inner", index(loc("a.xml")))
    asked: list[tuple[str, str]] = []

    def follow(parent: SitemapFile, child: ListedSitemap) -> SitemapFile | None:
        asked.append((parent.name, child.loc))
        return inner

    made = Validator(NOW, FindingReport(), follow)
    assert entries_of(made, [file("index", index(loc("inner.xml")))]) == ["index.xml", "inner.xml"]
    assert asked == [("index.xml", f"{BASE}inner.xml")]
    assert [(each.code, each.file, each.loc) for each in made.report] == [
        ("nested-index", "index.xml", f"{BASE}inner.xml")
    ]
    made.url_index.close()


def test_an_index_that_lists_itself_is_read_once() -> None:
    top = file("index", index(loc("index.xml")))
    made = Validator(NOW, FindingReport(), lambda parent, child: top)
    assert entries_of(made, [top]) == ["index.xml"]
    assert [(each.code, each.loc) for each in made.report] == [("index-of-itself", f"{BASE}index.xml")]
    made.url_index.close()


def test_entries_are_handed_on_as_they_are_read() -> None:
    taken = list[SitemapEntry]()
    made = Validator(NOW, FindingReport(), take=taken.extend)
    assert entries_of(made, [file("a", urlset(url() + url(path="b")))]) == ["a.xml"]
    assert [entry.loc for entry in taken] == [BASE, f"{BASE}b"]
    made.url_index.close()


def test_what_is_listed_twice_is_told_with_the_first_place() -> None:
    a, b = file("a", urlset(f"\n{url()}\n\n{url()}")), file("b", urlset(f"{url(path='c')}\n{url()}"))
    assert seen(survey([a, b])) == [
        ("duplicate", 5, BASE, "the URL is already listed in line 3"),
        ("duplicate-elsewhere", 3, BASE, "the URL is already listed in a.xml, line 3"),
    ]


def test_the_first_of_many_repetitions_are_those_that_are_shown() -> None:
    body = urlset("\n".join(url(path=f"{n % 50}") for n in range(200)))
    made = Validator(NOW, FindingReport(10))
    assert entries_of(made, [file("a", body)]) == ["a.xml"]
    assert [(each.line, each.loc) for each in made.report] == [(52 + n, f"{BASE}{n}") for n in range(10)]
    assert made.report.counts == {"duplicate": 150}
    made.url_index.close()


def test_a_file_that_cannot_be_read_keeps_none_of_the_others_back() -> None:
    broken = Given((urlset(url())[:-20],), "a.xml", f"{BASE}a.xml", fails=OSError(5, "it was cut off"))
    report = survey([broken, file("b", urlset(url(path="b c")))])
    assert [(each.file, each.code) for each in report] == [("a.xml", "unreadable"), ("b.xml", "loc-space")]


def test_an_index_may_say_that_a_sitemap_changed_after_its_pages_and_not_before() -> None:
    child = file("a", urlset(url("<lastmod>2026-02-02T12:00:00Z</lastmod>")))
    for date, codes in (
        ("2026-02-02T12:00:00Z", []),
        ("2026-02-03", []),
        ("2026-02-02", []),
        ("2026-02", []),
        ("2026", []),
        ("2026-02-01", ["child-date"]),
        ("2026-02-02T11:59:58Z", ["child-date"]),
        ("2026-01", ["child-date"]),
    ):
        top = file("index", index(f"{loc('a.xml')}<lastmod>{date}</lastmod>"))
        assert [each.code for each in survey([top, child])] == codes, date


def test_alternates_return_across_files() -> None:
    a, b = url(link("en", "") + link("de", "de")), url(link("en", "") + link("de", "de"), "de")
    assert list(survey([file("a", urlset(a)), file("b", urlset(b))])) == []
    report = survey([file("a", urlset(a)), file("b", urlset(url(path="de")))])
    assert [(each.file, each.code) for each in report] == [("a.xml", "hreflang-unreturned")]


def test_a_survey_of_nothing_finds_nothing() -> None:
    assert list(survey([])) == []


def test_a_sitemap_that_robots_txt_names_may_list_the_whole_site_and_its_own_folder() -> None:
    robots, cdn = f"{BASE}robots.txt", "https://cdn.example.net/maps/sitemap.xml"
    body = urlset(url(path="a") + url(path="https://cdn.example.net/maps/b") + url(path="https://example.com/c"))
    made = Validator(NOW, FindingReport(), robots_of=lambda file: robots)
    assert entries_of(made, [Given((body,), cdn, cdn)]) == [cdn]
    assert [(each.code, each.loc) for each in made.report] == [("loc-host", "https://example.com/c")]
    made.url_index.close()


def test_a_sitemap_in_a_folder_that_lists_what_is_above_is_a_warning_that_says_what_allows_it() -> None:
    (found,) = survey([Given((urlset(url()),), "sitemap.xml", f"{BASE}en/sitemap.xml")])
    assert (found.code, found.severity) == ("loc-above", "warning")
    assert "robots.txt" in found.advice
    assert "Search Console" in found.advice


def test_a_loc_that_is_listed_in_another_spelling_is_told_with_the_first() -> None:
    a, b = file("a", urlset(f"{url()}\n{url(path='https://WWW.example.org')}")), file("b", urlset(url(path="%7Eb")))
    c = file("c", urlset(url(path="~b")))
    assert seen(survey([a, b, c])) == [
        ("duplicate-spelling", 3, "https://WWW.example.org", f"the URL is the same as {BASE} in a.xml, line 2"),
        ("duplicate-spelling", 2, f"{BASE}~b", f"the URL is the same as {BASE}%7Eb in b.xml, line 2"),
    ]
