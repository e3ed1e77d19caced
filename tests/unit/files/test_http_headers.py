"""The headers of an answer: names without letter case, and values that are sent twice."""

from waypost.files.http_headers import HttpHeaders

SENT = HttpHeaders([("Link", "<a>"), ("ETag", '"1"'), ("link", "<b>")])


def test_a_name_has_no_letter_case_and_its_first_value_counts() -> None:
    assert (SENT["LINK"], SENT.get("etag"), SENT.get("Age", "0")) == ("<a>", '"1"', "0")


def test_all_values_of_a_name_are_kept_in_their_order() -> None:
    assert (SENT.all("Link"), SENT.all("Age")) == (["<a>", "<b>"], [])


def test_each_name_is_there_once() -> None:
    assert dict(SENT) == {"link": "<a>", "etag": '"1"'}
    assert "Etag" in SENT
    assert "Age" not in SENT
