"""The sitemaps that the setting `compare` names."""

from __future__ import annotations

from pathlib import Path

import pytest
from servers import answer, serving
from unit.cli.invoke import index, urlset

from waypost.build.present_sitemaps import named_sitemaps
from waypost.core.errors import SourceError
from waypost.core.private_hosts import EVERY_HOST


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
