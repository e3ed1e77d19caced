"""Sites with small limits, pages, and a store in memory, for unit tests of all packages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from waypost.build.folder import prepare
from waypost.build.job import Job
from waypost.core.model import Page, Shard
from waypost.core.urls import encode_path
from waypost.settings import load
from waypost.settings.load import ConfigSource
from waypost.settings.schema import FileLimits, Site


class RecordingStore:
    """A Store in memory; `done` lists its changes in their order, as pairs of verb and name."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.files = dict(files or {})
        self.done: list[tuple[str, str]] = []

    def names(self, stem: str = "") -> Iterable[str]:
        return sorted(name for name in self.files if name.startswith(stem))

    def read(self, name: str) -> bytes | None:
        return self.files.get(name)

    def write(self, name: str, content: bytes) -> None:
        self.done.append(("write", name))
        self.files[name] = content

    def remove(self, name: str) -> None:
        self.done.append(("remove", name))
        self.files.pop(name, None)


@dataclass(frozen=True, slots=True)
class SmallSite(Site):
    """A Site whose limits a few pages reach."""

    small: FileLimits

    @property
    def file_limits(self) -> FileLimits:
        return self.small


def site(base_url: str = "https://example.org/", **values: Any) -> Site:
    """A checked Site; for tests that Hypothesis calls, which cannot use fixtures."""
    return load.check_settings([ConfigSource("test", {"base_url": base_url, **values})])


def small_site(urls: int = 10, sitemaps: int = 1_000, size: int = 1_000_000, **values: Any) -> SmallSite:
    """A checked Site with these limits: URLs and bytes of a sitemap, sitemaps of an index.

    Its settings decide the form of URLs, so that no links are read.
    """
    given: dict[str, Any] = {"drop_html": False, "trailing_slash": "auto"} | values
    checked = site(**{name: value for name, value in given.items() if value is not None})
    return SmallSite(
        **{field.name: getattr(checked, field.name) for field in fields(Site)}, small=FileLimits(urls, sitemaps, size)
    )


def pages(keys: Iterable[str], **values: Any) -> list[Page]:
    """Pages of example.org in the order of their keys."""
    return [Page(key, f"https://example.org/{encode_path(key)}", **values) for key in sorted(keys)]


def numbered(count: int) -> Sequence[str]:
    """As many keys, whose hashes are spread evenly."""
    return [f"page-{n:05}.html" for n in range(count)]


def shard_of(group: str, segment: str | None, first_key: str, count: int) -> Shard:
    """A shard of so many pages, for formats to name and count."""
    return Shard(group, pages(numbered(count)), segment, first_key)


def job_of(source: Path, output: Path | None = None, **values: Any) -> Job:
    """A run over a folder with these settings, whose working folder is the one above it."""
    flags = ConfigSource("test", {"base_url": "https://example.org/", "lastmod": "none", **values}, is_trusted=True)
    return prepare(source, flags, output=output, working_folder=source.parent)
