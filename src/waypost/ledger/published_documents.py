"""What is published of a ledger: documents that follow from a manifest and its records alone."""

from collections.abc import Iterable, Mapping, Sequence

from waypost.config import output_names
from waypost.config.load import Site
from waypost.core.dates import at_precision
from waypost.core.model import Document, Page, Shard
from waypost.ledger.classify import Judge
from waypost.ledger.manifest import Entry, File, Manifest
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import Load
from waypost.rules.page_metadata import is_over
from waypost.sitemaps import auxiliary
from waypost.sitemaps.auxiliary import Part
from waypost.sitemaps.documents import indexes, rendered_of, sitemaps
from waypost.sitemaps.render import Renderer


class Rendition:
    """The documents of one site's ledger; raises RenderError."""

    def __init__(self, site: Site, renderer: Renderer, judge: Judge) -> None:
        self._site, self._renderer, self._judge = site, renderer, judge
        self._names = output_names.names(site)

    def shard(self, entry: Entry, known: Sequence[Record]) -> list[Document]:
        """A shard's sitemaps, rendered from its records."""
        pages = [page for record in known if (page := self._judge.page(record))]
        shard = Shard(entry.group, pages, entry.id, entry.begins)
        rendered = rendered_of(pages, self._site, self._renderer)
        return list(sitemaps(shard, rendered, self._site, self._names, self._renderer, lambda *_: None))

    def indexes(self, entries: Iterable[Entry], news: Sequence[File]) -> list[Document]:
        """The indexes over shards and news; none where one sitemap is all."""
        children = [self._child(entry.files[0], entry.pages) for entry in entries if entry.files]
        if not children or not (self._names.groups or len(children) > 1):
            return []
        children += [self._child(file, 0) for file in news]
        return list(indexes(children, self._site, self._names, self._renderer))

    def beside(
        self, manifest: Manifest, load: Load, known: Mapping[str, Sequence[Page]] | None = None
    ) -> list[Document]:
        """What stands beside the sitemaps: of news, and for people; `known` are news by the names of records."""
        pages = [page for entry in manifest.entries for page in self._news(entry, manifest.told, load, known or {})]
        pages.sort(key=lambda page: page.key)
        listed = [Part(e.group, e.id, e.begins if e.id else "", e.pages) for e in manifest.entries if e.files]
        return [
            *auxiliary.news(pages, self._site, self._names, self._renderer, lambda *_: None),
            *auxiliary.beside(listed, self._site, self._names, self._renderer),
        ]

    def entrances(self, manifest: Manifest) -> list[str]:
        """The URLs to tell crawlers of: the indexes, or the one sitemap where there is none."""
        files = manifest.indexes or tuple(entry.files[0] for entry in manifest.entries if entry.files)
        return [self._site.base_url + file.name for file in files]

    def _news(self, entry: Entry, told: str, load: Load, known: Mapping[str, Sequence[Page]]) -> Sequence[Page]:
        """An entry's pages that were news when the manifest told so, whatever the time is now."""
        if not entry.newest or is_over(entry.newest, told):
            return ()
        if entry.records in known:
            return known[entry.records]
        judge = self._judge.at(told)
        return [page for record in load(entry) if (page := judge.page(record)) and page.news]

    def _child(self, file: File, urls: int) -> Document:
        """What an index says of a file: of a shard the first, which is its XML where it has one."""
        changed = at_precision(file.changed, self._site.precision)
        return Document(file.name, "sitemap", b"", output_names.loc(self._site, file.name), urls, changed)
