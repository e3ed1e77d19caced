"""S3 as a client of boto3 knows it, over a synthetic bucket and a folder: requests are counted, and take their time.

The product's own sources and stores run over it. What it takes of the processor itself is subtracted.
"""

import functools
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from botocore.exceptions import ClientError
from scale_clock import Clock
from synthetic import Bucket, behind

LATENCY = {"LIST": 0.1, "SAMPLE": 0.1, "PROBE": 0.1, "GET": 0.03, "HEAD": 0.03, "PUT": 0.03, "DELETE": 0.03}
"""Seconds from a request to its answer's first byte; a probe is a listing of one key."""
_WHEN = datetime(2026, 11, 20, tzinfo=UTC)
_TEXT = " ".join(f"What is said here in sentence {n} is much like what every page says." for n in range(110))
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page {n} of {version}</title>'
    '<meta name="description" content="A page of a synthetic site."><link rel="canonical" href="{loc}">'
    '<link rel="stylesheet" href="/style.css"></head><body><nav>{links}</nav><h1>Page {n}</h1><p>{text}</p>'
    "</body></html>"
)
_LINKS = "".join(f'<a href="/section-{n}/">Section {n}</a> ' for n in range(40))
F = TypeVar("F", bound=Callable[..., Any])


def _aside(method: F) -> F:
    """A method whose own use of the processor does not count."""

    @functools.wraps(method)
    def measured(self: "Client", *args: Any, **named: Any) -> Any:
        began = time.thread_time()
        try:
            return method(self, *args, **named)
        finally:
            self.own += time.thread_time() - began

    return measured  # type: ignore[return-value]


