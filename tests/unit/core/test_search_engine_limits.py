import pytest

from waypost.core.search_engine_limits import is_news_language


@pytest.mark.parametrize("code", ["en", "EN", "de", "gsw", "zh-cn", "zh-TW"])
def test_news_may_have_a_language_of_two_or_three_letters_or_a_written_form_of_chinese(code: str) -> None:
    assert is_news_language(code)


@pytest.mark.parametrize("code", ["", "e", "english", "en-US", "zh-hk", "en\n", "12", "日本", "xx"])
def test_news_may_have_no_other_language(code: str) -> None:
    assert not is_news_language(code)
