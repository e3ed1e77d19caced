"""Stores files in an S3 bucket, below a prefix."""

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import ClientError

from waypost.core import concurrency, content_codings
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.errors import ConflictError, StoreError, UncertainError
from waypost.core.tree_files import MOST_BYTES
from waypost.files.s3_client import FAILURES, MISSING, code_of, is_busy, is_uncertain, listing_pages
from waypost.files.store import NO_HEADERS, NO_METADATA, ConditionalStore, FileInfo, StoredFile, WriteHeaders

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


class S3Store(ConditionalStore):
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

    def write(self, name: str, content: bytes) -> None:
        """Create or replace an object, with the content type of its name and a checksum that S3 verifies.

        A `.gz` object has no Content-Encoding, because it is a gzip file, and not another file in an encoding.
        """
        request = self._upload(name, content, NO_METADATA)
        try:
            self._retry.answer(lambda: self._client.put_object(**request), is_busy)
        except FAILURES as error:
            raise self._write_error("write", name, error) from error

    def remove(self, name: str) -> None:
        """Delete an object; it need not exist."""
        self._answer(f"remove {self._uri(name)}", lambda: self._client.delete_object(**self._at(name)))

    def get(self, name: str) -> StoredFile | None:
        """An object's bytes, decoded if others have stored it with a Content-Encoding, and its ETag, or None."""
        return self._present(f"read {self._uri(name)}", lambda: self._get(name))

    def _get(self, name: str) -> StoredFile:
        got = self._client.get_object(**self._at(name))
        if got["ContentLength"] > MOST_BYTES:
            got["Body"].close()
            raise self._too_large(name)
        try:
            found = content_codings.decode(
                got.get("ContentEncoding", ""), got["Body"].read(), MOST_BYTES + 1, is_whole=True
            )
        except OSError as error:
            raise StoreError(f"cannot read {self._uri(name)}: {error.strerror}") from error
        if len(found.data) > MOST_BYTES:
            raise self._too_large(name)
        return StoredFile(found.data, got["ETag"])

    def _too_large(self, name: str) -> StoreError:
        return StoreError(f"cannot read {self._uri(name)}: it is larger than {MOST_BYTES:,} bytes")

    def get_start(self, name: str, size: int) -> bytes | None:
        """The first bytes of an object (a ranged GET), or None if it does not exist."""
        return self._present(f"read {self._uri(name)}", lambda: self._get_start(name, size))

    def _get_start(self, name: str, size: int) -> bytes:
        try:
            return self._client.get_object(**self._at(name), Range=f"bytes=0-{size - 1}")["Body"].read(size)
        except ClientError as error:
            if code_of(error) != "InvalidRange":
                raise
            return b""  # the object is empty

    def head(self, name: str) -> FileInfo | None:
        """An object's ETag and metadata, or None if it does not exist."""
        doing = f"read the headers of {self._uri(name)}"
        head = self._present(doing, lambda: self._client.head_object(**self._at(name)))
        return FileInfo(head["ETag"], head.get("Metadata", {})) if head else None

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        """Replace the object if it has this ETag (None: if it does not exist)."""
        request = self._upload(name, content, metadata)
        request |= {"IfNoneMatch": "*"} if etag is None else {"IfMatch": etag}
        try:
            return self._write_client.put_object(**request)["ETag"]
        except FAILURES as error:
            raise self._conflict("write", name, error) from error

    def delete_if_match(self, name: str, etag: str) -> None:
        """Delete the object if it has this ETag."""
        try:
            self._write_client.delete_object(**self._at(name), IfMatch=etag)
        except FAILURES as error:
            raise self._conflict("remove", name, error) from error

    def delete_many(self, names: Sequence[str]) -> None:
        """Delete objects, up to 1,000 with a request; they need not exist."""
        batches = [names[n : n + _MAX_DELETED] for n in range(0, len(names), _MAX_DELETED)]
        concurrency.map_concurrently(self._delete_batch, batches, self.width)

    def _delete_batch(self, names: Sequence[str]) -> None:
        objects: Any = {"Objects": [{"Key": self._prefix + name} for name in names], "Quiet": True}
        doing = f"remove {self._uri(names[0])} and others"
        answer = self._answer(doing, lambda: self._client.delete_objects(Bucket=self._bucket, Delete=objects))
        if errors := answer.get("Errors", ()):
            message = errors[0].get("Message", errors[0].get("Code", ""))
            raise StoreError(f"cannot remove s3://{self._bucket}/{errors[0].get('Key', '')}: {message}")

    def list_files(self, name_prefix: str) -> Iterable[str]:
        """The names that begin with `name_prefix`, a folder included; not the objects in its subfolders."""
        target: Any = {"Bucket": self._bucket, "Prefix": self._prefix + name_prefix, "Delimiter": "/"}

        def page(start: Mapping[str, Any]) -> Any:
            return self._answer(
                f"list {self._uri(name_prefix)}", lambda: self._client.list_objects_v2(**target, **start)
            )

        for answer in listing_pages(page, {}):
            for entry in answer.get("Contents", ()):
                yield entry["Key"][len(self._prefix) :]

    def _upload(self, name: str, content: bytes, metadata: Mapping[str, str]) -> Any:
        """What is sent to write an object."""
        return {
            **self._at(name),
            "Body": content,
            "ContentType": _CONTENT_TYPES.get(name[name.rfind(".") :], "application/octet-stream"),
            "ChecksumAlgorithm": "SHA256",
            "ChecksumSHA256": b64encode(sha256(content).digest()).decode(),
            "Metadata": metadata,
            **self._headers,
        }

    def _answer(self, doing: str, request: Callable[[], T]) -> T:
        """The answer to a request, which is repeated while S3 is busy; raises StoreError."""
        try:
            return self._retry.answer(request, is_busy)
        except FAILURES as error:
            raise StoreError(f"cannot {doing}: {error}") from error

    def _present(self, doing: str, request: Callable[[], T]) -> T | None:
        """The answer to a request for an object, or None if it does not exist; raises StoreError."""
        try:
            return self._answer(doing, request)
        except StoreError as error:
            if code_of(error.__cause__) in MISSING:
                return None
            raise

    def _conflict(self, doing: str, name: str, error: Exception) -> StoreError:
        """The error of a write with a condition, which is false, or may be."""
        if code_of(error) in _CONFLICT_CODES:
            return ConflictError(f"{self._uri(name)} was changed by another run")
        return self._write_error(doing, name, error)

    def _write_error(self, doing: str, name: str, error: Exception) -> StoreError:
        kind = UncertainError if is_uncertain(error) else StoreError
        return kind(f"cannot {doing} {self._uri(name)}: {error}")

    def _at(self, name: str) -> Any:
        """Where an object is."""
        return {"Bucket": self._bucket, "Key": self._prefix + name}

    def _uri(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._prefix}{name}"
