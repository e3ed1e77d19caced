"""Compares what a run would publish with the published files: which are written, unchanged or removed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from waypost.build.lister import Listing
from waypost.build.present_sitemaps import usual_sitemaps
from waypost.build.state import ContentDate
from waypost.core.diff import compare
from waypost.core.errors import StoreError
from waypost.core.gzip import compress_if_gzip, decompress_if_gzip
from waypost.core.model import Changes, DateCount, DatedBy, Document, PageDating, Plan
from waypost.files import Store
from waypost.pages import page_url
from waypost.settings import output_formats, output_names
from waypost.settings.schema import Site
from waypost.sitemaps import format_registry
from waypost.sitemaps.documents import robots_body, root_sitemaps
from waypost.sitemaps.format_registry import main_format
from waypost.sitemaps.output_format import is_marked
from waypost.sitemaps.render import Renderer
from waypost.validate import ListedUrls, SitemapEntry, sitemap_content

_NO_DATING = PageDating()
_STATE_COMPARED = "the state of the last run"


def make_plan(
    listing: Listing,
    made: list[Document],
    site: Site,
    store: Store,
    state: bytes | None,
    compared: Mapping[str, bytes] | None = None,
) -> Plan:
    """Compare the documents with the store; a file with the right uncompressed bytes is not written again.

    `compared` are other sitemaps with which changes are counted, instead of those in the store.
    Nor is a file that differs only in its line ends, which Git may turn into CRLF at checkout (gitattributes, "eol").
    """
    # Which files are new or differ: their names decide nothing, a file is compared by its bytes.
    published = {document.name: _read(store, document.name) for document in made}
    written = [document for document in made if not _is_unchanged(document, published[document.name])]
    unchanged = [document for document in made if _is_unchanged(document, published[document.name])]
    names = output_names.output_names(site)
    _refuse_to_replace(written, published, names)
    removed = _superfluous(_OwnFiles(store, site, made), unchanged, published, store, names)
    removed += [name for name in _compressed_copies(written, published, store, names) if name not in published]
    # What changes for readers is counted in the main format: the others list the same pages.
    kind = main_format(site).file.kind
    before = _before(written, removed, published, store, names) if compared is None else list(compared.items())
    after = [document for document in (written if compared is None else made) if document.kind == kind]
    changes, compared_count = _changes(before, after, listing)
    kept = [document for document in unchanged if document.kind == kind] if compared is None else []
    return Plan(
        pages=listing.pages,
        skipped=listing.skipped,
        warnings=listing.warnings,
        documents=made,
        written=[document.name for document in written],
        unchanged=[document.name for document in unchanged],
        removed=removed,
        changes=changes,
        state=state,
        no_date_reason=listing.no_date_reason,
        url_forms=listing.url_forms,
        date_counts=date_counts(listing),
        cases=listing.cases,
        replaced=[
            document.name
            for document in written
            if document.kind != "robots" and _is_foreign(document.name, published[document.name], names)
        ],
        listed_before=compared_count + sum(document.url_count for document in kept),
        compared_with=before[0][0] if len(before) == 1 else "the current sitemaps",
    )


def _superfluous(
    own_files: "_OwnFiles",
    unchanged: Sequence[Document],
    published: Mapping[str, bytes | None],
    store: Store,
    names: output_names.OutputNames,
) -> list[str]:
    """The files of ours that the settings no longer name; what a server has compressed of a right file stays."""
    present = dict.fromkeys(name for stem in names.stems for name in store.names(stem))
    copies = {f"{document.name}.gz": document.body for document in unchanged}
    return [
        name
        for name in present
        if name not in published and own_files.has(name) and not own_files.holds(name, copies.get(name))
    ]


def listings(
    plan: Plan, site: Site, store: Store, compared: Mapping[str, bytes] | None
) -> tuple[ListedUrls, ListedUrls]:
    """What the current sitemaps list, or those to compare with, and what a plan's do that is not applied yet."""
    kind = main_format(site).file.kind
    after = [document for document in plan.documents if document.kind == kind]
    new, _ = _listed((document.name, document.body) for document in after)
    if compared is not None:
        return _listed(compared.items())[0], new
    published = {document.name: _read(store, document.name) for document in plan.documents}
    written = [document for document in plan.documents if document.name in plan.written]
    before = _before(written, plan.removed, published, store, output_names.output_names(site))
    kept = [(document.name, document.body) for document in after if document.name in plan.unchanged]
    return _listed([*before, *kept])[0], new


