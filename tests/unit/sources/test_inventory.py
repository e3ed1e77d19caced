from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from inventories import CSV_SCHEMA, PARQUET_SCHEMA, Row, csv_file, deliver, manifest, parquet_file

from waypost.errors import SourceError
from waypost.model import Item
from waypost.sources import inventory
from waypost.sources.inventory import Report, ReportFile

if TYPE_CHECKING:
    from buckets import MadeBucket

ADDRESS = "s3://reports/inventory/site/all/2026-03-01T12-00Z/manifest.json"
ETAG = '"827ccb0eea8a706c4c34a16891f84e7b"'
TIME = "2026-03-01T12:00:00Z"
PARQUET = {"fileFormat": "Parquet", "fileSchema": PARQUET_SCHEMA}


def read(**said: Any) -> Report:
    return inventory.read(manifest("reports", [("data/a.csv.gz", b"x")], **said), ADDRESS, "site")


def folder(bucket: MadeBucket) -> str:
    return f"s3://{bucket.name}/inventory/site/all"


def newest(bucket: MadeBucket, address: str = "") -> Report:
    return inventory.newest(bucket.client, address or folder(bucket), "site")


def items(bucket: MadeBucket, prefix: str = "") -> list[Item]:
    report = newest(bucket)
    return [item for file in report.files for item in inventory.items(bucket.client, report, file, prefix)]


def item(key: str) -> Item:
    return Item(key, key, 5, ETAG, TIME)


def test_a_manifest_tells_of_its_report() -> None:
    assert read() == Report(
        "site",
        "reports",
        TIME,
        "CSV",
        tuple(CSV_SCHEMA.split(", ")),
        (ReportFile("data/a.csv.gz", 1, "9dd4e461268c8034f5c8564e155c67a6"),),
    )


@pytest.mark.parametrize("partition", ["aws", "aws-cn", "aws-us-gov"])
def test_the_report_s_bucket_is_named_by_an_arn_of_any_partition(partition: str) -> None:
    assert read(destinationBucket=f"arn:{partition}:s3:::reports").bucket == "reports"


@pytest.mark.parametrize(
    "schema",
    [
        PARQUET_SCHEMA,
        PARQUET_SCHEMA.replace("STRING", "UTF8").replace("TIMESTAMP(MILLIS,true)", "TIMESTAMP_MILLIS"),
    ],
)
def test_the_columns_of_a_parquet_report_are_read_from_its_schema(schema: str) -> None:
    columns = read(fileFormat="Parquet", fileSchema=schema).columns
    assert columns == (
        "bucket",
        "key",
        "version_id",
        "is_latest",
        "is_delete_marker",
        "size",
        "last_modified_date",
        "e_tag",
    )


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"sourceBucket": "other"}, "is a report over the bucket other and not over site"),
        ({"fileFormat": "ORC"}, "is a report in ORC; set the inventory's output to CSV or Parquet"),
        ({"fileSchema": "Bucket, Key, Size"}, "lacks the columns LastModifiedDate, ETag; add those fields"),
        ({**PARQUET, "fileSchema": "message s3.inventory { required binary key; }"}, "lacks the columns size, last_"),
        ({"creationTimestamp": "soon"}, "is no manifest of S3 Inventory: "),
        ({"files": [{"size": 1}]}, r"is no manifest of S3 Inventory: .*`key`"),
        ({"files": None}, r"is no manifest of S3 Inventory: .*`\$\.files`"),
    ],
)
def test_a_report_that_cannot_be_used_is_told_in_a_line(said: dict[str, Any], message: str) -> None:
    with pytest.raises(SourceError, match=f"{ADDRESS} {message}"):
        read(**said)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"sourceBucket": 1}', b"\xff"])
def test_what_is_no_manifest_is_told_in_a_line(content: bytes) -> None:
    with pytest.raises(SourceError, match="is no manifest of S3 Inventory"):
        inventory.read(content, ADDRESS, "site")


def test_a_report_of_an_empty_bucket_has_no_files() -> None:
    assert read(files=[]).files == ()


@pytest.mark.parametrize("ending", ["", "/"])
def test_the_newest_report_below_a_configuration_is_found(bucket: MadeBucket, ending: str) -> None:
    for day in ("2025-12-31", "2026-03-02", "2026-03-01"):
        deliver(bucket, f"{day}T01-00Z", [csv_file([Row(day)])])
    bucket.put({"inventory/site/all/hive/dt=2026-03-02-01-00/symlink.txt": "x"})
    assert newest(bucket, folder(bucket) + ending).files[0].key.endswith("/2026-03-02T01-00Z-0")


