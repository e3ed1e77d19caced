"""Stores files in an S3 bucket, below a prefix."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core import concurrency, content_codings
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.core.tree_files import MOST_BYTES
from waypost.files.s3_errors import MISSING, code_of, is_busy, is_uncertain
from waypost.files.store import NO_HEADERS, NO_METADATA, FileInfo, StoredFile, WriteHeaders

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

T = TypeVar("T")
_CONFLICT_CODES = ("PreconditionFailed", "ConditionalRequestConflict", "OperationAborted", "412", "409", *MISSING)
"""The error codes of a conditional write whose condition is false, or may be (S3, "Conditional writes")."""
_MAX_DELETED = 1_000
"""How many objects one request can delete (DeleteObjects)."""
_CONTENT_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".xml": "application/xml",
    ".txt": "text/plain; charset=utf-8",
    ".gz": "application/gzip",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
}


class S3Store:
    """The objects directly below a prefix, which is empty or ends with `/`.

    Conditional writes are sent by `write_client`, if there is one, which does not repeat them: the caller must know
    when one had no answer. `retry` says when other requests are repeated that S3 throttles or does not answer. The
    bucket's settings decide how objects are encrypted. Every object is written with these headers; an ACL needs the
    permission s3:PutObjectAcl, and a bucket that allows ACLs.
    """

    width = 16

    def __init__(
        self,
        client: "S3Client",
        bucket: str,
        prefix: str,
        headers: WriteHeaders = NO_HEADERS,
        write_client: "S3Client | None" = None,
        retry: Retry = ONE_ATTEMPT,
    ) -> None:
        self._client, self._write_client, self._retry = client, write_client or client, retry
        self._bucket, self._prefix = bucket, prefix
        given = {"CacheControl": headers.cache_control, "ACL": headers.acl}
        self._headers: dict[str, Any] = {name: value for name, value in given.items() if value}

    def names(self, name_prefix: str = "") -> Iterable[str]:
        """The names of the objects that begin with `name_prefix`."""
        return list(self.list_files(name_prefix))

    def read(self, name: str) -> bytes | None:
        """An object's bytes, or None if it does not exist."""
        stored = self.get(name)
        return stored.content if stored else None

    def write(self, name: str, content: bytes) -> None:
        """Create or replace an object, with the content type of its name and a checksum that S3 verifies.

        A `.gz` object has no Content-Encoding, because it is a gzip file, and not another file in an encoding.
        """
        self._put(name, content, NO_METADATA)

    def remove(self, name: str) -> None:
        """Delete an object; it need not exist."""
        try:
            self._answer(lambda: self._client.delete_object(Bucket=self._bucket, Key=self._prefix + name))
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot remove {self._uri(name)}: {error}") from error

    def get(self, name: str) -> StoredFile | None:
        """An object's bytes, decoded if others have stored it with a Content-Encoding, and its ETag, or None."""
        try:
            return self._answer(lambda: self._get(name))
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            raise StoreError(f"cannot read {self._uri(name)}: {error}") from error

    def _get(self, name: str) -> StoredFile:
        got = self._client.get_object(Bucket=self._bucket, Key=self._prefix + name)
        if got["ContentLength"] > MOST_BYTES:
            got["Body"].close()
            raise StoreError(f"cannot read {self._uri(name)}: it is larger than {MOST_BYTES:,} bytes")
        try:
            found = content_codings.decode(
                got.get("ContentEncoding", ""), got["Body"].read(), MOST_BYTES + 1, is_whole=True
            )
        except OSError as error:
            raise StoreError(f"cannot read {self._uri(name)}: {error.strerror}") from error
        if len(found.data) > MOST_BYTES:
            raise StoreError(f"cannot read {self._uri(name)}: it is larger than {MOST_BYTES:,} bytes")
        return StoredFile(found.data, got["ETag"])

    def get_start(self, name: str, size: int) -> bytes | None:
        """The first bytes of an object (a ranged GET), or None if it does not exist."""
        try:
            target: Any = {"Bucket": self._bucket, "Key": self._prefix + name, "Range": f"bytes=0-{size - 1}"}
            return self._answer(lambda: self._client.get_object(**target)["Body"].read(size))
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            if code_of(error) == "InvalidRange":  # the object is empty
                return b""
            raise StoreError(f"cannot read {self._uri(name)}: {error}") from error

    def head(self, name: str) -> FileInfo | None:
        """An object's ETag and metadata, or None if it does not exist."""
        try:
            head = self._answer(lambda: self._client.head_object(Bucket=self._bucket, Key=self._prefix + name))
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            raise StoreError(f"cannot read the headers of {self._uri(name)}: {error}") from error
        return FileInfo(head["ETag"], head.get("Metadata", {}))

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        """Replace the object if it has this ETag (None: if it does not exist)."""
        condition: dict[str, Any] = {"IfNoneMatch": "*"} if etag is None else {"IfMatch": etag}
        return self._put(name, content, metadata, **condition)

    def delete_if_match(self, name: str, etag: str) -> None:
        """Delete the object if it has this ETag."""
        try:
            self._write_client.delete_object(Bucket=self._bucket, Key=self._prefix + name, IfMatch=etag)
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in _CONFLICT_CODES:
                raise ConflictError(f"{self._uri(name)} was changed by another run") from error
            raise _write_error(error)(f"cannot remove {self._uri(name)}: {error}") from error

    def delete_many(self, names: Sequence[str]) -> None:
        """Delete objects, up to 1,000 with a request; they need not exist."""
        concurrency.map_concurrently(
            self._delete_batch, [names[n : n + _MAX_DELETED] for n in range(0, len(names), _MAX_DELETED)], self.width
        )

    def _delete_batch(self, names: Sequence[str]) -> None:
        objects: Any = {"Objects": [{"Key": self._prefix + name} for name in names], "Quiet": True}
        try:
            answer = self._answer(lambda: self._client.delete_objects(Bucket=self._bucket, Delete=objects))
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot remove {self._uri(names[0])} and others: {error}") from error
        if errors := answer.get("Errors", ()):
            message = errors[0].get("Message", errors[0].get("Code", ""))
            raise StoreError(f"cannot remove s3://{self._bucket}/{errors[0].get('Key', '')}: {message}")

    def list_files(self, name_prefix: str) -> Iterable[str]:
        """The names that begin with `name_prefix`, a folder included; not the objects in its subfolders."""
        page: Any = self._page(name_prefix)
        while True:
            for entry in page.get("Contents", ()):
                yield entry["Key"][len(self._prefix) :]
            if not page["IsTruncated"]:
                return
            page = self._page(name_prefix, ContinuationToken=page["NextContinuationToken"])

    def _page(self, name_prefix: str, **start: Any) -> Any:
        prefix = self._prefix + name_prefix
        try:
            return self._answer(
                lambda: self._client.list_objects_v2(Bucket=self._bucket, Prefix=prefix, Delimiter="/", **start)
            )
        except (ClientError, BotoCoreError) as error:
            raise StoreError(f"cannot list {self._uri(name_prefix)}: {error}") from error

    def _put(self, name: str, content: bytes, metadata: Mapping[str, str], **condition: Any) -> str:
        request: Any = {
            "Bucket": self._bucket,
            "Key": self._prefix + name,
            "Body": content,
            "ContentType": _CONTENT_TYPES.get(name[name.rfind(".") :], "application/octet-stream"),
            "ChecksumAlgorithm": "SHA256",
            "ChecksumSHA256": b64encode(sha256(content).digest()).decode(),
            "Metadata": metadata,
            **self._headers,
        }
        try:
            if condition:
                return self._write_client.put_object(**request, **condition)["ETag"]
            return self._answer(lambda: self._client.put_object(**request))["ETag"]
        except (ClientError, BotoCoreError) as error:
            if condition and code_of(error) in _CONFLICT_CODES:
                raise ConflictError(f"{self._uri(name)} was changed by another run") from error
            raise _write_error(error)(f"cannot write {self._uri(name)}: {error}") from error

    def _answer(self, request: Callable[[], T]) -> T:
        return self._retry.answer(request, is_busy)

    def _uri(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}{name}"


def _write_error(error: Exception) -> type[StoreError]:
    return UncertainError if is_uncertain(error) else StoreError
