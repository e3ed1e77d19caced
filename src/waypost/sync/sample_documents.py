"""Renders an example of each published document, so that templates that fail are found before a rebuild needs them."""

from waypost.ledger.manifest import Manifest, PublishedFile, ShardEntry
from waypost.ledger.published_documents import PublishedDocuments
from waypost.ledger.records import Record

_RECORD = Record("index.html", "")
_ENTRIES = tuple(
    ShardEntry("", shard_id, first_key, 1, "", (PublishedFile(f"sitemap-{n}.xml", ""),))
    for n, (shard_id, first_key) in enumerate(((None, ""), ("0", "m")))
)


def render_sample(documents: PublishedDocuments) -> None:
    """Render the documents of a site with one page in each of two sitemaps; raises RenderError."""
    documents.shard(_ENTRIES[0], [_RECORD])
    documents.indexes(_ENTRIES, ())
    documents.auxiliary(Manifest(entries=_ENTRIES), lambda entry: [_RECORD])