def test_a_manifest_may_be_named_itself(bucket: MadeBucket) -> None:
    address = deliver(bucket, "2026-03-01T01-00Z", [csv_file([Row("a")])])
    deliver(bucket, "2026-03-02T01-00Z")
    assert len(newest(bucket, address).files) == 1


def test_a_report_without_its_checksum_or_with_another_s_is_not_finished(bucket: MadeBucket) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [csv_file([Row("a")])])
    missing, other = deliver(bucket, "2026-03-02T01-00Z"), deliver(bucket, "2026-03-03T01-00Z")
    bucket.client.delete_object(Bucket=bucket.name, Key="inventory/site/all/2026-03-02T01-00Z/manifest.checksum")
    bucket.put({"inventory/site/all/2026-03-03T01-00Z/manifest.checksum": "0" * 32})
    bucket.put({"inventory/site/all/2026-03-04T01-00Z/manifest.checksum": "0" * 32})
    assert newest(bucket).files[0].key.endswith("/2026-03-01T01-00Z-0")
    for address in (missing, other):
        with pytest.raises(SourceError, match=f"{address} is not finished: manifest.checksum beside it"):
            newest(bucket, address)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("s3://{bucket}/inventory", "s3://{bucket}/inventory/ holds no finished report; name the folder"),
        ("s3://{bucket}", "s3://{bucket}/ holds no finished report"),
        ("s3://no-such-bucket/x", "cannot list s3://no-such-bucket/x/: .*NoSuchBucket"),
        ("s3://no-such-bucket/manifest.json", "cannot read s3://no-such-bucket/manifest.checksum: .*NoSuchBucket"),
    ],
)
def test_an_address_without_a_report_is_told_in_a_line(bucket: MadeBucket, address: str, message: str) -> None:
    deliver(bucket, "2026-03-01T01-00Z")
    with pytest.raises(SourceError, match=message.format(bucket=bucket.name)):
        newest(bucket, address.format(bucket=bucket.name))


VERSIONS = [
    Row("www/b.html"),
    Row("www/"),
    Row("www/docs/"),
    Row("www/old.html", is_latest=False),
    Row("www/gone.html", None, None, is_delete_marker=True),
    Row("www/gone.html", is_latest=False),
    Row("www2/c.html"),
    Row("www"),
    Row("www/a.html"),
]


def test_only_what_a_reader_gets_below_the_prefix_is_an_item(bucket: MadeBucket) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [csv_file(VERSIONS)])
    assert items(bucket, "www/") == [item("b.html"), item("a.html")]
    deliver(bucket, "2026-03-02T01-00Z", [parquet_file(VERSIONS)], **PARQUET)
    assert items(bucket, "www/") == [item("b.html"), item("a.html")]


def test_a_report_over_current_versions_alone_lacks_what_tells_versions_apart(bucket: MadeBucket) -> None:
    line = '"site","a.html","5","2026-03-01T12:00:00.000Z","827ccb0eea8a706c4c34a16891f84e7b"\n'
    deliver(bucket, "2026-03-01T01-00Z", [packed(line, "\n")], fileSchema="Bucket, Key, Size, LastModifiedDate, ETag")
    assert items(bucket) == [item("a.html")]


