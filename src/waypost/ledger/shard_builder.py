"""Records into shards: what is remembered and published of whole segments."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.config import output_names
from waypost.config.load import Site
from waypost.core.hashing import content_digest
from waypost.core.model import Document, Page, Shard
from waypost.core.reasons import Reason
from waypost.ledger import records
from waypost.ledger.classify import PageClassifier
from waypost.ledger.manifest import PublishedFile, ShardEntry, with_change_date
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import BuiltShard, DirtySegment
from waypost.rules.page_metadata import latest_to_expire, news_article
from waypost.sitemaps.documents import Rendered, group_shards, shard_documents, span_shards
from waypost.sitemaps.render import Renderer


class ShardBuilder:
    """Makes the shards of one site's records at a time; `changed` is when a file that is new or another changed."""

    def __init__(self, site: Site, renderer: Renderer, classifier: PageClassifier, changed: str | None) -> None:
        self._site, self._renderer, self._classifier, self._changed = site, renderer, classifier, changed
        self._names = output_names.output_names(site)

    def build(self, part: DirtySegment, files: Mapping[str, PublishedFile]) -> Iterator[BuiltShard]:
        """The entries of opened segments, with their records and documents; `files` are the published ones."""
        known = [part.records[key] for key in sorted(part.records)]
        judged = [self._classifier.classify(record) for record in known]
        pages = [each for each in judged if isinstance(each, Page)]
        if part.is_whole_group:
            shards = group_shards(part.group, pages, self._site, self._renderer) if pages else iter(())
        else:
            shards = span_shards(part.group, pages, self._site, self._renderer, part.first_key, part.end_key)
        at = 0
        for shard, rendered in shards:
            stop = next(
                (n for n in range(at, len(known)) if shard.end_key and known[n].key >= shard.end_key), len(known)
            )
            yield self._build_shard(shard, rendered, known[at:stop], count_exclusions(judged[at:stop]), files)
            at = stop
        if at < len(known):
            data = records.dump(known[at:])
            yield BuiltShard(
                ShardEntry(
                    part.group, None, "", 0, records.records_name(None, data), (), count_exclusions(judged[at:])
                ),
                data,
                (),
                (),
            )

    def published_file(self, document: Document, files: Mapping[str, PublishedFile]) -> PublishedFile:
        """A document's file, with the time since when its bytes are so."""
        return with_change_date(PublishedFile(document.name, content_digest(document.body)), files, self._changed)

    def _build_shard(
        self,
        shard: Shard,
        rendered: Rendered,
        known: Sequence[Record],
        left_out: Mapping[str, int],
        files: Mapping[str, PublishedFile],
    ) -> BuiltShard:
        made = tuple(shard_documents(shard, rendered, self._site, self._names, self._renderer, lambda *_: None))
        data = records.dump(known)
        published = tuple(self.published_file(document, files) for document in made)
        name, pages = records.records_name(shard.id, data), len(shard.pages)
        listed = {page.key for page in shard.pages} if self._site.news else ()
        published_at = [news_article(r.key, r.facts, self._site) for r in known if r.key in listed] if listed else []
        last = latest_to_expire(news.published for news in published_at if news)
        entry = ShardEntry(shard.group, shard.id, shard.first_key, pages, name, published, left_out, last)
        return BuiltShard(entry, data, made, [page for page in shard.pages if page.news])


def count_exclusions(judged: Iterable[Page | Reason]) -> dict[str, int]:
    """How many are left out for each reason."""
    return dict(sorted(Counter(str(each) for each in judged if isinstance(each, Reason)).items()))
