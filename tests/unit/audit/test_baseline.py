import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.audit import baseline
from waypost.audit.result import AuditIssue, AuditResult, KnownCase, gather
from waypost.core.errors import ConfigurationError

PAGES = ("a.html", "b.html", "c.html", "caf\xe9.html")
FOUND = st.builds(
    AuditIssue,
    code=st.sampled_from(["broken-link", "deep", "duplicate-title"]),
    target=st.sampled_from(["", "https://example.org/x", "A title"]),
    pages=st.lists(st.sampled_from(PAGES), min_size=1, max_size=3),
    detail=st.sampled_from(["", "12 clicks"]),
)
RESULTS = st.lists(FOUND, max_size=6).map(lambda found: AuditResult(gather(found, {})))


def known(result: AuditResult) -> frozenset[KnownCase]:
    return baseline.load(baseline.dump(result), "baseline.json")


@settings(max_examples=30)
@given(RESULTS)
def test_the_baseline_of_a_result_hides_all_of_it(result: AuditResult) -> None:
    hidden = baseline.without_known(result, known(result))
    assert (hidden.findings, hidden.resolved, hidden.hidden) == ((), [], len(known(result)))


@settings(max_examples=30)
@given(RESULTS, RESULTS)
def test_a_baseline_hides_only_what_it_knows(before: AuditResult, after: AuditResult) -> None:
    remaining, first, second = baseline.without_known(after, known(before)), set(before.placed()), set(after.placed())
    assert set(remaining.placed()) == second - first
    assert remaining.resolved == sorted(first - second)
    assert remaining.hidden == len(first & second)


@settings(max_examples=30)
@given(RESULTS)
def test_a_baseline_is_sorted(result: AuditResult) -> None:
    rows = json.loads(baseline.dump(result))["known"]
    assert rows == sorted(rows, key=lambda row: (row["code"], row["target"]))
    assert all(row["pages"] == sorted(row["pages"]) for row in rows)


def test_a_detail_that_changes_makes_no_new_case() -> None:
    before, after = (
        AuditResult(gather([AuditIssue("deep", "/a.html", ["a.html"], clicks)], {}))
        for clicks in ("11 clicks", "12 clicks")
    )
    assert baseline.without_known(after, known(before)).findings == ()


def test_of_a_code_that_is_off_nothing_is_resolved() -> None:
    before = AuditResult(gather([AuditIssue("deep", "/a.html", ["a.html"])], {}))
    assert baseline.without_known(AuditResult(), known(before), ["deep"]).resolved == []
    assert baseline.without_known(AuditResult(), known(before)).resolved == [KnownCase("deep", "a.html", "/a.html")]


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b'{"version": 2}', b'{"format": "other"}', b'{"known": [{"code": 1}]}', b'{"extra": 1}', b"\xff"],
)
def test_another_file_is_no_baseline(data: bytes) -> None:
    with pytest.raises(ConfigurationError, match=r"known\.json"):
        baseline.load(data, "known.json")