def _before(
    written: Sequence[Document],
    removed: Sequence[str],
    published: Mapping[str, bytes | None],
    store: Store,
    names: output_names.OutputNames,
) -> list[tuple[str, bytes]]:
    """The published sitemaps that this run changes; if Waypost made none of them, also another tool's."""
    files = {document.name: published[document.name] for document in written}
    files |= {name: _read(store, name) for name in removed}
    has_own = removed or any(format_registry.is_own_file(name, body, names) for name, body in published.items() if body)
    others = {} if has_own else usual_sitemaps(store)
    return [(name, body) for name, body in (others | files).items() if body and names.lists_pages(name)]


def _compressed_copies(
    written: Sequence[Document], published: Mapping[str, bytes | None], store: Store, names: output_names.OutputNames
) -> Iterator[str]:
    """The compressed copies, of the same content, of another tool's sitemaps and of a robots.txt that are replaced.

    Of another tool's files, only these go: generators write both, and search engines would read the old dates in them.
    """
    for document in written:
        body, copy = published[document.name], f"{document.name}.gz"
        is_other = body is not None and (document.kind == "robots" or _is_foreign(document.name, body, names))
        if is_other and _read(store, copy) == body:
            yield copy


def _refuse_to_replace(
    written: Sequence[Document], published: Mapping[str, bytes | None], names: output_names.OutputNames
) -> None:
    """Raise StoreError if a file that Waypost did not create would be replaced; of sitemaps the name is enough."""
    for document in written:
        is_by_name = output_names.is_for_crawlers(document.name)
        if not is_by_name and _is_foreign(document.name, published[document.name], names):
            raise StoreError(f"Waypost did not create the present {document.name}; {_way_out(document.name)}")


def _way_out(name: str) -> str:
    """What to do about a file that is in the place of one of Waypost's."""
    found = output_formats.format_of(name)
    other = f"remove {found.name} from `formats`" if found and found.stem else "set another `name`"
    return f"move that file, or {other}"


def _is_foreign(name: str, body: bytes | None, names: output_names.OutputNames) -> bool:
    return body is not None and not format_registry.is_own_file(name, body, names)


def robots_document(
    made: Sequence[Document], site: Site, renderer: Renderer, store: Store, published: bytes | None
) -> Document:
    """robots.txt with the right `Sitemap:` lines: the site's own file, else the store's, else a new one."""
    text = published if published is not None else store.read("robots.txt") or b""
    urls = root_sitemaps(made)
    body = robots_body(text, urls, site, renderer)
    return Document("robots.txt", "robots", body, site.base_url + "robots.txt", len(urls))


def apply(plan: Plan, store: Store, state: tuple[Store, str] | None = None) -> None:
    """Write the state, then sitemaps before the indexes that name them, and remove files last; raises StoreError.

    The state is first: if this run is stopped, the next one has the dates that were decided here.
    """
    if state and plan.state is not None and state[0].read(state[1]) != plan.state:
        state[0].write(state[1], plan.state)
    by_kind = sorted(plan.documents, key=lambda document: document.kind in ("index", "robots"))
    written = set(plan.written)
    for document in by_kind:
        if document.name in written:
            store.write(document.name, compress_if_gzip(document.name, document.body))
    for name in plan.removed:
        store.remove(name)


def _is_unchanged(document: Document, published: bytes | None) -> bool:
    return published is not None and document.body in (published, published.replace(b"\r\n", b"\n"))


def _read(store: Store, name: str) -> bytes | None:
    content = store.read(name)
    return None if content is None else decompress_if_gzip(name, content)


class _OwnFiles:
    """Which published files Waypost made, although its settings no longer ask for them. Each file is read once."""

    def __init__(self, store: Store, site: Site, made: Sequence[Document]) -> None:
        self._store, self._site, self._made = store, site, made
        self._names = output_names.output_names(site)
        self._bodies: dict[str, bytes | None] = {}

    def has(self, name: str) -> bool:
        """Whether a file is Waypost's.

        The file's format knows. A file that cannot be marked is ours too if our index names it, or if it lists exactly
        what our XML of the same name does.
        """
        if not self._names.could_be_ours(name):
            return False
        if format_registry.is_own_file(name, self._body(name), self._names):
            return True
        if not output_names.is_unmarked(name):
            return False
        return self._site.base_url + name in self._named_by_indexes or self._has_twin(name)

    def holds(self, name: str, body: bytes | None) -> bool:
        """Whether a file has this content: a server may have compressed it, and answer with its copy."""
        return body is not None and self._body(name) == body

    def _body(self, name: str) -> bytes | None:
        if name not in self._bodies:
            self._bodies[name] = _read(self._store, name)
        return self._bodies[name]

    @cached_property
    def _named_by_indexes(self) -> set[str]:
        """The sitemaps that our published indexes name."""
        names = [name for name in self._store.names(self._names.stem) if self._names.could_be_ours(name)]
        bodies = ((name, self._body(name)) for name in names if sitemap_content.is_xml(name))
        ours = ((name, body) for name, body in bodies if body and is_marked(body))
        return {loc for name, body in ours for loc in sitemap_content.listed_sitemaps(name, body)}

    def _has_twin(self, name: str) -> bool:
        """Whether our XML, published or to be written, lists the same as a file of the same name but for its ending."""
        plain, suffix = name.removesuffix(".gz"), ".gz" if name.endswith(".gz") else ""
        twin, own = f"{plain.rpartition('.')[0]}.xml{suffix}", _locs(name, self._body(name))
        bodies = [self._body(twin), *(document.body for document in self._made if document.name == twin)]
        return any(is_marked(body) and _locs(twin, body) == own for body in bodies)


