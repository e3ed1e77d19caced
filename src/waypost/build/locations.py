"""Opens sources and stores by their location: one row for each URI scheme.

To add a cloud, add a source and a store to `files/`, and a row to SCHEMES. A provider imports its SDK when the
first of its locations is opened, so a folder's site needs no SDK.
"""

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar
from urllib.parse import quote

from waypost.core.clock import ONE_ATTEMPT, Retry
from waypost.core.errors import ConfigIssue, ConfigurationError
from waypost.core.memory import share_one_heap
from waypost.core.places import place_of
from waypost.files import NO_HEADERS, ConditionalStore, FolderStore, WriteHeaders
from waypost.files.source import ObjectSource
from waypost.validate import SitemapFile

if TYPE_CHECKING:
    from waypost.files.s3_client import BucketWebsite


T = TypeVar("T")


class Location(NamedTuple):
    """A folder on this machine, or a bucket with a prefix that is empty or ends with `/`.

    A folder has an empty scheme, no bucket, and its path as the prefix.
    """

    scheme: str
    bucket: str
    prefix: str

    def __str__(self) -> str:
        return f"{self.scheme}://{self.bucket}/{self.prefix}" if self.scheme else self.prefix

    def contains(self, other: "Location") -> bool:
        """Whether another location lies in this one."""
        return self[:2] == other[:2] and other.prefix.startswith(self.prefix)


class BucketSitemaps(Protocol):
    """The sitemaps in a bucket, each named by its URI."""

    def file(self, name: str, loc: str = "") -> SitemapFile:
        """The object with this URI, published at `loc`."""

    def sitemaps(self, address: str) -> list[str]:
        """The URIs of the sitemaps directly in a folder, or the URI of a sitemap itself; raises SourceError."""


class Provider(NamedTuple):
    """Opens the locations of one scheme, all of them with one client."""

    open_store: Callable[[Location, WriteHeaders], ConditionalStore]
    """The store of a location, whose files are written with these headers."""
    open_source: Callable[[Location], ObjectSource] | None = None
    """The objects of a location; None where a site is read as a folder instead."""
    open_sitemaps: Callable[[Location], BucketSitemaps] | None = None
    """The sitemaps of a bucket, for `waypost validate`."""
    read_website: "Callable[[Location], BucketWebsite] | None" = None
    """The website configuration of a bucket; None where buckets have none."""


class Scheme(NamedTuple):
    """A URI scheme: an example of its locations, its provider, and the SDK that the provider needs."""

    example: str
    connect: Callable[[Retry], Provider]
    sdk: str = ""
    install: str = ""


def _folders(retry: Retry) -> Provider:
    del retry
    return Provider(lambda location, headers: FolderStore(Path(location.prefix)))


def _s3(retry: Retry) -> Provider:
    from waypost.files.s3_client import read_website, s3_client, s3_write_client
    from waypost.files.s3_sitemap_files import S3SitemapFiles
    from waypost.files.s3_source import S3Source
    from waypost.files.s3_store import S3Store

    share_one_heap()  # many threads read pages
    client, write_client = s3_client(), s3_write_client()
    return Provider(
        lambda location, headers: S3Store(client, location.bucket, location.prefix, headers, write_client, retry),
        lambda location: S3Source(client, location.bucket, location.prefix, retry),
        lambda location: S3SitemapFiles(client, location.bucket),
        lambda location: read_website(client, location.bucket),
    )


SCHEMES: dict[str, Scheme] = {
    "": Scheme("a folder", _folders),
    "s3": Scheme("s3://bucket/prefix", _s3, "boto3", "buckets need boto3: pip install boto3 brotli"),
}


def parse_location(text: str, where: str = "command line", name: str = "SOURCE") -> Location:
    """The location that a text names, a path or a URI; raises ConfigurationError about the setting `name`."""
    place = place_of(text)
    if place.kind == "path" and ("://" not in text or os.path.lexists(text)):
        return Location("", "", text)
    scheme, _, path = place.text.partition("://")
    bucket, _, prefix = path.partition("/")
    if scheme not in SCHEMES or not bucket or quote(bucket, safe="") != bucket:
        allowed = ", ".join(each.example for each in SCHEMES.values())
        if name == "SOURCE" and scheme.lower() in ("http", "https"):
            allowed = f"here: {allowed}; `waypost check-live {text}` and `waypost validate {text}` ask a server"
        raise ConfigurationError((ConfigIssue(where, name, f"{text!r} is not a location", allowed),))
    return Location(scheme, bucket, prefix if not prefix or prefix.endswith("/") else f"{prefix}/")


def parse_bucket(text: str, where: str = "command line", name: str = "SOURCE") -> Location:
    """The bucket and prefix that a URI names; raises ConfigurationError about the setting `name`."""
    location = parse_location(text, where, name)
    if not location.scheme:
        allowed = " or ".join(each.example for scheme, each in SCHEMES.items() if scheme)
        raise ConfigurationError((ConfigIssue(where, name, f"{text!r} is not the location of a bucket", allowed),))
    return location


class Locations:
    """Opens locations; all of one scheme share a client, which is created when the first of them is opened.

    `retry` says when requests are repeated that a cloud throttles or does not answer.
    Every method raises ConfigurationError where the SDK of the scheme is not installed or not configured.
    """

    def __init__(self, retry: Retry = ONE_ATTEMPT) -> None:
        self._retry, self._providers = retry, dict[str, Provider]()

    def store(self, location: Location, headers: WriteHeaders = NO_HEADERS) -> ConditionalStore:
        """The files of a location; in a bucket they are written with these headers."""
        return self._provider(location).open_store(location, headers)

    def source(self, location: Location) -> ObjectSource:
        """The objects of a bucket."""
        return _opened(location, self._provider(location).open_source)

    def sitemaps(self, location: Location) -> BucketSitemaps:
        """The sitemaps in a bucket."""
        return _opened(location, self._provider(location).open_sitemaps)

    def website(self, location: Location) -> "BucketWebsite | None":
        """The website configuration of a bucket, or None where buckets have none."""
        read_website = self._provider(location).read_website
        return read_website(location) if read_website else None

    def _provider(self, location: Location) -> Provider:
        if location.scheme not in self._providers:
            require_sdk(location.scheme)
            self._providers[location.scheme] = SCHEMES[location.scheme].connect(self._retry)
        return self._providers[location.scheme]


def require_sdk(scheme: str) -> None:
    """Raise ConfigurationError if the SDK that a scheme needs is not installed."""
    sdk = SCHEMES[scheme].sdk
    if sdk and find_spec(sdk) is None:
        raise ConfigurationError((ConfigIssue("command line", "SOURCE", SCHEMES[scheme].install),))


def _opened(location: Location, open_bucket: Callable[[Location], T] | None) -> T:
    if open_bucket is None:
        problem = f"{location} cannot be opened as a bucket"
        raise ConfigurationError((ConfigIssue("command line", "SOURCE", problem),))
    return open_bucket(location)
