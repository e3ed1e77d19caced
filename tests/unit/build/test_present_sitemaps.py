"""The sitemaps that are published now, found by their usual names and by indexes."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from servers import answer, serving
from unit.cli.invoke import BASE, index, urlset
from unit.sample_sites import RecordingStore

from waypost.build.present_sitemaps import name_in, named_sitemaps, usual_sitemaps, with_children
from waypost.core.errors import SourceError, StoreError
from waypost.core.private_hosts import EVERY_HOST


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
        (f"{BASE}x%2F%2Fde/sitemap.xml", "de/sitemap.xml"),
        (f"{BASE}a%00.xml", ""),
        (f"{BASE}{'a' * 300}.xml", ""),
        (f"{BASE}{'a/' * 500}de/sitemap.xml", "de/sitemap.xml"),
        (f"{BASE}{'a/' * 2_000}de/sitemap.xml", ""),
        ("https://a" + "\u0301\u0316" * 500 + "/de/sitemap.xml", ""),
        ("", ""),
    ],
)
def test_a_child_has_the_longest_end_of_its_path_that_exists(loc: str, name: str) -> None:
    assert name_in(RecordingStore({"de/sitemap.xml": b"", "page.html": b""}))(loc) == name


class CountingStore(RecordingStore):
    """Counts how often a file is read, or looked for."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.reads: Counter[str] = Counter()

    def read(self, name: str) -> bytes | None:
        self.reads[name] += 1
        return super().read(name)


def test_no_path_leads_out_of_the_folder() -> None:
    store = CountingStore({})
    assert name_in(store)(f"{BASE}a%2F%2Fetc/%2Fb.xml") == ""
    assert not any(name.startswith("/") for name in store.reads)


def test_of_a_deep_path_only_some_ends_are_looked_for_and_each_once() -> None:
    store = CountingStore({})
    name_of = name_in(store)
    for _ in range(3):
        assert name_of(f"{BASE}{'a/' * 900}b.xml") == ""
    assert store.reads.total() == len(store.reads) == 32


def test_many_urls_that_no_file_has_are_looked_for_up_to_a_limit() -> None:
    store = CountingStore({})
    name_of = name_in(store)
    assert not any(name_of(f"{BASE}{n}.xml") for n in range(50_010))
    assert store.reads.total() == 50_000


def test_an_index_that_lists_itself_often_is_read_once() -> None:
    store = CountingStore({"sitemap.xml": index(*[f"{BASE}sitemap.xml"] * 2_000).encode()})
    assert list(usual_sitemaps(store)) == ["sitemap.xml"]
    assert store.reads["sitemap.xml"] == 2


def test_so_many_bytes_are_not_held() -> None:
    body, names = gzip.compress(b" " * 1_000), [f"{n}.xml.gz" for n in range(3)]
    assert len(with_children(names, lambda name: body, lambda loc: "", 3_000)) == 3
    with pytest.raises(StoreError, match="over 2,999 bytes"):
        with_children(names, lambda name: body, lambda loc: "", 2_999)


def test_a_file_is_found_relative_to_the_settings_with_what_it_lists(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "before/map.xml").write_text(index("https://example.org/a.xml"))
    (tmp_path / "before/a.xml").write_text(urlset("a"))
    assert list(named_sitemaps("before/map.xml", tmp_path.joinpath, "compare", EVERY_HOST)) == ["map.xml", "a.xml"]


def test_a_folder_is_read_at_the_usual_names(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    (tmp_path / "before/sitemap_index.xml").write_text(urlset("a"))
    assert list(named_sitemaps("before", tmp_path.joinpath, "compare", EVERY_HOST)) == ["sitemap_index.xml"]


def test_nothing_is_found_where_there_is_no_file(tmp_path: Path) -> None:
    assert named_sitemaps("absent/sitemap.xml", tmp_path.joinpath, "compare", EVERY_HOST) == {}


def test_a_url_is_fetched_with_the_sitemaps_of_its_host(tmp_path: Path) -> None:
    with serving({}) as server:
        locs = (f"{server.url}/a.xml", "http://127.0.0.2/b.xml", "no URL")
        server.answers |= {
            "/sitemap.xml": answer(index(*locs).encode()),
            "/a.xml": answer(urlset("a").encode()),
        }
        found = named_sitemaps(f"{server.url}/sitemap.xml", tmp_path.joinpath, "compare", EVERY_HOST)
        assert list(found) == [f"{server.url}/sitemap.xml", f"{server.url}/a.xml"]


def test_a_site_that_is_not_published_yet_has_nothing_to_compare_with(tmp_path: Path) -> None:
    with serving({}) as server:
        assert named_sitemaps(f"{server.url}/sitemap.xml", tmp_path.joinpath, "compare", EVERY_HOST) == {}


def test_a_server_that_fails_is_an_error(tmp_path: Path) -> None:
    with serving({"/sitemap.xml": answer(status=503)}) as server, pytest.raises(SourceError, match="503"):
        named_sitemaps(f"{server.url}/sitemap.xml", tmp_path.joinpath, "compare", EVERY_HOST)
