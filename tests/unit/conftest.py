"""What the tests of several packages share: a cloud in memory, search engines, a GitHub, no proxies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_cloud import Cloud
from github_server import GitHubServer
from search_engine import SearchEngine
from servers import running
from webmaster_apis import WebmasterApis

from waypost.build.locations import SCHEMES, Scheme
from waypost.core.places import BUCKET_SCHEMES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_LONGEST_NAME = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name a test by the beginning of a long value: some inputs are a megabyte long."""
    is_long = isinstance(val, str | bytes) and len(val) > _LONGEST_NAME
    return ascii(val[:_LONGEST_NAME]) if is_long and isinstance(val, str | bytes) else None


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    """A cloud in memory, whose locations begin with `cloud://`."""
    made = Cloud()
    SCHEMES["cloud"] = Scheme("cloud://bucket/prefix", made.connect)
    BUCKET_SCHEMES.add("cloud")
    yield made
    BUCKET_SCHEMES.remove("cloud")
    del SCHEMES["cloud"]


@pytest.fixture
def without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which requests go to local servers themselves."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def github(tmp_path: Path) -> Iterator[GitHubServer]:
    """A GitHub whose repository is not made yet."""
    with running(GitHubServer(tmp_path)) as server:
        yield server


@pytest.fixture
def engine() -> Iterator[SearchEngine]:
    """A search engine that takes URLs as IndexNow says, and publishes the key of the site at its `site`."""
    with running(SearchEngine()) as found:
        yield found


@pytest.fixture
def webmasters(without_proxies: None) -> Iterator[WebmasterApis]:
    """The APIs of Google Search Console and Bing Webmaster Tools, on which nothing was submitted yet."""
    del without_proxies
    with running(WebmasterApis()) as server:
        yield server
