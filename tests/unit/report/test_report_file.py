"""The file of a report, which replaces nothing but an earlier report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from unit.report.plans import overview

from waypost.core.errors import StoreError
from waypost.report import render_report, report_file
from waypost.sitemaps.render import Renderer

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def report() -> bytes:
    return render_report(overview(), Renderer())


def test_a_report_replaces_an_earlier_one(tmp_path: Path, report: bytes) -> None:
    target = tmp_path / "report.html"
    report_file.check(target)
    report_file.write(target, report)
    report_file.check(target)
    report_file.write(target, report.replace(b"</html>", b"<!-- later --></html>"))
    assert b"<!-- later -->" in target.read_bytes()


@pytest.mark.parametrize("content", [b"", b"<!doctype html><title>A page</title>"])
def test_any_other_file_is_not_to_be_replaced(tmp_path: Path, content: bytes) -> None:
    target = tmp_path / "index.html"
    target.write_bytes(content)
    with pytest.raises(StoreError, match=r"index\.html exists and is not a report"):
        report_file.check(target)


def test_a_page_that_quotes_the_mark_of_a_report_far_below_is_not_a_report(tmp_path: Path, report: bytes) -> None:
    target = tmp_path / "index.html"
    target.write_bytes(b"<!doctype html>" + b" " * 5_000 + report)
    with pytest.raises(StoreError, match="is not a report"):
        report_file.check(target)


def test_a_folder_is_not_a_file_for_a_report(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is not a file; name a file for the report"):
        report_file.check(tmp_path)


def test_folders_above_a_report_are_created(tmp_path: Path) -> None:
    report_file.write(tmp_path / "a" / "b" / "report.html", b"page")
    assert (tmp_path / "a" / "b" / "report.html").read_bytes() == b"page"


def test_a_report_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")
    with pytest.raises(StoreError, match=r"cannot write .*report\.html: "):
        report_file.write(tmp_path / "a" / "report.html", b"page")
