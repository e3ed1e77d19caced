"""Opens the targets of `validate` and `diff`: files, folders, buckets, URLs and standard input, one at a time.

It also reads what they list: the URLs of a sitemap, or of an index with all that it lists.
"""

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin, urlsplit

from waypost.build.answers import count_noun
from waypost.build.job import now
from waypost.build.locations import BucketSitemaps, Locations, parse_bucket, parse_location
from waypost.cli.terminal import ReadingProgress
from waypost.core import tree_files, urls
from waypost.core.errors import ConfigIssue, ConfigurationError, SourceError, WaypostError
from waypost.core.finding_types import Severity
from waypost.core.places import is_web, place_of
from waypost.core.private_hosts import NO_PRIVATE_HOST, PrivateHosts
from waypost.files.http_client import HttpClient
from waypost.files.http_files import HttpFile
from waypost.files.sitemap_files import ENDINGS, LocalFile, PipedFile, sitemaps
from waypost.git.revision_files import RevisionFile, revision_file
from waypost.pages.robots import MOST_BYTES, blocked, named_sitemaps
from waypost.validate import (
    Content,
    FileResult,
    FindingReport,
    ListedUrls,
    SitemapEntry,
    SitemapFile,
    Validator,
    scope_of,
)

_UNKNOWN = "https://site.invalid/"
_MAX_ENDS = 32
"""How many ends of a URL's path are looked for where the URL of the index's folder is unknown."""
_INCOMPLETE = ("too-large", "nested-index")
"""Findings after which a part of the list may not have been read."""