def _locs(name: str, body: bytes | None) -> list[str]:
    file_format = format_registry.format_of(name)
    entries = file_format.entries(name, body or b"") if file_format else None
    return [entry.loc or "" for entry in entries or ()]


def _changes(before: Iterable[tuple[str, bytes]], after: Iterable[Document], listing: Listing) -> tuple[Changes, int]:
    """The changes from what the files listed before, and how many URLs that were.

    A loc that only moved to another file is no change.
    """
    present = {page.loc for page in listing.pages}
    old, has_dates = _listed(before)
    new, will_have = _listed((document.name, document.body) for document in after)
    found = compare(old, new, are_dated=has_dates and will_have)
    return replace(found, removed=tuple(loc for loc in found.removed if loc not in present)), len(old)


def _listed(files: Iterable[tuple[str, bytes]]) -> tuple[ListedUrls, bool]:
    """What files list, and whether they can date it: a format with dates goes before one without."""
    dated: list[SitemapEntry] | None = None
    undated: list[SitemapEntry] = []
    for name, body in files:
        file_format = format_registry.format_of(name)
        entries = file_format.entries(name, body) if file_format else None
        if entries and all(entry.is_news for entry in entries):
            continue  # a news sitemap lists pages of other sitemaps again, for two days
        if file_format and entries is not None and file_format.has_dates:
            dated = [*(dated or ()), *entries]
        else:
            undated += entries or ()
    listed = undated if dated is None else dated
    return {entry.loc or "": (entry.lastmod or "", entry.metadata) for entry in listed}, dated is not None


def date_counts(listing: Listing) -> Sequence[DateCount]:
    """The counts of what dated pages, then of the reasons for which pages have no date; larger ones first."""
    dated: Counter[DatedBy | None] = Counter()
    undated: Counter[str] = Counter()
    for page in listing.pages:
        if page.lastmod:
            dated[listing.datings.get(page.key, _NO_DATING).dated_by] += 1
        else:
            undated[listing.no_date_reason.get(page.key, "")] += 1
    return [
        *(
            DateCount(count, dated_by=by)
            for by, count in sorted(dated.items(), key=lambda each: (-each[1], str(each[0])))
        ),
        *(
            DateCount(count, no_date_reason=why)
            for why, count in sorted(undated.items(), key=lambda each: (-each[1], each[0]))
        ),
    ]


def with_changes_since(known: Mapping[str, ContentDate], plan: Plan, listing: Listing, site: Site) -> Plan:
    """The plan with the changes since the pages that a state knows, by key, unless it was compared with sitemaps.

    A site that every build makes again, and that is published as an artifact, has no sitemap in its folder yet.
    """
    if plan.listed_before or not known:
        return plan
    locs = {page.key: page.loc for page in listing.pages}
    gone = (page_url.page_url(key, site) for key in known.keys() - locs.keys())
    changes = Changes(
        added=tuple(sorted(locs[key] for key in locs.keys() - known.keys())),
        removed=tuple(sorted({loc for loc in gone if isinstance(loc, str)} - set(locs.values()))),
        lastmod_changed=tuple(
            sorted(locs[key] for key in locs.keys() & known.keys() if _has_another_date(key, known, listing))
        ),
    )
    return replace(plan, changes=changes, listed_before=len(known), compared_with=_STATE_COMPARED)


def _has_another_date(key: str, known: Mapping[str, ContentDate], listing: Listing) -> bool:
    found = listing.contents.get(key)
    return found is not None and found.lastmod != known[key].lastmod
