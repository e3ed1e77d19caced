"""The ledger's files as they are stored, version 1.

These types belong to the stored format alone: a change of the parser or of the rules does not change them.
A stored field is never renamed, retyped or given another meaning; that needs a `schema_v2`, a migration in
`migrations` and a golden ledger. A field that is not declared here is an error, not ignored.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

VERSION = 1
MANIFEST_FORMAT = "waypost-ledger/manifest"
RECORDS_FORMAT = "waypost-ledger/records"


class _Stored(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every stored type has in common."""


class PublishedFileV1(_Stored, frozen=True, gc=False):
    """A published file: the digest of its uncompressed bytes, and when these bytes were first published."""

    name: str
    digest: str
    changed_at: str | None = None
    etag: str = ""
    end: str = ""


class PublishedFilesV1(_Stored, frozen=True):
    """Published files as columns (`columns.py`); their names are as `shard_names.py` shortens them."""

    name: list[str]
    digest: list[str]
    changed_at: list[str | None] = []
    etag: list[str | None] = []
    end: list[str | None] = []


class EntriesV1(_Stored, frozen=True):
    """The shards of all groups as columns; `file_count` says how many of the `files` belong to each.

    The names of their records are as `shard_names.py` shortens them.
    """

    group: list[str]
    shard_id: list[str | None]
    first_key: list[str]
    page_count: list[int]
    records_file: list[str]
    file_count: list[int]
    files: PublishedFilesV1
    excluded_by_reason: list[Mapping[str, int] | None] = []
    latest_news: list[str | None] = []
    cut_count: list[int | None] = []


class PendingFileV1(_Stored, frozen=True, gc=False):
    """A published file that may differ from what the manifest says."""

    name: str
    generation: int
    is_from_build: bool = False


class UnreferencedFileV1(_Stored, frozen=True):
    """A published file that is no longer named, and since when."""

    name: str
    since: float = 0.0
    digest: str = ""
    etag: str = ""


class RepairedFileV1(_Stored, frozen=True):
    """A published file that was repaired, and how often since a time."""

    name: str
    since: float
    count: int


class BuilderV1(_Stored, frozen=True):
    """A build in progress."""

    owner: str = ""
    expires: float = 0.0
    is_run: bool = False
    start_generation: int = 0
    position: str | None = None
    previous: str = ""
    deferred_keys: tuple[str, ...] = ()


class PublisherV1(_Stored, frozen=True):
    """The process that publishes."""

    owner: str = ""
    expires: float = 0.0
    is_run: bool = False
    start_generation: int = 0


UrlShapeV1 = Literal["slash", "bare", "file"]


class LinkedShapesV1(_Stored, frozen=True):
    """The shape of the URLs of each kind of file: `slash`, `bare`, `file`, or null where links do not decide."""

    home: UrlShapeV1 | None = None
    folder: UrlShapeV1 | None = None
    page: UrlShapeV1 | None = None


class UrlFormV1(LinkedShapesV1, frozen=True):
    """The shapes of a site's URLs, and of folders that have others."""

    folders: tuple[tuple[str, LinkedShapesV1], ...] = ()


class OutboxFileV1(_Stored, frozen=True):
    """A file of changes, the subscribers that wait for it since a time, and who notifies them until another time."""

    name: str
    since: float
    waiting: tuple[str, ...]
    owner: str = ""
    expires: float = 0.0


class ManifestV1(_Stored, frozen=True):
    """All that the ledger knows of a site apart from the records."""

    ledger_id: str = ""
    site_uri: str = ""
    config_digest: str = ""
    config_since: float = 0.0
    recorded_facts: str = ""
    robots_rules: str = ""
    url_form: UrlFormV1 = UrlFormV1()
    generation: int = 0
    revision: str = ""
    built_at: str = ""
    listed_since: float = 0.0
    entries: EntriesV1 | None = None
    indexes: tuple[PublishedFileV1, ...] = ()
    auxiliary_files: tuple[PublishedFileV1, ...] = ()
    news_evaluated_at: str = ""
    records_lost_at: int = 0
    pending: tuple[PendingFileV1, ...] = ()
    unreferenced: tuple[UnreferencedFileV1, ...] = ()
    repaired: tuple[RepairedFileV1, ...] = ()
    outbox: tuple[OutboxFileV1, ...] = ()
    builder: BuilderV1 | None = None
    publisher: PublisherV1 | None = None


class ManifestFileV1(Struct, frozen=True, forbid_unknown_fields=True):
    """`manifest.json`: JSON, with format and version; `payload` is a ManifestV1 as `packed_json`, in base64."""

    format: str
    version: int
    payload: bytes


class HeadV1(_Stored, frozen=True, gc=False):
    """What the head of an HTML page says; references are as written, not resolved."""

    noindex: str = ""
    refresh: str | None = None
    canonicals: tuple[str, ...] = ()
    base: str = ""
    date: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    og_url: str = ""
    is_cut: bool = False


class VideoV1(_Stored, frozen=True, gc=False):
    """A video on a page; `duration` in seconds, `content` and `player` are URLs."""

    thumbnail: str
    title: str
    description: str
    content: str = ""
    player: str = ""
    duration: int | None = None
    published: str | None = None
    expires: str | None = None
    is_family_friendly: bool = True


class MediaV1(_Stored, frozen=True, gc=False):
    """Images, videos, title, headline, date of publication and language of a page."""

    images: tuple[str, ...] = ()
    videos: tuple[VideoV1, ...] = ()
    title: str = ""
    headline: str = ""
    published: str = ""
    language: str = ""


class RecordRowV1(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """What a page says in its text, null for what it does not say; null as `alternates` are those of the head."""

    head: HeadV1 | None = None
    alternates: tuple[tuple[str, str], ...] | None = None
    media: MediaV1 | None = None


class RecordsV1(_Stored, frozen=True):
    """A shard's records in the order of their keys, as columns; `rows` are stored apart from them."""

    key: list[str]
    etag: list[str]
    lastmod: list[str | None] = []
    duplicate_of: list[str | None] = []
    redirect: list[str | None] = []
    robots_header: list[str | None] = []
    hidden_by: list[str | None] = []
    own_date: list[str | None] = []
    text_digest: list[str | None] = []
    non_page: list[str | None] = []
    non_page_detail: list[str | None] = []
    is_cut: list[bool | None] = []


class RecordsFileV1(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A file of records: MessagePack, an array of format, version, and RecordsV1 as `packed_json`."""

    format: str
    version: int
    payload: bytes