@dataclass
class TargetOpener:
    """Opens targets, and the sitemaps that an index among them lists.

    `url` is where targets that are not URLs are published, and `https://host` is the host's root folder.
    `private` are the hosts of private networks that may be asked. `unfollowed` counts listed sitemaps that were not
    opened, `errors` are those about targets of `open_targets`, and `relative` has each robots.txt that names a sitemap
    by a relative URL, with that. None is opened after `max_minutes`; `clock` is in seconds. Raises ConfigurationError
    if `url` is no URL.
    """

    url: str = ""
    private: PrivateHosts = NO_PRIVATE_HOST
    is_followed: bool = True
    max_minutes: float = 60
    clock: Callable[[], float] = time.monotonic
    unfollowed: int = 0
    errors: list[WaypostError] = field(default_factory=list)
    relative: list[tuple[str, str]] = field(default_factory=list, init=False)
    _http: HttpClient | None = field(default=None, init=False)
    _locations: Locations = field(default_factory=Locations, init=False)
    _names: set[str] = field(default_factory=set, init=False)
    _name_by_loc: dict[str, str] = field(default_factory=dict, init=False)
    _site_by_index: dict[str, str] = field(default_factory=dict, init=False)
    _robots_by_name: dict[str, str] = field(default_factory=dict, init=False)
    _robots_texts: dict[str, bytes] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        _check_url(self.url)
        self._deadline = self.clock() + 60 * self.max_minutes
        if re.fullmatch(r"https?://[^/?#]+", self.url, re.IGNORECASE):
            self.url += "/"

    def open_target(self, target: str) -> Iterator[SitemapFile]:
        """The files of a target, except those opened before; raises SourceError if there is none."""
        for file in self._open(target):
            if file.name in self._names:
                continue
            self._remember(file)
            other = self._name_by_loc.get(file.loc, file.name)
            if other != file.name:
                raise SourceError(f"{file.name} and {other} cannot both be at {file.loc}; check them in two runs")
            yield file

    def open_targets(self, targets: Sequence[str]) -> Iterator[SitemapFile]:
        """The files of all targets; one that cannot be opened does not keep the others from being checked."""
        for target in targets:
            try:
                yield from self.open_target(target)
            except WaypostError as error:
                self.errors.append(error)

    def child(self, index: SitemapFile, loc: str) -> SitemapFile | None:
        """A sitemap that an index lists, at its place relative to the index; None if it must not be opened."""
        may_open = self.is_followed and self.clock() < self._deadline
        file = self._open_child(index, loc) if may_open else None
        if file is None:
            self.unfollowed += 1
        else:
            self._remember(file)
            if robots := self.robots_of(index):
                self._robots_by_name.setdefault(file.name, robots)
        return file

    def robots_of(self, file: SitemapFile) -> str:
        """The URL of the robots.txt that names a file, or the index that lists it; `""` if no target named it so."""
        return self._robots_by_name.get(file.name, "")

    def is_disallowed(self, file: FileResult) -> bool:
        """Whether the robots.txt that names a file, or the index that lists it, keeps crawlers from it."""
        robots = self._robots_by_name.get(file.file, "")
        is_its_own = bool(robots) and _have_same_origin(robots, file.loc)
        return is_its_own and bool(blocked(self._robots_texts[robots], [file.loc]))

    def _remember(self, file: SitemapFile) -> None:
        self._names.add(file.name)
        if file.loc:
            self._name_by_loc.setdefault(file.loc, file.name)

    def _open(self, target: str) -> Iterator[SitemapFile]:
        place = place_of(target)
        if target == "-":
            yield PipedFile(sys.stdin.buffer, self.url)
        elif place.kind == "web":
            is_robots = urlsplit(target).path == "/robots.txt"
            yield from self._open_named_by_robots(target) if is_robots else [self._http_file(target)]
        elif place.kind == "bucket":
            yield from self._open_in_bucket(place.text)
        elif Path(target).name == "robots.txt" and Path(target).is_file():
            yield from self._open_named_by_local_robots(Path(target))
        elif Path(target).is_dir():
            names = ((path, path.relative_to(target).as_posix()) for path in _sitemaps_in(target))
            yield from (LocalFile(path, self._loc_in_folder(name)) for path, name in names)
        elif not Path(target).exists():
            yield self._of_revision(target)
        else:
            path = Path(target)
            yield LocalFile(path, self._loc_in_folder(path.name) if self.url.endswith("/") else self.url)

    def _of_revision(self, target: str) -> RevisionFile:
        """A file of a commit; raises SourceError if there is none."""
        found = revision_file(target, Path.cwd())
        if found is None:
            places = "a file, a folder, s3://bucket/key, an http(s) URL, REVISION:PATH of Git, or -"
            raise SourceError(f"{target} does not exist; name {places}")
        if self.url:
            is_in_folder = self.url.endswith("/")
            found.loc = self._loc_in_folder(found.path.rpartition("/")[2]) if is_in_folder else self.url
        return found

    def _open_named_by_robots(self, robots: str) -> Iterator[SitemapFile]:
        """The sitemaps that a site's robots.txt names (sitemaps.org 0.9, "Informing search engine crawlers")."""
        text, file = bytearray(), self._http_file(robots)
        try:
            for chunk in file.chunks():
                text += chunk
                if len(text) > MOST_BYTES:
                    break
        except OSError as error:
            raise SourceError(f"{robots} cannot be read: {error.strerror or error}") from error
        self._robots_texts[robots] = bytes(text)
        for named in map(self._http_file, self._named_sitemaps(bytes(text), robots, robots)):
            self._robots_by_name.setdefault(named.name, robots)
            yield named

    def _open_named_by_local_robots(self, robots: Path) -> Iterator[SitemapFile]:
        """The sitemaps that a robots.txt in a folder names: those in the folder, or else at their URLs."""
        try:
            text = tree_files.read(robots)[:MOST_BYTES]
        except OSError as error:
            raise SourceError(f"{robots} cannot be read: {error.strerror or error}") from error
        for loc in self._named_sitemaps(text, str(robots), self.url):
            path = robots.parent / (urls.decoded_path(loc) or "").lstrip("/")
            is_here, is_unknown = tree_files.is_file(path, robots.parent), loc.startswith(_UNKNOWN)
            if is_unknown and not is_here:
                raise SourceError(f"{path}, which {robots} names, does not exist")
            yield LocalFile(path, "" if is_unknown else loc, robots.parent) if is_here else self._http_file(loc)

    def _named_sitemaps(self, text: bytes, robots: str, url: str) -> list[str]:
        """The sitemaps that a robots.txt names, each once; raises SourceError if there are none.

        A relative URL, which crawlers do not read, is that of a file below `url`, so that the file is checked, too.
        """
        named = list(dict.fromkeys(named_sitemaps(text)))
        if not named:
            raise SourceError(f"{robots} names no sitemap; name the sitemap instead")
        self.relative += [(robots, each) for each in named if not is_web(each)]
        return [each if is_web(each) else urljoin(url or _UNKNOWN, each) for each in named]

    def _open_in_bucket(self, target: str) -> Iterator[SitemapFile]:
        bucket = self._bucket(target)
        for name in bucket.sitemaps(target):
            is_in_folder = name != target or self.url.endswith("/")
            yield bucket.file(name, self._loc_in_folder(name.rpartition("/")[2]) if is_in_folder else self.url)

    def _loc_in_folder(self, name: str) -> str:
        """The URL of a file in a folder; `url` is the URL of that folder, or of a sitemap in it."""
        if not self.url:
            return ""
        folder = urljoin(self.url, ".") if self.url.endswith(ENDINGS) else f"{self.url.removesuffix('/')}/"
        return folder + urls.encode_path(name)

    def _open_child(self, index: SitemapFile, loc: str) -> SitemapFile | None:
        if isinstance(index, HttpFile):
            return self._http_file(loc) if _have_same_origin(loc, index.redirected_to or index.loc) else None
        if not _have_same_origin(loc, self._site_by_index.setdefault(index.name, index.loc or loc)):
            return None
        paths = _relative_paths(loc, index.loc)
        if isinstance(index, LocalFile):
            folder = index.path.parent
            # A saved sitemap may be decompressed, as browsers and curl --compressed save it.
            names = [each for path in paths for each in dict.fromkeys((path, path.removesuffix(".gz")))]
            candidates = [folder / name for name in names if folder / name != index.path]
            existing = (path for path in candidates if tree_files.is_file(path, folder))
            file = next(existing, candidates[0] if candidates and "?" not in loc else None)
            return LocalFile(file, loc, folder) if file else None
        if isinstance(index, RevisionFile):
            return _in_revision(index, paths, loc)
        path = next((path for path in paths if not index.name.endswith(f"/{path}")), "")
        if not path or not parse_location(index.name).scheme:
            return None
        return self._bucket(index.name).file(f"{index.name.rpartition('/')[0]}/{path}", loc)

    def _http_file(self, url: str) -> HttpFile:
        self._http = self._http or HttpClient(self.private)
        return HttpFile(self._http, url)

    def _bucket(self, uri: str) -> BucketSitemaps:
        return self._locations.sitemaps(parse_bucket(uri, name="TARGET"))


