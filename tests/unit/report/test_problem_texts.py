import pytest

from waypost.core.warnings import MESSAGES
from waypost.report.problem_texts import WARNING_TEXTS, ProblemText


def test_every_warning_has_a_row_and_no_other_code_has() -> None:
    assert WARNING_TEXTS.keys() == MESSAGES.keys()


@pytest.mark.parametrize("text", WARNING_TEXTS.values(), ids=list(WARNING_TEXTS))
def test_a_row_has_a_heading_and_sentences(text: ProblemText) -> None:
    assert text.title
    assert not text.title.endswith(".")
    assert len(text.title) <= 90
    assert text.why.endswith(".")
    assert text.advice.endswith(".")
