"""The lines of the function's log, and its metrics in CloudWatch's embedded format, and its last error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unit.aws.memory_function import log_lines
from unit.sample_sites import RecordingStore

from waypost import __version__
from waypost.aws.logs import Metric, clear_error, log, log_warnings, put_metrics, read_last_error, save_error
from waypost.build.status import LastError
from waypost.core.errors import SourceError, StoreError
from waypost.core.model import Example, SiteWarning

if TYPE_CHECKING:
    import pytest


def test_a_line_is_one_json_object_whatever_its_message(capsys: pytest.CaptureFixture[str]) -> None:
    log("INFO", 'two\nlines, "é"', "r")
    assert log_lines(capsys) == [
        {"level": "INFO", "message": 'two\nlines, "é"', "request_id": "r", "release": __version__}
    ]


def test_each_warning_has_a_line_with_its_code_and_the_files_that_it_is_about(
    capsys: pytest.CaptureFixture[str],
) -> None:
    contested = SiteWarning("contested", "somebody replaces it", 1, (Example("sitemap.xml"),))
    log_warnings([contested, SiteWarning("adopted", "dates were taken over")], "r")
    first, second = log_lines(capsys)
    assert (first["level"], first["warning"]) == ("WARNING", "contested")
    assert first["message"] == "somebody replaces it [1 file: sitemap.xml]"
    assert second["warning"] == "adopted"


def test_metrics_have_their_values_units_and_the_site_beside_their_definition(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put_metrics("s3://site/", {Metric.DRIFT: 3, Metric.REMOVED_PERCENT: 1.5})
    (line,) = log_lines(capsys)
    (definition,) = line["_aws"]["CloudWatchMetrics"]
    assert definition == {
        "Namespace": "Waypost",
        "Dimensions": [["Site"]],
        "Metrics": [{"Name": "Drift", "Unit": "Count"}, {"Name": "RemovedPercent", "Unit": "Percent"}],
    }
    assert (line["Site"], line["Drift"], line["RemovedPercent"]) == ("s3://site/", 3, 1.5)


ERROR = LastError("2026-11-21T12:00:00Z", "it broke", "SourceError", "request-1")


class FailingStore(RecordingStore):
    """A store that accepts no change."""

    def write(self, name: str, content: bytes) -> None:
        del content
        raise StoreError(f"cannot write {name}")

    def remove(self, name: str) -> None:
        raise StoreError(f"cannot remove {name}")


def test_the_newest_error_is_read_until_it_is_cleared() -> None:
    store = RecordingStore()
    assert read_last_error(store) is None
    save_error(store, StoreError("it broke before"), "request-0", "2026-11-20T12:00:00Z")
    save_error(store, SourceError("it broke"), "request-1", "2026-11-21T12:00:00Z")
    assert read_last_error(store) == ERROR
    clear_error(store, "request-2")
    assert read_last_error(store) is None


def test_a_damaged_file_is_a_warning_and_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert read_last_error(RecordingStore({"last-error.json": b"{"})) is None
    (line,) = log_lines(capsys)
    assert (line["level"], "last-error.json cannot be read" in line["message"]) == ("WARNING", True)


def test_a_store_that_fails_is_logged_with_the_request_and_not_raised(capsys: pytest.CaptureFixture[str]) -> None:
    store = FailingStore()
    save_error(store, SourceError("it broke"), "request-1", "2026-11-21T12:00:00Z")
    clear_error(store, "request-2")
    assert [(line["level"], line["message"], line["request_id"]) for line in log_lines(capsys)] == [
        ("ERROR", "it broke", "request-1"),
        ("ERROR", "the error could not be saved: cannot write last-error.json", "request-1"),
        ("ERROR", "the last error could not be removed: cannot remove last-error.json", "request-2"),
    ]