def _in_revision(index: RevisionFile, paths: Iterator[str], loc: str) -> RevisionFile | None:
    """A sitemap in the commit that has an index, beside it."""
    folder = index.path.rpartition("/")[0]
    files = (RevisionFile(index.at, index.revision, f"{folder}/{path}".lstrip("/"), loc) for path in paths)
    return next((file for file in files if file.path != index.path and file.exists), None)


def _check_url(url: str) -> None:
    """Raise ConfigurationError if the value of --url is no URL."""
    if url and scope_of(url) is None:
        allowed = "https://www.example.org/, or a sitemap's own"
        raise ConfigurationError((ConfigIssue("command line", "--url", f"{url!r} is not a URL", allowed),))


def _sitemaps_in(folder: str) -> list[Path]:
    try:
        paths = sitemaps(Path(folder))
    except OSError as error:
        raise SourceError(f"{folder} cannot be listed: {error.strerror}") from error
    if not paths:
        raise SourceError(f"{folder} has no sitemap in it; name a file, or the folder that contains one")
    return paths


def _have_same_origin(one: str, other: str) -> bool:
    first, second = scope_of(one), scope_of(other)
    return bool(first and second and first.origin == second.origin)


def _relative_paths(loc: str, index_loc: str) -> Iterator[str]:
    """Where a sitemap may be, relative to its index's folder.

    Without the URL of the index that folder is unknown: every end of the path is possible, the longest first, and a URL
    with a query was saved, if at all, under a name with that. Else it names no file.
    """
    is_named = len(loc) < urls.LOC_LIMIT and not (index_loc and "?" in loc)
    query = f"?{loc.partition('?')[2]}" if "?" in loc else ""
    path = PurePosixPath(f"{urls.decoded_path(loc) or ''}{query}" if is_named else "")
    if ".." in path.parts or "\0" in str(path) or not path.name:
        return
    if not index_loc:
        parts = path.parts[1:]
        yield from ("/".join(parts[n:]) for n in range(max(0, len(parts) - _MAX_ENDS), len(parts)))
        return
    folder = PurePosixPath(urls.decoded_path(index_loc) or "").parent
    if path != folder and path.is_relative_to(folder):
        yield str(path.relative_to(folder))


def read_listed_urls(target: str, private: PrivateHosts) -> ListedUrls:
    """The URLs that a target lists, with date and metadata.

    Raises SourceError if any of them cannot be read, because those would look removed.
    """
    pages: dict[str, tuple[str, tuple[Content, ...]]] = {}

    def add_entries(entries: Sequence[SitemapEntry]) -> None:
        for entry in entries:
            if entry.loc:
                pages[urls.with_path(entry.loc)] = (entry.lastmod or "", entry.metadata)

    opener, report, progress = TargetOpener(private=private), FindingReport(1), ReadingProgress()
    validator = Validator(now(), report, opener.child, add_entries, on_read=progress.on_read)
    with closing(validator):
        files = list(progress.shown(validator.validate(opener.open_target(target))))
    _refuse_incomplete(files, report)
    if opener.unfollowed:
        count = count_noun(opener.unfollowed, "sitemap")
        raise SourceError(f"{target} lists {count} that cannot be opened beside it; name URLs to compare")
    return pages


def _refuse_incomplete(files: Sequence[FileResult], report: FindingReport) -> None:
    broken = {file.file for file in files if file.is_broken}
    for finding in report:
        if finding.code in _INCOMPLETE or (finding.file in broken and finding.severity == Severity.ERROR):
            raise SourceError(f"{finding.file}: {finding.message}; {finding.advice}")
    empty = next((file.file for file in files if file.kind in ("", "text") and not file.entries), None)
    if empty:
        raise SourceError(f"{empty} is not a sitemap; name a sitemap, an index, a text file, or an RSS or Atom feed")
