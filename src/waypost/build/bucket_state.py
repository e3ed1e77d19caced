"""The state of a bucket: the one file in which runs remember what they read, decided and published.

Of two runs that began with the same state only one replaces it.

It is a line, a head and a body. The line is JSON: `{"format":"waypost-bucket","version":1,"head":812,"digest":"…"}`,
with the number of bytes of the head, and the digest of head and body. The head is JSON, so a ranged GET of the first
64 KiB reads it; the body is msgpack, compressed.
"""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from waypost.build.last_good_lists import UrlList
from waypost.build.page_reader import SiteVotes
from waypost.build.subscribers import Waiting
from waypost.core.errors import ConflictError, NewerVersionError, StateError, StoreError, UncertainError, WrongSiteError
from waypost.core.hashing import content_digest
from waypost.core.removals import MIN_LISTED
from waypost.files import ConditionalStore
from waypost.pages.facts import PageFacts
from waypost.sitemaps.documents import KnownShard
from waypost.sitemaps.format_registry import crawled_kinds

_HOUR, _HOURS = 3_600, 24

PageCounts = tuple[tuple[int, int], ...]
"""The hour (since 1970) and the highest number of listed pages in it, for the hours in which that changed."""
FORMAT, VERSION = "waypost-bucket", 1
ROBOTS = "robots.txt"
_MOST_BODY_BYTES = 1 << 30
"""No more is decompressed: a state of 200,000 objects has some 60 MB."""
_LEVEL = 4
"""zlib's level: half the time of the usual one, for a tenth more bytes (measured with 100,000 objects)."""
NO_FACTS = msgspec.Raw(msgspec.msgpack.encode(PageFacts()))
"""Those of an object that could never be read, or is still to be read."""
NOT_DECIDED = msgspec.Raw(b"\xc0")
"""msgpack's nil: an object of which the rules decide anew in each run."""
NAME = "state"
_KEPT_COPIES = 7
_HEAD_BYTES = 65_536
"""A head has about 150 bytes for each published file: this holds that of a bucket with 10,000,000 pages."""
_CONDITIONS = {"If-None-Match": None, "If-Match": '"0"'}
"""What is false for a state that was just written: the ETag that it should have, None where it should not exist."""
_MOST_SENDS = 3
"""How often a replacement is sent again that had no answer, and did not take effect."""
_REMEDY = "a rebuild writes it again, with the dates of the published sitemaps"


