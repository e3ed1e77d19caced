"""Renders what is published of a ledger; the documents depend on the manifest and its records alone."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core.dates import at_precision
from waypost.core.errors import LostRecordsError
from waypost.core.model import Document, Page, Shard
from waypost.ledger.classify import PageClassifier
from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.record_cache import Load
from waypost.ledger.records import Record
from waypost.rules.page_metadata import is_outdated
from waypost.sitemaps import auxiliary
from waypost.sitemaps.documents import index_documents, render_pages, shard_documents
from waypost.sitemaps.formats.base import ShardSummary
from waypost.sitemaps.formats.registry import main_format
from waypost.sitemaps.render import Renderer

_NEWS_POSITION = "9999"
"""The news sitemaps follow the sitemaps of all groups."""
_CHILD_POSITION = "99999"
"""The sitemaps of other tools are last."""


class PublishedDocuments:
    """The published documents of one site's ledger; its methods raise RenderError, `auxiliary` LostRecordsError."""

    def __init__(self, site: Site, renderer: Renderer, classifier: PageClassifier) -> None:
        self._site, self._renderer, self._classifier = site, renderer, classifier
        self._names = output_names.output_names(site)
        self._groups = ["", *(name for name, _ in site.groups)]

    def shard(self, entry: ShardEntry, known: Sequence[Record]) -> list[Document]:
        """A shard's sitemaps, rendered from its records."""
        pages = [page for record in known if (page := self._classifier.page(record))]
        shard = Shard(entry.group, pages, entry.shard_id, entry.first_key)
        rendered = render_pages(pages, self._site, self._renderer)
        return list(shard_documents(shard, rendered, self._site, self._names, self._renderer))

    def indexes(self, manifest: Manifest) -> list[tuple[Document, str]]:
        """The indexes over shards, news and other tools' sitemaps, each with the position where its range ends.

        There are none for one sitemap.
        """
        with_files = [entry for entry in manifest.entries if entry.files]
        if not with_files or not (self._names.groups or len(with_files) > 1):
            return []
        listed = [self._child(entry.files[0], entry.page_count) for entry in with_files]
        listed += [self._child(file, 0) for file in manifest.news_files]
        found = list(index_documents([*listed, *manifest.children], self._site, self._names, self._renderer))
        positions = [
            *map(self._position, with_files),
            *(f"{_NEWS_POSITION} {file.name}" for file in manifest.news_files),
            *(f"{_CHILD_POSITION} {child.loc}" for child in manifest.children),
            "",
        ]
        return list(zip(found, (positions[n] for n in accumulate(each.url_count for each in found)), strict=True))

    def _position(self, entry: ShardEntry) -> str:
        """A text that sorts as the sitemaps of an index do: by the order of the groups, then by their first keys."""
        return f"{self._groups.index(entry.group):04} {entry.first_key}"

    def auxiliary(
        self, manifest: Manifest, load: Load, known_news: Mapping[str, Sequence[Page]] | None = None
    ) -> list[Document]:
        """The news sitemaps, HTML index and stylesheet; `known_news` has the news of some records files."""
        pages = [
            page
            for entry in manifest.entries
            for page in self._news(entry, manifest.news_evaluated_at, load, known_news or {})
        ]
        pages.sort(key=lambda page: page.key)
        listed = [
            ShardSummary(e.group, e.shard_id, e.first_key if e.shard_id else "", e.page_count)
            for e in manifest.entries
            if e.files
        ]
        if not listed:
            return []
        return [
            *auxiliary.news_sitemaps(pages, self._site, self._names, self._renderer, lambda *_: None),
            *auxiliary.overviews_and_stylesheet(listed, self._site, self._names, self._renderer),
        ]

    def root_sitemaps(self, manifest: Manifest) -> list[str]:
        """The URLs for crawlers: the indexes, or the only sitemap where there is no index."""
        files = manifest.indexes or tuple(entry.files[0] for entry in manifest.entries if entry.files)
        return [self._site.base_url + file.name for file in files]

    def _news(
        self, entry: ShardEntry, evaluated_at: str, load: Load, known: Mapping[str, Sequence[Page]]
    ) -> Sequence[Page]:
        """An entry's pages that were news when the manifest last evaluated it, whatever the time is now."""
        if not entry.latest_news or is_outdated(entry.latest_news, evaluated_at):
            return ()
        if entry.records_file in known:
            return known[entry.records_file]
        records = load(entry)
        if records is None:
            raise LostRecordsError(entry.records_file)
        classifier = self._classifier.at(evaluated_at)
        return [page for record in records if (page := classifier.page(record)) and page.news]

    def _child(self, file: PublishedFile, urls: int) -> Document:
        """What an index lists for a file."""
        changed = at_precision(file.changed_at, self._site.precision)
        kind = main_format(self._site).file.kind
        return Document(file.name, kind, b"", output_names.output_url(self._site, file.name), urls, changed)
