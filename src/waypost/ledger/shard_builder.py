"""Builds shards from records: their entries, their files of records and their rendered sitemaps."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from waypost.config import output_names
from waypost.config.schema import Site
from waypost.core.hashing import content_digest
from waypost.core.model import Document, Page, Shard
from waypost.core.reasons import Reason
from waypost.ledger import records
from waypost.ledger.classify import PageClassifier
from waypost.ledger.dirty_segments import DirtySegment
from waypost.ledger.manifest import PublishedFile, ShardEntry, with_change_date
from waypost.ledger.records import Record
from waypost.rules.page_metadata import latest_to_expire, news_article
from waypost.sitemaps.documents import RenderedPages, group_shards, shard_documents, span_shards
from waypost.sitemaps.render import Renderer


class BuiltShard(NamedTuple):
    """An entry, and what was built for it if it is not kept: its records, its documents, and its news pages."""

    entry: ShardEntry
    data: bytes | None = None
    documents: Sequence[Document] = ()
    news: Sequence[Page] | None = None


class ShardBuilder:
    """Builds one site's shards; a file that is new or changed is dated `changed_at`. `new_id` returns a random id."""

    def __init__(
        self,
        site: Site,
        renderer: Renderer,
        classifier: PageClassifier,
        changed_at: str | None,
        new_id: Callable[[], str],
    ) -> None:
        self._site, self._renderer, self._classifier, self._changed_at = site, renderer, classifier, changed_at
        self._new_id = new_id
        self._names = output_names.output_names(site)

    def build(self, segment: DirtySegment, files: Mapping[str, PublishedFile]) -> Iterator[BuiltShard]:
        """The shards of a segment; `files` are published, and keep their dates where the bytes are the same."""
        records_in_order = [segment.records[key] for key in sorted(segment.records)]
        classified = [self._classifier.classify(record) for record in records_in_order]
        start = 0
        for shard, rendered in self._rendered_shards(segment, [each for each in classified if isinstance(each, Page)]):
            end = shard.end_key
            stop = next(
                (n for n in range(start, len(records_in_order)) if end and records_in_order[n].key >= end),
                len(records_in_order),
            )
            excluded = count_exclusions(classified[start:stop])
            yield self._build_shard(shard, rendered, records_in_order[start:stop], excluded, files, segment)
            start = stop
        if start < len(records_in_order):
            yield self._shard_without_pages(segment, records_in_order[start:], count_exclusions(classified[start:]))

    def published_file(self, document: Document, files: Mapping[str, PublishedFile]) -> PublishedFile:
        """A document's file, with the date since when its bytes are the same."""
        file = PublishedFile(document.name, content_digest(document.body))
        return with_change_date(file, files, self._changed_at)

    def _rendered_shards(self, segment: DirtySegment, pages: Sequence[Page]) -> Iterator[tuple[Shard, RenderedPages]]:
        if not segment.is_whole_group:
            return span_shards(
                segment.group,
                pages,
                self._site,
                self._renderer,
                segment.first_key,
                segment.end_key,
                segment.part_id,
            )
        return group_shards(segment.group, pages, self._site, self._renderer) if pages else iter(())

    def _build_shard(
        self,
        shard: Shard,
        rendered: RenderedPages,
        shard_records: Sequence[Record],
        excluded_by_reason: Mapping[str, int],
        files: Mapping[str, PublishedFile],
        segment: DirtySegment,
    ) -> BuiltShard:
        documents = tuple(shard_documents(shard, rendered, self._site, self._names, self._renderer))
        data = records.dump(shard_records)
        entry = ShardEntry(
            shard.group,
            shard.id,
            shard.first_key,
            len(shard.pages),
            records.records_name(shard.id, data, segment.records_files, self._new_id),
            tuple(self.published_file(document, files) for document in documents),
            excluded_by_reason,
            self._latest_news(shard, shard_records),
            _cut_count(shard_records),
        )
        return BuiltShard(entry, data, documents, [page for page in shard.pages if page.news])

    def _shard_without_pages(
        self, segment: DirtySegment, left: Sequence[Record], excluded_by_reason: Mapping[str, int]
    ) -> BuiltShard:
        """The shard of a group of which nothing is listed; it has records, but no file."""
        data = records.dump(left)
        name = records.records_name(None, data, segment.records_files, self._new_id)
        entry = ShardEntry(segment.group, None, "", 0, name, (), excluded_by_reason, cut_count=_cut_count(left))
        return BuiltShard(entry, data, (), ())

    def _latest_news(self, shard: Shard, shard_records: Sequence[Record]) -> str:
        if not self._site.news:
            return ""
        listed = {page.key for page in shard.pages}
        articles = (news_article(each.key, each.facts, self._site) for each in shard_records if each.key in listed)
        return latest_to_expire(article.published for article in articles if article)


def _cut_count(shard_records: Iterable[Record]) -> int:
    return sum(each.facts.is_cut for each in shard_records)


def count_exclusions(classified: Iterable[Page | Reason]) -> dict[str, int]:
    """How many are left out for each reason."""
    return dict(sorted(Counter(str(each) for each in classified if isinstance(each, Reason)).items()))
