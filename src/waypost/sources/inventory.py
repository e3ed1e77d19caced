"""Reports of S3 Inventory: what a bucket held, for one that is too large to be listed often.

A report is a manifest and files of rows, gzipped CSV or Parquet, which come in no order. It is eventually
consistent: what changed lately may be told of as it was before, or not at all. Sources: "Locating your inventory
list", "Amazon S3 Inventory list" and "Inventory consistency" (S3 User Guide).
"""

import csv
import gzip
import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import file_digest, md5
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote_plus

import msgspec
from boto3.exceptions import Boto3Error
from botocore.exceptions import BotoCoreError, ClientError
from msgspec import Meta, Struct, field

from waypost.errors import ReportError, SourceError
from waypost.model import Item
from waypost.s3_answers import MISSING, code_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

MANIFEST, CHECKSUM = "manifest.json", "manifest.checksum"
_EXTRA = (
    "a report in Parquet needs DuckDB: give the stack an InventoryLayer, or the command line "
    "`pip install 'waypost[inventory]'`; or have the inventory written as CSV"
)
_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?Z")
_FOLDER = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\dZ/")
"""What a report's folder is called below that of its configuration: when S3 began to look."""
_NEEDED = {
    "CSV": ("Key", "Size", "LastModifiedDate", "ETag"),
    "Parquet": ("key", "size", "last_modified_date", "e_tag"),
}
_UNSEEN = {"IsLatest": "false", "IsDeleteMarker": "true", "is_latest": "false", "is_delete_marker": "true"}
"""Columns of a report over all versions, and what they say of those that no reader gets."""
_MODIFIED = "strftime(make_timestamp_ms(epoch_ms(last_modified_date)), '%Y-%m-%dT%H:%M:%SZ')"
"""Whether or not the file says that its times are in UTC, as they always are."""
_ROWS = 2_048
"""A vector of DuckDB's: as many rows as it works on at a time."""
_DAMAGE = (csv.Error, ValueError, EOFError, OSError, zlib.error)
"""What readers of damaged files raise."""


class ReportFile(Struct, frozen=True):
    """A file of rows: its key in the report's bucket, its size, and its MD5 in hexadecimal where it is told."""

    key: str
    size: int = -1
    md5: str = field(default="", name="MD5checksum")


class Report(Struct, frozen=True):
    """A report over the bucket `source`, whose files lie in `bucket`; `created` is when S3 began to look.

    `format` is CSV or Parquet, `columns` are named as there.
    """

    source: str
    bucket: str
    created: str
    format: str
    columns: tuple[str, ...]
    files: tuple[ReportFile, ...]


class _Manifest(Struct, rename="camel"):
    source_bucket: str
    destination_bucket: str
    creation_timestamp: Annotated[str, Meta(pattern=r"^[0-9]{1,13}$")]
    file_format: str
    file_schema: str
    files: tuple[ReportFile, ...]


