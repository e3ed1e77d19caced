"""The dates in a generator's own sitemaps, and how they are kept between runs."""

import pytest
from unit.cli.invoke import BASE, index
from unit.sample_sites import RecordingStore, pages

from waypost.build import generator_sitemaps
from waypost.core.sitemap_rows import SitemapRows
from waypost.dates import source_dates
from waypost.dates.source_dates import GeneratorDates
from waypost.settings.output_names import MARK
from waypost.sitemaps.render import Renderer

WHEN = "2020-02-03T04:05:06Z"
KEPT = "dates.json"


def urlset(**dates: str) -> bytes:
    entries = "".join(f"<url><loc>{BASE}{name}</loc><lastmod>{date}</lastmod></url>" for name, date in dates.items())
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'.encode()


def read(files: dict[str, bytes], kept: RecordingStore | None = None) -> GeneratorDates:
    return generator_sitemaps.generator_dates(RecordingStore(files), kept or RecordingStore(), KEPT)


def kept_after(found: GeneratorDates) -> RecordingStore:
    store = RecordingStore()
    source_dates.keep(found, store, KEPT)
    return store


def our_sitemap() -> bytes:
    """A sitemap that Waypost made, which gives a page the same date."""
    rows = SitemapRows(pages(["a.html"], lastmod=WHEN))
    return Renderer().text("sitemap.xml.j2", urls=rows, mark=MARK, stylesheet="")


@pytest.mark.parametrize("loc", [f"{BASE}a", f"{BASE}a/", f"{BASE}a/index.html"])
def test_a_date_is_that_of_the_page_in_any_form_of_its_url(loc: str) -> None:
    assert read({"sitemap.xml": urlset(**{"a.html": WHEN})}).of(loc) == (WHEN,)


def test_a_page_that_is_not_in_the_sitemaps_has_no_date() -> None:
    assert read({"sitemap.xml": urlset(a=WHEN)}).of(f"{BASE}b") == ()
    assert GeneratorDates().of(f"{BASE}a") == ()


@pytest.mark.parametrize(
    ("written", "date"),
    [(WHEN, (WHEN,)), ("2020-02-03T06:05:06+02:00", (WHEN,)), ("2020-02-03T04:05:06.789Z", (WHEN,)), ("yesterday", ())],
)
def test_only_a_time_is_compared_with_commits(written: str, date: tuple[str, ...]) -> None:
    assert read({"sitemap.xml": urlset(a=written)}).of(f"{BASE}a") == date


def test_the_sitemaps_that_an_index_lists_are_read() -> None:
    files = {"sitemap.xml": index(f"{BASE}de/sitemap.xml").encode(), "de/sitemap.xml": urlset(a=WHEN)}
    assert read(files).of(f"{BASE}a") == (WHEN,)


def test_a_sitemap_of_waypost_s_own_is_not_the_generator_s() -> None:
    assert read({"sitemap.xml": our_sitemap()}) == GeneratorDates()


def test_kept_dates_are_read_where_the_generator_s_sitemap_is_gone_or_replaced() -> None:
    found = read({"sitemap.xml": urlset(a=WHEN)})
    assert read({}, kept_after(found)) == found
    assert read({"sitemap.xml": our_sitemap()}, kept_after(found)) == found


def test_a_generator_s_new_sitemap_counts_instead_of_kept_dates() -> None:
    kept = kept_after(read({"sitemap.xml": urlset(a=WHEN, b=WHEN)}))
    later = "2021-02-03T04:05:06Z"
    assert read({"sitemap.xml": urlset(a=later)}, kept) == GeneratorDates(dates={"example.org/a": later})
    assert read({"sitemap.xml": urlset(a="2021-02-03")}, kept) == GeneratorDates()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b'{"format":"waypost-generator-dates","version":2,"dates":{"example.org/a":"2020-02-03T04:05:06Z"}}',
        b'{"format":"other","version":1,"dates":{"example.org/a":"2020-02-03T04:05:06Z"}}',
        b'{"format":"waypost-generator-dates","version":1,"dates":{},"more":1}',
        b"\xff",
    ],
)
def test_a_kept_file_that_is_damaged_or_newer_counts_as_missing(content: bytes) -> None:
    assert read({}, RecordingStore({KEPT: content})) == GeneratorDates()


def test_the_same_dates_are_written_once_whatever_their_order() -> None:
    store = kept_after(read({"sitemap.xml": urlset(a=WHEN, b=WHEN)}))
    source_dates.keep(read({"sitemap.xml": urlset(b=WHEN, a=WHEN)}), store, KEPT)
    assert store.done == [("write", KEPT)]


def test_no_dates_are_not_written_over_kept_ones() -> None:
    store = kept_after(read({"sitemap.xml": urlset(a=WHEN)}))
    before = dict(store.files)
    source_dates.keep(GeneratorDates(), store, KEPT)
    assert store.files == before
    assert kept_after(GeneratorDates()).files == {}


@pytest.mark.parametrize("body", [b"", b"<html>404</html>", b"\x1f\x8bnot gzip"])
def test_a_sitemap_that_cannot_be_read_gives_no_dates(body: bytes) -> None:
    assert read({"sitemap.xml": body}) == GeneratorDates()
