"""The manifest: what a bucket's ledger holds and what is published of it. It is the only file that is replaced.

`manifest.json` is JSON: a format, a version, and the fields of `Manifest` in a compressed form. The entries
are in the order of their groups' names and first keys; they are stored as columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, fields, replace

from waypost.core.model import OPEN_URL_FORM, IndexChild, UrlForm
from waypost.core.removals import MIN_LISTED
from waypost.ledger import stored_files
from waypost.ledger.columns import check_lengths, columns_of, columns_type, value_count
from waypost.ledger.ledger_state import BuilderLease, LedgerState, PublisherLease, Run, ledger_state
from waypost.ledger.packed_json import pack
from waypost.ledger.stored_files import ManifestFile

_HOUR = 3_600


class PublishedFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A published file: the digest of its uncompressed bytes, and when these were first published if that is known.

    `etag` belongs to the file that was published last, or `""` if it is not known. `end` is where the range of sitemaps
    of an index ends; `""` is the end of all.
    """

    name: str
    digest: str
    changed_at: str | None = None
    etag: str = ""
    end: str = ""


class ShardEntry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A shard: the keys from `first_key` up to the next entry's of its group, and the files made of them.

    `page_count` counts listed pages, `excluded_by_reason` the others. `records_file` names the file of its records.
    `shard_id` is None where its group needs only one sitemap. `latest_news` is when its newest article was, or will
    be, published, where the settings ask for news. `cut_count` counts the objects that exceed a bound of the parser.
    """

    group: str
    shard_id: str | None
    first_key: str
    page_count: int
    records_file: str
    files: tuple[PublishedFile, ...] = ()
    excluded_by_reason: Mapping[str, int] = {}
    latest_news: str = ""
    cut_count: int = 0

    @property
    def object_count(self) -> int:
        """How many objects its records remember, listed or not."""
        return self.page_count + sum(self.excluded_by_reason.values())


class PendingFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A published file that may differ from what the manifest says, and the generation that added it last.

    `is_from_build` if a build has made it pending, so that it may be published under other settings.
    """

    name: str
    generation: int
    is_from_build: bool = False


class UnreferencedFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A published file that the manifest no longer names, and since when (Unix seconds).

    `since` is 0 until all that is pending is published: until then an index may still name the file. `digest` and
    `etag` describe the file as it was published last, or `""` if they are not known.
    """

    name: str
    since: float = 0.0
    digest: str = ""
    etag: str = ""


class RepairedFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A published file that others have replaced or deleted since a time (Unix seconds), within an hour.

    `count` has 10 for each replacement and 1 for each deletion.
    """

    name: str
    since: float
    count: int


class OutboxFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A file with changes of which the subscribers in `waiting` have yet to be notified, since a time (Unix seconds).

    Until `expires` the `owner` notifies them: a process, or the execution of a distributed rebuild.
    """

    name: str
    since: float
    waiting: tuple[str, ...]
    owner: str = ""
    expires: float = 0.0


class UnreadableObject(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An object that could not be read when a run looked at it last, and the error."""

    key: str
    error: str


