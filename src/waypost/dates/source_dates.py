"""Dates built pages, which Git does not track, by the tracked files that they are made of."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property
from itertools import chain, takewhile

from msgspec.structs import replace

from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.core.page_changes import part_name
from waypost.core.urls import page_identity
from waypost.dates.commit_dates import NoDateReason, date_of, significant
from waypost.dates.file_parts import Part
from waypost.dates.named_parts import NamedParts
from waypost.dates.page_evidence import PageText, gather_evidence, read_page_text
from waypost.dates.page_parts import PageParts
from waypost.dates.page_sources import PageSources, find_sources
from waypost.dates.paths import last_two
from waypost.dates.source_text import is_markup, may_have_text
from waypost.files import KeptFile, Store, keep_file
from waypost.files.source import Source
from waypost.git import TrackedFiles
from waypost.pages.frontmatter import FALSE, FRONT_MATTER, TRUE, entries, own_dates
from waypost.pages.own_dates import NO_DATES, OwnDates
from waypost.settings.values import PAGE_TYPES

_PELICAN = re.compile(r"^:?status:[ \t]*(?:hidden|draft)[ \t]*$", re.IGNORECASE | re.MULTILINE)
"""A line of metadata at the beginning of a file; other projects have other uses for such lines, as Python's PEPs."""
_NIKOLA = re.compile(r"^(?:<!--)?[ \t]*\.\.[ \t]+status:[ \t]*(?:private|draft)\b", re.IGNORECASE | re.MULTILINE)
_IF_TRUE = ("draft", "private", "unlisted", "noindex", "sitemap.disable", "sitemap.exclude")
_IF_FALSE = ("published", "sitemap")
_MOST_CHARACTERS, _MOST_LINES = 65_536, 500
"""How much of a source is read for its front matter, so that a hostile one ends soon; no other test is so long."""
_FORMAT, _VERSION = "waypost-generator-dates", 1
_MAX_FILES = 100_000
"""How many of a project's files are read at most; no test has so many."""
_MOST_FOLDERS = 2
"""A file at the root of the site may be a copy of one in so many folders at most, as of `docs/static/a.pdf`.

1 and 4: `test_a_file_that_was_copied_has_the_date_of_the_tracked_file_with_its_bytes`.
"""
_HTML = PAGE_TYPES["html"]
_MIN_SHARED, _MAX_SHARE = 5, 0.5
"""A date of the generator that so many pages have, and this share of all, is the build's.

The first: 2 and 10, the second: 0.25 and 1, `test_a_date_that_many_pages_have_is_that_of_the_build`.
"""
_UNKNOWN = PageSources(reason="no-evidence")


def opting_out(text: str, generators: Collection[str]) -> str:
    """The line of a source that keeps its page out of sitemaps, or an empty string.

    `generators` are the names of those that the project is built with.
    """
    found = FRONT_MATTER.match(text[:_MOST_CHARACTERS])
    if found:
        values = ((name.lower(), value.lower()) for name, value in entries(found[2]))
        return next((f"{name}: {value}" for name, value in values if _opts_out(name, value)), "")
    lines = text[:_MOST_CHARACTERS].splitlines()[:_MOST_LINES]
    head = list(takewhile(str.strip, lines))
    line = _NIKOLA.search("\n".join(lines)) or ("Pelican" in generators and _PELICAN.search("\n".join(head)))
    return line[0].strip() if line else ""


def _opts_out(name: str, value: str) -> bool:
    if name == "robots":
        return not {"noindex", "none"}.isdisjoint(re.split(r"[\s,]+", value))
    return (name in _IF_TRUE and value in TRUE) or (name in _IF_FALSE and value in FALSE)


class GeneratorDates(KeptFile, frozen=True, forbid_unknown_fields=True):
    """The dates by the identity of the page's URL (`core.urls.page_identity`), and the version of the file's format."""

    format: str = _FORMAT
    version: int = _VERSION
    dates: Mapping[str, str] = {}

    def of(self, loc: str) -> tuple[str, ...]:
        """The date that the generator gives the page, if it is known."""
        date = self.dates.get(page_identity(loc))
        return (date,) if date else ()


def keep(found: GeneratorDates, kept: Store, name: str) -> None:
    """Write the dates for later runs; the same dates are not written again. Raises StoreError."""
    if found.dates:
        keep_file(found, kept, name)


