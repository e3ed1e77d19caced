"""The function's answers as JSON."""

from __future__ import annotations

import json

from waypost.aws.function_answers import BatchAnswer, FailedMessage
from waypost.build.answers import to_json


def test_a_batch_has_the_names_that_lambda_reads() -> None:
    assert json.loads(to_json(BatchAnswer())) == {"batchItemFailures": []}
    assert json.loads(to_json(BatchAnswer((FailedMessage("1"),)))) == {"batchItemFailures": [{"itemIdentifier": "1"}]}
