"""The values that pass from stage to stage; all are frozen.

Keys are paths below the site's root with `/` between folders. They are sorted by their UTF-8 bytes. Dates are W3C
datetimes in UTC, as a sitemap writes them (`2026-03-01T12:00:00Z`, or `2026-03-01` if only the day is known), so
comparing the strings compares the times.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from waypost.core.hashing import content_digest
from waypost.core.reasons import Reason


class Item(Struct, frozen=True, gc=False):
    """Something that a source found: its key, and the key of the file that holds its bytes.

    The two differ if a symbolic link leads from one to the other, or if a generator makes one from the other. An object
    of a bucket also has a size in bytes, an `etag`, and the time of its upload (`modified`). `url_path` is the path,
    below the site's root and not percent-encoded, at which the generator itself links to the page, `""` where only the
    key says it. A read fails if the object has another ETag than `required_etag`, unless that is empty. `entries` are
    the keys of the files whose pages a list shows, as far as they are known; None if it is no list.
    """

    key: str
    read_key: str
    size: int = -1
    etag: str = ""
    modified: str = ""
    url_path: str = ""
    required_etag: str = ""
    entries: tuple[str, ...] | None = None


UrlShape = Literal["slash", "bare", "file"]
"""How a URL names a page: with a slash at its end, without the ending of the file's name, or with the file's name."""


class LinkedShapes(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The shape that links use for each kind of file; None where they do not decide.

    The kinds are the home page, a folder's index file, and any other HTML file.
    """

    home: UrlShape | None = None
    folder: UrlShape | None = None
    page: UrlShape | None = None


