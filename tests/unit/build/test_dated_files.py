"""Sitemaps that are read where they are, dated, and written there again."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from servers import answer, serving
from unit.cli.invoke import BASE, index, urlset

from waypost.build.sitemap_dates import DateAnswer, DateChange, DatedFile, Redated, change_lines
from waypost.core.errors import ConfigurationError, SourceError
from waypost.core.private_hosts import EVERY_HOST
from waypost.dates.honest_dates import Why


def redated(path: str, body: bytes) -> Redated:
    return Redated(DateAnswer([path], 1, 1, 1, 1, 0, ()), {path: body})


def test_a_file_is_read_with_what_it_lists_and_only_what_changed_is_written(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text(index(f"{BASE}a.xml"))
    (tmp_path / "a.xml").write_text(urlset("a"))
    found = DatedFile(str(tmp_path / "sitemap.xml"), EVERY_HOST)
    assert list(found.bodies) == [str(tmp_path / "sitemap.xml"), str(tmp_path / "a.xml")]
    assert found.site == str(tmp_path)
    found.write(redated(str(tmp_path / "a.xml"), b"new"))
    assert (tmp_path / "a.xml").read_bytes() == b"new"
    assert (tmp_path / "sitemap.xml").read_text() == index(f"{BASE}a.xml")


def test_a_name_alone_is_a_file_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.xml").write_text(urlset("a"))
    monkeypatch.chdir(tmp_path)
    found = DatedFile("a.xml", EVERY_HOST)
    assert (list(found.bodies), found.site) == (["a.xml"], ".")


def test_a_url_is_read_and_has_no_place_to_be_written() -> None:
    with serving({"/a.xml": answer(urlset("a").encode())}) as server:
        found = DatedFile(f"{server.url}/a.xml", EVERY_HOST)
    assert list(found.bodies.values()) == [urlset("a").encode()]
    with pytest.raises(ConfigurationError, match="cannot be written"):
        found.write(redated("a.xml", b""))


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(urlset("a").encode()))))
    assert list(DatedFile("-", EVERY_HOST).bodies.values()) == [urlset("a").encode()]


def test_nothing_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.xml does not exist"):
        DatedFile(str(tmp_path / "none.xml"), EVERY_HOST)


def test_the_first_changes_are_said_and_how_many_more_there_are() -> None:
    changes = [DateChange("a.xml", f"{BASE}{n}", "2026-02-01", "", Why.FUTURE) for n in range(3)]
    found: Any = SimpleNamespace(changes=changes)
    assert list(change_lines(found, 2, "; all")) == [
        f"{BASE}0: 2026-02-01 -> no date (it is in the future)",
        f"{BASE}1: 2026-02-01 -> no date (it is in the future)",
        "… and 1 more; all",
    ]