class Client:
    """`site` holds the synthetic objects and what is put there, any other bucket what is put there, below a folder."""

    def __init__(self, clock: Clock, objects: Bucket, folder: Path, changed: Collection[int]) -> None:
        self._clock, self._objects, self._folder, self._changed = clock, objects, folder, frozenset(changed)
        self.requests: Counter[str] = Counter()
        self.bytes = 0
        self.own = 0.0
        self._info: dict[str, str] | None = None

    @_aside
    def list_objects_v2(self, MaxKeys: int, StartAfter: str = "", ContinuationToken: str = "", **_: Any) -> Any:  # noqa: N803
        """A page of the synthetic objects."""
        self._asked({1: "PROBE", 1_000: "LIST"}.get(MaxKeys, "SAMPLE"), "site")
        start = int(ContinuationToken) if ContinuationToken else behind(self._objects, StartAfter) if StartAfter else 0
        stop = min(start + MaxKeys, self._objects.size)
        contents = [self._entry(n, key) for n, key in enumerate(self._objects.keys(start, stop), start)]
        is_more = stop < self._objects.size
        return {
            "Contents": contents,
            "IsTruncated": is_more,
            **({"NextContinuationToken": str(stop)} if is_more else {}),
        }

    def get_paginator(self, name: str) -> "Client":
        """What lists a folder."""
        assert name == "list_objects_v2"
        return self

    def paginate(self, Bucket: str, Prefix: str, Delimiter: str) -> Iterator[Any]:  # noqa: N803
        """The pages of what was put below a prefix."""
        assert Delimiter == "/"
        names = self._names(Bucket, Prefix)
        for start in range(0, max(len(names), 1), 1_000):
            self._asked("LIST", Bucket)
            yield {"Contents": [{"Key": name, "LastModified": _WHEN} for name in names[start : start + 1_000]]}

    @_aside
    def get_object(self, Bucket: str, Key: str, Range: str = "") -> Any:  # noqa: N803
        """An object, whole: the code under measure asks for parts of small ones only to be told that it has all."""
        self._asked("GET", Bucket)
        file = self._file(Bucket, Key)
        if not _is_page(Bucket, Key) and file.exists():
            data, etag = (content := file.read_bytes()), _etag(content)
        else:
            data, etag = self._page(Bucket, Key)
        self.bytes += len(data)
        part = {"ContentRange": f"bytes 0-{len(data) - 1}/{len(data)}"} if Range else {}
        return {"Body": _Read(data), "ETag": etag, "LastModified": _WHEN, **part}

    @_aside
    def head_object(self, Bucket: str, Key: str) -> Any:  # noqa: N803
        """An object's headers."""
        self._asked("HEAD", Bucket)
        file = self._file(Bucket, Key)
        if file.exists():
            stamp = file.with_name(file.name + ".meta")
            metadata = json.loads(stamp.read_bytes()) if stamp.exists() else {}
            return {"ETag": _etag(file.read_bytes()), "Metadata": metadata}
        if Bucket == "site" and (digest := self.info.get(Key)):
            return {"ETag": f'"{digest}"', "Metadata": {"waypost-digest": digest, "waypost-generation": "1"}}
        return {"ETag": self._page(Bucket, Key)[1]}

    @_aside
    def put_object(self, Bucket: str, Key: str, Body: bytes, **about: Any) -> Any:  # noqa: N803
        """Put an object, on condition."""
        self._asked("PUT", Bucket)
        self.bytes += len(Body)
        file = self._file(Bucket, Key)
        stands = file.exists() or Key in (self.info if Bucket == "site" else ())
        if about.get("IfNoneMatch") and stands:
            raise _error("PreconditionFailed", "PutObject")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(Body)
        if about.get("Metadata"):
            file.with_name(file.name + ".meta").write_text(json.dumps(about["Metadata"]))
        return {"ETag": _etag(Body)}

    @_aside
    def delete_object(self, Bucket: str, Key: str, **_: Any) -> Any:  # noqa: N803
        """Remove an object."""
        self._asked("DELETE", Bucket)
        self._file(Bucket, Key).unlink(missing_ok=True)
        return {}

    @property
    def info(self) -> Mapping[str, str]:
        """The sitemaps that stand though nobody has written them here, with their digests."""
        if self._info is None:
            file = self._folder / "standing.json"
            self._info = json.loads(file.read_bytes()) if file.exists() else {}
        return self._info

    def _asked(self, kind: str, bucket: str) -> None:
        self.requests[f"{kind} {bucket}"] += 1
        self._clock.now += LATENCY[kind]

    def _file(self, bucket: str, key: str) -> Path:
        return self._folder / bucket / key

    @_aside
    def _names(self, bucket: str, prefix: str) -> Sequence[str]:
        folder, _, stem = prefix.rpartition("/")
        place = self._folder / bucket / folder
        names = {each.name for each in os.scandir(place) if each.is_file()} if place.is_dir() else set()
        kept = {name for name in names if name.startswith(stem) and not name.endswith(".meta")}
        if bucket == "site":
            kept |= {name for name in self.info if name.startswith(stem)}
        elif (ghosts := self._folder / "ghosts.txt").exists() and folder == "ledger/shards":
            kept |= set(ghosts.read_text(encoding="utf-8").split())
        return sorted(f"{folder}/{name}" if folder else name for name in kept)

    def _page(self, bucket: str, key: str) -> tuple[bytes, str]:
        n = self._objects.find(key) if _is_page(bucket, key) else None
        if n is None:
            raise _error("404", "GetObject")
        return page(n, key, n in self._changed), self._object_etag(n)

    def _entry(self, n: int, key: str) -> dict[str, Any]:
        return {"Key": key, "Size": 10_000, "ETag": self._object_etag(n), "LastModified": _WHEN}

    def _object_etag(self, n: int) -> str:
        return object_etag(n, n in self._changed)


def object_etag(n: int, is_changed: bool) -> str:
    """The ETag of an object, before and after it was changed."""
    return f'"{(n * 0x9E3779B97F4A7C15F39CC0605CEDC835 + is_changed) % (1 << 128):032x}"'


def page(n: int, key: str, is_changed: bool) -> bytes:
    """What an object holds: some 10 KB of HTML."""
    loc = f"https://example.org/{quote(key)}"
    version = "its second version" if is_changed else "its first version"
    return _PAGE.format(n=n, version=version, loc=loc, links=_LINKS, text=_TEXT).encode()


class _Read:
    """A body that is read once."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self) -> bytes:
        """All of it."""
        return self._data


def _is_page(bucket: str, key: str) -> bool:
    return bucket == "site" and key.endswith(".html")


def _etag(content: bytes) -> str:
    return f'"{blake2b(content, digest_size=16).hexdigest()}"'


def _error(code: str, operation: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, operation)
