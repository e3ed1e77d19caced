"""What a bucket's ledger holds, and what is published of it: the one file that is ever replaced.

`manifest.json` is JSON: a format, a version, then the fields of a Manifest. Its shards stand in the
order of their groups' names and first keys.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from waypost.core.hashing import content_digest
from waypost.ledger import stored_format
from waypost.sitemaps.sharding import begins_segment

VERSION = 1
_FORMAT = "waypost-manifest"


class PublishedFile(Struct, frozen=True, omit_defaults=True):
    """A published file: the digest of its uncompressed bytes, and since when they are so, if that was seen."""

    name: str
    digest: str
    changed_at: str | None = None


class ShardEntry(Struct, frozen=True, omit_defaults=True):
    """A shard: the keys from `begins` up to the next of its group, how many of them are listed, and its files.

    `records` names its file of records, `skipped` counts what they leave out by its reason; `id` is None where
    its group needs one sitemap alone. `newest` is when the newest article among its pages was, or will be, published,
    where news are listed.
    """

    group: str
    shard_id: str | None
    first_key: str
    page_count: int
    records_file: str
    files: tuple[PublishedFile, ...] = ()
    excluded_by_reason: Mapping[str, int] = {}
    latest_news: str = ""

    @property
    def objects(self) -> int:
        """How many objects its records remember: what is listed, and what is left out."""
        return self.page_count + sum(self.excluded_by_reason.values())


class PendingFile(Struct, frozen=True, omit_defaults=True):
    """A name whose file a generation brought, removed or changed, and until when every writer makes sure that it did.

    A writer may end between its commit and its last file, and nothing but the manifest tells of it: an index could be
    left over sitemaps that are not there, or a page in a sitemap that another has taken over. A file that only changed
    has no time: it is named until a later writer has seen that it is right.
    """

    name: str
    until: str = ""


class Run(Struct, frozen=True, omit_defaults=True):
    """A distributed build under way: its id, and at which generation it began.

    `touched` name files of keys at which something happened since. Once it `is_publishing` all is committed.
    """

    owner: str
    start_generation: int
    deferred_keys: tuple[str, ...] = ()
    is_publishing: bool = False

    @property
    def prefix(self) -> str:
        """What the names of its files begin with."""
        return f"runs/{self.owner}-{self.start_generation}-"


class Manifest(Struct, frozen=True, omit_defaults=True):
    """The shards, the indexes over them, what stands `beside` them, and what they were made with.

    `place` is the address of the site's root, `configuration` a digest of the settings and templates, `reading`
    names the facts in the records, and `robots` is what robots.txt rules; `generation` counts the manifests, and
    `built` is when a whole build ended, and `told` when it was decided what is news.

    While a build is under way, `position` is the key up to which it has come and `previous` names the manifest
    whose dates it remembers; nothing is published of it. Of a distributed `run` the position is `""`, or None where
    what it compares with stays whole until it commits. From then on the sitemaps may be missing: while it
    `is_unpublished`, only who sees to all of them writes what stands over and beside them.
    """

    site_uri: str = ""
    config_digest: str = ""
    recorded_facts: str = ""
    robots_rules: str = ""
    generation: int = 0
    built_at: str = ""
    position: str | None = None
    previous: str = ""
    entries: tuple[ShardEntry, ...] = ()
    indexes: tuple[PublishedFile, ...] = ()
    auxiliary_files: tuple[PublishedFile, ...] = ()
    news_evaluated_at: str = ""
    pending: tuple[PendingFile, ...] = ()
    run: Run | None = None
    is_unpublished: bool = False

    @property
    def files(self) -> dict[str, PublishedFile]:
        """All files of sitemaps and indexes by name."""
        return {file.name: file for entry in self.entries for file in entry.files} | {
            file.name: file for file in (*self.indexes, *self.auxiliary_files)
        }

    @property
    def index_and_auxiliary_names(self) -> set[str]:
        """The names of what stands over and beside the sitemaps."""
        return {file.name for file in (*self.indexes, *self.auxiliary_files)}

    @property
    def news_files(self) -> tuple[PublishedFile, ...]:
        """The news sitemaps: of what stands beside, alone in being XML."""
        return tuple(file for file in self.auxiliary_files if file.name.removesuffix(".gz").endswith(".xml"))

    @property
    def page_count(self) -> int:
        """How many pages are listed."""
        return sum(entry.page_count for entry in self.entries)

    @property
    def object_count(self) -> int:
        """How many objects are remembered."""
        return sum(entry.objects for entry in self.entries)

    @property
    def is_publishable(self) -> bool:
        """Whether it is whole and lists anything: what was published before stands until then."""
        return self.position is None and self.page_count > 0


class _Document(Struct):
    format: str
    version: int
    manifest: Manifest


class _Header(Struct):
    format: str
    version: int


def dump(manifest: Manifest) -> bytes:
    """The manifest as the file's bytes; the same manifest gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(_Document(_FORMAT, VERSION, manifest)), indent=1) + b"\n"