@pytest.mark.parametrize("is_utc", [False, True])
def test_times_are_in_utc_wherever_they_are_read_and_whether_or_not_the_file_says_so(
    bucket: MadeBucket, monkeypatch: pytest.MonkeyPatch, is_utc: bool
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    deliver(bucket, "2026-03-01T01-00Z", [parquet_file([Row("a.html")], is_utc=is_utc)], **PARQUET)
    assert items(bucket) == [item("a.html")]


def packed(*lines: str) -> bytes:
    return gzip.compress("".join(lines).encode(), mtime=0)


def test_a_space_and_a_plus_are_told_from_each_other(bucket: MadeBucket) -> None:
    keys = {"a+b.html": "a b.html", "a%2Bb.html": "a+b.html", "a%20b.html": "a b.html", "a%252Bb.html": "a%2Bb.html"}
    line = '"site","{}","v","true","false","5","2026-03-01T12:00:00.000Z","827ccb0eea8a706c4c34a16891f84e7b","X"\n'
    deliver(bucket, "2026-03-01T01-00Z", [packed(*map(line.format, keys))])
    assert [each.key for each in items(bucket)] == list(keys.values())


GOOD = '"site","a.html","v","true","false","5","2026-03-01T12:00:00.000Z","etag","STANDARD"\n'


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (GOOD * 2 + '"site","b.html"\n', "at row 3: it has 2 columns, and the manifest 9"),
        (GOOD + GOOD.replace('"5"', '"many"'), "at row 2: invalid literal"),
        (GOOD + GOOD.replace("T12", " 12"), "at row 2: a.html has the time '2026-03-01 12"),
        (GOOD + GOOD.replace('"etag"', '""'), "at row 2: a.html has .* the ETag ''"),
        (GOOD + GOOD.replace("a.html", "%FF"), "at row 2: 'utf-8' codec"),
        (GOOD + '"site"x', "at row 2: "),
    ],
)
def test_a_damaged_row_is_named_by_its_file_and_number(bucket: MadeBucket, rows: str, message: str) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [packed(rows)])
    with pytest.raises(SourceError, match=f"s3://{bucket.name}/inventory/.*-0 cannot be read {message}"):
        items(bucket)


@pytest.mark.parametrize("damaged", [packed(GOOD)[:-9], b"no gzip"], ids=["cut", "none"])
def test_a_file_that_cannot_be_unpacked_is_named(bucket: MadeBucket, damaged: bytes) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [damaged])
    with pytest.raises(SourceError, match=r"-0 cannot be read at row \d: (Compressed file|Not a gzipped)"):
        items(bucket)


def test_a_damaged_parquet_file_is_named(bucket: MadeBucket) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [parquet_file([Row("a.html")])[:-20]], **PARQUET)
    with pytest.raises(SourceError, match="-0 cannot be read at row 1: "):
        items(bucket)
    deliver(bucket, "2026-03-02T01-00Z", [parquet_file([Row("a.html"), Row("b.html", etag=None)])], **PARQUET)
    with pytest.raises(SourceError, match=r"-0 cannot be read at row 2: b\.html has .* the ETag None"):
        items(bucket)


def test_a_file_that_is_not_the_manifest_s_gives_no_row(bucket: MadeBucket) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [csv_file([Row("a.html")])])
    report = newest(bucket)
    bucket.put({report.files[0].key: csv_file([Row("b.html")])})
    with pytest.raises(SourceError, match=r"-0 is damaged: its MD5 is [0-9a-f]{32}, and [0-9a-f]{32} in the manifest"):
        next(inventory.items(bucket.client, report, report.files[0], ""))


def test_a_file_that_is_gone_is_named(bucket: MadeBucket) -> None:
    deliver(bucket, "2026-03-01T01-00Z", [csv_file([Row("a.html")])])
    report = newest(bucket)
    bucket.client.delete_object(Bucket=bucket.name, Key=report.files[0].key)
    with pytest.raises(SourceError, match=f"cannot read s3://{bucket.name}/inventory/site/all/data/.*-0: .*404"):
        next(inventory.items(bucket.client, report, report.files[0], ""))


_WITHOUT_DUCKDB = """
import sys, boto3
sys.modules["duckdb"] = None
from waypost.errors import SourceError
from waypost.sources import inventory
client, (address,) = boto3.client("s3"), sys.argv[1:]
report = inventory.newest(client, address, "site")
try:
    print([item.key for item in inventory.items(client, report, report.files[0], "")])
except SourceError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("content", "said", "answer"),
    [
        (csv_file([Row("a.html")]), {}, "['a.html']"),
        (b"no Parquet", PARQUET, "a report in Parquet needs DuckDB: give the stack an InventoryLayer"),
    ],
    ids=["csv", "parquet"],
)
def test_only_a_report_in_parquet_needs_duckdb(
    bucket: MadeBucket, content: bytes, said: dict[str, Any], answer: str
) -> None:
    address = deliver(bucket, "2026-03-01T01-00Z", [content], **said)
    done = subprocess.run([sys.executable, "-c", _WITHOUT_DUCKDB, address], capture_output=True, text=True, check=True)
    assert done.stdout.strip().startswith(answer)


def test_a_manifest_with_more_in_it_is_read_all_the_same() -> None:
    told = json.loads(manifest("reports", [])) | {"newField": 1}
    assert inventory.read(json.dumps(told).encode(), ADDRESS, "site").files == ()
