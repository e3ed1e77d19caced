import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.audit import baseline
from waypost.audit.cases import Found, findings
from waypost.audit.result import AuditResult, KnownCase
from waypost.core.errors import ConfigurationError
from waypost.core.finding_types import AUDIT_RULES

PAGES = ("a.html", "b.html", "c.html", "caf\xe9.html")
FOUND = st.builds(
    Found,
    code=st.sampled_from(sorted(AUDIT_RULES)),
    target=st.sampled_from(["", "https://example.org/x", "A title"]),
    pages=st.lists(st.sampled_from(PAGES), min_size=1),
    detail=st.sampled_from(["", "12 clicks"]),
)
RESULTS = st.lists(FOUND).map(lambda found: AuditResult(findings(found, {})))


def known(result: AuditResult) -> frozenset[KnownCase]:
    return baseline.load(baseline.dump(result), "baseline.json")


@given(RESULTS)
def test_the_baseline_of_a_result_hides_all_of_it(result: AuditResult) -> None:
    hidden = baseline.without_known(result, known(result))
    assert (hidden.findings, hidden.resolved, hidden.hidden) == ((), [], len(known(result)))


@given(RESULTS, RESULTS)
def test_a_baseline_hides_only_what_it_knows(before: AuditResult, after: AuditResult) -> None:
    def identities(result: AuditResult) -> set[tuple[str, str, str]]:
        return {(each.code, each.page, each.target) for each in result.placed()}

    remaining = baseline.without_known(after, known(before))
    assert identities(remaining) == identities(after) - identities(before)
    assert {(each.code, each.page, each.target) for each in remaining.resolved} == identities(before) - identities(
        after
    )
    assert remaining.hidden == len(identities(before) & identities(after))


@given(RESULTS)
def test_a_baseline_is_sorted(result: AuditResult) -> None:
    rows = json.loads(baseline.dump(result))["known"]
    assert rows == sorted(rows, key=lambda row: (row["code"], row["target"]))
    assert all(row["pages"] == sorted(row["pages"]) for row in rows)


def test_a_detail_that_changes_makes_no_new_case() -> None:
    before, after = (
        AuditResult(findings([Found("deep", "/a.html", ["a.html"], clicks)], {}))
        for clicks in ("11 clicks", "12 clicks")
    )
    assert baseline.without_known(after, known(before)).findings == ()


def test_of_a_code_that_is_off_nothing_is_resolved() -> None:
    before = AuditResult(findings([Found("deep", "/a.html", ["a.html"])], {}))
    assert baseline.without_known(AuditResult(), known(before), ["deep"]).resolved == []
    assert baseline.without_known(AuditResult(), known(before)).resolved == [KnownCase("deep", "a.html", "/a.html")]


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b'{"version": 2}', b'{"format": "other"}', b'{"known": [{"code": 1}]}', b'{"extra": 1}', b"\xff"],
)
def test_another_file_is_no_baseline(data: bytes) -> None:
    with pytest.raises(ConfigurationError, match=r"known\.json"):
        baseline.load(data, "known.json")