class UrlForm(LinkedShapes, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The shapes that a site's links use, and by folder (which ends with `/`), sorted, those that differ from them.

    The shapes of a folder hold for the folders below, too, but for those that have their own.
    """

    folders: tuple[tuple[str, LinkedShapes], ...] = ()

    def of(self, key: str) -> LinkedShapes:
        """The shapes in the folder that holds a key."""
        folder, slash, _ = key.rpartition("/")
        while slash and self.folders:
            place = bisect_left(self.folders, f"{folder}/", key=itemgetter(0))
            if place < len(self.folders) and self.folders[place][0] == f"{folder}/":
                return self.folders[place][1]
            folder, slash, _ = folder.rpartition("/")
        return self


OPEN_SHAPES = LinkedShapes()
OPEN_URL_FORM = UrlForm()
"""The form of a site whose links decide nothing."""


UrlDecision = Literal["setting", "generator", "canonical", "host", "sitemap", "links", "default"]
"""What decided the form of a page's URL; `sitemap` is the generator's own."""


class UrlFormCount(Struct, frozen=True):
    """How many pages of a kind have a form of URL that one thing decided; `kind` is home, folder or page.

    `example` shows the form, unless each page has its own. `agreeing` of `links` links decided it, if links did.
    """

    kind: str
    decided_by: UrlDecision
    count: int
    example: str = ""
    agreeing: int = 0
    links: int = 0


DatedBy = Literal[
    "commit",
    "mapping",
    "own-date",
    "content",
    "generator",
    "copy",
    "generator-date",
    "text",
    "edit-link",
    "path",
    "url-list",
    "entry",
]
"""What dated a page: its commits, commits of files that settings name, itself, its content; the rest is evidence.

A list is dated by the newest of its entries.
"""


class PageDating(Struct, frozen=True, gc=False, omit_defaults=True):
    """What dated a page, or None; by evidence, the files that it is made of, and how strong the evidence is.

    `considered` has other files that were compared with the page, each with what it has of the page. `key` is the name
    of the date that the page gives itself, or that its source does, which is then the one of the files.
    """

    dated_by: DatedBy | None = None
    files: tuple[str, ...] = ()
    strength: str = ""
    considered: tuple[str, ...] = ()
    key: str = ""


class DateCount(Struct, frozen=True, omit_defaults=True):
    """How many pages one thing dated, or how many have no date, for the reason with this code."""

    count: int
    dated_by: DatedBy | None = None
    no_date_reason: str = ""


class UrlEntry(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """A URL to list that has no file, and what a sitemap is to say of it; the rules may refuse it.

    `alternates` are pairs of hreflang and URL. `extensions` is what another tool's sitemap has for it, as XML; its
    `alternates` are among that. `where` is the list that names it, and `line` its line there; without `where`, that is
    its place in the settings.
    """

    loc: str
    lastmod: str | None = None
    changefreq: str | None = None
    priority: str | None = None
    group: str = ""
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()
    where: str = ""
    line: int = 0
    extensions: str = ""


class Body(Struct, frozen=True, gc=False):
    """An item's bytes, or the first of them, and the headers that a server would send with them.

    `redirect` is the URL that visitors are sent to instead, `robots_header` the value of an `X-Robots-Tag`, and
    `link_header`, `refresh_header` and `content_type` are those of `Link`, `Refresh` and `Content-Type`.
    `etag` and `modified` are an object's. An `entry` is in place of the bytes of a URL that has no object. Nothing is
    known of bytes with an `unknown_coding`, which is the name of their content coding.
    """

    data: bytes
    is_whole: bool = True
    redirect: str = ""
    robots_header: str = ""
    etag: str = ""
    modified: str = ""
    entry: UrlEntry | None = None
    unknown_coding: str = ""
    link_header: str = ""
    refresh_header: str = ""
    content_type: str = ""


class Skipped(Struct, frozen=True, gc=False):
    """Something that is left out, and why; `detail` is what decided. The key of a folder ends with `/`."""

    key: str
    reason: Reason
    detail: str = ""


class Video(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A video on a page, as a video sitemap has it; `duration` in seconds, `content` and `player` are URLs."""

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
    """What a news sitemap says of an article: its title, when it was first published, and its language or `""`."""

    title: str
    published: str
    language: str = ""


class Page(Struct, frozen=True, gc=False):
    """A page to list; `loc` is its complete URL. No text is escaped for XML yet.

    `alternates` are the hreflang and URL of each version that the page names and that counts. `news` is set while the
    page is news, `title` if a format shows titles, and `description` and `markdown`, the URL of the same page in
    Markdown, if one shows descriptions. `extensions` is what another tool's sitemap has for the URL, as XML.
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
    description: str = ""
    markdown: str = ""
    extensions: str = ""


class SourceKind(Struct, frozen=True, omit_defaults=True):
    """What the folder of a site is, and the file by which that was recognised, with the reason.

    `kind` is `static` (the folder is published as it is), `jekyll` (a build of the project's own), `github-pages`
    (GitHub Pages builds it with Jekyll) or `generator` (another generator builds it). `command` builds the site in the
    folder `output`, which is relative to this one; of a site that `has_server`, that has the pages rendered before.
    """

    kind: Literal["static", "jekyll", "github-pages", "generator"]
    generator: str = ""
    file: str = ""
    reason: str = ""
    command: str = ""
    output: str = ""
    output_exists: bool = False
    has_server: bool = False


class RecognisedPart(Struct, frozen=True):
    """A part of a project that was recognised, and what showed it: its site's folder, its base URL, its generator."""

    name: str
    value: str
    evidence: str


class History(Struct, frozen=True):
    """What Git knows of the files below a folder; paths are relative to the folder, times are Unix seconds.

    `commit_times`: each file at HEAD, and the time of the commit that gave it its content, or None if a shallow clone
    does not contain that commit. `removal_times`: each path that was removed, and the time of the latest commit that
    touched it. `uncommitted`: files that differ from HEAD.

    `page_times`: the tracked pages, if more than their bytes was compared, and the time of the commit that last changed
    them significantly, None as above; pages with a significant uncommitted change are missing. So are the pages in
    `beyond_budget` and `unread`, whose older versions were too many to read, or could not be read.

    `head` is the commit that was at HEAD.
    """

    commit_times: dict[str, int | None] = {}
    removal_times: dict[str, int] = {}
    uncommitted: frozenset[str] = frozenset()
    is_shallow: bool = False
    page_times: dict[str, int | None] = {}
    beyond_budget: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    head: str = ""


class Example(Struct, frozen=True):
    """A file that a warning is about, and what was found there."""

    key: str
    detail: str = ""


class SiteWarning(Struct, frozen=True):
    """What the site's owner should know: a code, a sentence, how many files it is about, and some of them.

    `facts` are the values in the sentence, by their names in the row of the table.
    """

    code: str
    message: str
    count: int = 1
    examples: tuple[Example, ...] = ()
    facts: Mapping[str, str] = {}


class IndexChild(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """An entry of an index: the URL of a sitemap, and when that file last changed, if that is known."""

    loc: str
    lastmod: str | None = None


class NamedSource(Struct, frozen=True):
    """What one list, or one sitemap of another tool, names: URLs, or itself as a `child` of the index.

    `error` is why it cannot be read, or `""`; then nothing else is known of it.
    """

    name: str
    entries: Sequence[UrlEntry] = ()
    child: IndexChild | None = None
    warnings: Sequence[SiteWarning] = ()
    error: str = ""
    is_optional: bool = False


class NamedUrls(Struct, frozen=True):
    """The URLs without a file that settings name, the sitemaps that the index is to list, and what was missing."""

    entries: Sequence[UrlEntry] = ()
    children: Sequence[IndexChild] = ()
    warnings: Sequence[SiteWarning] = ()


class Shard(Struct, frozen=True):
    """The pages of one sitemap, sorted by key; `id` is None if the group needs only one sitemap.

    All pages with keys from `first_key` up to, but not including, `end_key` belong in the shard; an `end_key` of None
    means that there is no end.
    """

    group: str
    pages: Sequence[Page]
    id: str | None = None
    first_key: str = ""
    end_key: str | None = None


class Document(Struct, frozen=True):
    """A file to publish: its name in the output folder, and its bytes, not compressed.

    `kind` is index, news, stylesheet, robots, or the kind of an output format: sitemap, text, html or llms. `url_count`
    is the number of its entries. Of a file that need not be rendered again only the `known_digest` is there.
    """

    name: str
    kind: str
    body: bytes
    loc: str
    url_count: int = 0
    lastmod: str | None = None
    known_digest: str = ""

    @property
    def digest(self) -> str:
        """The digest of its bytes."""
        return self.known_digest or content_digest(self.body)


class Changes(Struct, frozen=True):
    """What changes in the sitemaps: locs added and removed, and locs with another date or other metadata."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lastmod_changed: tuple[str, ...] = ()
    metadata_changed: tuple[str, ...] = ()

    @property
    def urls(self) -> Iterator[str]:
        """The locs of all kinds of changes; one that changed in two ways comes twice."""
        return chain(self.added, self.removed, self.lastmod_changed, self.metadata_changed)


class Plan(Struct, frozen=True):
    """What a run would publish; nothing has been written yet.

    `documents` are all files that the site should have. `written`, `unchanged` and `removed` are names in the output
    folder. `state` is the new content of the state file, if there is one. `no_date_reason` has a code for each key of
    a page that Git gives no date. `replaced` are the written sitemaps that another tool made before.
    `listed_before` is how many URLs the current sitemaps list, and `compared_with` the name of that sitemap, or what
    messages call several of them. `date_counts` counts what dated the pages, `url_forms` the forms of their URLs.
    `cases` has all examples of warnings that have only some, by their codes.
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
    replaced: Sequence[str] = ()
    listed_before: int = 0
    compared_with: str = ""
    url_forms: Sequence[UrlFormCount] = ()
    date_counts: Sequence[DateCount] = ()
    cases: Mapping[str, Sequence[Example]] = {}

    @property
    def is_stale(self) -> bool:
        """Whether the published files differ from what they should be."""
        return bool(self.written or self.removed)


def printable(key: str) -> str:
    """The key in visible characters: bytes that are not UTF-8 and control characters become escapes."""
    if key.isprintable():
        return key
    shown = (c if c.isprintable() else ascii(c)[1:-1] for c in key)
    return "".join(
        f"\\x{ord(c) - 0xDC00:02x}" if "\udc80" <= c <= "\udcff" else e for c, e in zip(key, shown, strict=True)
    )