def load(data: bytes | None, where: str) -> Manifest:
    """Read a manifest; None is one that is not there yet.

    Raises LedgerError where it is damaged or newer than this program.
    """
    if data is None:
        return Manifest()
    try:
        header = msgspec.json.decode(data, type=_Header)
        stored_format.check((header.format, header.version), (_FORMAT, VERSION), where, "is no manifest of Waypost's")
        return msgspec.json.decode(data, type=_Document).manifest
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise stored_format.damaged(where, error) from None


def archive_name(data: bytes) -> str:
    """The name under which a manifest is set aside while another is built: what it holds decides it."""
    return f"manifests/{content_digest(data)}.json"


def with_change_date(file: PublishedFile, known: Mapping[str, PublishedFile], changed: str | None) -> PublishedFile:
    """A file with the time since when its bytes are so: as it is known, or else `changed`."""
    before = known.get(file.name)
    return before if before and before.digest == file.digest else PublishedFile(file.name, file.digest, changed)


def by_group(entries: Iterable[ShardEntry]) -> dict[str, list[ShardEntry]]:
    """The entries of each group, in their order."""
    groups: dict[str, list[ShardEntry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return groups


def entry_index(entries: Sequence[ShardEntry], key: str) -> int:
    """Which of a group's entries is responsible for a key; the first also for what is before it."""
    return max(bisect_right(entries, key, key=lambda entry: entry.first_key) - 1, 0)


def affected_ranges(
    entries: Sequence[ShardEntry], moving: Collection[str], limit: int, unmoved: Collection[str] = ()
) -> list[tuple[int, int]]:
    """Which of a group's entries must be made anew where something is known of these keys, as ranges `[start, stop)`.

    Boundaries depend on the listed keys of a segment alone, so it is whole segments; where the key that
    begins one may be listed or not (`moving`), or all its pages may go, the next that keeps some too. All of
    the group is concerned where it may fit in one sitemap (`limit` URLs) before or after. A page that is
    listed before and after stands `still`.
    """
    if len(entries) <= 1 or _page_count(entries) - len(moving) <= limit:
        return [(0, len(entries))]
    starts = [n for n, entry in enumerate(entries) if n == 0 or begins_segment(entry.first_key, limit)]
    first_keys = [entries[start].first_key for start in starts[1:]]
    chosen = {bisect_right(first_keys, key) for key in unmoved}
    touched: dict[int, int] = {}
    for key in moving:
        segment = bisect_right(first_keys, key)
        touched[segment] = touched.get(segment, 0) + 1
        chosen |= {segment, segment - 1} if segment and key == first_keys[segment - 1] else {segment}
    edges = [*starts, len(entries)]
    emptied = {n for n, count in touched.items() if _page_count(entries[edges[n] : edges[n + 1]]) <= count}
    for segment in emptied:
        beside = [*range(segment - 1, -1, -1), *range(segment + 1, len(starts))]
        chosen |= {next((n for n in beside if n not in emptied), segment)}
    return list(_as_ranges(sorted(chosen), edges))


def _page_count(entries: Sequence[ShardEntry]) -> int:
    return sum(entry.page_count for entry in entries)


def _as_ranges(segments: Sequence[int], edges: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of entries for segments, those side by side as one."""
    start: int | None = None
    for n, segment in enumerate(segments):
        start = segment if start is None else start
        if n + 1 == len(segments) or segments[n + 1] != segment + 1:
            yield edges[start], edges[segment + 1]
            start = None
