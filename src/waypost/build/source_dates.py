"""Dates built pages, which Git does not track, by the tracked files that they are made of."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.config.values import PAGE_TYPES
from waypost.core.dates import format_unix_time
from waypost.core.model import Item
from waypost.evidence import page_text, source_text
from waypost.evidence.page_sources import PageEvidence, PageSources, find_sources
from waypost.evidence.page_text import PageText
from waypost.evidence.source_links import SourceLinks
from waypost.evidence.text_matches import Frame, TextMatches, sorted_shingles
from waypost.rules.commit_dates import NoDateReason
from waypost.sources.base import Source
from waypost.sources.tracked_files import TrackedFiles

_MAX_FILES = 100_000
_HTML = PAGE_TYPES["html"]
_MIN_SHARED, _MAX_SHARE = 5, 0.5
"""A date of the generator that so many pages have, and this share of all, is that of the build."""


class BuiltPage(NamedTuple):
    """A page whose date is wanted, its loc, and the dates that the generator gives it."""

    item: Item
    loc: str
    generator_dates: tuple[str, ...] = ()


class SourceDates:
    """The dates of built pages, by key."""

    def __init__(self, tracked: TrackedFiles, now: int) -> None:
        self._tracked, self._now = tracked, now
        self.sources: Mapping[str, PageSources] = {}

    def find(self, pages: Sequence[BuiltPage], source: Source) -> None:
        """Read these pages and the project's files, and find what each page is made of. Raises SourceError."""
        paths = [path for path in self._tracked.paths() if path.lower().endswith(source_text.TEXT_ENDINGS)]
        texts = dict(_page_texts(pages, source))
        languages = {text.language.partition("-")[0] for text in texts.values() if text.language}
        evidence = self._evidence(pages, texts, paths[:_MAX_FILES]) if paths else []
        self.sources = find_sources(evidence, languages)

    def of(self, key: str) -> str | NoDateReason:
        """When a page last changed: the newest commit of the files that it is made of."""
        found = self.sources.get(key)
        if found is None or found.reason:
            return NoDateReason(found.reason if found and found.reason else "no-evidence")
        history = self._tracked.history
        if history.uncommitted.intersection(found.files):
            return NoDateReason.UNCOMMITTED
        times = [time for file in found.files if (time := history.commit_times[file]) is not None]
        if len(times) < len(found.files):
            return NoDateReason.SHALLOW
        return format_unix_time(max(times)) if max(times) <= self._now else NoDateReason.FUTURE

    def _evidence(
        self, pages: Iterable[BuiltPage], texts: Mapping[str, PageText], paths: Sequence[str]
    ) -> list[PageEvidence]:
        frame = Frame(text.lines for text in texts.values())
        own = {key: sorted_shingles(frame.own_lines(text.lines)) for key, text in texts.items()}
        files = {path: found for path in paths if (found := self._file_shingles(path, frame))}
        matches, links = TextMatches(own, files), SourceLinks(paths)
        dated = self._files_by_date(paths)
        ignored = _dates_of_builds(pages, texts)
        return [
            PageEvidence(
                page.item.key,
                tuple(matches.of(page.item.key)),
                text.language.partition("-")[0],
                links.files(text.source_links),
                _dated(dated, {*page.generator_dates, *text.dates} - ignored),
            )
            for page in pages
            if (text := texts.get(page.item.key))
        ]

    def _file_shingles(self, path: str, frame: Frame) -> "array[int]":
        return sorted_shingles(source_text.read_blocks(path, self._tracked.read(path)), frame.shingles)

    def _files_by_date(self, paths: Iterable[str]) -> Mapping[str, list[str]]:
        """The files that were last changed at a time, by that time."""
        times = self._tracked.history.commit_times
        found: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            if (time := times[path]) is not None:
                found[format_unix_time(time)].append(path)
        return found


def _page_texts(pages: Iterable[BuiltPage], source: Source) -> Iterator[tuple[str, PageText]]:
    """The texts of the HTML pages that can be read."""
    for page in pages:
        if page.item.key.lower().endswith(_HTML):
            try:
                data = source.read(page.item).data
            except OSError:
                continue
            yield page.item.key, page_text.read_page_text(data)


def _dated(files: Mapping[str, list[str]], dates: Iterable[str]) -> frozenset[str]:
    return frozenset(file for date in dates for file in files.get(date, ()))


def _dates_of_builds(pages: Iterable[BuiltPage], texts: Mapping[str, PageText]) -> frozenset[str]:
    """The dates that so many pages give themselves that they are those of a build or of a deployment."""
    counts = Counter(
        date
        for page in pages
        for date in {*page.generator_dates, *(texts[page.item.key].dates if page.item.key in texts else ())}
    )
    return frozenset(date for date, count in counts.items() if count >= _MIN_SHARED and count > _MAX_SHARE * len(texts))
