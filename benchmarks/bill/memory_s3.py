"""A client of S3 whose buckets are in memory: it counts requests and bytes, and the time that itself takes."""

import functools
import threading
import time
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from hashlib import md5
from typing import Any, NamedTuple, TypeVar

from botocore.exceptions import ClientError

F = TypeVar("F", bound=Callable[..., Any])


class _Object(NamedTuple):
    body: bytes
    etag: str
    modified: datetime
    metadata: Mapping[str, str]


def _request(method: F) -> F:
    """A request, whose processor time is the client's own; listings of one key count as PROBE."""

    @functools.wraps(method)
    def timed(self: "MemoryS3Client", Bucket: str, **request: Any) -> Any:  # noqa: N803
        start = time.thread_time()
        kind = "PROBE" if request.get("MaxKeys") == 1 else method.__name__.partition("_")[0].upper()
        with self.lock:
            self.requests[f"{kind} {Bucket}"] += 1
            try:
                return method(self, Bucket, **request)
            finally:
                self.own_seconds += time.thread_time() - start

    return timed  # type: ignore[return-value]


class MemoryS3Client:
    """The buckets `site` and `state`. `requests` are counted by kind and bucket; `written` are bytes by bucket."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.objects: dict[str, dict[str, _Object]] = {"site": {}, "state": {}}
        self._keys: dict[str, list[str]] = {"site": [], "state": []}
        self.reset()

    def reset(self) -> None:
        """Count from now on."""
        self.requests, self.written = Counter[str](), Counter[str]()
        self.bytes, self.own_seconds = 0, 0.0

    def upload(self, bucket: str, key: str, body: bytes, metadata: Mapping[str, str] | None = None) -> str:
        """Replace an object without a request; returns its ETag."""
        if key not in self.objects[bucket]:
            insort(self._keys[bucket], key)
        etag = f'"{md5(body).hexdigest()}"'
        self.objects[bucket][key] = _Object(body, etag, datetime.now(UTC), metadata or {})
        return etag

    @_request
    def list_objects_v2(
        self,
        bucket: str,
        Prefix: str = "",  # noqa: N803
        MaxKeys: int = 1_000,  # noqa: N803
        StartAfter: str = "",  # noqa: N803
        ContinuationToken: str = "",  # noqa: N803
        Delimiter: str = "",  # noqa: N803
    ) -> Any:
        """A page of a listing; with a delimiter, of the objects directly below the prefix."""
        keys = self._keys[bucket]
        first = bisect_right(keys, max(StartAfter, ContinuationToken, Prefix))
        found = [key for key in keys[first : first + MaxKeys] if key.startswith(Prefix)]
        contents = [self._entry(bucket, key) for key in found if not Delimiter or Delimiter not in key[len(Prefix) :]]
        is_truncated = len(found) == MaxKeys and first + MaxKeys < len(keys)
        return {"Contents": contents, "IsTruncated": is_truncated} | (
            {"NextContinuationToken": found[-1]} if is_truncated else {}
        )

    @_request
    def get_object(self, bucket: str, Key: str, Range: str = "", IfMatch: str = "") -> Any:  # noqa: N803
        """An object, or its first bytes."""
        found = self._found(bucket, Key)
        if IfMatch not in ("", found.etag):
            raise _error("PreconditionFailed")
        data = found.body[: int(Range.partition("-")[2]) + 1] if Range else found.body
        self.bytes += len(data)
        size = {"ContentRange": f"bytes 0-{len(data) - 1}/{len(found.body)}"} if Range else {}
        return {"Body": _Body(data), "ContentLength": len(data), **size, **_headers(found)}

    @_request
    def head_object(self, bucket: str, Key: str) -> Any:  # noqa: N803
        """An object's headers."""
        return _headers(self._found(bucket, Key))

    @_request
    def put_object(self, bucket: str, Key: str, Body: bytes, **options: Any) -> Any:  # noqa: N803
        """Write an object; with a condition only if that is true."""
        found = self.objects[bucket].get(Key)
        if options.keys() & {"IfMatch", "IfNoneMatch"} and options.get("IfMatch") != (found and found.etag):
            raise _error("PreconditionFailed")
        self.bytes += len(Body)
        self.written[bucket] += len(Body)
        return {"ETag": self.upload(bucket, Key, Body, options.get("Metadata"))}

    @_request
    def delete_object(self, bucket: str, Key: str, **_: Any) -> Any:  # noqa: N803
        """Delete an object; it need not exist."""
        if self.objects[bucket].pop(Key, None):
            self._keys[bucket].remove(Key)
        return {}

    def _found(self, bucket: str, key: str) -> _Object:
        if key not in self.objects[bucket]:
            raise _error("NoSuchKey")
        return self.objects[bucket][key]

    def _entry(self, bucket: str, key: str) -> Any:
        found = self.objects[bucket][key]
        return {"Key": key, "Size": len(found.body), "ETag": found.etag, "LastModified": found.modified}


class _Body:
    """The body of an answer, which is read once."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, size: int | None = None) -> bytes:
        """The first bytes, or all of them."""
        return self._data[:size]


def _headers(found: _Object) -> dict[str, Any]:
    return {"ETag": found.etag, "LastModified": found.modified, "Metadata": found.metadata}


def _error(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "request")
