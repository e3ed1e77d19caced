"""The sitemaps that are published now, found by their usual names and by indexes."""

import gzip

import pytest
from unit.cli.invoke import BASE, index, urlset
from unit.sample_sites import RecordingStore

from waypost.build.present_sitemaps import name_in, usual_sitemaps, with_children


@pytest.mark.parametrize("name", ["sitemap.xml", "sitemap_index.xml", "sitemap-index.xml"])
def test_a_sitemap_at_a_usual_name_is_found(name: str) -> None:
    files = {name: urlset("a").encode(), "other.xml": urlset("b").encode(), "sitemap-0.xml": urlset("c").encode()}
    assert usual_sitemaps(RecordingStore(files)) == {name: files[name]}


def test_an_index_leads_to_its_children_and_theirs_wherever_the_site_was_before() -> None:
    files = {
        "sitemap.xml": index("http://old.example.com/x/nested.xml", "http://old.example.com/x/de/sitemap.xml").encode(),
        "nested.xml": index("http://old.example.com/x/a.xml").encode(),
        "a.xml": urlset("a").encode(),
        "de/sitemap.xml": urlset("de").encode(),
    }
    assert usual_sitemaps(RecordingStore(files)) == files


def test_a_compressed_sitemap_is_decompressed() -> None:
    body = urlset("a").encode()
    assert usual_sitemaps(RecordingStore({"sitemap.xml.gz": gzip.compress(body)})) == {"sitemap.xml.gz": body}


def test_an_index_that_lists_itself_ends() -> None:
    files = {"sitemap.xml": index(f"{BASE}sitemap.xml").encode()}
    assert usual_sitemaps(RecordingStore(files)) == files


@pytest.mark.parametrize(
    ("loc", "name"),
    [
        (f"{BASE}de/sitemap.xml", "de/sitemap.xml"),
        (f"{BASE}deep/de/sitemap.xml", "de/sitemap.xml"),
        (f"{BASE}d%65/sitemap.xml", "de/sitemap.xml"),
        (f"{BASE}absent.xml", ""),
        (f"{BASE}x/../de/sitemap.xml", ""),
        (f"{BASE}page.html", ""),
        ("https://[/sitemap.xml", ""),
        ("", ""),
    ],
)
def test_a_child_has_the_longest_end_of_its_path_that_exists(loc: str, name: str) -> None:
    assert name_in(RecordingStore({"de/sitemap.xml": b"", "page.html": b""}))(loc) == name


def test_what_does_not_exist_is_not_among_the_sitemaps() -> None:
    assert with_children(["absent.xml"], lambda name: None, lambda loc: loc) == {}
