"""The objects of an S3 bucket below a prefix, as a source."""

import errno
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError
from msgspec.structs import replace

from waypost.core import concurrency, content_codings, reasons
from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.content_codings import UnknownCodingError
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.files.parallel_listing import KeyRange, ListedPart, list_in_order, split_at
from waypost.files.s3_client import CHANGED, FAILURES, MISSING, code_of, is_busy, listing_pages
from waypost.files.source import ItemChangedError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_ROBOTS_METADATA = ("x-robots-tag", "robots")
"""The user metadata (`x-amz-meta-…`) that a site's functions turn into an X-Robots-Tag header; others have one name."""
_MOST_BYTES = 4_194_304
"""No more is read or decompressed of an object: no more is parsed, and several are in memory at the same time."""
_PAGES_PER_PART = 5
"""How many pages of a listing, of 1,000 keys each, are one part."""
_CONCURRENT_LISTINGS = 16
"""A page of a listing costs as much as a dozen HEAD requests, so it must replace more of them."""


class S3Source:
    """The objects below a prefix, which is empty or ends with `/`; keys do not include it.

    `retry` says when requests are repeated that S3 throttles or does not answer. Those that read pages are not: who
    reads many pages repeats them together.
    """

    width = 32
    has_etags = True

    def __init__(self, client: "S3Client", bucket: str, prefix: str, retry: Retry = ONE_ATTEMPT) -> None:
        self._client, self._bucket, self._prefix, self._retry = client, bucket, prefix, retry

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """List the objects in the order of their keys (ListObjectsV2); raises SourceError.

        `prunes` is not used: a bucket has no folders that a listing could skip.
        """
        del prunes
        for some in self.list_items("", ()):
            yield from some

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The objects after a key in order, some thousands at a time; several ranges are listed at the same time."""
        ranges = split_at(split_points, start_after, through)
        return list_in_order(ranges, self._list_part, self.first_key_after, _CONCURRENT_LISTINGS)

    def first_key_after(self, key: str) -> str | None:
        """The first key after another, or None if there is none; raises SourceError."""
        entries = (entry for page in self._pages(key, 1) for entry in page.get("Contents", ()))
        return next((entry["Key"][len(self._prefix) :] for entry in entries), None)

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's first `size` bytes (0: only its headers), by default 4 MiB; raises OSError.

        What is requested does not depend on the size in the listing, which may belong to an earlier upload. An object
        with a Content-Encoding is decoded, and its first bytes may be more than `size`. Raises
        ItemChangedError if the item has a `required_etag`, and the object has another one.
        """
        target: Any = {"Bucket": self._bucket, "Key": self._prefix + item.read_key}
        target |= {"IfMatch": item.required_etag} if item.required_etag else {}
        most = min(_MOST_BYTES if size is None else size, _MOST_BYTES)
        try:
            if size == 0 and item.size != 0:
                return _body(self._client.head_object(**target), b"", is_whole=False)
            return self._read_first(target, max(most, 1))
        except FAILURES as error:
            raise _os_error(error, item.read_key) from error

    def _read_first(self, target: Any, size: int) -> Body:
        """The object's first bytes; of an empty one, of which S3 gives no range, the headers."""
        try:
            got = self._client.get_object(**target, Range=f"bytes=0-{size - 1}")
        except ClientError as error:
            if code_of(error) != "InvalidRange":
                raise
            head = self._client.head_object(**target)
            return _body(head, b"", is_whole=head["ContentLength"] == 0)
        data = got["Body"].read(size)  # a store may give more than the range
        return _body(got, data, is_whole=_has_whole_object(got, len(data)))

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The current ETags of the objects with these keys, None for one that does not exist; raises SourceError."""
        names = list(keys)
        return dict(zip(names, concurrency.map_concurrently(self._etag, names, self.width), strict=True))

    def find(self, key: str) -> bytes | None:
        """The content of an object, or None if there is none; raises OSError, also if it is larger than 4 MiB."""
        try:
            found = self._retry.answer(lambda: self.read(Item(key, key)), _is_timeout)
        except FileNotFoundError:
            return None
        if found.unknown_coding:
            raise UnknownCodingError(found.unknown_coding)
        if not found.is_whole:
            raise OSError(errno.EFBIG, f"it is larger than {_MOST_BYTES:,} bytes")
        return found.data

    def _etag(self, key: str) -> str | None:
        try:
            target: Any = {"Bucket": self._bucket, "Key": self._prefix + key}
            return self._retry.answer(lambda: self._client.head_object(**target), is_busy)["ETag"]
        except FAILURES as error:
            if code_of(error) in MISSING:
                return None
            raise _source_error(f"read the headers of {key}", error) from error

    def _list_part(self, part: KeyRange) -> ListedPart[Item | Skipped]:
        """The objects on the first pages of a range (ListObjectsV2)."""
        items: list[Item | Skipped] = []
        for page in self._pages(part.start_after, 1_000):
            for entry in page.get("Contents", ()):
                key = entry["Key"][len(self._prefix) :]
                if part.through is not None and key > part.through:
                    return ListedPart(items)
                items.append(_item(key or self._prefix, entry))
            if page["IsTruncated"] and len(items) >= 1_000 * (_PAGES_PER_PART - 1):
                return ListedPart(items, (items[0].key, items[len(items) // 2].key, items[-1].key))
        return ListedPart(items)

    def _pages(self, start_after: str, size: int) -> Iterator[Any]:
        """The pages of the objects after a key, of so many each; raises SourceError."""
        target: Any = {"Bucket": self._bucket, "Prefix": self._prefix, "MaxKeys": size}
        start = {"StartAfter": self._prefix + start_after} if start_after else {}
        try:
            yield from listing_pages(
                lambda at: self._retry.answer(lambda: self._client.list_objects_v2(**target, **at), is_busy), start
            )
        except FAILURES as error:
            raise _source_error(f"list s3://{self._bucket}/{self._prefix}", error) from error


def _item(key: str, entry: Any) -> Item | Skipped:
    if key.endswith("/"):
        return Skipped(key, reasons.NOT_A_FILE)
    return Item(key, key, entry["Size"], entry["ETag"], _w3c_date(entry["LastModified"]))


def _has_whole_object(answer: Any, size: int) -> bool:
    """Whether this many bytes are the whole object (RFC 9110, "Content-Range"); without a range all were sent."""
    whole = answer.get("ContentRange", "").rpartition("/")[2] or answer["ContentLength"]
    return int(whole) == size


def _body(answer: Any, data: bytes, *, is_whole: bool) -> Body:
    try:
        found = content_codings.decode(answer.get("ContentEncoding", ""), data, _MOST_BYTES, is_whole=is_whole)
    except UnknownCodingError as error:
        found = Body(b"", is_whole=False, unknown_coding=error.coding)
    metadata = answer.get("Metadata", {})
    return replace(
        found,
        redirect=answer.get("WebsiteRedirectLocation", ""),
        robots_header=",".join(metadata[name] for name in _ROBOTS_METADATA if name in metadata),
        etag=answer["ETag"],
        modified=_w3c_date(answer["LastModified"]),
        link_header=metadata.get("link", ""),
        refresh_header=metadata.get("refresh", ""),
        content_type=answer.get("ContentType", "").lower(),
    )


def _w3c_date(time: datetime) -> str:
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def _is_timeout(error: Exception) -> bool:
    return isinstance(error, TimeoutError)


def _os_error(error: Exception, key: str) -> OSError:
    if code_of(error) in MISSING:
        return FileNotFoundError(errno.ENOENT, "the object does not exist", key)
    if code_of(error) in CHANGED:
        return ItemChangedError(errno.EAGAIN, "the object was replaced while it was read", key)
    return OSError(errno.ETIMEDOUT if is_busy(error) else errno.EIO, _error_text(error))


def _source_error(doing: str, error: Exception) -> SourceError:
    return (BusyError if is_busy(error) else SourceError)(f"cannot {doing}: {_error_text(error)}")


def _error_text(error: Exception) -> str:
    """The error in one line."""
    if isinstance(error, ClientError):
        return f"{code_of(error)}: {error.response.get('Error', {}).get('Message', error)}"
    return str(error)
