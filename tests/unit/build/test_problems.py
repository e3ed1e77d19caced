"""Problems of answers: one for each issue of the settings, and advice that fits an error's code."""

from __future__ import annotations

import pytest

from waypost.build.answers import Problems, problems_of
from waypost.core.errors import (
    ConfigIssue,
    ConfigurationError,
    NewerVersionError,
    RenderError,
    SourceError,
    StateError,
    StoreError,
)


@pytest.mark.parametrize(
    ("error", "kind", "what_to_do"),
    [
        (SourceError("cannot list s3://a/: AccessDenied: no"), "site", "allow this access"),
        (OSError(5, "403: Forbidden"), "site", "allow this access"),
        (StoreError("cannot read s3://a/b: (NoSuchBucket)"), "store", "correct the name of the bucket"),
        (SourceError("PermanentRedirect"), "site", "use the region of the bucket"),
        (RenderError("sitemap.xml.j2:1: no"), "templates", "correct the template"),
        (StateError("state is damaged"), "state", "rebuild"),
        (NewerVersionError("state has version 9"), "state", "install the release"),
    ],
)
def test_an_error_is_a_problem_with_its_kind_and_what_to_do(error: Exception, kind: str, what_to_do: str) -> None:
    (problem,) = problems_of("here", error)
    assert (problem.kind, problem.where, what_to_do in problem.what_to_do) == (kind, "here", True)


def test_each_issue_of_the_settings_is_a_problem_where_it_is() -> None:
    error = ConfigurationError(
        (ConfigIssue("a.toml", "x", "is wrong", "1 or 2", 7), ConfigIssue("b", "y", "is missing"))
    )
    found = problems_of("settings", error)
    assert [(each.where, each.problem) for each in found] == [("a.toml:7", "x: is wrong"), ("b", "y: is missing")]
    assert [each.what_to_do for each in found] == ["correct the setting: 1 or 2", "correct the setting"]


def test_an_attempt_that_fails_is_collected_once_and_a_defect_is_raised() -> None:
    def fail() -> int:
        raise StoreError("no")

    problems = Problems()
    assert [problems.attempt("here", fail), problems.attempt("here", fail)] == [None, None]
    assert (problems.attempt("here", lambda: 1), len(problems.found)) == (1, 1)
    with pytest.raises(KeyError):
        problems.attempt("here", dict[str, int]().popitem)
