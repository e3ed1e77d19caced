"""What the JSON answers have in common."""

from __future__ import annotations

import json

from waypost.build.answers import to_json
from waypost.build.diff_answer import UrlCounts
from waypost.build.run_answer import ChangeTotals, RunAnswer

RUN = RunAnswer(
    finished=True,
    written=(),
    removed=(),
    url_count=0,
    sitemap_count=0,
    root_sitemaps=(),
    objects_listed=0,
    objects_read=0,
    changes=ChangeTotals(),
    excluded_by_reason={},
    ignored={},
    failed={},
    not_found=(),
    warnings=(),
)


def test_json_is_indented_and_keeps_the_order_of_the_fields() -> None:
    assert to_json(UrlCounts(1, 2)) == b'{\n  "old": 1,\n  "new": 2\n}'
    assert to_json([ChangeTotals(added=1)], indent=0) == (
        b'[{"added": 1, "removed": 0, "lastmod_changed": 0, "metadata_changed": 0}]'
    )


def test_a_field_that_does_not_apply_is_absent() -> None:
    run = json.loads(to_json(RUN))
    assert "note" not in run
    assert (run["changes"]["added"], run["failed"]) == (0, {})
