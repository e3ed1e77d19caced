"""Records into shards: what is remembered and published of whole segments."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from waypost.config import output_names
from waypost.config.load import Site
from waypost.core.hashing import digest_of
from waypost.core.model import Document, Page, Reason, Shard
from waypost.ledger import records
from waypost.ledger.classify import Judge
from waypost.ledger.manifest import Entry, File, dated
from waypost.ledger.records import Record
from waypost.ledger.shard_cache import Made, Opened
from waypost.rules.page_metadata import newest, news_of
from waypost.sitemaps.documents import Rendered, group_shards, sitemaps, span_shards
from waypost.sitemaps.render import Renderer


class Shaping:
    """Makes the shards of one site's records at a time; `changed` is when a file that is new or another changed."""

    def __init__(self, site: Site, renderer: Renderer, judge: Judge, changed: str | None) -> None:
        self._site, self._renderer, self._judge, self._changed = site, renderer, judge, changed
        self._names = output_names.names(site)

    def made(self, part: Opened, files: Mapping[str, File]) -> Iterator[Made]:
        """The entries of opened segments, with their records and documents; `files` are the published ones."""
        known = [part.records[key] for key in sorted(part.records)]
        judged = [self._judge.judged(record) for record in known]
        pages = [each for each in judged if isinstance(each, Page)]
        if part.is_whole:
            shards = group_shards(part.group, pages, self._site, self._renderer) if pages else iter(())
        else:
            shards = span_shards(part.group, pages, self._site, self._renderer, part.begins, part.ends)
        at = 0
        for shard, rendered in shards:
            stop = next((n for n in range(at, len(known)) if shard.ends and known[n].key >= shard.ends), len(known))
            yield self._anew(shard, rendered, known[at:stop], skipped(judged[at:stop]), files)
            at = stop
        if at < len(known):
            data = records.dump(known[at:])
            yield Made(Entry(part.group, None, "", 0, records.name(None, data), (), skipped(judged[at:])), data, (), ())

    def file(self, document: Document, files: Mapping[str, File]) -> File:
        """A document's file, with the time since when its bytes are so."""
        return dated(File(document.name, digest_of(document.body)), files, self._changed)

    def _anew(
        self,
        shard: Shard,
        rendered: Rendered,
        known: Sequence[Record],
        left_out: Mapping[str, int],
        files: Mapping[str, File],
    ) -> Made:
        made = tuple(sitemaps(shard, rendered, self._site, self._names, self._renderer, lambda *_: None))
        data = records.dump(known)
        published = tuple(self.file(document, files) for document in made)
        name, pages = records.name(shard.id, data), len(shard.pages)
        listed = {page.key for page in shard.pages} if self._site.news else ()
        published_at = [news_of(r.key, r.said, self._site) for r in known if r.key in listed] if listed else []
        last = newest(news.published for news in published_at if news)
        entry = Entry(shard.group, shard.id, shard.begins, pages, name, published, left_out, last)
        return Made(entry, data, made, [page for page in shard.pages if page.news])


def skipped(judged: Iterable[Page | Reason]) -> dict[str, int]:
    """How many are left out for each reason."""
    return dict(sorted(Counter(str(each) for each in judged if isinstance(each, Reason)).items()))
