"""A client of S3 with boto3's interface, over a synthetic bucket and a folder; it counts requests and adds their time.

Waypost's own sources and stores run over it. The processor time that the client itself uses is recorded, so that it
can be subtracted.
"""

import functools
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from botocore.exceptions import ClientError

from scale.assumed_files import AssumedFiles
from scale.clock import SimulatedClock
from scale.synthetic_bucket import SyntheticBucket, first_number_after
from waypost.core.hashing import content_digest
from waypost.sources.parallel_listing import LAST_KEY

_LISTINGS = {"LIST": 0.1, "SAMPLE": 0.1, "PROBE": 0.1}
LATENCY = {**_LISTINGS, "GET": 0.03, "HEAD": 0.03, "PUT": 0.03, "DELETE": 0.03, "DELETES": 0.3}
"""Seconds from a request to the first byte of its answer; PROBE is a listing of one key, SAMPLE of 250, and DELETES
deletes 1,000 objects."""
ASSUMED_RECORDS = "assumed-records.txt"
"""In the folder: the names of files of records that no call has written."""
_MODIFIED = datetime(2026, 11, 20, tzinfo=UTC)
_TEXT = " ".join(f"What is said here in sentence {n} is much like what every page says." for n in range(110))
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page {n} of {version}</title>'
    '<meta name="description" content="A page of a synthetic site."><link rel="canonical" href="{loc}">'
    '<link rel="stylesheet" href="/style.css"></head><body><nav>{links}</nav><h1>Page {n}</h1><p>{text}</p>'
    "</body></html>"
)
_LINKS = "".join(f'<a href="/section-{n}/">Section {n}</a> ' for n in range(40))
F = TypeVar("F", bound=Callable[..., Any])


def _not_measured(method: F) -> F:
    """Record the processor time of a request, so that it does not count as Waypost's; what it calls is included."""

    @functools.wraps(method)
    def timed(self: "SimulatedS3Client", *args: Any, **kwargs: Any) -> Any:
        start = time.thread_time()
        try:
            return method(self, *args, **kwargs)
        finally:
            self.own_seconds += time.thread_time() - start

    return timed  # type: ignore[return-value]


