from waypost.core.reasons import REASONS
from waypost.report.exclusion_texts import REASON_TEXTS


def test_the_reasons_that_need_attention_are_reasons() -> None:
    assert REASON_TEXTS.keys() < REASONS.keys()


def test_each_says_what_to_do() -> None:
    for text in REASON_TEXTS.values():
        assert not text.title.endswith(".")
        assert text.advice.endswith(".")
