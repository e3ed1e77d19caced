"""The values that travel from stage to stage; all are frozen.

Keys are paths below the site's root with `/` between folders, in the order of their UTF-8
bytes wherever an order is meant. Dates are W3C datetimes in UTC, as a sitemap writes them
(`2026-03-01T12:00:00Z`, or `2026-03-01` where only the day is known), so that comparing the
strings compares the times.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from waypost.core.reasons import Reason


class Item(Struct, frozen=True, gc=False):
    """Something a source found: its key, and the key of the file that holds its bytes.

    The two differ only where a symbolic link leads from one to the other. An object of a bucket also
    has a size in bytes, an `etag`, and the time of its upload (`modified`).
    """

    key: str
    read_key: str
    size: int = -1
    etag: str = ""
    modified: str = ""


class Body(Struct, frozen=True, gc=False):
    """An item's bytes, or the first of them, and what a server would say beside them.

    `redirect` is where readers are sent instead, `robots` the words of an `X-Robots-Tag`; `etag` and `modified`
    are those of an object.
    """

    data: bytes
    is_whole: bool = True
    redirect: str = ""
    robots_header: str = ""
    etag: str = ""
    modified: str = ""


class Skipped(Struct, frozen=True, gc=False):
    """Something left out, and why; `detail` says what decided. Folders' keys end with `/`."""

    key: str
    reason: Reason
    detail: str = ""


class Video(Struct, frozen=True, gc=False, omit_defaults=True):
    """A video on a page, with what its readers need of it; `duration` in seconds, `content` and `player` are URLs."""

    thumbnail: str
    title: str
    description: str
    content: str = ""
    player: str = ""
    duration: int | None = None
    published: str | None = None
    expires: str | None = None
    is_family_friendly: bool = True


class News(Struct, frozen=True, gc=False):
    """What readers of news ask of an article: its title, and when it was first published."""

    title: str
    published: str


class Page(Struct, frozen=True, gc=False):
    """A page to list: `loc` is a finished URL, not yet escaped for XML; nor is anything else.

    `alternates` are the hreflang and URL of each version of it, itself among them; `news` is what it is while it
    is news, and `title` what people call it.
    """

    key: str
    loc: str
    group: str = ""
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None
    title: str = ""


class History(Struct, frozen=True):
    """What Git knows of the files below a folder; paths are relative to it, times Unix seconds.

    `changed`: each file at HEAD, and the time of the commit that gave it its content, or None where a
    shallow clone does not reach that commit. `removed`: each path that is gone, and the time of the
    latest commit that touched it. `uncommitted`: files that differ from HEAD.
    """

    commit_times: dict[str, int | None] = {}
    removal_times: dict[str, int] = {}
    uncommitted: frozenset[str] = frozenset()
    is_shallow: bool = False


class Example(Struct, frozen=True):
    """A file that a warning is about, and what was seen there."""

    key: str
    detail: str = ""


class SiteWarning(Struct, frozen=True):
    """Something the site's owner should know, said once: a code, a sentence, how often, where."""

    code: str
    message: str
    count: int = 1
    examples: tuple[Example, ...] = ()


class Shard(Struct, frozen=True):
    """The pages of one sitemap, sorted by key; `id` is None where a group needs only one.

    The shard is responsible for the keys from `begins` up to and without `ends` (None: no end).
    """

    group: str
    pages: Sequence[Page]
    id: str | None = None
    first_key: str = ""
    end_key: str | None = None


class IndexChild(Struct, frozen=True, gc=False):
    """An index's entry: a sitemap's URL, and when that file last changed if it is known."""

    loc: str
    lastmod: str | None = None


class Document(Struct, frozen=True):
    """A file to publish: its name in the output folder and its bytes, not compressed.

    `kind` is sitemap, index, news, text, html, stylesheet or robots; `urls` counts its entries.
    """

    name: str
    kind: str
    body: bytes
    loc: str
    url_count: int = 0
    lastmod: str | None = None


class Changes(Struct, frozen=True):
    """What readers of the sitemaps see change: locs added, removed, given another date, or described otherwise."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lastmod_changed: tuple[str, ...] = ()
    metadata_changed: tuple[str, ...] = ()


class Plan(Struct, frozen=True):
    """What a run would publish; nothing has been written yet.

    `documents` is everything that shall stand; `written`, `unchanged` and `removed` are names in
    the output folder.
    `state` is the new content of the state file, where one is kept; `undated` tells why a page has
    no date, by key.
    """

    pages: Sequence[Page]
    skipped: Sequence[Skipped]
    warnings: Sequence[SiteWarning]
    documents: Sequence[Document]
    written: Sequence[str]
    unchanged: Sequence[str]
    removed: Sequence[str]
    changes: Changes
    state: bytes | None = None
    no_date_reason: Mapping[str, str] = {}

    @property
    def is_stale(self) -> bool:
        """Whether what stands differs from what should."""
        return bool(self.written or self.removed)


def printable(key: str) -> str:
    """The key as a person can see it: undecodable bytes and control characters as escapes."""
    if key.isprintable():
        return key
    shown = (c if c.isprintable() else ascii(c)[1:-1] for c in key)
    return "".join(
        f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else e for c, e in zip(key, shown, strict=True)
    )
