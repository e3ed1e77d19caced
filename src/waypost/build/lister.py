"""The first half of a build: lists a source's pages, and gives the reason for everything that is left out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace as replace_setting
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec import Struct

from waypost.build.page_choice import IsDisallowed, ListingNotes, PageChoice, with_markdown_versions
from waypost.build.page_reader import PageReader, Progress, ReadPage, SiteVotes
from waypost.build.state import ContentDate, State
from waypost.build.url_forms import sitemap_form, url_decisions, url_form_counts
from waypost.core import dates, reasons
from waypost.core.languages import is_two_letter_name
from waypost.core.memory import keep_freed_memory
from waypost.core.model import (
    Example,
    IndexChild,
    Item,
    Page,
    PageDating,
    SiteWarning,
    Skipped,
    UrlDecision,
    UrlEntry,
    UrlFormCount,
    printable,
)
from waypost.core.reasons import Reason
from waypost.core.urls import is_host_root
from waypost.core.versions import is_version
from waypost.dates.commit_dates import UNKNOWN_SOURCES, CommitDates, NoDateReason
from waypost.dates.entry_dates import EntryDates
from waypost.dates.source_dates import SourceDates
from waypost.files.source import Source
from waypost.pages import page_url, robots
from waypost.pages.decision import wrong_date
from waypost.pages.hreflang import Alternates, HreflangLinks, page_links
from waypost.pages.html_head import HtmlHead
from waypost.pages.own_dates import OwnDates
from waypost.pages.page_metadata import with_metadata
from waypost.pages.page_url import SiteUrls
from waypost.pages.selection import Selection
from waypost.pages.site_links import DRAFTS, SiteLinks, read_site_links
from waypost.settings.output_formats import with_descriptions
from waypost.settings.schema import Site

if TYPE_CHECKING:
    from waypost.build.bucket_listing import ObjectMemory
    from waypost.build.list_dates import ListDates

OnRead = Callable[[ReadPage], None]
_WITHOUT_SOURCE = frozenset({NoDateReason.NO_EVIDENCE, NoDateReason.SOURCELESS})
_BY_COMMIT, _BY_MAPPING = PageDating("commit"), PageDating("mapping")
_BY_CONTENT = PageDating("content")
_UNKNOWN_TEXT = "-"
"""In the place of a digest: no text is equal to one that nobody knows."""


class DateSources(Struct, frozen=True):
    """What dates may come from: commits, the state of an earlier run, and the time of this one.

    `commits` returns when the history has been read, which another thread may still do. `sources` dates pages that Git
    does not track by the files that they are made of. `as_of` is the time by which pages expire, by default this one's.
    `missing` finds the submodules of the project that are not checked out, and `mapped` the files that the settings
    name for a page, by its key, as `sources` reads them. `entries` reads when the entries of lists changed.
    """

    now: str
    commits: Callable[[], CommitDates] | None = None
    sources: SourceDates | None = None
    state: State = State()
    as_of: Callable[[], str] | None = None
    missing: Callable[[], Sequence[str]] = tuple
    entries: Callable[[], EntryDates] | None = None
    mapped: Callable[[str], Sequence[str]] = lambda key: ()


class Listing(Struct, frozen=True):
    """The pages in the order of their keys, and what is left out.

    `commit_dates` are the pages' commit dates by key. `contents` is what the state is to remember of each page, and
    `no_date_reason` the code of the reason for which Git gave a page no date. `url_decisions` says what decided the
    form of each page's URL, and `url_forms` counts that. `keys_by_source` has the keys of pages that are made of
    another file, by the key of that file. `datings` says by key what dated a page, or why nothing did. `cases` has
    all examples of warnings that have only some, by their codes. `robots_txt` is the site's own file, None if there
    is none or it cannot be read because of the `robots_problem`. `other_base` is the base URL on the same host that
    pages and links name instead of the site's. `entry_keys` are the keys of pages that have no file, and `children`
    other tools' sitemaps that the index lists. `votes` is what the pages decided together.
    """

    pages: list[Page]
    skipped: list[Skipped]
    warnings: list[SiteWarning]
    commit_dates: Mapping[str, str]
    contents: Mapping[str, ContentDate]
    no_date_reason: Mapping[str, str]
    url_decisions: Mapping[str, UrlDecision] = {}
    url_forms: Sequence[UrlFormCount] = ()
    keys_by_source: Mapping[str, str] = {}
    datings: Mapping[str, PageDating] = {}
    cases: Mapping[str, Sequence[Example]] = {}
    robots_txt: bytes | None = None
    robots_problem: str = ""
    other_base: str = ""
    entry_keys: Set[str] = frozenset()
    children: Sequence[IndexChild] = ()
    votes: SiteVotes = SiteVotes()


class Lister:
    """Lists the pages of one site, once.

    `on_read` is called with each page that was read, listed or not, with its whole head. If `believes_sitemaps`, those
    that lie in the site may decide the form of its URLs. `entries` are URLs to list that have no file. What is in the
    `memory` is not read.
    """

    def __init__(
        self,
        source: Source,
        site: Site,
        date_sources: DateSources,
        progress: Progress,
        on_read: OnRead | None = None,
        *,
        believes_sitemaps: bool = True,
        entries: Iterable[UrlEntry] = (),
        memory: "ObjectMemory | None" = None,
    ) -> None:
        self._memory = memory
        self._source, self._site, self._date_sources, self._progress = source, site, date_sources, progress
        self._on_read, self._believes_sitemaps, self._entries = on_read, believes_sitemaps, entries
        self._selection = Selection(site)
        self._notes = ListingNotes()
        self._commit_dates: dict[str, str] = {}
        self._contents: dict[str, ContentDate] = {}
        self._no_date_reason: dict[str, str] = {}
        self._datings: dict[str, PageDating] = {}
        self._list_dates: ListDates | None = None
        self._markdown: set[str] | None = set() if with_descriptions(site.formats) else None

    def listing(self, ignored: frozenset[str] = frozenset()) -> Listing:
        """Find the pages, read and date them; `ignored` are the keys that Git ignores, for folders with a final `/`."""
        keep_freed_memory()
        # First pass: names alone. What may not be a page is not opened.
        items = sorted(self._selected(ignored), key=attrgetter("key"))
        # A sample of pages says in which form the site's own links name URLs: robots.txt is asked about these.
        votes = (self._memory and self._memory.votes) or self._votes(items)
        links = votes.links
        self._site = self._voted(votes)
        robots_txt, robots_problem = _robots_txt(self._source)
        is_disallowed = self._robots_rules(robots_txt, robots_problem) if self._site.respect_robots else None
        # Second pass: what the pages say, then which of several with one URL is listed.
        read = self._read([item for item in items if self._may_be_listed(item, links, is_disallowed)])
        chosen = list(PageChoice(self._source, self._site, is_disallowed, self._notes).listed(read))
        of_versions = self._of_versions(chosen, read)
        listed = self._in_their_languages(of_versions, read)
        # Third: dates, and the versions in other languages, which depend on what is listed.
        commits = self._commits()
        self._find_sources(listed, commits)
        listed = [each for each in listed if not self._is_opted_out(each.item.key)]
        untranslated = {each.item.key: each.loc for each in of_versions} if len(listed) < len(of_versions) else {}
        entries: Mapping[str, UrlEntry] = {}
        if self._entries:
            from waypost.build.url_sources import chosen_entries  # few sites have any

            entries = chosen_entries(self._entries, read, self._site, is_disallowed, self._notes)
        alternates = self._alternates(listed, untranslated, entries) if self._site.alternates else {}
        self._list_dates = self._dates_of_lists(listed) if commits else None
        pages = [self._page(each, commits, alternates.get(each.loc, ())) for each in listed]
        if entries:
            pages = sorted([*pages, *self._entry_pages(entries, alternates)], key=attrgetter("key"))
        if self._markdown:
            pages = with_markdown_versions(pages, self._markdown, self._site, is_disallowed)
        if not _WITHOUT_SOURCE.isdisjoint(self._no_date_reason.values()):
            for path in self._date_sources.missing():
                self._notes.warn("submodule-missing", Example(printable(path)))
        return Listing(
            pages,
            self._notes.skipped(),
            list(self._notes.warnings()),
            self._commit_dates,
            self._contents,
            self._no_date_reason,
            url_decisions(listed),
            url_form_counts(listed, self._site, links.votes),
            {page.item.read_key: page.item.key for page in listed if page.item.read_key != page.item.key},
            self._datings,
            self._notes.cases(),
            robots_txt,
            robots_problem,
            links.other_base,
            entries.keys(),
            votes=votes,
        )

    def _votes(self, items: Sequence[Item]) -> SiteVotes:
        links = read_site_links(self._source, items, self._site)
        if not self._believes_sitemaps:
            return SiteVotes(links)
        site, keys = self._voted(SiteVotes(links)), {item.key for item in items}
        of_sitemaps, links = sitemap_form(self._source, keys, site, links)
        return SiteVotes(links, of_sitemaps)

    def _voted(self, votes: SiteVotes) -> Site:
        """The site with what its pages have decided."""
        links = votes.links
        return replace_setting(
            self._site, url_form=links.form(), other_base=links.other_base, sitemap_form=votes.of_sitemaps
        )

    def _selected(self, ignored: frozenset[str]) -> Iterator[Item]:
        for n, found in enumerate(self._source.items(self._selection.folder_exclusion_reason)):
            self._progress("finding files", n, None)
            if isinstance(found, Skipped):
                self._notes.leave_out(found.key, found.reason, found.detail)
            elif self._memory:  # it has no objects whose keys alone leave them out
                yield found
            elif reason := self._selection.exclusion_reason(found.key):
                self._note_markdown(found.key, reason)
                self._notes.leave_out(found.key, reason)
            elif ignored and _is_ignored(found.read_key if found.url_path else found.key, ignored):
                self._notes.leave_out(found.key, reasons.GIT_IGNORED)
            elif problem := page_url.name_problem(found.key):
                self._notes.leave_out(found.key, problem)
            else:
                yield found

    def _note_markdown(self, key: str, reason: Reason) -> None:
        """Remember a file in Markdown that is no page for its type alone: it may be another version of a page."""
        if self._markdown is not None and reason is reasons.NOT_A_PAGE and key.endswith(".md"):
            self._markdown.add(key)

    def _may_be_listed(self, item: Item, links: SiteLinks, is_disallowed: IsDisallowed | None) -> bool:
        """Whether an item need be read: no other if robots.txt keeps crawlers from all URLs that it may have."""
        is_draft = links.has_unlinked_drafts and item.key.startswith(DRAFTS)
        if is_draft and self._site.exclude.decision(item.key) is not False:
            self._notes.leave_out(item.key, reasons.DRAFT)
            return False
        if is_disallowed and all(map(is_disallowed, page_url.served_urls(item.key, self._site))):
            self._notes.leave_out(item.key, reasons.ROBOTS_TXT)
            return False
        return True

    def _robots_rules(self, text: bytes | None, problem: str) -> IsDisallowed | None:
        """A check whether robots.txt disallows a URL; None if it disallows nothing."""
        if problem:
            self._notes.warn("robots-unreadable", Example("robots.txt", problem))
        if text is None:
            return None
        if not is_host_root(self._site.base_url):
            self._notes.warn("robots-not-at-root", Example("robots.txt"))
            return None
        return robots.disallowing(text)

    def _read(self, items: Sequence[Item]) -> list[ReadPage]:
        read: list[ReadPage] = []
        site = replace_setting(self._site, alternates=True) if self._on_read else self._site
        at = self._date_sources
        for found in PageReader(self._source, site, at.now, self._progress, at.as_of, self._memory).pages(items):
            if isinstance(found, Skipped):
                self._notes.skip(found)
                continue
            if self._on_read:
                self._on_read(found)
            read.append(found)
        return read

    def _of_versions(self, listed: Sequence[ReadPage], read: Sequence[ReadPage]) -> Sequence[ReadPage]:
        """The pages without those of older versions, if the settings ask for the newest, or else a hint at them."""
        versions = self._site.versions
        if versions == "all" or not (versions or any(map(is_version, _folder_names(listed)))):
            return listed
        from waypost.build.version_choice import without_older  # few sites have versions

        return without_older(listed, read, self._source, self._site, self._notes)

    def _in_their_languages(self, listed: Sequence[ReadPage], read: Sequence[ReadPage]) -> Sequence[ReadPage]:
        """The pages without those that are not translated, where folders are named for languages."""
        if not any(map(is_two_letter_name, _folder_names(listed))):
            return listed
        from waypost.build.version_choice import without_untranslated  # few sites have several languages

        home = next((each.decision.skipped for each in read if each.loc == self._site.base_url), None)
        target = home.detail if home and home.reason == reasons.REFRESH else ""
        return without_untranslated(listed, target, self._source, self._site, self._notes)

    def _commits(self) -> CommitDates | None:
        if self._date_sources.commits is None:
            return None
        self._progress("reading Git's history", 0, None)
        return self._date_sources.commits()

    def _find_sources(self, listed: Sequence[ReadPage], commits: CommitDates | None) -> None:
        """Find the sources of the pages that Git does not track, and that do not date themselves."""
        if commits is None or self._date_sources.sources is None:
            return
        wanted = [each for each in listed if each.decision.own_dates.modified is None]
        built = [each.item for each in wanted if commits.of(each.item) in UNKNOWN_SOURCES]
        if built:
            self._progress("finding the sources of pages", 0, None)
            locs = {each.item.key: each.loc for each in listed}
            self._date_sources.sources.find(built, self._source, locs)

    def _is_opted_out(self, key: str) -> bool:
        """Whether the source of a built page keeps it out of sitemaps, unless a `!` pattern of `exclude` matches it."""
        sources = self._date_sources.sources
        line = sources.opting_out(key) if sources and self._site.exclude.decision(key) is not False else ""
        if line:
            self._notes.leave_out(key, reasons.OPTED_OUT, printable(line))
        return bool(line)

    def _page(self, read: ReadPage, commits: CommitDates | None, alternates: Alternates) -> Page:
        key = read.item.key
        date = self._date_by_commit(read, commits) if commits else self._date_by_content(read)
        date = dates.at_precision(date, self._site.precision)
        frequency_and_priority = self._selection.changefreq_and_priority(key)
        page = Page(key, read.loc, self._selection.group(key), date, *frequency_and_priority, alternates=alternates)
        return with_metadata(page, read.facts, self._site, self._date_sources.now)

    def _entry_pages(self, entries: Mapping[str, UrlEntry], alternates: Mapping[str, Alternates]) -> Iterator[Page]:
        from waypost.pages.url_entries import entry_page, place

        for key, entry in entries.items():
            page = entry_page(key, entry, alternates.get(entry.loc, ()), self._selection, self._site)
            self._datings[key] = PageDating("url-list", (place(entry),))
            if not page.lastmod:
                self._no_date_reason[key] = NoDateReason.NOT_LISTED
            yield page

    def _alternates(
        self, read: Sequence[ReadPage], untranslated: Mapping[str, str], entries: Mapping[str, UrlEntry]
    ) -> Mapping[str, Alternates]:
        """The alternates of each page by its loc; `untranslated` has the locs of pages of which none is warned."""
        of_entries = {key: entry.loc for key, entry in entries.items()}
        site_urls = SiteUrls(of_entries | {each.item.key: each.loc for each in read}, self._site)
        left_out = SiteUrls(untranslated, self._site)
        named = {each.loc: page_links(each.facts.head, each.loc) for each in read}
        named |= {each.loc: page_links(HtmlHead(alternates=each.alternates), each.loc) for each in entries.values()}
        if self._site.alternates == "folders":
            from waypost.pages.sibling_folders import folder_links  # few sites ask for them

            silent = [each for each in read if not each.facts.head.alternates]
            own = {each.item.key: named[each.loc].language for each in silent}
            named |= folder_links({each.item.key: each.loc for each in silent}, own)
        links = HreflangLinks(named, site_urls)
        found: dict[str, Alternates] = {}
        decided = (
            (key, loc) for key, loc in of_entries.items() if not entries[key].extensions
        )  # others keep their own
        for key, loc in chain(((each.item.key, each.loc) for each in read), decided):
            found[loc], issues = links.alternates(loc)
            for issue in issues:
                if issue.code != "alternate-unlisted" or left_out.key(issue.url) is None:
                    self._notes.warn(issue.code, Example(printable(key), printable(issue.detail)))
        return found

    def _date_by_commit(self, read: ReadPage, commits: CommitDates) -> str | None:
        key, committed = read.item.key, self._committed(read, commits)
        if committed is NoDateReason.LIST_PAGE:
            committed = self._by_newest_entry(read)
        known = None if isinstance(committed, NoDateReason) else committed
        own, file = self._own_dates(read)
        if known:
            self._commit_dates[key] = known
        if chosen := own.chosen(known):
            self._datings[key] = PageDating("own-date", (file,) if file else (), key=chosen.name)
        elif isinstance(committed, NoDateReason):
            self._no_date_reason[key] = committed
            if committed is not NoDateReason.LIST_PAGE:
                self._notes.warn(committed, Example(printable(key)))
        return own.date(known)

    def _own_dates(self, read: ReadPage) -> tuple[OwnDates, str]:
        """The dates that a page gives itself, or else the source that it is made of; and that source."""
        own, sources = read.decision.own_dates, self._date_sources.sources
        if own.modified or sources is None or not self._site.page_dates:
            return own, ""
        files = self._datings[read.item.key].files or self._date_sources.mapped(read.item.key)
        of_source, now = sources.own_dates(files), self._date_sources.now
        for each in of_source.impossible(now):
            self._notes.warn(*wrong_date(files[0], each.date))
        of_source = of_source.possible(now)
        is_better = of_source.modified or (of_source.published and not own.published)
        return (of_source, files[0]) if is_better else (own, "")

    def _committed(self, read: ReadPage, commits: CommitDates) -> str | NoDateReason:
        """The date of the page's own commit, or else of its sources."""
        committed, sources = commits.of(read.item), self._date_sources.sources
        if sources is None or committed not in UNKNOWN_SOURCES:
            self._datings[read.item.key] = _BY_MAPPING if self._site.sources else _BY_COMMIT
            return committed
        found, by_sources = sources.sources(read.item.key), sources.of(read.item.key)
        self._datings[read.item.key] = PageDating(found.evidence, found.all_files, found.strength, found.considered)
        # Where Git tracks other pages, or the settings name sources, this one was probably forgotten there.
        is_forgotten = by_sources is NoDateReason.NO_EVIDENCE and commits.has_files
        return committed if is_forgotten else by_sources

    def _dates_of_lists(self, listed: Sequence[ReadPage]) -> "ListDates | None":
        """What dates lists, if the settings ask for it."""
        read_entries = self._date_sources.entries
        if self._site.lists != "newest" or read_entries is None:
            return None
        from waypost.build.list_dates import ListDates  # few sites ask for them

        locs = {each.item.key: each.loc for each in listed}
        return ListDates(self._source, self._site, locs, read_entries, self._date_sources.sources)

    def _by_newest_entry(self, read: ReadPage) -> str | NoDateReason:
        newest = self._list_dates.newest(read.item) if self._list_dates else None
        if newest is None:
            return NoDateReason.LIST_PAGE
        self._datings[read.item.key] = PageDating("entry", (newest.file,))
        return newest.date

    def _date_by_content(self, read: ReadPage) -> str | None:
        key, own, state = read.item.key, read.decision.own_dates, self._date_sources.state
        if read.facts.is_cut and (kept := self._known(read)):
            self._contents[key] = kept
            date = own.date(kept.lastmod)
        elif read.facts.text_digest is None:
            date = own.date(None)
        else:
            uploaded = read.item.modified
            self._contents[key] = state.date_page(
                key,
                read.facts.text_digest,
                now=(own.modified.date if own.modified else uploaded) if uploaded else self._date_sources.now,
                at_first=own.date(uploaded if state.is_whole else state.published.get(read.loc)) or None,
            )
            date = self._contents[key].lastmod
            if date:
                self._datings[key] = _BY_CONTENT
        if name := own.name_of(date):
            self._datings[key] = PageDating("own-date", key=name)
        return date

    def _known(self, read: ReadPage) -> ContentDate | None:
        """What the state has of a page that exceeds a bound, which the new state keeps.

        Where the state was lost, the page has the date that the sitemaps give it.
        """
        state = self._date_sources.state
        if found := state.pages.get(read.item.key):
            self._datings[read.item.key] = _BY_CONTENT
            return found
        published = state.published.get(read.loc)
        return None if published is None else ContentDate(_UNKNOWN_TEXT, published or None)


def _folder_names(pages: Sequence[ReadPage]) -> set[str]:
    folders = {each.item.key[: each.item.key.rfind("/") + 1] for each in pages}
    return {name for folder in folders for name in folder.split("/")[:-1]}


def _is_ignored(key: str, ignored: frozenset[str]) -> bool:
    folders = key.split("/")[:-1]
    return key in ignored or any("/".join(folders[: n + 1]) + "/" in ignored for n in range(len(folders)))


def _robots_txt(source: Source) -> tuple[bytes | None, str]:
    """The site's own robots.txt, or the problem for which it cannot be read."""
    try:
        return source.find("robots.txt"), ""
    except OSError as error:
        return None, error.strerror or str(error)
