"""Chooses among the pages that were read those that are listed: what one page says of another counts here."""

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set

from msgspec.structs import replace

from waypost.build.page_reader import ReadPage
from waypost.core import reasons
from waypost.core.finding_types import WARNINGS, site_warning
from waypost.core.hashing import content_digest
from waypost.core.model import Example, Item, Page, SiteWarning, Skipped, printable
from waypost.core.reasons import NAMES_ANOTHER_PAGE, Reason
from waypost.core.urls import encode_path, normalize, path_on_site
from waypost.core.versions import version_rank
from waypost.files.source import Source
from waypost.pages import page_url
from waypost.pages.decision import Decision
from waypost.pages.page_url import SiteUrls
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

IsDisallowed = Callable[[str], bool]
_REDIRECTS = NAMES_ANOTHER_PAGE - {reasons.CANONICAL}
_MIN_HOME_CANONICALS = 3
"""From how many pages on that name the home page as canonical the template must be wrong,"""
_MIN_HOME_SHARE = 0.9
"""if they are this share of all pages with a canonical link."""
_ENDING = ".md"


class ListingNotes:
    """What was left out, and the warnings, so far."""

    def __init__(self) -> None:
        self._skipped: list[Skipped] = []
        self._warnings: dict[str, list[Example]] = defaultdict(list)

    def leave_out(self, key: str, reason: Reason, detail: str = "") -> None:
        """Note that a file, or a folder whose key ends with `/`, is left out."""
        self._skipped.append(Skipped(printable(key), reason, printable(detail)))

    def skip(self, skipped: Skipped) -> None:
        """Note what a rule leaves out."""
        self._skipped.append(skipped)

    def warn(self, code: str, example: Example) -> None:
        """Note one case of what a warning is about."""
        self._warnings[code].append(example)

    def skipped(self) -> list[Skipped]:
        """All that was left out, in the order of keys."""
        return sorted(self._skipped, key=lambda skipped: skipped.key)

    def cases(self) -> dict[str, list[Example]]:
        """All cases of each warning, by its code."""
        return dict(self._warnings)

    def warnings(self) -> Iterator[SiteWarning]:
        """The warnings in the order of their table, each with the first cases."""
        for code in WARNINGS:
            if examples := self._warnings.get(code):
                yield site_warning(code, examples)


class PageChoice:
    """The choice for one site; `is_disallowed` says whether robots.txt disallows a URL."""

    def __init__(self, source: Source, site: Site, is_disallowed: IsDisallowed | None, notes: ListingNotes) -> None:
        self._source, self._site, self._notes = source, site, notes
        self._is_disallowed = is_disallowed or (lambda url: False)

    def listed(self, pages: Sequence[ReadPage]) -> Iterator[ReadPage]:
        """The pages that nothing leaves out; a page that servers never answer, or may not be crawled, is not judged."""
        locs = {page.item.key: page.loc for page in pages}
        duplicates = page_url.duplicates(locs, self._site)
        site_urls = SiteUrls(locs, self._site)
        pages = list(self._without_circles(pages, site_urls))
        self._warn_of_home_canonicals(pages)
        self._warn_of_missing_canonicals(pages, site_urls)
        copies = self._copies(page for page in pages if page.item.key not in duplicates)
        for page in pages:
            if self._is_listed(page, duplicates, copies):
                yield page

    def _without_circles(self, pages: Sequence[ReadPage], site_urls: SiteUrls) -> Iterator[ReadPage]:
        """The pages, of which one whose canonical link names a redirect back to it is not left out."""
        leads_to = {each.item.key: _target(each, _REDIRECTS, site_urls) for each in pages if each.decision.skipped}
        for page in pages:
            named = _target(page, {reasons.CANONICAL}, site_urls)
            if named and leads_to.get(named) == page.item.key and page.decision.skipped:
                warning = "canonical-back", Example(page.decision.skipped.key, page.decision.skipped.detail)
                yield replace(page, decision=Decision(warnings=(warning,)))
            else:
                yield page

    def _is_listed(self, page: ReadPage, duplicates: Mapping[str, str], copies: Mapping[str, str]) -> bool:
        key, decision = page.item.key, page.decision
        if other := duplicates.get(key):
            self._notes.leave_out(key, reasons.DUPLICATE, other)
            return False
        if self._is_disallowed(page.loc):
            self._notes.leave_out(key, reasons.ROBOTS_TXT)
            return False
        for code, example in decision.warnings:
            self._notes.warn(code, example)
        if decision.skipped:
            self._notes.skip(decision.skipped)
            return False
        if other := copies.get(key):
            self._notes.leave_out(key, reasons.COPY, other)
            return False
        return True

    def _copies(self, pages: Iterable[ReadPage]) -> Mapping[str, str]:
        """The copies to leave out; where the settings keep them, a warning names them."""
        copies = find_copies(filter(self._may_be_copy, pages), self._source)
        if self._site.duplicates == "first":
            return {key: first for key, first in copies.items() if self._site.exclude.decision(key) is not False}
        for key, first in copies.items():
            self._notes.warn("copies", Example(printable(key), f"has the same bytes as {printable(first)}"))
        return {}

    def _may_be_copy(self, page: ReadPage) -> bool:
        """Whether a page is listed without naming a canonical URL; of generated pages the bytes are not known."""
        if not page.checksum or page.item.url_path or page.decision.skipped or page.canonicals:
            return False
        return not self._is_disallowed(page.loc)

    def _warn_of_home_canonicals(self, pages: Iterable[ReadPage]) -> None:
        """Warn if the canonical links of nearly all pages that have one name the home page."""
        named = [page for page in pages if page.canonicals and page.path.kind != "home"]
        to_home = [skipped.key for page in named if (skipped := page.decision.skipped) and self._names_home(skipped)]
        if len(to_home) >= _MIN_HOME_CANONICALS and len(to_home) >= _MIN_HOME_SHARE * len(named):
            for key in to_home:
                self._notes.warn("canonical-home", Example(key))

    def _names_home(self, skipped: Skipped) -> bool:
        found = path_on_site(skipped.detail, self._site.base_url) if skipped.reason == reasons.CANONICAL else None
        return found is not None and found.path in ("", "index.html", "index.htm", "index")

    def _warn_of_missing_canonicals(self, pages: Iterable[ReadPage], site_urls: SiteUrls) -> None:
        """Warn of pages that are left out for a canonical URL which no page of the site answers."""
        for skipped in (page.decision.skipped for page in pages):
            if skipped is None or skipped.reason != reasons.CANONICAL:
                continue
            if site_urls.key(skipped.detail.partition("?")[0]) is None:
                self._notes.warn("canonical-missing", Example(skipped.key, skipped.detail))


