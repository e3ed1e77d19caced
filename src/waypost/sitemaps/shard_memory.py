"""What earlier runs know of the files of shards: a shard with the same pages need not be rendered again."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from waypost.core.hashing import content_digest
from waypost.core.model import Document, Page


class KnownFile(Struct, frozen=True, array_like=True, gc=False):
    """A file of a shard: its name and kind, the digest of its uncompressed bytes, and how many entries it has."""

    name: str
    kind: str
    digest: str
    url_count: int


class KnownShard(Struct, frozen=True, array_like=True, gc=False):
    """The files that some pages made, the main format's first, and how many bytes that one has (uncompressed).

    What was too large for one sitemap, and was split, has no files. Some formats show the `first_key` of the shard.
    """

    size: int
    first_key: str = ""
    files: tuple[KnownFile, ...] = ()


class ShardMemory:
    """The shards that an earlier run `knew`, by the digest of their pages, and those of this run, which are `kept`.

    Settings and templates must be those of the earlier run.
    """

    def __init__(self, known: Mapping[str, KnownShard]) -> None:
        self._known = known
        self.kept: dict[str, KnownShard] = {}

    @staticmethod
    def digest(pages: Sequence[Page]) -> str:
        """A digest of all that templates show of these pages."""
        return content_digest(msgspec.msgpack.encode(pages))

    def find(self, digest: str) -> KnownShard | None:
        """The shard that pages with this digest made."""
        return self._known.get(digest)

    def keep(self, digest: str, size: int, first_key: str = "", documents: Sequence[Document] = ()) -> None:
        """Remember for later runs how large a sitemap of some pages is, and the documents, if it is one."""
        files = (KnownFile(each.name, each.kind, each.digest, each.url_count) for each in documents)
        self.kept[digest] = KnownShard(size, first_key, tuple(files))