class SimulatedS3Client:
    """The bucket `site` has the synthetic objects and what is put there; any other has what is put there.

    What is put is written below `folder`. `changed` are the numbers of objects that have their second content.
    `written` has the bytes that were put, by bucket and key.
    """

    def __init__(self, clock: SimulatedClock, objects: SyntheticBucket, folder: Path, changed: Collection[int]) -> None:
        self._clock, self._objects, self._folder, self._changed = clock, objects, folder, frozenset(changed)
        self.requests: Counter[str] = Counter()
        self.bytes = 0
        self.written: Counter[str] = Counter()
        self.own_seconds = 0.0

    @_not_measured
    def list_objects_v2(
        self,
        Bucket: str,  # noqa: N803
        Prefix: str = "",  # noqa: N803
        Delimiter: str = "",  # noqa: N803
        MaxKeys: int = 1_000,  # noqa: N803
        StartAfter: str = "",  # noqa: N803
        ContinuationToken: str = "",  # noqa: N803
        **_: Any,
    ) -> Any:
        """One page of the synthetic objects; with a delimiter, of what is directly below a prefix."""
        if Delimiter and Bucket == "site":
            return self._listed_folder(Prefix, MaxKeys)
        if Delimiter:
            return self._listed_files(Bucket, Prefix, int(ContinuationToken or 0), MaxKeys)
        self._count({1: "PROBE", 1_000: "LIST"}.get(MaxKeys, "SAMPLE"), "site")
        start = int(ContinuationToken or 0) or (first_number_after(self._objects, StartAfter) if StartAfter else 0)
        stop = min(start + MaxKeys, self._objects.size)
        contents = [self._listing_entry(n, key) for n, key in enumerate(self._objects.keys(start, stop), start)]
        is_truncated = stop < self._objects.size
        token = {"NextContinuationToken": str(stop)} if is_truncated else {}
        return {"Contents": contents, "IsTruncated": is_truncated, **token}

    def _listed_folder(self, prefix: str, most: int) -> Any:
        """The first synthetic objects and common prefixes directly below a prefix."""
        self._count("LIST", "site")
        contents, folders = list[Any](), list[Any]()
        number = first_number_after(self._objects, prefix) if prefix else 0
        while number < self._objects.size and len(contents) + len(folders) < most:
            key = self._objects.key(number)
            if not key.startswith(prefix):
                break
            name, slash, _ = key[len(prefix) :].partition("/")
            if slash:
                folders.append({"Prefix": f"{prefix}{name}/"})
                number = first_number_after(self._objects, f"{prefix}{name}/{LAST_KEY}")
            else:
                contents.append(self._listing_entry(number, key))
                number += 1
        return {"Contents": contents, "CommonPrefixes": folders, "IsTruncated": False}

    def _listed_files(self, bucket: str, prefix: str, start: int, most: int) -> Any:
        names = self._names(bucket, prefix)
        self._count("LIST", bucket)
        contents = [{"Key": name, "LastModified": _MODIFIED} for name in names[start : start + most]]
        is_truncated = start + most < len(names)
        token = {"NextContinuationToken": str(start + most)} if is_truncated else {}
        return {"Contents": contents, "IsTruncated": is_truncated, **token}

    @_not_measured
    def get_object(self, Bucket: str, Key: str, Range: str = "") -> Any:  # noqa: N803
        """A whole object: pages are small, so a requested range covers all of them."""
        self._count("GET", Bucket)
        file = self._file(Bucket, Key)
        if not _is_page(Bucket, Key) and file.exists():
            data = file.read_bytes()
            etag = _etag(data)
        elif Bucket == "site" and (assumed := self._assumed.find(Key)):
            data, etag = assumed.content(self._objects), assumed.etag
        else:
            data, etag = self._page(Bucket, Key)
        self.bytes += len(data)
        content_range = {"ContentRange": f"bytes 0-{len(data) - 1}/{len(data)}"} if Range else {}
        headers = {"ETag": etag, "LastModified": _MODIFIED, "ContentLength": len(data), **content_range}
        return {"Body": _Body(data), **headers}

    @_not_measured
    def head_object(self, Bucket: str, Key: str) -> Any:  # noqa: N803
        """An object's headers."""
        self._count("HEAD", Bucket)
        file = self._file(Bucket, Key)
        if file.exists():
            metadata_file = _metadata_file(file)
            metadata = json.loads(metadata_file.read_bytes()) if metadata_file.exists() else {}
            return {"ETag": _etag(file.read_bytes()), "Metadata": metadata}
        if Bucket == "site" and (assumed := self._assumed.find(Key)):
            return {"ETag": assumed.etag, "Metadata": self._assumed.metadata(assumed)}
        return {"ETag": self._page(Bucket, Key)[1]}

    @_not_measured
    def put_object(self, Bucket: str, Key: str, Body: bytes, **options: Any) -> Any:  # noqa: N803
        """Write an object; with a condition only if that is true."""
        self._count("PUT", Bucket)
        self.bytes += len(Body)
        file = self._file(Bucket, Key)
        present = self._etag_of(Bucket, Key) if options.keys() & {"IfNoneMatch", "IfMatch"} else None
        if present != options.get("IfMatch"):
            raise _error("PreconditionFailed", "PutObject")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(Body)
        self.written[f"{Bucket}/{Key}"] += len(Body)
        if options.get("Metadata"):
            _metadata_file(file).write_text(json.dumps(options["Metadata"]))
        return {"ETag": _etag(Body)}

    @_not_measured
    def delete_object(self, Bucket: str, Key: str, **_: Any) -> Any:  # noqa: N803
        """Remove an object."""
        self._count("DELETE", Bucket)
        self._file(Bucket, Key).unlink(missing_ok=True)
        return {}

    @_not_measured
    def delete_objects(self, Bucket: str, Delete: Mapping[str, Sequence[Mapping[str, str]]], **_: Any) -> Any:  # noqa: N803
        """Remove up to 1,000 objects."""
        self._count("DELETES", Bucket)
        for each in Delete["Objects"]:
            self._file(Bucket, each["Key"]).unlink(missing_ok=True)
        return {}

    @functools.cached_property
    def _assumed(self) -> AssumedFiles:
        return AssumedFiles(self._folder)

    def _etag_of(self, bucket: str, key: str) -> str | None:
        """The ETag of an object that was put, or that is assumed to be."""
        file = self._file(bucket, key)
        if file.exists():
            return _etag(file.read_bytes())
        assumed = self._assumed.find(key) if bucket == "site" else None
        return assumed.etag if assumed else None

    def _count(self, kind: str, bucket: str) -> None:
        self.requests[f"{kind} {bucket}"] += 1
        self._clock.now += LATENCY[kind]

    def _file(self, bucket: str, key: str) -> Path:
        return self._folder / bucket / key

    def _names(self, bucket: str, prefix: str) -> Sequence[str]:
        folder, _, stem = prefix.rpartition("/")
        place = self._folder / bucket / folder
        names = {each.name for each in os.scandir(place) if each.is_file()} if place.is_dir() else set()
        kept = {name for name in names if name.startswith(stem) and not name.endswith(".meta")}
        if (assumed := self._folder / ASSUMED_RECORDS).exists() and folder == "ledger/shards":
            kept |= set(assumed.read_text(encoding="utf-8").split())
        return sorted(f"{folder}/{name}" if folder else name for name in kept)

    def _page(self, bucket: str, key: str) -> tuple[bytes, str]:
        """A synthetic object's content and ETag; raises ClientError where there is none."""
        number = self._objects.number_of(key) if _is_page(bucket, key) else None
        if number is None:
            raise _error("404", "GetObject")
        is_changed = number in self._changed
        return page_content(number, key, is_changed), object_etag(number, is_changed)

    def _listing_entry(self, number: int, key: str) -> dict[str, Any]:
        etag = object_etag(number, number in self._changed)
        return {"Key": key, "Size": 10_000, "ETag": etag, "LastModified": _MODIFIED}


def object_etag(number: int, is_changed: bool) -> str:
    """The ETag of a synthetic object, with its first or its second content."""
    return f'"{(number * 0x9E3779B97F4A7C15F39CC0605CEDC835 + is_changed) % (1 << 128):032x}"'


def page_content(number: int, key: str, is_changed: bool) -> bytes:
    """The content of a synthetic object: about 10 KB of HTML."""
    loc = f"https://example.org/{quote(key)}"
    version = "its second version" if is_changed else "its first version"
    return _PAGE.format(n=number, version=version, loc=loc, links=_LINKS, text=_TEXT).encode()


class _Body:
    """The body of an answer, which is read once."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, amount: int | None = None) -> bytes:
        """The first bytes, or all of them."""
        return self._data[:amount]


def _is_page(bucket: str, key: str) -> bool:
    return bucket == "site" and key.endswith(".html")


def _metadata_file(file: Path) -> Path:
    return file.with_name(file.name + ".meta")


def _etag(content: bytes) -> str:
    return f'"{content_digest(content)}"'


def _error(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, operation)
