"""The function's answers as JSON."""

from __future__ import annotations

import json

from waypost.app.answers import to_json
from waypost.aws.function_answers import BatchAnswer, FailedMessage, StepAnswer, TaskFile, sample_failures, sample_keys


def test_a_step_without_tasks_has_only_its_next_step() -> None:
    assert json.loads(to_json(StepAnswer(next_step="Commit"))) == {"next_step": "Commit"}
    step = StepAnswer(next_step="Scan", tasks=TaskFile("bucket", "key"), task_count=2, note="text")
    assert json.loads(to_json(step)) == {
        "next_step": "Scan",
        "tasks": {"bucket": "bucket", "key": "key"},
        "task_count": 2,
        "note": "text",
    }


def test_a_batch_has_the_names_that_lambda_reads() -> None:
    assert json.loads(to_json(BatchAnswer())) == {"batchItemFailures": []}
    assert json.loads(to_json(BatchAnswer((FailedMessage("1"),)))) == {"batchItemFailures": [{"itemIdentifier": "1"}]}


def test_a_sample_has_the_count_of_all_and_the_first_twenty() -> None:
    keys = [f"{n}.html" for n in range(25)]
    sample = sample_keys(keys)
    assert (sample.count, list(sample.first)) == (25, keys[:20])
    assert sample_keys(keys[:2]).first == ("0.html", "1.html")
    failures = sample_failures(dict.fromkeys(keys, "no bytes"), 40)
    assert (failures.count, list(failures.first)) == (40, keys[:20])
