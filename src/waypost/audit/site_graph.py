"""The pages of a site with the references between them: what leads where, and how far it is from the home page."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from waypost.audit.fragments import Fragments
from waypost.audit.page_tags import PageTags, read_tags
from waypost.audit.pages import AuditedPage
from waypost.audit.references import Reference, References
from waypost.audit.site_files import SiteFiles
from waypost.audit.style_urls import style_urls
from waypost.core.urls import encode_path
from waypost.pages import html_head
from waypost.pages.html_tree import as_utf8
from waypost.settings.schema import Site

_FOLLOWED = ("link", "related")


class SiteGraph:
    """A graph of which the nodes are files, by their keys; `pages` are all pages of the site that were listed.

    `texts` has the title and the description of each page that was added, `insecure` what it loads by `http:`, with
    whether each can change the page, and `empty` has the pages that name an empty URL to load. With `keeps_queries`,
    links to other sites are told apart by their queries, so that their servers can be asked.
    """

    def __init__(
        self, pages: Sequence[AuditedPage], files: SiteFiles, site: Site, *, keeps_queries: bool = False
    ) -> None:
        self.site, self.files = site, files
        self.texts: dict[str, tuple[str | None, str | None]] = {}
        self.insecure: dict[str, Sequence[tuple[str, bool]]] = {}
        self.empty: list[str] = []
        self.pages = {page.key: page for page in sorted(pages, key=lambda page: page.key)}
        self.references = References(files, site, keeps_queries=keeps_queries)
        self.fragments = Fragments()
        self.home = files.at("").key
        self._numbers: dict[str, array[int]] = {}

    def add(self, page: AuditedPage, data: bytes) -> None:
        """Add the content of an HTML page."""
        tags = read_tags(data)
        self.texts[page.key] = tags.title, tags.description
        self.insecure[page.key] = tags.insecure
        self.empty += [page.key] if tags.has_empty else []
        self._numbers[page.key] = self.references.of_page(page, tags)
        links = ((self.references.target(page, link), fragment) for link, fragment in tags.fragments)
        pages = ((key, fragment) for key, fragment in links if self._may_have_ids(key))
        self.fragments.add(page.key, tags.ids, dict.fromkeys(pages))

    def add_style_sheet(self, key: str, data: bytes) -> None:
        """Add the content of a style sheet; empty if it could not be read."""
        sheet = AuditedPage(key, self.site.base_url + encode_path(key))
        references = tuple(style_urls(as_utf8(data)))
        self._numbers[key] = self.references.of_page(sheet, PageTags((), references, None, None))

    def style_sheets(self) -> Sequence[str]:
        """The keys of the style sheets that pages or other style sheets name, and that were not added yet.

        Those that they import come with the next call.
        """
        keys = {each.place.key for each in self.references if each.kind == "style" and each.place.key}
        return sorted(keys - self._numbers.keys())

    def _may_have_ids(self, key: str) -> bool:
        """Whether a file is a page whose elements links may name."""
        page = self.pages.get(key)
        return page is not None and page.is_html and not page.redirect

    @cached_property
    def listed(self) -> Sequence[AuditedPage]:
        """The listed pages, in the order of their keys."""
        return [page for page in self.pages.values() if page.is_listed]

    @cached_property
    def redirects(self) -> Mapping[str, str]:
        """The key of the file to which each page that redirects sends visitors; no URLs without a file."""
        return self._keys_at({key: page.redirect for key, page in self.pages.items() if page.redirect})

    @cached_property
    def canonical_urls(self) -> Mapping[str, str]:
        """The one URL that a page names as canonical, of each page that names just one."""
        pages = (page for page in self.pages.values() if page.head.canonicals)
        return {page.key: url for page in pages if (url := html_head.canonical(page.head, page.loc))}

    @cached_property
    def canonicals(self) -> Mapping[str, str]:
        """The key of the file that each page names as canonical; no URLs without a file."""
        return self._keys_at(self.canonical_urls)

    def link_count(self) -> int:
        """How many references there are, each counted once for a page."""
        return sum(map(len, self._numbers.values()))

    def not_checked(self) -> Mapping[str, int]:
        """How many references could not be checked, by reason."""
        counts: Counter[str] = Counter()
        for number, count in self._counts(self._numbers).items():
            if reason := self.references[number].place.not_checked:
                counts[reason] += count
        return dict(sorted(counts.items()))

    def pages_with(self, numbers: Iterable[int]) -> Iterator[tuple[Reference, list[str]]]:
        """Each of these references that is used, and the keys of the pages and style sheets that have it, in order."""
        wanted = set(numbers)
        found: dict[int, list[str]] = defaultdict(list)
        for key in sorted(self._numbers):
            for number in wanted.intersection(self._numbers[key]):
                found[number].append(key)
        for number in sorted(found):
            yield self.references[number], found[number]

    def is_linked(self, key: str) -> bool:
        """Whether another page links to a file; a page that redirects does not count, because nobody reads it."""
        numbers = self._links_to.get(key, [])
        own = set(numbers).intersection(self._numbers.get(key, ()))
        return sum(self._reader_counts[number] for number in numbers) > len(own)

    def distances(
        self, starts: Iterable[str], known: Container[str] = (), is_followed: bytearray | None = None
    ) -> dict[str, int]:
        """The files that can be reached from some, and the clicks that this takes; a redirect takes none.

        `known` are files beyond which no links are followed, and that are not among the result. `is_followed` says of
        each reference whether it was followed; several searches of which each knows what the others found may share it.
        """
        found: dict[str, int] = {}
        is_followed = bytearray(len(self.references)) if is_followed is None else is_followed
        reached, distance = list(starts), 0
        while reached:
            waiting, reached = reached, []
            while waiting:
                key = waiting.pop()
                if key in found or key in known:
                    continue
                found[key] = distance
                waiting += filter(None, [self.redirects.get(key)])
                reached += filter(None, [self.canonicals.get(key)])
                for number in self._numbers.get(key, ()):
                    if not is_followed[number]:
                        is_followed[number] = True
                        reached += filter(None, [self._targets[number]])
            distance += 1
        return found

    @cached_property
    def clicks(self) -> Mapping[str, int]:
        """The files that can be reached from the home page, and how many clicks that takes."""
        return self.distances([self.home]) if self.home else {}

    @cached_property
    def _targets(self) -> list[str]:
        """The key to which each reference leads, `""` where none is followed."""
        return [each.place.key if each.kind in _FOLLOWED else "" for each in self.references]

    @cached_property
    def _links_to(self) -> Mapping[str, list[int]]:
        """The numbers of the links to each file."""
        found: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(self.references):
            if each.kind == "link" and each.place.key:
                found[each.place.key].append(number)
        return found

    @cached_property
    def _reader_counts(self) -> Counter[int]:
        """How many pages that do not redirect have each reference."""
        return self._counts(key for key in self._numbers if key in self.pages and not self.pages[key].redirect)

    def _counts(self, keys: Iterable[str]) -> Counter[int]:
        """How many of these pages have each reference."""
        counts: Counter[int] = Counter()
        for key in keys:
            counts.update(self._numbers[key])
        return counts

    def _keys_at(self, urls: Mapping[str, str]) -> dict[str, str]:
        places = ((key, self.references.place_of(url)) for key, url in urls.items())
        return {key: place.key for key, place in places if place.key}
