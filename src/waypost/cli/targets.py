"""What `validate` and `diff` are pointed at: files, folders, buckets, URLs and standard input, opened one at a time."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from waypost.cli import options
from waypost.core import urls
from waypost.core.errors import SourceError
from waypost.sources.http import HttpClient, HttpFile
from waypost.sources.sitemap_files import ENDINGS, LocalFile, PipedFile, sitemaps
from waypost.validate.file_validator import ListedSitemap, SitemapFile
from waypost.validate.url_checks import scope_of

if TYPE_CHECKING:
    from waypost.sources.s3_sitemap_files import S3SitemapFiles


_ROBOTS = 512_000
"""So many bytes of robots.txt are read (RFC 9309, 2.5)."""
_SITEMAP = re.compile(rb"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


@dataclass
class Targets:
    """Opens targets, and the sitemaps that an index among them lists.

    `url` is where a target that is no URL is published; `may_be_private` lets private networks be asked.
    """

    url: str = ""
    may_be_private: bool = False
    is_followed: bool = True
    unfollowed: int = 0
    _web: HttpClient | None = field(default=None, init=False)
    _objects: dict[str, "S3SitemapFiles"] = field(default_factory=dict, init=False)
    _names: set[str] = field(default_factory=set, init=False)
    _places: dict[str, str] = field(default_factory=dict, init=False)
    _sites: dict[str, str] = field(default_factory=dict, init=False)

    def open_target(self, target: str) -> Iterator[SitemapFile]:
        """The files that a target stands for, save those opened before; raises SourceError where there is none."""
        for file in self._found(target):
            if file.name in self._names:
                continue
            self._note(file)
            if self._places.get(file.loc, file.name) != file.name:
                other = self._places[file.loc]
                raise SourceError(f"{file.name} cannot be at {file.loc}, where {other} is; check them in two runs")
            yield file

    def _note(self, file: SitemapFile) -> None:
        self._names.add(file.name)
        if file.loc:
            self._places.setdefault(file.loc, file.name)

    def _found(self, target: str) -> Iterator[SitemapFile]:
        if target == "-":
            yield PipedFile(sys.stdin.buffer, self.url)
        elif target.startswith(("http://", "https://")):
            yield from self._named(target) if urlsplit(target).path == "/robots.txt" else [self._fetched(target)]
        elif target.startswith("s3://"):
            yield from self._in_bucket(target)
        elif Path(target).is_dir():
            yield from (LocalFile(path, self._below_url(path.name)) for path in _in_folder(target))
        elif not Path(target).exists():
            raise SourceError(f"{target} is not there; name a file, a folder, s3://bucket/key, an http(s) URL, or -")
        else:
            path = Path(target)
            yield LocalFile(path, self._below_url(path.name) if self.url.endswith("/") else self.url)

    def _named(self, robots: str) -> Iterator[SitemapFile]:
        """The sitemaps that a site's robots.txt names (sitemaps.org 0.9, "Informing search engine crawlers")."""
        text = bytearray()
        try:
            for chunk in self._fetched(robots).chunks():
                text += chunk
                if len(text) > _ROBOTS:
                    break
        except OSError as error:
            raise SourceError(f"{robots} cannot be read: {error.strerror or error}") from error
        named = [match[1].decode("ascii", "replace") for match in _SITEMAP.finditer(text)]
        if not named:
            raise SourceError(f"{robots} names no sitemap; name one yourself")
        yield from map(self._fetched, dict.fromkeys(named))

    def _below_url(self, name: str) -> str:
        """Where a file of a folder is published, whose own URL `url` is, or that of a sitemap in it."""
        if not self.url:
            return ""
        folder = urljoin(self.url, ".") if self.url.endswith(ENDINGS) else f"{self.url.removesuffix('/')}/"
        return folder + urls.encode_path(name)

    def child(self, index: SitemapFile, child: ListedSitemap) -> SitemapFile | None:
        """A sitemap that an index lists, beside that index; None where it is not the index's to list."""
        opened = self._beside(index, child.loc) if self.is_followed else None
        if opened is None:
            self.unfollowed += 1
        else:
            self._note(opened)
        return opened

    def _beside(self, index: SitemapFile, loc: str) -> SitemapFile | None:
        if isinstance(index, HttpFile):
            return self._fetched(loc) if _are_of_one_site(loc, index.redirected_to or index.loc) else None
        if not _are_of_one_site(loc, self._sites.setdefault(index.name, index.loc or loc)):
            return None
        names = _below(loc, index.loc)
        if isinstance(index, LocalFile):
            paths = [index.path.parent / name for name in names if index.path.parent / name != index.path]
            found = next((path for path in paths if path.is_file()), paths[0] if paths else None)
            return LocalFile(found, loc) if found else None
        name = next((name for name in names if not index.name.endswith(f"/{name}")), "")
        if not name:
            return None
        if index.name.startswith("s3://"):
            folder = index.name.rpartition("/")[0]
            return self._bucket(index.name).file(f"{folder}/{name}", loc)
        return None

    def _fetched(self, url: str) -> HttpFile:
        self._web = self._web or HttpClient(may_be_private=self.may_be_private)
        return self._web.file(url)

    def _in_bucket(self, target: str) -> Iterator[SitemapFile]:
        objects = self._bucket(target)
        for name in objects.sitemaps(target):
            is_of_folder = name != target or self.url.endswith("/")
            yield objects.file(name, self._below_url(name.rpartition("/")[2]) if is_of_folder else self.url)

    def _bucket(self, target: str) -> "S3SitemapFiles":
        options.need_boto3()
        from waypost.app.bucket import parse_s3_uri, s3_client
        from waypost.sources.s3_sitemap_files import S3SitemapFiles

        bucket = parse_s3_uri(target, name="TARGET").bucket
        if bucket not in self._objects:
            self._objects[bucket] = S3SitemapFiles(s3_client(), bucket)
        return self._objects[bucket]


def _in_folder(target: str) -> list[Path]:
    try:
        found = sitemaps(Path(target))
    except OSError as error:
        raise SourceError(f"{target} cannot be listed: {error.strerror}") from error
    if not found:
        raise SourceError(f"{target} holds no sitemap; name the file, or the folder that it lies right in")
    return found


def _are_of_one_site(one: str, other: str) -> bool:
    first, second = scope_of(one), scope_of(other)
    return bool(first and second and first.origin == second.origin)


def _below(loc: str, index: str) -> list[str]:
    """Where a sitemap may be from its index's folder: there, or, where nobody says which that is, the longest first."""
    try:
        path = PurePosixPath(unquote(urlsplit(loc).path))
    except ValueError:
        return []
    if ".." in path.parts or "\0" in str(path) or not path.name:
        return []
    if not index:
        parts = path.parts[1:]
        return ["/".join(parts[n:]) for n in range(len(parts))]
    folder = PurePosixPath(unquote(urlsplit(index).path)).parent
    return [str(path.relative_to(folder))] if path != folder and path.is_relative_to(folder) else []
