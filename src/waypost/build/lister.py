"""The first half of a build: lists a source's pages, and gives the reason for everything that is left out."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace as replace_setting
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from waypost.build import url_form
from waypost.build.state import ContentDate, State
from waypost.config.schema import Site
from waypost.core import concurrency, dates, reasons
from waypost.core.model import Example, Item, Page, SiteWarning, Skipped, UrlForm, printable
from waypost.core.reasons import Reason
from waypost.core.urls import origin_of
from waypost.core.warnings import MESSAGES
from waypost.rules import page_facts, page_url, robots
from waypost.rules.commit_dates import CommitDates, NoDateReason
from waypost.rules.decision import Decision, decide
from waypost.rules.facts import PageFacts
from waypost.rules.hreflang import DeclaredAlternates, mutual_sets
from waypost.rules.html_head import NO_HEAD, alternates
from waypost.rules.link_votes import LinkVote, form_of
from waypost.rules.page_metadata import with_metadata
from waypost.rules.selection import Selection
from waypost.rules.site_urls import SiteUrls
from waypost.sources.base import Source

Progress = Callable[[str, int, int | None], None]

_EXAMPLES = 3
_BATCH = 1_000
"""The number of items that are read before the first of them is used."""


class DateSources(Struct, frozen=True):
    """What dates may come from: commits, the state of an earlier run, and the time of this one.

    `commits` returns when the history has been read, which another thread may still do.
    """

    now: str
    commits: Callable[[], CommitDates] | None = None
    state: State = State()


class Listing(Struct, frozen=True):
    """The pages in the order of their keys, and what is left out.

    `commit_dates` are the pages' commit dates by key. `contents` is what the state is to remember of each page, and
    `no_date_reason` the code of the reason for which Git gave a page no date.
    """

    pages: list[Page]
    skipped: list[Skipped]
    warnings: list[SiteWarning]
    commit_dates: Mapping[str, str]
    contents: Mapping[str, ContentDate]
    no_date_reason: Mapping[str, str]
    url_form: UrlForm = UrlForm()
    link_votes: Sequence[LinkVote] = ()


class _ReadPage(NamedTuple):
    """An item that may be listed, with its loc, what the rules decide by its content, and what was read of it."""

    item: Item
    loc: str
    decision: Decision
    facts: PageFacts


class Lister:
    """Lists the pages of one site, once."""

    def __init__(self, source: Source, site: Site, date_sources: DateSources, progress: Progress) -> None:
        self._source, self._site, self._date_sources, self._progress = source, site, date_sources, progress
        self._selection = Selection(site)
        self._skipped: list[Skipped] = []
        self._warnings: dict[str, list[Example]] = defaultdict(list)
        self._commit_dates: dict[str, str] = {}
        self._contents: dict[str, ContentDate] = {}
        self._no_date_reason: dict[str, str] = {}

    def listing(self, ignored: frozenset[str] = frozenset()) -> Listing:
        """Find the pages, read and date them; `ignored` are the keys that Git ignores, for folders with a final `/`."""
        items = sorted(self._selected(ignored), key=lambda item: item.key)
        votes = url_form.votes(self._source, items, self._site)
        self._site = replace_setting(self._site, url_form=form_of(votes))
        candidates = list(self._allowed_items(items))
        read = list(self._listed(self._all_read(candidates)))
        commits = self._commits()
        pages = self._with_alternates([self._page(each, commits) for each in read], read)
        self._skipped.sort(key=lambda skipped: skipped.key)
        return Listing(
            pages,
            self._skipped,
            list(self._warning_list()),
            self._commit_dates,
            self._contents,
            self._no_date_reason,
            self._site.url_form,
            votes,
        )

    def _selected(self, ignored: frozenset[str]) -> Iterator[Item]:
        for n, found in enumerate(self._source.items(self._selection.folder_exclusion_reason)):
            self._progress("finding files", n, None)
            if isinstance(found, Skipped):
                self._leave_out(found.key, found.reason, found.detail)
            elif reason := self._selection.exclusion_reason(found.key):
                self._leave_out(found.key, reason)
            elif ignored and _is_ignored(found.key, ignored):
                self._leave_out(found.key, reasons.GIT_IGNORED)
            else:
                yield found

    def _allowed_items(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items that may be listed under some URL; robots.txt keeps crawlers from the others under all of them."""
        for item in items:
            loc = page_url.page_url(item.key, self._site, generated_path=item.url_path)
            if isinstance(loc, Reason):
                self._leave_out(item.key, loc)
            elif all(map(self._is_disallowed, page_url.served_urls(item.key, self._site))):
                self._leave_out(item.key, reasons.ROBOTS_TXT)
            else:
                yield item

    def _listed(self, pages: Iterable[_ReadPage]) -> Iterator[_ReadPage]:
        """The pages that nothing leaves out; a page that servers never answer, or may not be crawled, is not judged."""
        by_key = {each.item.key: each for each in pages}
        duplicates = page_url.duplicates({key: each.loc for key, each in by_key.items()}, self._site)
        for key, each in by_key.items():
            if other := duplicates.get(key):
                self._leave_out(key, reasons.DUPLICATE, other)
            elif self._is_disallowed(each.loc):
                self._leave_out(key, reasons.ROBOTS_TXT)
            elif self._is_listed(each.decision):
                yield each

    def _is_listed(self, decision: Decision) -> bool:
        for code, example in decision.warnings:
            self._warnings[code].append(example)
        if decision.skipped:
            self._skipped.append(decision.skipped)
        return decision.skipped is None

    @cached_property
    def _is_disallowed(self) -> Callable[[str], bool]:
        """Whether robots.txt disallows a URL."""
        text = self._robots_txt() if self._site.respect_robots else None
        if text is None:
            return lambda url: False
        if self._site.base_url != origin_of(self._site.base_url) + "/":
            self._warnings["robots-not-at-root"].append(Example("robots.txt"))
            return lambda url: False
        return robots.is_disallowed_by(text)

    def _robots_txt(self) -> bytes | None:
        try:
            return self._source.find("robots.txt")
        except OSError as error:
            self._warnings["robots-unreadable"].append(Example("robots.txt", error.strerror or str(error)))
            return None

    def _all_read(self, items: Sequence[Item]) -> Iterator[_ReadPage]:
        for n, (item, facts) in enumerate(zip(items, self._read_facts(items), strict=True)):
            self._progress("reading pages", n, len(items))
            head = NO_HEAD if isinstance(facts, OSError) else facts.head
            loc = page_url.page_url(item.key, self._site, head, item.url_path)
            if isinstance(loc, Reason):
                self._leave_out(item.key, loc)
            else:
                yield _ReadPage(item, loc, self._decide(item, loc, facts), self._needed_facts(facts))

    def _needed_facts(self, facts: PageFacts | OSError) -> PageFacts:
        """The facts that are needed after all pages have been read; the others would only take memory."""
        if isinstance(facts, OSError):
            return PageFacts()
        return facts if self._site.alternates or facts.media else PageFacts(text_digest=facts.text_digest)

    def _read_facts(self, items: Sequence[Item]) -> Iterator[PageFacts | OSError]:
        """The facts of each item, in order; as many items are read at once as the source allows."""

        def read(item: Item) -> PageFacts | OSError:
            try:
                return page_facts.read_item(self._source, self._site, item).facts
            except OSError as error:
                return error

        for start in range(0, len(items), _BATCH):
            yield from concurrency.map_concurrently(read, items[start : start + _BATCH], self._source.width)

    def _decide(self, item: Item, loc: str, facts: PageFacts | OSError) -> Decision:
        if not isinstance(facts, OSError):
            return decide(item.key, loc, facts, self._site, self._date_sources.now)
        key, detail = printable(item.key), facts.strerror or str(facts)
        return Decision(Skipped(key, reasons.UNREADABLE, detail), warnings=(("unreadable", Example(key, detail)),))

    def _commits(self) -> CommitDates | None:
        if self._date_sources.commits is None:
            return None
        self._progress("reading Git's history", 0, None)
        return self._date_sources.commits()

    def _page(self, read: _ReadPage, commits: CommitDates | None) -> Page:
        key = read.item.key
        date = self._date_by_commit(read, commits) if commits else self._date_by_content(read)
        date = dates.at_precision(date, self._site.precision)
        page = Page(key, read.loc, self._selection.group(key), date, *self._selection.changefreq_and_priority(key))
        return with_metadata(page, read.facts, self._site, self._date_sources.now)

    def _with_alternates(self, pages: list[Page], read: Sequence[_ReadPage]) -> list[Page]:
        if not self._site.alternates:
            return pages
        keys = {each.loc: each.item.key for each in read}
        site_urls = SiteUrls({each.item.key: each.loc for each in read}, self._site)
        facts = {
            each.loc: DeclaredAlternates(
                tuple((code, site_urls.loc(url)) for code, url in alternates(each.facts.head, each.loc)),
                each.facts.head.language,
            )
            for each in read
        }
        sets, issues = mutual_sets(facts, site_urls.is_on_site)
        for issue in issues:
            self._warnings[issue.code].append(Example(printable(keys[issue.loc]), printable(issue.detail)))
        return [replace(page, alternates=sets[page.loc]) if page.loc in sets else page for page in pages]

    def _date_by_commit(self, read: _ReadPage, commits: CommitDates) -> str | None:
        committed = commits.of(read.item)
        if not isinstance(committed, NoDateReason):
            self._commit_dates[read.item.key] = committed
            return read.decision.own_date or committed
        if read.decision.own_date is None:
            self._no_date_reason[read.item.key] = committed
            self._warnings[committed].append(Example(printable(read.item.key)))
        return read.decision.own_date

    def _date_by_content(self, read: _ReadPage) -> str | None:
        if read.facts.text_digest is None:
            return read.decision.own_date
        key, now = read.item.key, self._date_sources.now
        self._contents[key] = self._date_sources.state.date_page(
            key, read.facts.text_digest, now=now, at_first=read.decision.own_date
        )
        return self._contents[key].lastmod

    def _leave_out(self, key: str, reason: Reason, detail: str = "") -> None:
        self._skipped.append(Skipped(printable(key), reason, printable(detail)))

    def _warning_list(self) -> Iterator[SiteWarning]:
        for code, message in MESSAGES.items():
            if examples := self._warnings.get(code):
                yield SiteWarning(code, message, len(examples), tuple(examples[:_EXAMPLES]))


def _is_ignored(key: str, ignored: frozenset[str]) -> bool:
    folders = key.split("/")[:-1]
    return key in ignored or any("/".join(folders[: n + 1]) + "/" in ignored for n in range(len(folders)))
