"""A process of Lambda: when it makes its function again, and what it answers if it cannot make one."""

from __future__ import annotations

import pytest
from fake_cloud import Cloud
from unit.aws.memory_function import Context

from waypost.aws.function_answers import ErrorAnswer, ExplainAnswer, FunctionStatus
from waypost.aws.process import Process
from waypost.build.bucket_check import CheckAnswer
from waypost.core.errors import ConfigurationError

BASE = "https://example.org/"
VARIABLES = {
    "WAYPOST_SOURCE": "cloud://site/www",
    "WAYPOST_STATE": "cloud://private/state",
    "WAYPOST_BASE_URL": BASE,
    "WAYPOST_CONFIG": "cloud://private/config/waypost.toml",
}


@pytest.fixture
def cloud(cloud: Cloud) -> Cloud:
    """The cloud in memory, with settings in the site's bucket."""
    cloud.site.put("waypost.toml", "drop_html = true")
    return cloud


def test_the_function_is_made_again_only_if_the_settings_file_has_changed(cloud: Cloud) -> None:
    process = Process(VARIABLES)
    first = process.function()
    assert process.function() is first
    cloud.site.put("waypost.toml", "drop_html = false")
    assert process.function() is not first


def test_a_question_has_an_answer_under_unusable_settings_and_nothing_else_has(cloud: Cloud) -> None:
    process = Process(VARIABLES)
    for key in ("index.html", "a.html"):
        cloud.site.put(key, "<p>x")
    process.handle({"action": "rebuild"}, Context())
    cloud.site.put("waypost.toml", "precision = 1")
    status = process.handle({"action": "status"}, Context())
    check = process.handle({"action": "check"}, Context())
    explained = process.handle({"action": "explain", "keys": "a.html"}, Context())
    assert isinstance(status, FunctionStatus)
    assert isinstance(check, CheckAnswer)
    assert isinstance(explained, ExplainAnswer)
    assert (status.base_url, status.state, status.url_count) == (BASE, "the settings cannot be used", 2)
    (explanation,) = explained.explained
    for problems in (status.problems, check.problems, explanation.problems or ()):
        assert [(each.kind, each.where) for each in problems] == [("settings", f"{VARIABLES['WAYPOST_CONFIG']}:1")]
    assert isinstance(process.handle({"action": "explain"}, Context()), ErrorAnswer)
    with pytest.raises(ConfigurationError):
        process.handle({"action": "rebuild"}, Context())


def test_of_variables_that_are_wrong_too_the_status_is_the_first_error(cloud: Cloud) -> None:
    cloud.site.put("waypost.toml", "precision = 1")
    status = Process({**VARIABLES, "WAYPOST_STATE": "x"}).handle({"action": "status"}, Context())
    assert isinstance(status, FunctionStatus)
    assert (status.base_url, status.state, status.url_count) == (BASE, "the settings cannot be used", None)
    assert "precision" in status.problems[0].problem


def test_a_function_for_events_answers_no_question(cloud: Cloud) -> None:
    cloud.site.put("waypost.toml", "a b")
    with pytest.raises(ConfigurationError):
        Process({**VARIABLES, "WAYPOST_REBUILD_FUNCTION": "arn"}).handle({"action": "status"}, Context())
