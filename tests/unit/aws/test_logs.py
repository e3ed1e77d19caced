"""The lines of the function's log, and its metrics in CloudWatch's embedded format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unit.aws.memory_function import log_lines

from waypost import __version__
from waypost.aws.logs import Metric, log, log_warnings, put_metrics
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