def with_counts(counts: PageCounts, pages: Iterable[int], now: float) -> PageCounts:
    """The counts of the last day, with numbers of listed pages at a time (Unix seconds)."""
    hour = int(now // _HOUR)
    recent = {at: count for at, count in counts if at > hour - _HOURS}
    recent[hour] = max(recent.get(hour, 0), *pages)
    return tuple(sorted(recent.items()))


def counts_without(counts: PageCounts, removed: int) -> PageCounts:
    """The counts without pages whose removal was accepted: a rebuild counts these itself."""
    return tuple((at, max(0, count - removed)) for at, count in counts)


def most_listed(counts: PageCounts, now: float) -> int:
    """The highest number of listed pages in the last day."""
    hour = int(now // _HOUR)
    return max((count for at, count in counts if at > hour - _HOURS), default=0)


def removed_percent(counts: PageCounts, listed: int, now: float) -> float:
    """The share of the pages listed in the last day that are listed no longer; of a small site, none."""
    most = most_listed(counts, now)
    return 100 * max(0, most - listed) / most if most >= MIN_LISTED else 0.0


class StateProblem(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an operator must be told though the sitemaps are right: a warning's code, its cases, and the first ones."""

    code: str
    count: int
    first: tuple[str, ...] = ()


class Build(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A build that takes several parts: the id of the part that is under way, and when it began (Unix seconds)."""

    part: str
    began: float


class PublishedFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A file that should be published: its kind, and the digest of its uncompressed bytes since `changed_at`.

    `etag` is the one with which it was published last, `""` if it is not known.
    """

    name: str
    kind: str
    digest: str
    url_count: int = 0
    changed_at: str | None = None
    etag: str = ""


class LeavingFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A file that no published index names any more since a time (Unix seconds), to be deleted later.

    `since` is 0 until all that is pending is published: until then an index may still name it. A rebuild that is about
    to delete it says since when: `deleted_from`.
    """

    name: str
    since: float = 0.0
    deleted_from: float = 0.0


class RepairedFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A published file that others have replaced or deleted since a time (Unix seconds), within an hour.

    `count` has 10 for each replacement and 1 for each deletion.
    """

    name: str
    since: float
    count: int


class StateHead(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What is published, and what was it made with.

    `id` is random and `number` one higher with each replacement of the state; `site_id` stays the same. `site_uri` is
    where the objects are.
    `made_with` is a digest of the settings, templates and rules of which the files were made, `settings_since` when
    these settings were read first (Unix seconds), and `read_as` names the facts that were read. `built_at` is when the
    last rebuild ended (W3C); without it nothing is known of the whole bucket. The bytes of `pending` files may not be
    published yet. `build` is under way, and `reading_as` names the facts that it reads. `repaired` are the files that
    were repaired since the last rebuild, `waiting` is what subscribers have not been told, and `counts` says how many
    pages were listed in the last day. The state was made again `damaged_at` a time (Unix seconds), because of `damage`;
    until it is, `needs_rebuild` says why.
    `unreported` are keys whose objects the last rebuild found gone, and of which no event has come yet. `robots_rules`
    are those that the sitemaps follow. If an object `has_changed` since the last rebuild, the next one has the pages
    decide together anew. `other_roots` are the URLs of the sitemaps of other parts of the bucket, which robots.txt
    names, too. `excluded_by_reason` counts possible pages that are left out, and `beyond_bounds_count` those
    that exceed a bound of the parser.
    """

    id: str = ""
    number: int = 0
    site_id: str = ""
    site_uri: str = ""
    made_with: str = ""
    settings_since: float = 0.0
    read_as: str = ""
    build: Build | None = None
    reading_as: str = ""
    built_at: str = ""
    files: tuple[PublishedFile, ...] = ()
    pending: frozenset[str] = frozenset()
    leaving: tuple[LeavingFile, ...] = ()
    repaired: tuple[RepairedFile, ...] = ()
    waiting: Waiting = ()
    counts: PageCounts = ()
    page_count: int = 0
    object_count: int = 0
    excluded_by_reason: Mapping[str, int] = {}
    beyond_bounds_count: int = 0
    problems: tuple[StateProblem, ...] = ()
    damage: str = ""
    damaged_at: float = 0.0
    needs_rebuild: str = ""
    unreported: tuple[str, ...] = ()
    robots_rules: str = ""
    has_changed: bool = False
    other_roots: tuple[str, ...] = ()

    @property
    def by_name(self) -> dict[str, PublishedFile]:
        """The files by their names."""
        return {each.name: each for each in self.files}

    @property
    def sitemap_count(self) -> int:
        """How many sitemaps there are; one that is written in several formats counts once."""
        kinds = [each.kind for each in self.files]
        return max(map(kinds.count, crawled_kinds()))

    @property
    def root_names(self) -> list[str]:
        """The names of the files that robots.txt names: the indexes, or the one sitemap where there is none."""
        kinds = {each.kind for each in self.files}
        root = next((kind for kind in ("index", *crawled_kinds()) if kind in kinds), "")
        return [each.name for each in self.files if each.kind == root]


class ObjectRecord(Struct, frozen=True, array_like=True, gc=False):
    """What is remembered of an object: what was read of the upload with this ETag and time, and what was decided.

    `facts` is a PageFacts, and `decided` a DecidedPage or nothing, both encoded. `bytes_digest` is equal for equal
    first bytes. The page has the content with the `text_digest` since `lastmod`. `listed` is the URL under which it is
    listed, `""` if it is left out, and `metadata` a digest of what else its sitemap says. An `error` is why the object
    could not be read when a run looked at it last; the rest is then what was read before. A build that is not finished
    has read what `is_of_build`.
    """

    key: str
    etag: str
    modified: str
    facts: msgspec.Raw
    bytes_digest: str = ""
    decided: msgspec.Raw = NOT_DECIDED
    text_digest: str = ""
    lastmod: str | None = None
    listed: str = ""
    metadata: str = ""
    error: str = ""
    is_of_build: bool = False


class ListedEntry(Struct, frozen=True, array_like=True, gc=False):
    """A listed URL that has no object, its date, and a digest of what else its sitemap says."""

    loc: str
    lastmod: str | None = None
    metadata: str = ""


class Memory(Struct, frozen=True, array_like=True):
    """The objects, sorted by key, and what runs decided for the whole site.

    `decided_as` is a digest of what the objects' decisions depend on. `rules_version` is the version of the rules that
    made the digests of texts, and `found` has the files besides the objects that the last rebuild asked for. `named` is
    what the settings name besides the objects, and `entries` what is listed of that.
    """

    objects: tuple[ObjectRecord, ...] = ()
    decided_as: str = ""
    rules_version: int = 0
    votes: SiteVotes | None = None
    shards: Mapping[str, KnownShard] = {}
    found: Mapping[str, bytes | None] = {}
    named: UrlList = UrlList()
    entries: tuple[ListedEntry, ...] = ()


class BucketState(Struct, frozen=True):
    """The head and what else is remembered, as they are stored: that as bytes, too, and the ETag of the file.

    `etag` is None if there is no file. `damage` is why an older copy is in its place, or nothing; `""` if it is as it
    was written.
    """

    head: StateHead = StateHead()
    memory: Memory = Memory()
    body: bytes = b""
    etag: str | None = None
    damage: str = ""


class _FirstLine(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    version: int
    head: int
    digest: str


_MEMORY = msgspec.msgpack.Decoder(Memory)


def dump(head: StateHead, body: bytes) -> bytes:
    """The file's bytes, with a body that `dump_memory` made."""
    encoded = msgspec.json.encode(head)
    first = _FirstLine(FORMAT, VERSION, len(encoded), content_digest(encoded + body))
    return b"".join((msgspec.json.encode(first), b"\n", encoded, body))


def dump_memory(memory: Memory) -> bytes:
    """The body of the file."""
    return zlib.compress(msgspec.msgpack.encode(memory), _LEVEL)


def load(data: bytes, where: str) -> BucketState:
    """The state; raises StateError for what is damaged or of another version."""
    first, start = _checked_line(data, where)
    body = data[start + first.head :]
    try:
        head = msgspec.json.decode(data[start : start + first.head], type=StateHead)
        unpacker = zlib.decompressobj()
        return BucketState(head, _MEMORY.decode(unpacker.decompress(body, _MOST_BODY_BYTES)), body)
    except (msgspec.MsgspecError, zlib.error, UnicodeDecodeError) as error:
        raise StateError(f"{where} is damaged ({error}); {_REMEDY}") from None


def load_head(data: bytes, where: str) -> StateHead | None:
    """The head, from the first bytes of the file; None if more of them are needed. Raises StateError."""
    first, start = _first_line(data, where)
    if len(data) < start + first.head:
        return None
    try:
        return msgspec.json.decode(data[start : start + first.head], type=StateHead)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StateError(f"{where} is damaged ({error}); {_REMEDY}") from None


def _first_line(data: bytes, where: str) -> tuple[_FirstLine, int]:
    """The first line, and where the head begins."""
    line = data[:1_000].partition(b"\n")[0]
    try:
        version = msgspec.json.decode(line)["version"]
        if version > VERSION:
            raise NewerVersionError(
                f"{where} has version {version} and this program knows version {VERSION}; update Waypost"
            )
        first = msgspec.json.decode(line, type=_FirstLine)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
        raise StateError(f"{where} is not the state of a bucket, or it is damaged; {_REMEDY}") from None
    if first.format != FORMAT or first.version != VERSION:
        raise StateError(f"{where} is not the state of a bucket; {_REMEDY}")
    return first, len(line) + 1


def _checked_line(data: bytes, where: str) -> tuple[_FirstLine, int]:
    """The same of a whole file, of which the digest is checked."""
    first, start = _first_line(data, where)
    if content_digest(data[start:]) != first.digest:
        raise StateError(f"{where} is damaged; {_REMEDY}")
    return first, start


@dataclass(frozen=True)
class StateFile:
    """The state in a store that nobody else reads; `folder` names that in messages, `new_id` makes random ids.

    It is that of the site at `site_uri`, or of any site: reading another site's raises WrongSiteError. The state of one
    `part` of a bucket that is divided has the name of that in its own.
    """

    store: ConditionalStore
    folder: str
    new_id: Callable[[], str]
    site_uri: str = ""
    part: str = ""

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self.part}-{NAME}" if self.part else NAME

    @property
    def where(self) -> str:
        """The file in messages."""
        return f"{self.folder}{self.name}"

    def read(self) -> BucketState:
        """The state; a damaged one is replaced by its last copy that is whole, of which a rebuild must be made.

        Raises StoreError, NewerVersionError, and WrongSiteError.
        """
        stored = self.store.get(self.name)
        if stored is None:
            return BucketState()
        try:
            found = replace(load(stored.content, self.where), etag=stored.etag)
        except NewerVersionError:
            raise
        except StateError as error:
            return replace(self._last_copy(), etag=stored.etag, damage=str(error))
        self._require_own(found.head)
        return found

    def _require_own(self, head: StateHead) -> None:
        if self.site_uri and head.site_uri not in ("", self.site_uri):
            raise WrongSiteError(f"{self.where} is the state of {head.site_uri}; {self.site_uri} needs one of its own")

    def usable_head(self) -> StateHead | None:
        """The head alone, or None if there is no state, or a damaged one, which a rebuild makes again.

        Raises StoreError, NewerVersionError and WrongSiteError.
        """
        try:
            return self.head()
        except (NewerVersionError, WrongSiteError):
            raise
        except StateError:
            return None

    def head(self) -> StateHead | None:
        """The head alone (a ranged GET), or None if there is no state; raises StoreError and StateError."""
        size = _HEAD_BYTES
        while (start := self.store.get_start(self.name, size)) is not None:
            if found := load_head(start, self.where):
                self._require_own(found)
                return found
            if len(start) < size:
                raise StateError(f"{self.where} is cut short; a rebuild makes it again")
            size *= 8
        return None

    def verified_head(self) -> StateHead | None:
        """The head of a file that is whole, or None if there is no state; raises StoreError and StateError."""
        data = self.store.read(self.name)
        if data is None:
            return None
        _checked_line(data, self.where)
        found = load_head(data, self.where)
        if found is None:
            raise StateError(f"{self.where} is damaged; {_REMEDY}")
        self._require_own(found)
        return found

    def replace(self, before: BucketState, head: StateHead, body: bytes, least_number: int = 0) -> BucketState:
        """Replace the state with which a run began; raises ConflictError if another run was first, and StoreError.

        A replacement without an answer may have taken effect: then the state has its id. The new state has the next
        number, or the `least_number` if that is higher.
        """
        mine = replace(head, number=max(before.head.number + 1, least_number), id=self.new_id())
        data = dump(mine, body)
        had_no_answer = False
        for _ in range(_MOST_SENDS):
            try:
                etag = self.store.put_if_match(self.name, data, before.etag)
                if before.etag is None:
                    self._require_conditions(data)
                return BucketState(mine, body=body, etag=etag)  # nobody needs the memory again
            except UncertainError:
                had_no_answer = True
            except ConflictError:
                if not had_no_answer:
                    raise
            present = self.store.get(self.name)
            if present and load_head(present.content, self.where) == mine:
                return BucketState(mine, body=body, etag=present.etag)
            if (present.etag if present else None) != before.etag:
                break
        raise ConflictError(f"{self.where} was replaced by another run")

    def _require_conditions(self, data: bytes) -> None:
        """Raise StoreError if the store replaces a file under a false condition: runs would lose what others wrote."""
        ignored = [header for header, etag in _CONDITIONS.items() if self._is_replaced(data, etag)]
        if ignored:
            raise StoreError(
                f"the store of {self.where} ignores conditional writes ({' and '.join(ignored)}), so runs at the same "
                "time would lose what others wrote; keep the state in one that has them, such as Amazon S3"
            )

    def _is_replaced(self, data: bytes, etag: str | None) -> bool:
        try:
            self.store.put_if_match(self.name, data, etag)
        except (ConflictError, UncertainError):
            return False
        return True

    def keep_copy(self, state: BucketState, day: str) -> None:
        """Keep a copy for a day (`2026-03-01`); the oldest ones go. Raises StoreError."""
        self.store.write(f"{self.name}-{day}", dump(state.head, state.body))
        old = sorted(self.store.list_files(f"{self.name}-"))[:-_KEPT_COPIES]
        if old:
            self.store.delete_many(old)

    def _last_copy(self) -> BucketState:
        for name in sorted(self.store.list_files(f"{self.name}-"), reverse=True):
            content = self.store.read(name)
            try:
                return load(content or b"", name)
            except StateError:
                continue
        return BucketState()
