"""Sites as generators build them, listed with the base URL alone, against the generators' own sitemaps."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from builds import T, page
from generator_fixtures import BASE_URLS, archive, expected_urls, fixtures, sites_with_differences, unpack

if TYPE_CHECKING:
    from sites import Build, Write

SITES = pytest.mark.parametrize("name", sorted(BASE_URLS))


@SITES
def test_a_built_site_is_listed_as_its_generator_lists_it_but_for_the_explained_urls(
    name: str, build: Build, tmp_path: Path
) -> None:
    site = unpack(name, tmp_path / "site")
    listed = {unquote(each.loc) for each in build.plan(site.folder, site.base_url).pages}
    assert site.own_urls - listed == expected_urls(name, "wrong")
    assert listed - site.own_urls == expected_urls(name, "extra")


def test_every_site_has_a_fixture_and_every_explanation_a_site() -> None:
    assert fixtures() == set(BASE_URLS)
    assert sites_with_differences() <= set(BASE_URLS)


def test_a_fixture_has_the_same_bytes_whenever_its_files_were_written(write: Write, tmp_path: Path) -> None:
    site = write({"b/index.html": page(), "a.html": page(), "style.css": "a{}", ".nojekyll": ""})
    archive(site, tmp_path / "first.tar.xz")
    (site / "a.html").unlink()
    write({"a.html": page()})
    os.utime(site / "b/index.html", (T, T))
    archive(site, tmp_path / "second.tar.xz")
    assert (tmp_path / "first.tar.xz").read_bytes() == (tmp_path / "second.tar.xz").read_bytes()
    with tarfile.open(tmp_path / "first.tar.xz") as packed:
        assert packed.getnames() == [".nojekyll", "a.html", "b/index.html"]


def test_a_fixture_lacks_long_scripts_and_keeps_short_ones(write: Write, tmp_path: Path) -> None:
    short, long = "<script>location = '/'</script>", f"<script type=module>{'x' * 3_000}</script>"
    archive(write({"a.html": page(head=long + short)}), tmp_path / "made.tar.xz")
    with tarfile.open(tmp_path / "made.tar.xz") as packed:
        file = packed.extractfile("a.html")
        assert file is not None
        assert file.read().decode() == page(head=f"<script type=module></script>{short}")
