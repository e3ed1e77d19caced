"""What a URL without a file must be to be listed: a URL of the site, once, with a date and a group that can be."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from waypost.core import dates, reasons, urls
from waypost.core.dates import at_precision
from waypost.core.errors import ConfigIssue
from waypost.core.model import Page, Skipped, UrlEntry
from waypost.pages.hreflang import Alternates
from waypost.pages.page_url import entry_key
from waypost.pages.selection import Selection
from waypost.settings.schema import Site
from waypost.settings.values import DEFAULT_GROUP

_MOST_ISSUES = 100


class CheckedEntries:
    """The URLs of one site, each in the form in which it is listed, and the mistakes of those that cannot be."""

    def __init__(self, site: Site, now: str) -> None:
        self._site, self._now = site, now
        self._groups = {DEFAULT_GROUP, *(name for name, _ in site.groups)}
        self._by_loc: dict[str, UrlEntry] = {}
        self.issues: list[ConfigIssue] = []

    @property
    def entries(self) -> Iterable[UrlEntry]:
        """The URLs, in the order in which they were added."""
        return self._by_loc.values()

    def add(self, entries: Iterable[UrlEntry]) -> None:
        """Add URLs, until there are a hundred mistakes."""
        for entry in entries:
            self.issues += self._checked(entry)
            if len(self.issues) >= _MOST_ISSUES:
                return

    def _checked(self, entry: UrlEntry) -> Iterator[ConfigIssue]:
        loc = urls.normalize(entry.loc, self._site.base_url)
        if problem := self._loc_problem(entry, loc):
            yield _issue(entry, "loc", problem)
        elif loc is not None:
            group = "" if entry.group == DEFAULT_GROUP else entry.group
            images = tuple(url for image in entry.images if (url := urls.normalize(image, loc)))
            self._by_loc[loc] = replace(entry, loc=loc, group=group, images=images)
            if len(images) < len(entry.images):
                yield _issue(entry, "images", "one of them is not an http or https URL")
        if entry.lastmod and not dates.may_be_change(entry.lastmod, self._now):
            yield _issue(entry, "lastmod", f"{entry.lastmod} is in the future, or before the web began")
        if entry.group and entry.group not in self._groups:
            yield _issue(entry, "group", f"{entry.group!r} is not in the setting `groups`")

    def _loc_problem(self, entry: UrlEntry, loc: str | None) -> str:
        """Why a URL cannot be listed, or `""` (sitemaps.org 0.9, "loc" and "Sitemap file location")."""
        if loc is None or "#" in entry.loc:
            return f"{entry.loc[:200]!r} is not an http or https URL without a fragment"
        if len(loc) >= urls.LOC_LIMIT:
            return f"{loc[:80]}… has {urls.LOC_LIMIT:,} characters or more"
        if not loc.startswith(self._site.base_url):
            return f"{loc} is not below base_url, {self._site.base_url}"
        if first := self._by_loc.get(loc):
            return f"{loc} is there twice, first in {place(first)}"
        return ""


def place(entry: UrlEntry) -> str:
    """Where a URL is named, in words."""
    return f"line {entry.line} of {entry.where}" if entry.where else f"urls[{entry.line}]"


def _issue(entry: UrlEntry, field: str, problem: str) -> ConfigIssue:
    if entry.where:
        return ConfigIssue(entry.where, field, problem, line=entry.line)
    return ConfigIssue("settings", f"urls[{entry.line}].{field}", problem)


class EntryChoice:
    """Says of one URL without a file after another why it cannot be listed, whatever files the site has."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._seen: dict[str, UrlEntry] = {}

    def skipped(self, entry: UrlEntry) -> Skipped | None:
        """Why a URL is left out, or None: it is outside of the site, too long, listed before, or excluded."""
        if not entry.loc.startswith(self._site.base_url):
            return Skipped(entry.loc, reasons.FOREIGN_URL, place(entry))
        if len(entry.loc) >= urls.LOC_LIMIT:
            return Skipped(entry.loc, reasons.LOC_TOO_LONG, place(entry))
        if (first := self._seen.setdefault(entry.loc, entry)) is not entry:
            return Skipped(entry.loc, reasons.LISTED_TWICE, f"{place(entry)}, after {place(first)}")
        if self._site.exclude.decision(entry_key(entry.loc, self._site)):
            return Skipped(entry.loc, reasons.EXCLUDED)
        return None


def entry_page(key: str, entry: UrlEntry, alternates: Alternates, selection: Selection, site: Site) -> Page:
    """The page that lists a URL: what the list does not say, the settings may."""
    changefreq, priority = selection.changefreq_and_priority(key)
    return Page(
        key,
        entry.loc,
        entry.group or selection.group(key),
        at_precision(entry.lastmod, site.precision),
        entry.changefreq or changefreq,
        entry.priority or priority,
        () if "<xhtml:link" in entry.extensions else alternates,
        entry.images if site.images else (),
        extensions=entry.extensions,
    )
