"""Sites as generators build them, listed with the base URL alone, against the generators' own sitemaps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from generator_fixtures import BASE_URLS, expected_urls, fixtures, sites_with_differences, unpack

if TYPE_CHECKING:
    from sites import Build

SITES = pytest.mark.parametrize("name", sorted(BASE_URLS))


@SITES
def test_a_built_site_is_listed_as_its_generator_lists_it_but_for_the_explained_urls(
    name: str, build: Build, tmp_path: Path
) -> None:
    site = unpack(name, tmp_path / "site")
    listed = {unquote(page.loc) for page in build.plan(site.folder, site.base_url).pages}
    own = site.own_urls - expected_urls(name, "wrong")
    assert sorted(own - listed) == []
    assert sorted(listed - own) == sorted(expected_urls(name, "extra"))


@SITES
def test_every_explained_url_is_a_difference(name: str, tmp_path: Path) -> None:
    own = unpack(name, tmp_path / "site").own_urls
    assert expected_urls(name, "wrong") <= own
    assert not expected_urls(name, "extra") & own


def test_every_site_has_a_fixture_and_every_explanation_a_site() -> None:
    assert fixtures() == set(BASE_URLS)
    assert sites_with_differences() <= set(BASE_URLS)
