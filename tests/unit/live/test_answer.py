"""Why a URL was not asked."""

from waypost.live.answer import OUT_OF_TIME, NoAnswerError, OutOfTimeError


def test_an_error_says_why_a_url_was_not_asked() -> None:
    assert str(OutOfTimeError()) == OUT_OF_TIME
    error = NoAnswerError("robots.txt cannot be read", "reset")
    assert (str(error), error.why) == ("robots.txt cannot be read", "reset")
