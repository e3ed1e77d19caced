"""Reports of S3 Inventory for tests, laid out and written as S3 delivers them."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from buckets import MadeBucket

CSV_SCHEMA = "Bucket, Key, VersionId, IsLatest, IsDeleteMarker, Size, LastModifiedDate, ETag, StorageClass"
PARQUET_SCHEMA = (
    "message s3.inventory {  required binary bucket (STRING);  required binary key (STRING);"
    "  optional binary version_id (STRING);  optional boolean is_latest;  optional boolean is_delete_marker;"
    "  optional int64 size;  optional int64 last_modified_date (TIMESTAMP(MILLIS,true));"
    "  optional binary e_tag (STRING);}"
)


@dataclass(frozen=True)
class Row:
    """A version of an object, or a delete marker, which has neither size nor ETag."""

    key: str
    size: int | None = 5
    etag: str | None = "827ccb0eea8a706c4c34a16891f84e7b"
    modified: datetime = datetime(2026, 3, 1, 12, 0, 0, 123_000, UTC)
    is_latest: bool = True
    is_delete_marker: bool = False


def rows_of(bucket: MadeBucket) -> list[Row]:
    """What a report would tell of a bucket now."""
    pages = bucket.client.get_paginator("list_objects_v2").paginate(Bucket=bucket.name)
    return [
        Row(entry["Key"], entry["Size"], entry["ETag"].strip('"'), entry["LastModified"])
        for page in pages
        for entry in page.get("Contents", ())
    ]


def csv_file(rows: Iterable[Row]) -> bytes:
    """Every value in quotes, no header, keys URL-encoded."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in rows:
        time = row.modified.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        flags = [str(row.is_latest).lower(), str(row.is_delete_marker).lower()]
        size = "" if row.size is None else row.size
        writer.writerow(["site", quote_plus(row.key, safe="/"), "v1", *flags, size, time, row.etag or "", "STANDARD"])
    return gzip.compress(text.getvalue().encode(), mtime=0)


def parquet_file(rows: Iterable[Row], *, is_utc: bool = True) -> bytes:
    """Keys as they are; `is_utc`: whether the file says that its times are in UTC."""
    import duckdb

    time = "make_timestamp_ms(time)" + (" AT TIME ZONE 'UTC'" if is_utc else "")
    values = [
        [row.key, row.is_latest, row.is_delete_marker, row.size, int(row.modified.timestamp() * 1_000), row.etag]
        for row in rows
    ]
    with tempfile.TemporaryDirectory() as folder, duckdb.connect() as connection:
        path = Path(folder) / "rows.parquet"
        connection.execute(
            "SET TimeZone = 'UTC'; CREATE TABLE rows"
            " (key VARCHAR, is_latest BOOL, is_delete_marker BOOL, size BIGINT, time BIGINT, e_tag VARCHAR)"
        )
        if values:
            connection.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?)", values)
        connection.execute(
            "COPY (SELECT 'site' AS bucket, key, 'v1' AS version_id, is_latest, is_delete_marker, size,"
            f" {time} AS last_modified_date, e_tag FROM rows) TO '{path}' (FORMAT parquet, COMPRESSION snappy)"
        )
        return path.read_bytes()


def manifest(bucket: str, contents: Sequence[tuple[str, bytes]], **said: Any) -> bytes:
    """A `manifest.json` over the bucket `site` unless it is said otherwise."""
    return json.dumps(
        {
            "sourceBucket": "site",
            "destinationBucket": f"arn:aws:s3:::{bucket}",
            "version": "2016-11-30",
            "creationTimestamp": "1772366400000",
            "fileFormat": "CSV",
            "fileSchema": CSV_SCHEMA,
            "files": [
                {"key": key, "size": len(content), "MD5checksum": md5(content, usedforsecurity=False).hexdigest()}
                for key, content in contents
            ],
        }
        | said
    ).encode()


def deliver(bucket: MadeBucket, folder: str, contents: Sequence[bytes] = (), **said: Any) -> str:
    """Put a report's files, manifest and checksum below `inventory/site/all/`; returns the manifest's address."""
    files = [(f"inventory/site/all/data/{folder}-{n}", content) for n, content in enumerate(contents)]
    told = manifest(bucket.name, files, **said)
    checksum = md5(told, usedforsecurity=False).hexdigest() + "\n"
    key = f"inventory/site/all/{folder}/manifest"
    bucket.put({**dict(files), f"{key}.json": told, f"{key}.checksum": checksum})
    return f"s3://{bucket.name}/{key}.json"
