"""Reports of S3 Inventory over real S3 requests: sorted, they tell what a listing of the bucket tells."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from buckets import MadeBucket
from inventories import PARQUET_SCHEMA, Row, csv_file, deliver, parquet_file, rows_of

from waypost.model import Item
from waypost.sources import inventory, runs
from waypost.sources.bucket import Bucket
from waypost.sources.reported import Reported
from waypost.stores.s3 import S3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from waypost.sources.inventory import Report

ODD_KEYS = [
    "a b.html",
    "a+b.html",
    "a%20b.html",
    "a%2Bb.html",
    "100%.html",
    "100%25.html",
    "quote'\".html",
    '"quoted".html',
    "a,b,,c.html",
    "tab\t.html",
    "back\\slash.html",
    "what?#&=<>.html",
    "a//b.html",
    " leading and trailing ",
    "café/日本語.html",
    "cafe\u0301.html",
    "emoji-😀.html",
    "\uffff.html",
    "x" * 1_024,
    "é" * 512,
]
LINES = ["line\nbreak.html", "line\r\nbreak.html", "\n", "\r", "null\0.html"]
"""Keys that S3 takes and moto does not."""
FORMATS: list[tuple[Callable[[list[Row]], bytes], dict[str, Any]]] = [
    (csv_file, {}),
    (parquet_file, {"fileFormat": "Parquet", "fileSchema": PARQUET_SCHEMA}),
]


def items(site: MadeBucket, report: Report, prefix: str) -> Iterator[Item]:
    for file in report.files:
        yield from inventory.items(site.client, report, file, prefix)


@pytest.mark.parametrize(("file", "said"), FORMATS, ids=["csv", "parquet"])
@pytest.mark.parametrize("prefix", ["", "www/"])
def test_a_report_tells_what_a_listing_tells(
    bucket: MadeBucket, file: Callable[[list[Row]], bytes], said: dict[str, Any], prefix: str
) -> None:
    reports, kept = MadeBucket.create(bucket.client), MadeBucket.create(bucket.client)
    keys = [key for key in ODD_KEYS if len((prefix + key).encode()) <= 1_024]
    bucket.put({prefix + key: key for key in keys} | {"www2/a.html": "x", "www/docs/": ""})
    told = rows_of(bucket)
    random.Random(1).shuffle(told)
    deliver(reports, "2026-03-01T01-00Z", [file(told[:9]), file([]), file(told[9:])], sourceBucket=bucket.name, **said)
    report = inventory.newest(bucket.client, f"s3://{reports.name}/inventory/site/all", bucket.name)
    store = S3(bucket.client, kept.name, "state/")
    sorted_runs = runs.write(items(bucket, report, prefix), store.write, "report/run", most=8, block=3)
    live = Bucket(bucket.client, bucket.name, prefix)
    listed = [item for item in live.items(lambda key: None) if isinstance(item, Item)]
    assert len(sorted_runs) == 3
    source = Reported(runs.load(runs.dump(sorted_runs), "index"), store.part, live)
    assert list(source.items(lambda key: None)) == listed
    assert [source.read(item).data.decode() for item in listed if item.key in keys] == sorted(keys)


@pytest.mark.parametrize(("file", "said"), FORMATS, ids=["csv", "parquet"])
def test_lines_end_wherever_they_like_in_a_key(
    bucket: MadeBucket, file: Callable[[list[Row]], bytes], said: dict[str, Any]
) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [file([Row(key) for key in LINES])], **said)
    report = inventory.newest(bucket.client, f"s3://{bucket.name}/inventory/site/all", "site")
    assert [item.key for item in items(bucket, report, "")] == LINES
