"""What the JSON answers have in common."""

from __future__ import annotations

import json

import pytest

from waypost.build.answers import Problems, count_noun, names, problems_of, to_json, warning_text
from waypost.build.diff_answer import UrlCounts
from waypost.build.run_answer import ChangeTotals, RunAnswer
from waypost.core.errors import (
    ConfigIssue,
    ConfigurationError,
    NewerVersionError,
    RenderError,
    SourceError,
    StateError,
    StoreError,
)
from waypost.core.model import Example, SiteWarning

RUN = RunAnswer(
    finished=True,
    written=(),
    removed=(),
    url_count=0,
    sitemap_count=0,
    root_sitemaps=(),
    objects_listed=0,
    objects_read=0,
    changes=ChangeTotals(),
    excluded_by_reason={},
    ignored={},
    failed={},
    not_found=(),
    warnings=(),
)


def test_json_is_indented_and_keeps_the_order_of_the_fields() -> None:
    assert to_json(UrlCounts(1, 2)) == b'{\n  "old": 1,\n  "new": 2\n}'
    assert to_json([ChangeTotals(added=1)], indent=0) == (
        b'[{"added": 1, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}]'
    )


def test_a_field_that_does_not_apply_is_absent() -> None:
    run = json.loads(to_json(RUN))
    assert "note" not in run
    assert (run["changes"]["added"], run["failed"]) == (0, {})


@pytest.mark.parametrize(("number", "text"), [(0, "0 pages"), (1, "1 page"), (1_234, "1,234 pages")])
def test_a_noun_is_in_the_plural_unless_there_is_one(number: int, text: str) -> None:
    assert count_noun(number, "page") == text


def test_the_first_four_names_are_shown_and_the_others_counted() -> None:
    assert names([]) == "nothing"
    assert names("abcd") == "a, b, c, d"
    assert names("abcde") == "a, b, c, d and 1 more"


def test_a_warning_has_its_message_and_its_first_files() -> None:
    examples = (Example("a.html", "why"), Example("b.html", ""))
    assert warning_text(SiteWarning("code", "a message", 3, examples)) == "a message [3 files: a.html (why), b.html, …]"
    assert warning_text(SiteWarning("code", "a message", 0, ())) == "a message"


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
