"""A run over a bucket; alone of the entries it makes clients of AWS."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import boto3
from botocore.config import Config

from waypost import state as states
from waypost.config import Layer
from waypost.entry import settings_file
from waypost.entry.job import Job, checked, missing_templates, now
from waypost.errors import ConfigurationError, Mistake
from waypost.listing import Memory
from waypost.model import Warned
from waypost.rules.lastmod import w3c
from waypost.sources.bucket import Bucket
from waypost.stores import Store
from waypost.stores.files import Files
from waypost.stores.s3 import S3

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_READERS = 32


@dataclass(frozen=True)
class Place:
    """A bucket, and a prefix in it that is empty or ends with `/`."""

    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"s3://{self.bucket}/{self.prefix}"


@dataclass(frozen=True)
class BucketJob(Job):
    """A run over the objects below a prefix; `state` names the file that remembers content."""

    client: "S3Client"
    source: Place
    output: Store
    state: tuple[Store, str] | None

    def key(self, path: str) -> str:
        """A key of the bucket with its address, or one below the prefix, as the site's key."""
        return path.removeprefix(str(self.source))

    def _opened(self) -> Bucket:
        return Bucket(self.client, self.source.bucket, self.source.prefix)

    def _store(self) -> Store:
        return self.output

    def _kept(self) -> tuple[Store, str] | None:
        return self.state

    def _memory(self, beside: Executor) -> tuple[Memory, list[Warned]]:
        del beside
        if self.state is None or self.site.lastmod != "content":
            return Memory(w3c(now())), []
        store, name = self.state
        return Memory(w3c(now()), state=states.load(store.read(name), name)), []


def prepare(
    source: str,
    *flags: Layer,
    file: Path | None = None,
    output: str | None = None,
    mistakes: Sequence[Mistake] = (),
) -> BucketJob:
    """Check the settings for a bucket, `s3://bucket/prefix`; raises ConfigurationError.

    Settings are looked for in the working folder. Without a state pages have no date but their own.
    """
    here = Path.cwd()
    found = settings_file.read(file, here, here)
    layers, folder = ([found[0], *flags], found[1].parent) if found else (list(flags), here)
    has_state = any("state" in layer.values for layer in layers)
    bottom = Layer("a bucket's own", {"lastmod": "content" if has_state else "none"})
    mistakes = [*mistakes, *missing_templates(layers, folder)]
    site = checked([bottom, *layers], [*mistakes, *_from_git(layers)])
    client = _client()
    place = _place(source)
    return BucketJob(
        site,
        folder,
        client,
        place,
        _folder_of(output or str(place), client, site.cache_control or ""),
        _state(site.state, folder, client) if site.state else None,
    )


def _from_git(layers: Sequence[Layer]) -> list[Mistake]:
    named = [layer for layer in layers if "lastmod" in layer.values]
    if not named or named[-1].values["lastmod"] != "git":
        return []
    return [named[-1].mistake("lastmod", "a bucket has no history that Git could tell", "content or none")]


def _client() -> "S3Client":
    """A client by the AWS SDK's own variables and files, with as many connections as there are readers."""
    return boto3.client("s3", config=Config(max_pool_connections=_READERS, retries={"mode": "standard"}))


def _place(address: str) -> Place:
    bucket, _, prefix = address.removeprefix("s3://").partition("/")
    if not bucket or quote(bucket, safe="") != bucket:
        problem = f"{address!r} is no address of a bucket"
        raise ConfigurationError((Mistake("command line", "SOURCE", problem, "s3://bucket/prefix"),))
    return Place(bucket, prefix if not prefix or prefix.endswith("/") else f"{prefix}/")


def _folder_of(address: str, client: "S3Client", cache_control: str = "") -> Store:
    if not address.startswith("s3://"):
        return Files(Path(address))
    place = _place(address)
    return S3(client, place.bucket, place.prefix, cache_control)


def _state(address: str, folder: Path, client: "S3Client") -> tuple[Store, str]:
    """Where a state is kept: the last part of its address is its name."""
    if address.startswith("s3://"):
        parent, _, name = address.rpartition("/")
        return _folder_of(f"{parent}/", client), name
    path = folder / address
    return Files(path.parent), path.name