class RemovedPages(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How many pages updates have removed within an hour, of how many that were listed; `since` in Unix seconds.

    Those that were added count against them, so `count` may be negative.
    """

    since: float
    count: int
    listed: int

    @property
    def percent(self) -> float:
        """The share of the listed pages; of a small site, which is often changed as a whole, none."""
        return 100 * max(0, self.count) / self.listed if self.listed >= MIN_LISTED else 0.0

    def is_counted(self, now: float) -> bool:
        """Whether the hour is not over at a time."""
        return now - self.since < _HOUR


class Manifest(Struct, frozen=True):
    """The shards, the indexes over them, the auxiliary files beside them, and what all of it was made with.

    `ledger_id` is written into the metadata of all published files. `site_uri` is the location of the site,
    `config_digest` the digest of the settings and templates, `config_since` since when these hold (Unix seconds),
    `recorded_facts` names the facts in the records, `robots_rules` are the rules of robots.txt, and `url_form` is what
    the site's links used when the build began. `generation` counts the manifests, and `revision` is a random id of
    each. `built_at` is when the last whole build ended; all objects that were uploaded before `listed_since` (Unix
    seconds) were compared with their records since. `news_evaluated_at` is when it was last decided which articles are
    new. `records_lost_at` is the generation that last made lost records again: since then, other records may name pages
    that were among them and are gone (0: none do). `pending` has the files to publish, `unreferenced` those to delete
    later, `repaired` those that were repaired since the last rebuild. `outbox` has what subscribers must be notified of
    once all that is pending is published. `url_list` names the file of the URLs without an object, or is `""`;
    `children` are the sitemaps of other tools that the index lists. `unreadable` has the first of the objects that
    could not be read, and `removed` is what updates removed in the last hour in which they did.
    """

    ledger_id: str = ""
    site_uri: str = ""
    config_digest: str = ""
    config_since: float = 0.0
    recorded_facts: str = ""
    robots_rules: str = ""
    url_form: UrlForm = OPEN_URL_FORM
    generation: int = 0
    revision: str = ""
    built_at: str = ""
    listed_since: float = 0.0
    entries: tuple[ShardEntry, ...] = ()
    indexes: tuple[PublishedFile, ...] = ()
    auxiliary_files: tuple[PublishedFile, ...] = ()
    news_evaluated_at: str = ""
    records_lost_at: int = 0
    pending: tuple[PendingFile, ...] = ()
    unreferenced: tuple[UnreferencedFile, ...] = ()
    repaired: tuple[RepairedFile, ...] = ()
    outbox: tuple[OutboxFile, ...] = ()
    url_list: str = ""
    children: tuple[IndexChild, ...] = ()
    unreadable: tuple[UnreadableObject, ...] = ()
    removed: RemovedPages | None = None
    builder: BuilderLease | None = None
    publisher: PublisherLease | None = None

    @property
    def state(self) -> LedgerState:
        """What the ledger can be used for."""
        return ledger_state(self.config_digest, self.builder, self.publisher)

    @property
    def is_complete(self) -> bool:
        """Whether the entries hold the whole bucket; else a build is still adding them."""
        return self.builder is None or self.builder.position is None

    @property
    def is_publishable(self) -> bool:
        """Whether its sitemaps may replace the published ones: it is complete and lists at least one page."""
        return self.is_complete and self.page_count > 0

    @property
    def run(self) -> Run | None:
        """The distributed rebuild that is in progress; a build that began later has replaced one that publishes."""
        lease = self.builder or self.publisher
        return Run(lease.owner, lease.start_generation) if lease and lease.is_run else None

    @property
    def previous(self) -> str:
        """The name of the archived manifest that a build in progress takes dates from, or `""`."""
        return self.builder.previous if self.builder else ""

    @property
    def files(self) -> dict[str, PublishedFile]:
        """All published files by name."""
        return {file.name: file for entry in self.entries for file in entry.files} | {
            file.name: file for file in (*self.indexes, *self.auxiliary_files)
        }

    @property
    def sitemap_names(self) -> set[str]:
        """The names of the sitemaps, without news sitemaps."""
        return {file.name for entry in self.entries for file in entry.files}

    @property
    def index_and_auxiliary_names(self) -> set[str]:
        """The names of the indexes and of the auxiliary files."""
        return {file.name for file in (*self.indexes, *self.auxiliary_files)}

    @property
    def news_files(self) -> tuple[PublishedFile, ...]:
        """The news sitemaps: the only auxiliary files that are XML."""
        return tuple(file for file in self.auxiliary_files if file.name.removesuffix(".gz").endswith(".xml"))

    @property
    def page_count(self) -> int:
        """How many pages are listed."""
        return sum(entry.page_count for entry in self.entries)

    @property
    def object_count(self) -> int:
        """How many objects are remembered."""
        return sum(entry.object_count for entry in self.entries)


_FILE_COLUMNS, _ENTRY_COLUMNS = columns_of(PublishedFile), columns_of(ShardEntry, "files")
_StoredFiles = columns_type("PublishedFiles", _FILE_COLUMNS)
"""Published files; their names are shortened (`short_name`)."""
_StoredEntries = columns_type("ShardEntries", _ENTRY_COLUMNS, file_count=list[int], files=_StoredFiles)
"""The shards of all groups; `file_count` says how many of the `files` belong to each."""
_StoredManifest: Any = msgspec.defstruct(
    "StoredManifest",
    [
        ("entries", _StoredEntries | None, None) if each.name == "entries" else (each.name, each.type, each.default)
        for each in fields(Manifest)
    ],
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
)


def _read_v1(payload: bytes) -> Manifest:
    stored = msgspec.json.decode(payload, type=_StoredManifest)
    return Manifest(**(asdict(stored) | {"entries": _entries(stored.entries) if stored.entries else ()}))


READERS: stored_files.Readers[Manifest] = {1: _read_v1}


def dump(manifest: Manifest) -> bytes:
    """The manifest as the file's bytes; raises UnicodeEncodeError for text that UTF-8 cannot encode."""
    entries = _entry_columns(manifest.entries) if manifest.entries else None
    stored = _StoredManifest(**(asdict(manifest) | {"entries": entries}))
    payload = pack(msgspec.json.encode(stored), before_digits=b'"-')
    return msgspec.json.encode(ManifestFile(stored_files.MANIFEST_FORMAT, stored_files.VERSION, payload)) + b"\n"


def load(data: bytes | None, where: str) -> Manifest:
    """Read a manifest; None means that it does not exist yet.

    Raises LedgerError for one that is damaged, of a newer version or of another format.
    """
    return Manifest() if data is None else stored_files.read_manifest(data, where, READERS)


def _entry_columns(entries: Sequence[ShardEntry]) -> Any:
    files, ids = [file for entry in entries for file in entry.files], [entry.shard_id for entry in entries]
    counts = [len(entry.files) for entry in entries]
    file_columns = {each.name: each.of(files) for each in _FILE_COLUMNS}
    file_columns["name"] = list(map(short_name, file_columns["name"], _repeated(ids, counts)))
    columns = {each.name: each.of(entries) for each in _ENTRY_COLUMNS}
    columns["records_file"] = list(map(short_name, columns["records_file"], ids))
    return _StoredEntries(**columns, file_count=counts, files=_StoredFiles(**file_columns))


def _entries(stored: Any) -> tuple[ShardEntry, ...]:
    """The entries from their columns; raises ValueError if these have different lengths."""
    check_lengths(stored, except_for="files")
    check_lengths(stored.files)
    ids, counts = stored.shard_id, stored.file_count
    if sum(counts) != value_count(stored.files) or min(counts, default=0) < 0:
        raise ValueError("its shards have another number of files")
    columns, file_columns = asdict(stored), asdict(stored.files)
    file_columns["name"] = list(map(full_name, stored.files.name, _repeated(ids, counts)))
    columns["records_file"] = list(map(full_name, stored.records_file, ids))
    file_values = (each.values(file_columns[each.name], sum(counts)) for each in _FILE_COLUMNS)
    files = map(PublishedFile, *file_values)
    columns["files"] = [tuple(islice(files, count)) for count in counts]
    return tuple(map(ShardEntry, *(each.values(columns[each.name], len(ids)) for each in columns_of(ShardEntry))))


def _repeated(ids: Iterable[str | None], counts: Iterable[int]) -> Iterable[str | None]:
    """The id of each file's shard."""
    return chain.from_iterable(map(repeat, ids, counts))


def with_change_date(file: PublishedFile, known: Mapping[str, PublishedFile], changed_at: str | None) -> PublishedFile:
    """The file with its known ETag and the date of its last change: `changed_at` if its bytes are not the same."""
    before = known.get(file.name)
    if before and before.digest == file.digest:
        return replace(before, end=file.end)
    return replace(file, changed_at=changed_at, etag=before.etag if before else "")


def short_name(name: str, shard_id: str | None) -> str:
    """The name to store; one that would not be restored is stored whole, after a slash."""
    short = name.replace(shard_id, "*") if shard_id else name
    return f"/{name}" if short.startswith("/") or _with_id(short, shard_id) != name else short


def full_name(short: str, shard_id: str | None) -> str:
    """The name that was stored."""
    return short[1:] if short.startswith("/") else _with_id(short, shard_id)


def _with_id(short: str, shard_id: str | None) -> str:
    return short.replace("*", shard_id) if shard_id else short
