"""What warnings say."""

import pytest

from waypost.core.warnings import WARNINGS, WarningText


@pytest.mark.parametrize("text", WARNINGS.values(), ids=list(WARNINGS))
def test_a_report_s_row_has_a_heading_and_sentences(text: WarningText) -> None:
    assert text.message
    assert text.problem.title
    assert not text.problem.title.endswith(".")
    assert len(text.problem.title) <= 90
    assert text.problem.why.endswith(".")
    assert text.problem.advice.endswith(".")
