"""A bucket in memory, and the product's source and stores over it; every request waits for its process's turn."""

from __future__ import annotations

from functools import partial
from hashlib import md5
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from folder_listings import folder_listing

from schedules.processes import Process, Processes, Request, current_process
from waypost.core.dates import format_unix_time
from waypost.core.errors import BusyError, ConflictError, StoreError
from waypost.core.model import Body, Item
from waypost.sources.base import FolderListing, ItemChangedError
from waypost.stores.base import NO_METADATA, FileInfo, StoredFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

T = TypeVar("T")


class StoredObject(NamedTuple):
    """An object's content, its ETag, the time of its upload, and its metadata."""

    content: bytes
    etag: str
    modified: str
    metadata: Mapping[str, str]


class Change(NamedTuple):
    """A change of one object by a process, or by the site's owner (None)."""

    name: str
    before: StoredObject | None
    after: StoredObject | None
    process: Process | None


class Bucket:
    """Objects by name, and the times of all uploads of each; `on_change` is called after each change.

    An ETag is a digest of the content if `has_content_etags`, else it identifies the upload, as in multipart uploads.
    """

    def __init__(self, processes: Processes, label: str, *, has_content_etags: bool) -> None:
        self._processes, self.label, self._has_content_etags = processes, label, has_content_etags
        self.objects: dict[str, StoredObject] = {}
        self.upload_times: dict[str, set[str]] = {}
        self.on_change: Callable[[Change], None] = lambda change: None
        self._uploads = 0

    def put(
        self, name: str, content: bytes, metadata: Mapping[str, str] = NO_METADATA, process: Process | None = None
    ) -> str:
        """Upload an object; returns its ETag."""
        self._uploads += 1
        etag = md5(content, usedforsecurity=False).hexdigest() if self._has_content_etags else f"{self._uploads}-1"
        modified = format_unix_time(int(self._processes.now))
        self.upload_times.setdefault(name, set()).add(modified)
        before = self.objects.get(name)
        after = self.objects[name] = StoredObject(content, f'"{etag}"', modified, metadata)
        self.on_change(Change(name, before, after, process))
        return after.etag

    def delete(self, name: str, process: Process | None = None) -> None:
        """Delete an object; it need not exist."""
        before = self.objects.pop(name, None)
        if before:
            self.on_change(Change(name, before, None, process))

    def expect(self, name: str, etag: str | None) -> None:
        """Raise ConflictError unless the object has this ETag; None means that there is none."""
        found = self.objects.get(name)
        if (found.etag if found else None) != etag:
            raise ConflictError(f"{name} was changed")

    def request(self, verb: str, name: str, effect: Callable[[], T], *, is_write: bool = False, **how: bool) -> T:
        """Make a request in the current process, at its turn."""
        process = current_process()
        if process is None:
            return effect()
        return process.request(Request(verb, f"{self.label}/{name}", is_write, **how), effect)


class BucketStore:
    """The product's ConditionalStore over a bucket."""

    width = 1

    def __init__(self, bucket: Bucket) -> None:
        self._bucket, self._objects = bucket, bucket.objects

    def get(self, name: str) -> StoredFile | None:
        return self._bucket.request("GET", name, lambda: self._stored(name))

    def head(self, name: str) -> FileInfo | None:
        return self._bucket.request("HEAD", name, lambda: self._info(name))

    def read(self, name: str) -> bytes | None:
        stored = self.get(name)
        return stored.content if stored else None

    def names(self, name_prefix: str = "") -> Iterable[str]:
        return self._bucket.request("LIST", name_prefix, lambda: self._names(name_prefix))

    def list_files(self, name_prefix: str) -> Iterable[str]:
        return self.names(name_prefix)

    def write(self, name: str, content: bytes) -> None:
        process = current_process()
        self._bucket.request("PUT", name, lambda: self._bucket.put(name, content, process=process), is_write=True)

    def remove(self, name: str) -> None:
        process = current_process()
        self._bucket.request("DELETE", name, lambda: self._bucket.delete(name, process), is_write=True)

    def put_if_match(
        self, name: str, content: bytes, etag: str | None, metadata: Mapping[str, str] = NO_METADATA
    ) -> str:
        process = current_process()

        def effect() -> str:
            self._bucket.expect(name, etag)
            return self._bucket.put(name, content, metadata, process)

        return self._bucket.request("PUT", name, effect, is_write=True, is_conditional=True)

    def delete_if_match(self, name: str, etag: str) -> None:
        process = current_process()

        def effect() -> None:
            self._bucket.expect(name, etag)
            self._bucket.delete(name, process)

        self._bucket.request("DELETE", name, effect, is_write=True, is_conditional=True)

    def delete_many(self, names: Sequence[str]) -> None:
        process = current_process()

        def effect() -> None:
            for name in names:
                self._bucket.delete(name, process)

        if names:
            self._bucket.request("DELETE", f"{len(names)} files", effect, is_write=True)

    def _stored(self, name: str) -> StoredFile | None:
        found = self._objects.get(name)
        return StoredFile(found.content, found.etag) if found else None

    def _info(self, name: str) -> FileInfo | None:
        found = self._objects.get(name)
        return FileInfo(found.etag, found.metadata) if found else None

    def _names(self, stem: str) -> list[str]:
        return sorted(name for name in self._objects if name.startswith(stem) and "/" not in name[len(stem) :])