def without(
    listed: Sequence[ReadPage], details: Mapping[str, str], reason: Reason, site: Site, notes: ListingNotes
) -> Sequence[ReadPage]:
    """The pages without those that have a detail, by key, unless a `!` pattern of `exclude` takes one back."""
    left_out = {key: detail for key, detail in details.items() if site.exclude.decision(key) is not False}
    for key, detail in left_out.items():
        notes.leave_out(key, reason, detail)
    return [each for each in listed if each.item.key not in left_out]


def _target(page: ReadPage, for_reasons: Container[Reason], site_urls: SiteUrls) -> str | None:
    """The key of the page in whose favour one is left out for one of these reasons; None if there is none."""
    skipped = page.decision.skipped
    if skipped is None or skipped.reason not in for_reasons:
        return None
    url = normalize(skipped.detail, page.loc)
    return site_urls.key(url.partition("?")[0]) if url else None


def find_copies(pages: Iterable[ReadPage], source: Source) -> Mapping[str, str]:
    """Each copy by its key, with the key of the page that comes first; only pages with one checksum are read.

    The first is the one in the folder nearest to the root, an index file before others, of versions the current one,
    then in the order of keys. A page that cannot be read is no copy.
    """
    candidates: dict[int, list[ReadPage]] = defaultdict(list)
    for page in pages:
        candidates[page.checksum].append(page)
    found: dict[str, str] = {}
    for same in candidates.values():
        if len(same) > 1:
            found |= _copies_among(same, source)
    return found


def _rank(item: Item) -> tuple[int, bool, Sequence[tuple[int, tuple[int, ...]]], str]:
    *folders, name = item.key.split("/")
    return len(folders), not name.startswith("index."), list(map(version_rank, folders)), item.key


def _copies_among(pages: Iterable[ReadPage], source: Source) -> dict[str, str]:
    first: dict[str, str] = {}
    found: dict[str, str] = {}
    for page in sorted(pages, key=lambda page: _rank(page.item)):
        key = page.item.key
        try:
            digest = page.bytes_digest or content_digest(source.read(page.item).data)
        except OSError:
            continue
        if first.setdefault(digest, key) != key:
            found[key] = first[digest]
    return found


def with_markdown_versions(
    pages: Iterable[Page], keys: Set[str], site: Site, is_disallowed: IsDisallowed | None
) -> list[Page]:
    """The pages, each with the URL of its version in Markdown if that is one of these keys and may be fetched.

    A file counts before what the page itself names. Where Markdown files are pages, they are what pages are made from,
    and not published themselves.
    """
    if not site.pages.isdisjoint(PAGE_TYPES["markdown"]):
        return list(pages)

    def version(page: Page) -> str:
        urls = (site.base_url + encode_path(key) for key in _names(page.key) if key in keys)
        return next((url for url in urls if not (is_disallowed and is_disallowed(url))), "")

    return [replace(page, markdown=found) if (found := version(page)) else page for page in pages]


def _names(key: str) -> Iterator[str]:
    """The keys that the version of a page may have: `page.html.md` or `page.md`."""
    yield key + _ENDING
    name, dot, ending = key.rpartition(".")
    if dot and "/" not in ending:
        yield name + _ENDING