def read(manifest: bytes, address: str, source: str) -> Report:
    """The report that a `manifest.json` tells of, one over the bucket `source`; raises SourceError for any other."""
    try:
        said = msgspec.json.decode(manifest, type=_Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ReportError(f"{address} is no manifest of S3 Inventory: {error}") from None
    if said.source_bucket != source:
        raise ReportError(f"{address} is a report over the bucket {said.source_bucket} and not over {source}")
    if said.file_format not in _NEEDED:
        allowed = " or ".join(_NEEDED)
        raise ReportError(f"{address} is a report in {said.file_format}; set the inventory's output to {allowed}")
    columns = _columns(said)
    if missing := [name for name in _NEEDED[said.file_format] if name not in columns]:
        raise ReportError(f"{address} lacks the columns {', '.join(missing)}; add those fields to the inventory")
    bucket = said.destination_bucket.rpartition(":")[2]  # an ARN, of any of AWS's partitions
    created = datetime.fromtimestamp(int(said.creation_timestamp) // 1_000, UTC).isoformat().replace("+00:00", "Z")
    return Report(source, bucket, created, said.file_format, columns, said.files)


def newest(client: "S3Client", address: str, source: str) -> Report:
    """The newest finished report below a configuration's folder, or that of a manifest; raises SourceError.

    `address` is `s3://bucket/prefix/source-bucket/config-ID`, or ends with `/manifest.json`.
    """
    bucket, _, path = address.removeprefix("s3://").partition("/")
    if path.rpartition("/")[2] == MANIFEST:
        if found := _finished(client, bucket, path[: -len(MANIFEST)], source):
            return found
        raise ReportError(f"{address} is not finished: {CHECKSUM} beside it is missing, or tells of another")
    prefix = path.rstrip("/") + "/" if path.rstrip("/") else ""
    for folder in sorted(_folders(client, bucket, prefix), reverse=True):
        if found := _finished(client, bucket, folder, source):
            return found
    where = f"s3://{bucket}/{prefix}"
    raise ReportError(f"{where} holds no finished report; name the folder of the inventory's configuration")


def items(client: "S3Client", report: Report, file: ReportFile, prefix: str) -> Iterator[Item]:
    """The objects below a prefix in one file of a report, in its order; keys are without the prefix.

    Only what a reader gets is an item: no older version, no delete marker, no folder marker. The file is kept on
    disk meanwhile, and compared with its MD5 before its first row is read. Raises SourceError.
    """
    rows = _rows_of_csv if report.format == "CSV" else _rows_of_parquet
    with _fetched(client, report.bucket, file) as path:
        number = 0
        try:
            for found in rows(path, report.columns, prefix):
                number += 1
                if found is not None:
                    yield found
        except _DAMAGE as error:
            place = f"s3://{report.bucket}/{file.key}"
            raise SourceError(f"{place} cannot be read at row {number + 1}: {error}") from error


def _columns(manifest: _Manifest) -> tuple[str, ...]:
    """The columns' names: a list for CSV, a message of Parquet's schema language else."""
    if manifest.file_format == "CSV":
        return tuple(name.strip() for name in manifest.file_schema.split(","))
    return tuple(re.findall(r"(?:required|optional)\s+\w+\s+(\w+)", manifest.file_schema))


def _finished(client: "S3Client", bucket: str, folder: str, source: str) -> Report | None:
    """The report in a folder, or None where it is not whole yet.

    The checksum tells that it is ("Setting up Amazon S3 Event Notifications for inventory completion").
    """
    checksum = _object(client, bucket, folder + CHECKSUM)
    manifest = _object(client, bucket, folder + MANIFEST)
    if checksum is None or manifest is None:
        return None
    if checksum.strip().lower() != md5(manifest, usedforsecurity=False).hexdigest().encode():
        return None
    return read(manifest, f"s3://{bucket}/{folder}{MANIFEST}", source)


def _folders(client: "S3Client", bucket: str, prefix: str) -> Iterator[str]:
    """The folders of reports right below a configuration's."""
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix, Delimiter="/")
    try:
        for page in pages:
            for found in page.get("CommonPrefixes", ()):
                if _FOLDER.fullmatch(found["Prefix"][len(prefix) :]):
                    yield found["Prefix"]
    except (ClientError, BotoCoreError) as error:
        raise SourceError(f"cannot list s3://{bucket}/{prefix}: {error}") from error


def _object(client: "S3Client", bucket: str, key: str) -> bytes | None:
    try:
        return client.get_object(Bucket=bucket, Key=key)["Body"].read()
    except (ClientError, BotoCoreError) as error:
        if code_of(error) in MISSING:
            return None
        raise SourceError(f"cannot read s3://{bucket}/{key}: {error}") from error


@contextmanager
def _fetched(client: "S3Client", bucket: str, file: ReportFile) -> Iterator[Path]:
    """A file of a report on this machine's disk, and the very one that the manifest tells of."""
    place = f"s3://{bucket}/{file.key}"
    with tempfile.TemporaryDirectory(prefix="waypost-") as folder:
        path = Path(folder) / "rows"
        try:
            client.download_file(bucket, file.key, str(path))
            with path.open("rb") as content:
                found = file_digest(content, lambda: md5(usedforsecurity=False)).hexdigest()
        except (ClientError, BotoCoreError, Boto3Error, OSError) as error:
            raise SourceError(f"cannot read {place}: {error}") from error
        if file.md5 and found != file.md5.lower():
            raise SourceError(f"{place} is damaged: its MD5 is {found}, and {file.md5} in the manifest")
        yield path


def _rows_of_csv(path: Path, columns: Sequence[str], prefix: str) -> Iterator[Item | None]:
    """The rows of a CSV file without a header, None for those that are left out."""
    key, size, modified, etag = (columns.index(name) for name in _NEEDED["CSV"])
    flags = [(n, _UNSEEN[name]) for n, name in enumerate(columns) if name in _UNSEEN]
    with gzip.open(path, "rt", encoding="utf-8", newline="") as text:
        for cells in csv.reader(text, strict=True):
            if cells and len(cells) != len(columns):
                raise ValueError(f"it has {len(cells)} columns, and the manifest {len(columns)}")
            if not cells or any(cells[n].lower() == value for n, value in flags):
                yield None
            else:
                yield _item(prefix, _decoded(cells[key]), cells[size], cells[modified], cells[etag])


def _decoded(key: str) -> str:
    """A key of a CSV file, where a space is `+` and a plus `%2B`, as where S3 encodes keys in other answers.

    The guide says no more than that keys are URL-encoded; that spaces are `+` is what readers of reports found.
    """
    return unquote_plus(key, errors="strict") if "%" in key or "+" in key else key


def _rows_of_parquet(path: Path, columns: Sequence[str], prefix: str) -> Iterator[Item | None]:
    """The rows of a Parquet file, whose keys are as they are, None for those that are left out."""
    try:
        import duckdb  # 66 MB that no other source needs
    except ImportError:
        raise ReportError(_EXTRA) from None
    flags = [f"{name} IS DISTINCT FROM {_UNSEEN[name]}" for name in columns if name in _UNSEEN]
    query = f"SELECT key, size, {_MODIFIED}, e_tag, {' AND '.join(flags) or 'true'} FROM read_parquet(?)"  # noqa: S608
    try:
        with duckdb.connect(config={"threads": 1}) as connection:
            found = connection.execute(query, [str(path)])
            while rows := found.fetchmany(_ROWS):
                for key, size, modified, etag, is_there in rows:
                    yield _item(prefix, key, size, modified, etag) if is_there else None
    except duckdb.Error as error:
        raise ValueError(str(error).partition("\n")[0]) from error


def _item(prefix: str, key: str, size: str | int, modified: str, etag: str) -> Item | None:
    """The object of a row, whose ETag gets the quotes that other answers of S3 have; None for one that is left out."""
    if not key.startswith(prefix) or key.endswith("/"):
        return None
    time = _TIME.fullmatch(modified or "")
    if not (time and etag):
        raise ValueError(f"{key} has the time {modified!r} and the ETag {etag!r}")
    name, bare = key[len(prefix) :], etag.strip('"')
    return Item(name, name, int(size), f'"{bare}"', f"{time[1]}Z")
