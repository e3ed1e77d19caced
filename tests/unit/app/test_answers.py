"""What the JSON answers have in common."""

from __future__ import annotations

import json

from waypost.app.answers import (
    BatchAnswer,
    ChangeTotals,
    FailedMessage,
    RunAnswer,
    StepAnswer,
    TaskFile,
    sample_failures,
    sample_keys,
    to_json,
)

RUN = RunAnswer(
    finished=True,
    written=(),
    removed=(),
    url_count=0,
    sitemap_count=0,
    root_sitemaps=(),
    generation=1,
    objects_listed=0,
    objects_read=0,
    records_changed=0,
    changes=ChangeTotals(),
    conflicts=0,
    excluded_by_reason={},
    ignored={},
    failed={},
    not_found=(),
    warnings=(),
)


def test_json_is_indented_and_keeps_the_order_of_the_fields() -> None:
    assert to_json(TaskFile("bucket", "clé")).decode() == '{\n  "bucket": "bucket",\n  "key": "clé"\n}'
    assert to_json([ChangeTotals(added=1)], indent=0) == (
        b'[{"added": 1, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}]'
    )


def test_a_field_that_does_not_apply_is_absent() -> None:
    run = json.loads(to_json(RUN))
    assert "resume_after" not in run
    assert "note" not in run
    assert (run["changes"]["added"], run["failed"]) == (0, {})


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
