"""The URLs that a sitemap lists; test_diff_command.py has the lists that cannot be read to their ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from unit.cli.invoke import BASE, urlset

from waypost.cli.listed_urls import read_listed_urls
from waypost.core.errors import SourceError
from waypost.core.private_hosts import NO_PRIVATE_HOST


def test_the_urls_have_their_dates(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("a").replace("</url>", "<lastmod>2026-01-02</lastmod></url>"))
    assert read_listed_urls(str(tmp_path / "sitemap.xml"), NO_PRIVATE_HOST) == {f"{BASE}a": ("2026-01-02", ())}


def test_what_is_no_sitemap_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>no sitemap</p>")
    with pytest.raises(SourceError, match=r"page\.html"):
        read_listed_urls(str(tmp_path / "page.html"), NO_PRIVATE_HOST)


def test_a_host_alone_is_its_home_page(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(urlset("").replace(BASE, BASE.rstrip("/")))
    assert list(read_listed_urls(str(tmp_path / "sitemap.xml"), NO_PRIVATE_HOST)) == [BASE]
