"""The objects of an S3 bucket, below a prefix, as a source."""

import errno
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from waypost.core import concurrency, reasons
from waypost.core.errors import BusyError, SourceError
from waypost.core.model import Body, Item, Skipped
from waypost.core.reasons import Reason
from waypost.core.s3_errors import MISSING, code_of, is_busy
from waypost.sources.parallel_listing import KeyRange, ListedPart, list_in_order, split_at

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_ROBOTS = ("x-robots-tag", "robots")
"""The user metadata (`x-amz-meta-…`) that a site's functions turn into an X-Robots-Tag header."""
_GZIP = 16 + zlib.MAX_WBITS
_MOST = 67_108_864
"""No more than 64 MiB come out of a compressed object, whatever is in it."""
_PAGES = 5
"""How many pages of a listing, of 1,000 keys each, are taken at a time."""
_LISTERS = 16
_DENSE = 20
"""A page of a listing costs as much as a dozen requests for an object; it must tell of more than those."""


class S3Source:
    """The objects below a prefix, which is empty or ends with `/`; keys are without it."""

    width = 32
    has_etags = True

    def __init__(self, client: "S3Client", bucket: str, prefix: str) -> None:
        self._client, self._bucket, self._prefix = client, bucket, prefix

    def items(self, prunes: Callable[[str], Reason | None]) -> Iterator[Item | Skipped]:
        """List the objects in the order of their keys (ListObjectsV2); folder markers are no files.

        `prunes` is not asked: a bucket has no folders that could be passed over. Raises SourceError.
        """
        del prunes
        for some in self.list_items("", ()):
            yield from some

    def list_items(
        self, after: str, cuts: Iterable[str], upto: str | None = None
    ) -> Iterator[Sequence[Item | Skipped]]:
        """The objects behind a key in order, some thousands at a time; several ranges are listed at once."""
        return list_in_order(split_at(cuts, after, upto), self._some, self.first_key_after, _LISTERS)

    def first_key_after(self, key: str) -> str | None:
        """The first key behind another, or None where there is none; raises SourceError."""
        contents = self._filled(key, 1).get("Contents", ())
        return contents[0]["Key"][len(self._prefix) :] if contents else None

    def first_keys(self, after: str, upto: str | None, most: int = 1_000) -> tuple[Sequence[str], bool]:
        """The first keys of a range, up to `most` or 1,000, and whether those are all; raises SourceError."""
        page = self._filled(after, most)
        keys = [entry["Key"][len(self._prefix) :] for entry in page.get("Contents", ())]
        inside = [key for key in keys if upto is None or key <= upto]
        return inside, not page["IsTruncated"] or (upto is not None and keys[-1] >= upto)

    def read(self, item: Item, size: int | None = None) -> Body:
        """The object's first `size` bytes (0: its headers alone), or all of them; raises OSError.

        What is stored with `Content-Encoding: gzip` comes decompressed, and a beginning may be longer
        than `size`.
        """
        named: Any = {"Bucket": self._bucket, "Key": self._prefix + item.read_key}
        is_whole = size is None or 0 <= item.size <= size
        part: Any = {} if is_whole else {"Range": f"bytes=0-{(size or 1) - 1}"}
        try:
            if size == 0 and item.size != 0:
                return _body(self._client.head_object(**named), b"", is_whole=False)
            got = self._client.get_object(**named, **part)
            return _body(got, got["Body"].read(), is_whole=is_whole or _is_all(got))
        except (ClientError, BotoCoreError, zlib.error) as error:
            if part and code_of(error) == "InvalidRange":  # the object is empty
                return self.read(item)
            raise _failure(error, item.read_key) from error

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        """The ETags of the objects that have these keys now, None where there is none; raises SourceError.

        Keys that lie side by side are found by a listing, a page of which tells of hundreds of them.
        """
        left, found = deque(sorted(keys)), dict[str, str | None]()
        while len(left) > _DENSE:
            first = left.popleft()
            found[first] = self._etag(first)
            page = self._page(first, 1_000)
            listed = {entry["Key"][len(self._prefix) :]: entry["ETag"] for entry in page.get("Contents", ())}
            last = max(listed, default="") if page["IsTruncated"] else None
            before = len(left)
            while left and (last is None or left[0] <= last):
                key = left.popleft()
                found[key] = listed.get(key)
            if before - len(left) < _DENSE:
                break
        return found | dict(zip(left, concurrency.map_concurrently(self._etag, left, self.width), strict=True))

    def find(self, key: str) -> bytes | None:
        """A whole object by its key, or None where there is none; raises OSError."""
        try:
            return self.read(Item(key, key)).data
        except FileNotFoundError:
            return None

    def _etag(self, key: str) -> str | None:
        try:
            return self._client.head_object(Bucket=self._bucket, Key=self._prefix + key)["ETag"]
        except (ClientError, BotoCoreError) as error:
            if code_of(error) in MISSING:
                return None
            raise _error(error)(f"cannot look at {key}: {_error_text(error)}") from error

    def _some(self, part: KeyRange) -> ListedPart[Item | Skipped]:
        """The objects on the first pages of a range (ListObjectsV2, 1,000 keys a page)."""
        items: list[Item | Skipped] = []
        page = self._page(part.start_after, 1_000)
        while True:  # a page may be short, and even empty, before the last
            for entry in page.get("Contents", ()):
                key = entry["Key"][len(self._prefix) :]
                if part.through is not None and key > part.through:
                    return ListedPart(items)
                items.append(_item(key or self._prefix, entry))
            if not page["IsTruncated"]:
                return ListedPart(items)
            if len(items) >= 1_000 * (_PAGES - 1):
                break
            page = self._page("", 1_000, page["NextContinuationToken"])
        return ListedPart(items, (items[0].key, items[len(items) // 2].key, items[-1].key))

    def _filled(self, after: str, size: int) -> Any:
        """The first page of a listing that is not empty, if there is one: pages before the last may be."""
        page = self._page(after, size)
        while page["IsTruncated"] and not page.get("Contents"):
            page = self._page("", size, page["NextContinuationToken"])
        return page

    def _page(self, after: str, size: int, token: str = "") -> Any:
        start: Any = {"StartAfter": self._prefix + after} if after else {}
        start |= {"ContinuationToken": token} if token else {}
        try:
            return self._client.list_objects_v2(Bucket=self._bucket, Prefix=self._prefix, MaxKeys=size, **start)
        except (ClientError, BotoCoreError) as error:
            raise _error(error)(f"cannot list s3://{self._bucket}/{self._prefix}: {_error_text(error)}") from error


def _item(key: str, entry: Any) -> Item | Skipped:
    if key.endswith("/"):
        return Skipped(key, reasons.NOT_A_FILE)
    return Item(key, key, entry["Size"], entry["ETag"], _w3c(entry["LastModified"]))


def _is_all(answer: Any) -> bool:
    """Whether a part that was asked for is all there is (RFC 9110, "Content-Range")."""
    first, _, whole = answer.get("ContentRange", "").removeprefix("bytes ").partition("/")
    return bool(whole) and first == f"0-{int(whole) - 1}"


def _body(answer: Any, data: bytes, *, is_whole: bool) -> Body:
    if answer.get("ContentEncoding", "") == "gzip" and data:
        decompressor = zlib.decompressobj(_GZIP)
        data = decompressor.decompress(data, _MOST)
        if decompressor.unconsumed_tail:
            is_whole = False
        elif is_whole and not decompressor.eof:
            raise zlib.error("the gzip data is cut short")
    metadata = answer.get("Metadata", {})
    words = ",".join(metadata[name] for name in _ROBOTS if name in metadata)
    modified = _w3c(answer["LastModified"])
    return Body(data, is_whole, answer.get("WebsiteRedirectLocation", ""), words, answer["ETag"], modified)


def _w3c(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _failure(error: Exception, key: str) -> OSError:
    if code_of(error) in MISSING:
        return FileNotFoundError(errno.ENOENT, "it is gone", key)
    return OSError(errno.ETIMEDOUT if is_busy(error) else errno.EIO, _error_text(error))


def _error(error: Exception) -> type[SourceError]:
    return BusyError if is_busy(error) else SourceError


def _error_text(error: Exception) -> str:
    """What AWS says in one line."""
    if isinstance(error, ClientError):
        return f"{code_of(error)}: {error.response.get('Error', {}).get('Message', error)}"
    return str(error)
