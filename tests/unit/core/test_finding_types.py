"""The table of all that Waypost finds."""

from waypost.core.finding_types import AUDIT_RULES, LEFT_OUT, LIVE_RULES, SITEMAP_RULES, WARNINGS, Severity
from waypost.core.reasons import REASONS

RULES = [*SITEMAP_RULES.values(), *AUDIT_RULES.values(), *LIVE_RULES.values()]


def test_a_report_s_row_has_a_heading_and_sentences() -> None:
    for row in (*WARNINGS.values(), *LEFT_OUT.values()):
        assert row.meaning or row.code in LEFT_OUT, row.code
        assert 0 < len(row.title) <= 90, row.code
        assert [text.endswith(".") for text in (row.title, row.why, row.advice)] == [False, True, True], row.code


def test_a_rule_has_what_is_wrong_what_to_do_an_example_and_a_source() -> None:
    for row in RULES:
        assert all((row.meaning, row.advice, row.example, row.source)), row.code
        assert not (row.meaning + row.advice).endswith("."), row.code


def test_only_files_that_can_be_left_out_have_a_row_for_that() -> None:
    assert LEFT_OUT.keys() < REASONS.keys()


def test_a_code_has_one_severity_whichever_command_finds_it() -> None:
    severities: dict[str, set[Severity]] = {}
    for row in [*WARNINGS.values(), *LEFT_OUT.values(), *RULES]:
        severities.setdefault(row.code, set()).add(row.severity)
    assert {code: found for code, found in severities.items() if len(found) > 1} == {}
