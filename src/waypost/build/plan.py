"""What a run would publish beside what stands: written, unchanged, removed."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from waypost.build.lister import Listing
from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core.diff import ListedPages, compare
from waypost.core.errors import StoreError
from waypost.core.gzip import compress, decompress_if_gzip
from waypost.core.model import Changes, Document, Plan
from waypost.sitemaps.documents import robots_body, root_sitemaps
from waypost.sitemaps.formats import registry
from waypost.sitemaps.formats.base import is_marked
from waypost.sitemaps.formats.registry import main_format
from waypost.sitemaps.render import Renderer
from waypost.stores.base import Store
from waypost.validate import sitemap_content
from waypost.validate.sitemap_entry import NEWS_NAMESPACE, SitemapEntry


def make_plan(listing: Listing, made: list[Document], site: Site, store: Store, state: bytes | None) -> Plan:
    """Compare the documents with the store; a file whose uncompressed bytes are right is left alone.

    So is one whose line ends Git made CRLF at checkout (gitattributes, "eol").
    """
    published = {document.name: _read(store, document.name) for document in made}
    written = [document for document in made if not _is_unchanged(document, published[document.name])]
    names = output_names.output_names(site)
    _refuse_foreign(written, published, names)
    removed = [name for name in store.names(site.name) if name not in published and _is_ours(name, store, site, made)]
    kind = main_format(site).file.kind
    before = [(document.name, published[document.name]) for document in written]
    before += [(name, _read(store, name)) for name in removed]
    before = [(name, body) for name, body in before if names.lists_pages(name)]
    return Plan(
        pages=listing.pages,
        skipped=listing.skipped,
        warnings=listing.warnings,
        documents=made,
        written=[document.name for document in written],
        unchanged=[document.name for document in made if _is_unchanged(document, published[document.name])],
        removed=removed,
        changes=_changes(before, [document for document in written if document.kind == kind], listing),
        state=state,
        no_date_reason=listing.no_date_reason,
    )


def _refuse_foreign(
    written: Sequence[Document], published: Mapping[str, bytes | None], names: output_names.OutputNames
) -> None:
    """Raise StoreError if a file that Waypost did not create would be replaced; of sitemaps the name is enough."""
    for document in written:
        body = published[document.name]
        is_by_name = output_names.is_for_crawlers(document.name)
        if not is_by_name and body is not None and not registry.is_own_file(document.name, body, names):
            raise StoreError(f"{document.name} is there and is not Waypost's; move it, or set `name` to another")


def robots_document(
    made: Sequence[Document], site: Site, renderer: Renderer, store: Store, published: bytes | None
) -> Document:
    """robots.txt with its `Sitemap:` lines right: the site's, or else the store's own, or a new one."""
    text = published if published is not None else store.read("robots.txt") or b""
    urls = root_sitemaps(made)
    body = robots_body(text, urls, site, renderer)
    return Document("robots.txt", "robots", body, site.base_url + "robots.txt", len(urls))


def apply(plan: Plan, store: Store, state: tuple[Store, str] | None = None) -> None:
    """Remember, write sitemaps before the indexes that name them, and remove last; raises StoreError.

    The state goes first: a run that ends in between finds the dates it had decided on.
    """
    if state and plan.state is not None and state[0].read(state[1]) != plan.state:
        state[0].write(state[1], plan.state)
    by_kind = sorted(plan.documents, key=lambda document: document.kind in ("index", "robots"))
    written = set(plan.written)
    for document in by_kind:
        if document.name in written:
            store.write(document.name, compress(document.body) if document.name.endswith(".gz") else document.body)
    for name in plan.removed:
        store.remove(name)


def _is_unchanged(document: Document, published: bytes | None) -> bool:
    return published is not None and document.body in (published, published.replace(b"\r\n", b"\n"))


def _read(store: Store, name: str) -> bytes | None:
    content = store.read(name)
    return None if content is None else decompress_if_gzip(name, content)


def _is_ours(name: str, store: Store, site: Site, made: Sequence[Document]) -> bool:
    """Whether Waypost made a file that its settings no longer ask for.

    The file's format knows. A file that cannot be marked is ours too if our index names it, or if it lists exactly
    what our XML of the same name does.
    """
    names = output_names.output_names(site)
    if not names.could_be_ours(name):
        return False
    if registry.is_own_file(name, _read(store, name), names):
        return True
    if not output_names.is_unmarked(name):
        return False
    return site.base_url + name in _named_by_indexes(store, names) or _has_twin(name, store, made)


def _named_by_indexes(store: Store, names: output_names.OutputNames) -> set[str]:
    """The sitemaps that our published indexes name."""
    indexes = [name for name in store.names(names.stem) if names.could_be_ours(name) and sitemap_content.is_xml(name)]
    bodies = ((name, _read(store, name)) for name in indexes)
    return {
        loc for name, body in bodies if body and is_marked(body) for loc in sitemap_content.listed_sitemaps(name, body)
    }


def _has_twin(name: str, store: Store, made: Sequence[Document]) -> bool:
    """Whether our XML, published or to be written, lists the same as a file of the same name but for its ending."""
    plain, suffix = name.removesuffix(".gz"), ".gz" if name.endswith(".gz") else ""
    twin, own = f"{plain.rpartition('.')[0]}.xml{suffix}", _locs(name, _read(store, name))
    bodies = [_read(store, twin), *(document.body for document in made if document.name == twin)]
    return any(is_marked(body) and _locs(twin, body) == own for body in bodies)


def _locs(name: str, body: bytes | None) -> list[str]:
    file_format = registry.format_of(name)
    entries = file_format.entries(name, body or b"") if file_format else None
    return [entry.loc or "" for entry in entries or ()]


def _changes(before: Iterable[tuple[str, bytes | None]], after: Iterable[Document], listing: Listing) -> Changes:
    """What the changed files list otherwise; a loc that only moved between files is none."""
    present = {page.loc for page in listing.pages}
    old, has_dates = _listed((name, body) for name, body in before if body)
    new, will_have = _listed((document.name, document.body) for document in after)
    found = compare(old, new, are_dated=has_dates and will_have)
    return replace(found, removed=tuple(loc for loc in found.removed if loc not in present))


def _listed(files: Iterable[tuple[str, bytes]]) -> tuple[ListedPages, bool]:
    """What files list, and whether they can date it: a format with dates goes before one without."""
    dated: list[SitemapEntry] | None = None
    undated: list[SitemapEntry] = []
    for name, body in files:
        file_format = registry.format_of(name)
        entries = file_format.entries(name, body) if file_format else None
        if file_format and entries is not None and file_format.has_dates:
            dated = [*(dated or ()), *entries]
        else:
            undated += entries or ()
    return {
        entry.loc or "": (entry.lastmod or "", entry.metadata)
        for entry in (undated if dated is None else dated)
        if not next(entry.elements(NEWS_NAMESPACE, "news"), None)
    }, dated is not None