class SourceDates:
    """The dates of built pages, by key.

    `generator_dates` reads the dates that the generator's own sitemaps give pages, `generators` the names of the
    project's generators; they are asked only if there are built pages. `project` is the project's folder, with a slash.
    `named` has the files of which the generator says that it has made a page, by the page's key.
    """

    def __init__(
        self,
        tracked: TrackedFiles,
        now: int,
        generator_dates: Callable[[], GeneratorDates] = GeneratorDates,
        generators: Callable[[], Collection[str]] = frozenset,
        project: str = "",
        named: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._generators, self._project, self._named = cache(generators), project, named or {}
        self._tracked, self._now, self._generator_dates = tracked, now, generator_dates
        self._sources: Mapping[str, PageSources] = {}

    def find(self, pages: Sequence[Item], source: Source, locs: Mapping[str, str]) -> None:
        """Read these pages and the project's files, and find what each page is made of. Raises SourceError.

        `locs` has all pages of the site, by key: a page is no source of another one.
        """
        paths = [path for path in self._tracked.paths() if not self._tracked.is_site or path not in locs]
        copies = self._copies(pages, paths, source)
        texts = dict(_page_texts((page for page in pages if page.key not in copies), source))
        listed = frozenset(paths)
        names = {name: linked.file for name, linked in self._tracked.names.items() if name in listed}
        files = [path for path in paths if may_have_text(path) and path not in names][:_MAX_FILES]
        found = gather_evidence(texts, files, self._tracked.read, self._dated_files(texts, locs, files), names)
        named = {key: tuple(file for file in files if file in listed) for key, files in self._named.items()}
        evidence = [replace(page, named=named[page.key]) if page.key in named else page for page in found.pages]
        languages = {text.language.partition("-")[0] for text in texts.values() if text.language}
        parts = PageParts(found.own, NamedParts(paths, self._tracked.read), self._tracked.read)
        self._sources = find_sources(evidence, found.by_path, languages, self._project, parts) | copies

    def sources(self, key: str) -> PageSources:
        """What a page is made of, or why that is not known."""
        return self._sources.get(key, _UNKNOWN)

    def opting_out(self, key: str) -> str:
        """The file and the line by which a page is kept out of sitemaps; empty if it is made of several files."""
        files = self.sources(key).files
        if len(files) != 1:
            return ""
        line = opting_out(self._tracked.read(files[0]).decode("utf-8", "replace"), self._generators())
        return f"{files[0]}: {line}" if line else ""

    def own_dates(self, files: Sequence[str]) -> OwnDates:
        """The dates that the source of a page gives it; none if the page is made of several files, or of no text."""
        if len(files) != 1 or not (is_markup(files[0]) and may_have_text(files[0])):
            return NO_DATES
        return own_dates(self._tracked.read(files[0]).decode("utf-8", "replace"))

    def of(self, key: str) -> str | NoDateReason:
        """When a page last changed: the newest commit of the files that it is made of."""
        found = self.sources(key)
        if found.reason:
            return NoDateReason(found.reason)
        all_times, uncommitted = self._significant
        files = set(found.files)
        if not uncommitted.isdisjoint({*files, *(part.path for part in found.parts)}):
            return NoDateReason.UNCOMMITTED
        times = [all_times[file] for file in files] + [
            self._part_times.get(part, all_times[part.path]) for part in found.parts
        ]
        if None in times:
            return NoDateReason.SHALLOW
        return date_of([time for time in times if time is not None], self._now)

    @cached_property
    def _part_times(self) -> Mapping[Part, int | None]:
        """When the parts that pages show of files last changed; a file's own time counts for those that are whole."""
        parts = (part for found in self._sources.values() for part in found.parts if part.region)
        by_name = {part_name(part.region, part.path): part for part in parts}
        return {by_name[name]: time for name, time in self._tracked.part_times(sorted(by_name)).items()}

    @cached_property
    def _significant(self) -> tuple[Mapping[str, int | None], Set[str]]:
        return significant(self._tracked.history)

    def _copies(self, items: Iterable[Item], paths: Iterable[str], source: Source) -> dict[str, PageSources]:
        """The pages that are the same bytes as a tracked file of the same path below its folder, by key."""
        by_end: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            by_end[last_two(path)].append(path)
            if 0 < path.count("/") <= _MOST_FOLDERS:
                by_end[path.rpartition("/")[2]].append(path)
        found: dict[str, PageSources] = {}
        for item in items:
            same_end = [path for path in by_end.get(last_two(item.key), ()) if f"/{path}".endswith(f"/{item.key}")]
            data = _bytes(item, source) if same_end else b""
            copied = [path for path in same_end if data and self._tracked.read(path) == data]
            if copied:
                found[item.key] = PageSources((min(copied, key=len),), "copy", "the same bytes")
        return found

    def _dated_files(
        self, texts: Mapping[str, PageText], locs: Mapping[str, str], files: Sequence[str]
    ) -> Callable[[str], frozenset[str]]:
        """What finds the files that a commit changed at the very second that the generator has as a page's date."""
        changed_at, generator_dates = self._files_by_date(files), self._generator_dates()
        given = {key: {*text.dates, *generator_dates.of(locs[key])} for key, text in texts.items()}
        of_builds = _dates_of_builds(given.values())
        return lambda key: frozenset(file for date in given[key] - of_builds for file in changed_at.get(date, ()))

    def _files_by_date(self, paths: Iterable[str]) -> Mapping[str, list[str]]:
        """The files that were last changed at a time, by that time."""
        times = self._tracked.history.commit_times
        found: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            if (time := times[path]) is not None:
                found[format_unix_time(time)].append(path)
        return found


def _page_texts(items: Iterable[Item], source: Source) -> Iterator[tuple[str, PageText]]:
    """The texts of the HTML pages that can be read."""
    for item in items:
        if item.key.lower().endswith(_HTML) and (data := _bytes(item, source)):
            yield item.key, read_page_text(data)


def _bytes(item: Item, source: Source) -> bytes:
    """The bytes of a page; empty if it cannot be read, of which the listing warns."""
    try:
        return source.read(item).data
    except OSError:
        return b""


def _dates_of_builds(given: Collection[Collection[str]]) -> frozenset[str]:
    """The dates that too many pages have: a build or a deployment wrote them."""
    counts = Counter(chain.from_iterable(given))
    return frozenset(date for date, count in counts.items() if count >= max(_MIN_SHARED, _MAX_SHARE * len(given)))