class BucketSource:
    """The product's ObjectSource over a bucket, which lists `page_size` keys a request.

    A ranged read returns a byte for so many bytes that it asks for, as if pages were so much longer.
    """

    width, has_etags = 1, True

    def __init__(self, bucket: Bucket, page_size: int, bytes_for_one: int) -> None:
        self._bucket, self._objects, self._page_size = bucket, bucket.objects, page_size
        self._bytes_for_one = bytes_for_one

    def items(self, prunes: Callable[[str], object]) -> Iterator[Item]:
        del prunes
        for some in self.list_items("", ()):
            yield from some

    def list_items(
        self, start_after: str, split_points: Iterable[str], through: str | None = None
    ) -> Iterator[Sequence[Item]]:
        del split_points
        while items := self._page(start_after, through):
            yield items
            start_after = items[-1].key

    def list_folder(self, folder: str, limit: int = 1_000) -> FolderListing:
        def listing() -> FolderListing:
            return folder_listing(sorted(self._objects), folder, self._item, limit)

        return self._answer("LIST", f"in {folder}", listing, BusyError("busy"))

    def first_key_after(self, key: str) -> str | None:
        return next((item.key for item in self._page(key, None)), None)

    def first_keys(self, start_after: str, through: str | None, limit: int = 1_000) -> tuple[Sequence[str], bool]:
        del limit
        keys = [item.key for item in self._page(start_after, through)]
        return keys, len(keys) < self._page_size or keys[-1] == through

    def read(self, item: Item, size: int | None = None) -> Body:
        return self._answer("GET", item.read_key, lambda: self._body(item, size), TimeoutError(110, "timed out"))

    def find(self, key: str) -> bytes | None:
        def content() -> bytes | None:
            found = self._objects.get(key)
            return found.content if found else None

        return self._answer("GET", key, content, TimeoutError(110, "timed out"))

    def etags(self, keys: Iterable[str]) -> dict[str, str | None]:
        return {key: self._answer("HEAD", key, partial(self._etag, key), BusyError("busy")) for key in keys}

    def _etag(self, key: str) -> str | None:
        found = self._objects.get(key)
        return found.etag if found else None

    def _page(self, after: str, through: str | None) -> Sequence[Item]:
        def items() -> Sequence[Item]:
            keys = sorted(key for key in self._objects if key > after and (through is None or key <= through))
            return list(map(self._item, keys[: self._page_size]))

        return self._answer("LIST", f"after {after}", items, BusyError("busy"))

    def _item(self, key: str) -> Item:
        found = self._objects[key]
        return Item(key, key, len(found.content), found.etag, found.modified)

    def _body(self, item: Item, size: int | None) -> Body:
        found = self._objects.get(item.read_key)
        if found is None:
            raise FileNotFoundError(2, "no such object", item.read_key)
        if item.required_etag not in ("", found.etag):
            raise ItemChangedError(11, "the object was replaced while it was read", item.read_key)
        end = None if size is None else size // self._bytes_for_one
        is_whole = end is None or len(found.content) <= end
        return Body(found.content[:end], is_whole, etag=found.etag, modified=found.modified)

    def _answer(self, verb: str, name: str, effect: Callable[[], T], error: Exception) -> T:
        try:
            return self._bucket.request(verb, name, effect)
        except StoreError:
            raise error from None
