"""The JSON Schemas of the answers, beside the structs that they describe."""

import schemas


def test_the_schemas_of_the_answers_are_those_of_the_code() -> None:
    assert schemas.stale() == {}, "run `python docs/schemas.py`"
