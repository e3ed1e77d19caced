"""The types that checked settings have, and the names that their values may contain."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

PAGE_TYPES: dict[str, tuple[str, ...]] = {
    "html": (".html", ".htm", ".xhtml", ".xht", ".shtml"),
    "pdf": (".pdf",),
    "markdown": (".md", ".markdown"),
}
"""The page types and the file name endings of each."""
CONTENT_TYPE = "content-type"
"""The page type of objects without an ending whose Content-Type is that of a page."""
CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
"""The values of changefreq (sitemaps.org 0.9)."""
DEFAULT_GROUP = "pages"
"""The group of the pages that no group of the settings matches."""


@dataclass(frozen=True, slots=True)
class SourceMapping:
    """Pages whose path matches `page` are made from the tracked files that `files` name.

    `{name}` matches within one path segment, and `{**name}` any number of segments.
    """

    page: str
    files: tuple[str, ...]


class Patterns:
    """Patterns in gitignore syntax, matched as Git matches them: the last pattern that matches decides."""

    __slots__ = ("_spec", "lines")

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.lines = tuple(lines)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", FutureWarning
            )  # `re` warns of sets such as `[a&&b]`, which Git reads as we do
            self._spec = GitIgnoreSpec.from_lines(self.lines)

    def decision(self, key: str) -> bool | None:
        """True if the deciding pattern is a plain one, False if it is a `!` pattern, None if no pattern matches."""
        return self._spec.check_file(key).include if self.lines else None

    def deciding_line(self, key: str) -> str:
        """The pattern that decides, or `""` if none matches."""
        index = self._spec.check_file(key).index
        return "" if index is None else self._compiled_lines[index]

    def unmatched(self, keys: Sequence[str]) -> Iterator[str]:
        """The patterns that match none of these keys; comments are no patterns."""
        for line, pattern in zip(self._compiled_lines, self._spec.patterns, strict=True):
            if pattern.include is not None and not any(pattern.match_file(key) for key in keys):
                yield line

    @property
    def _compiled_lines(self) -> list[str]:
        """The lines that have a pattern in `_spec`, which has none for an empty line."""
        return [line for line in self.lines if line]

    def __bool__(self) -> bool:
        return bool(self.lines)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Patterns) and self.lines == other.lines

    def __hash__(self) -> int:
        return hash(self.lines)

    def __repr__(self) -> str:
        return f"Patterns({list(self.lines)!r})"


@dataclass(frozen=True, slots=True)
class HintOverride:
    """The changefreq and priority of the pages that `match` matches; None leaves out the element."""

    match: Patterns
    changefreq: str | None
    priority: str | None


@dataclass(frozen=True, slots=True)
class OtherSitemap:
    """Another tool's sitemap: a URL or a path, whether our index lists it, and whether a run may go on without it."""

    location: str
    is_child: bool = False
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class NewsSettings:
    """The publication's name and language; `pages` selects the pages that are news, all of them if it is empty."""

    name: str
    language: str
    pages: Patterns


@dataclass(frozen=True, slots=True)
class IndexNowSettings:
    """The key of IndexNow, whether Waypost writes the file that holds it, and the search engine to send URLs to."""

    key: str
    writes_file: bool
    engine: str
