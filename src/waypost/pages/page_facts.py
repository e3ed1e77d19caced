"""Reads what the bytes of an item say, and no more of them than the settings require."""

import sys
from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from waypost.core import reasons
from waypost.core.hashing import short_digest
from waypost.core.model import Body, Item
from waypost.files.source import ItemChangedError, Source
from waypost.pages import frontmatter, html_head, media
from waypost.pages.facts import RULES_VERSION, PageFacts
from waypost.pages.html_bounds import is_bounded
from waypost.pages.html_head import NO_HEAD, HtmlHead, refresh_url
from waypost.pages.html_tree import as_utf8
from waypost.pages.indexing import canonical_of_headers
from waypost.pages.non_pages import LARGEST_POINTER, NonPage, has_document_tag, is_lfs_pointer, non_page
from waypost.settings.output_formats import with_descriptions, with_titles
from waypost.settings.schema import Site
from waypost.settings.values import PAGE_TYPES

T = TypeVar("T")
_MAX_ATTEMPTS = 3
_HTML = PAGE_TYPES["html"]
_OCTETS = "/octet-stream"
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_MARKDOWN = PAGE_TYPES["markdown"]
_STEP = 32
"""One of so many first bytes counts when files are compared; those that look equal are then compared as a whole."""
_RULES = "rules-"


class ItemReader:
    """The first bytes of an item; more of them are read when they are needed.

    Each further read requires the ETag of the first, so all bytes are of one upload. Raises OSError, and
    ItemChangedError if the object was replaced since the first read.
    """

    def __init__(self, source: Source, item: Item, size: int | None) -> None:
        self._source, self._item = source, item
        self.first = self._longest = source.read(item, size)
        self._size = sys.maxsize if size is None else size

    def at_least(self, size: int) -> Body:
        """The item's first `size` bytes or more, or all of them if there are fewer."""
        if not self._longest.is_whole and self._size < size:
            same_upload = replace(self._item, required_etag=self.first.etag)
            self._longest, self._size = self._source.read(same_upload, size), size
        return self._longest


def read_unchanged(read: Callable[[], T]) -> T:
    """What `read` returns; it is called again if the object was replaced meanwhile.

    Raises OSError, and ItemChangedError if the object was replaced during each attempt.
    """
    for _ in range(_MAX_ATTEMPTS - 1):
        try:
            return read()
        except ItemChangedError:
            continue
    return read()


class ObjectSnapshot(Struct, frozen=True, gc=False):
    """An item as it is now: its ETag, what was read, and when it was uploaded; a file has neither ETag nor time.

    `bytes_digest` is equal for equal first bytes.
    """

    etag: str
    facts: PageFacts
    uploaded_at: str = ""
    bytes_digest: str = ""


def recorded_facts(site: Site) -> str:
    """The rules' version and the optional facts that these settings read, as `rules-1,digest,date`.

    Facts that were recorded under another value must be read again: they do not compare.
    """
    return ",".join([f"{_RULES}{RULES_VERSION}", *_optional_facts(site)])


def _optional_facts(site: Site) -> list[str]:
    """What is read only because these settings ask for it."""
    optional = {
        "digest": site.lastmod == "content",
        "date": site.page_dates,
        "alternates": bool(site.alternates),
        "images": site.images,
        "videos": site.videos,
        "news": site.news is not None,
        "title": with_titles(site.formats),
        "description": with_descriptions(site.formats),
    }
    return [name for name, is_read in optional.items() if is_read]


def rules_version(facts: str) -> int:
    """The version of the rules by which recorded facts were read; 0 if none were."""
    number = facts.partition(",")[0].removeprefix(_RULES)
    return int(number) if number.isdecimal() else 0


def read_item(source: Source, site: Site, item: Item) -> ObjectSnapshot:
    """Read an item: its head, its front matter, its headers, and the whole of it if its content dates it.

    Raises OSError, FileNotFoundError if the item does not exist, and ItemChangedError if it is replaced repeatedly.
    """
    body, facts = read_unchanged(lambda: _read(source, site, item))
    digest = short_digest(body.data) if body.data else ""
    return ObjectSnapshot(body.etag or item.etag, facts, body.modified or item.modified, digest)


def read_file(source: Source, site: Site, item: Item) -> tuple[PageFacts, int]:
    """The facts of an item, and a number that is equal, in this process, for equal first bytes; raises OSError."""
    body, facts = read_unchanged(lambda: _read(source, site, item))
    return facts, hash((len(body.data), body.data[::_STEP]))


def _read(source: Source, site: Site, item: Item) -> tuple[Body, PageFacts]:
    """The item's first bytes, and its facts, for which more of it may be read."""
    reader = ItemReader(source, item, _first_size(source, site, item))
    return reader.first, _page_facts(site, item, reader)


def _page_facts(site: Site, item: Item, reader: ItemReader) -> PageFacts:
    body = reader.first
    if body.entry:
        alternates = body.entry.alternates if site.alternates else ()
        return PageFacts(HtmlHead(alternates=alternates), entry=replace(body.entry, alternates=()))
    if body.unknown_coding:
        return PageFacts(
            _with_headers(NO_HEAD, body),
            body.redirect,
            body.robots_header,
            is_cut=True,
            unknown_coding=body.unknown_coding,
        )
    key, etag = item.key.lower(), body.etag or item.etag
    is_dated = site.lastmod == "content"
    if body.is_whole and not body.data and not body.redirect:
        digest = (_text_digest(body) if _is_html(item, site) else short_digest(b"")) if is_dated else None
        return PageFacts(robots_header=body.robots_header, text_digest=digest, non_page=str(reasons.EMPTY))
    if site.may_be_untyped_page(item.key) and not body.content_type.startswith(_HTML_TYPES):
        return PageFacts(redirect=body.redirect, robots_header=body.robots_header, non_page=str(reasons.NOT_A_PAGE))
    if _is_html(item, site):
        digest = _text_digest(body) if is_dated else None
        head = _with_headers(_head(site, reader), body)
        is_read = head.dates.modified or not site.page_dates
        own_dates = head.dates if is_read else html_head.read_dates(_largest(reader))
        reason, detail = (None if head.refresh else _non_page(item, reader)) or ("", "")
        wanted = media.KINDS.intersection(_optional_facts(site))
        whole = _largest(reader) if wanted else b""
        return PageFacts(
            head,
            body.redirect,
            body.robots_header,
            own_dates=own_dates,
            text_digest=digest,
            non_page=str(reason),
            non_page_detail=detail,
            media=media.read_media(whole, wanted) if wanted else None,
            download_type=body.content_type if body.content_type.endswith(_OCTETS) else "",
            is_cut=head.is_cut or (is_dated and digest is None) or not is_bounded(as_utf8(whole)),
        )
    if key.endswith(_MARKDOWN):
        digest = _content_digest(etag, body) if is_dated else None
        return replace(frontmatter.read_front_matter(body.data), text_digest=digest)
    digest = (etag or _content_digest("", body)) if is_dated else None
    pointer = str(reasons.LFS_POINTER) if is_lfs_pointer(body.data) else ""
    head = _with_headers(NO_HEAD, body)
    return PageFacts(head, body.redirect, body.robots_header, text_digest=digest, non_page=pointer)


def _with_headers(head: HtmlHead, body: Body) -> HtmlHead:
    """The head with what the headers say that it does not say itself."""
    if body.refresh_header and head.refresh is None:
        head = replace(head, refresh=refresh_url(body.refresh_header))
    if body.link_header and not head.canonicals and (named := canonical_of_headers([body.link_header])):
        head = replace(head, canonicals=(named,))
    return head


def _first_size(source: Source, site: Site, item: Item) -> int | None:
    """The whole item (None) if its content dates it, else as many bytes as its type needs at first.

    No more of a page is read than can be parsed; the ETag of a larger object of another type is its digest. Of a file
    that may be a pointer of Git LFS the beginning is read.
    """
    key, is_html = item.key.lower(), _is_html(item, site)
    is_compared = site.lastmod == "content" and (is_html or not source.has_etags)
    if is_compared or key.endswith(_MARKDOWN):
        return html_head.HEAD_SIZES[-1] if is_html or source.has_etags else None
    if is_html:
        return html_head.HEAD_SIZES[0]
    return LARGEST_POINTER if item.size <= LARGEST_POINTER else 0


def _is_html(item: Item, site: Site) -> bool:
    """Whether an item is read as HTML, by its name."""
    return item.key.lower().endswith(_HTML) or site.may_be_untyped_page(item.key)


def _head(site: Site, reader: ItemReader) -> HtmlHead:
    for body in _bodies(reader):
        if head := html_head.read_head(
            body.data, is_whole=body.is_whole, is_dated=site.page_dates, has_alternates=bool(site.alternates)
        ):
            return head
    raise AssertionError("the largest head size is read as a whole")


def _non_page(item: Item, reader: ItemReader) -> NonPage | None:
    """Why the file is no page; more of it is read only if its beginning has no sign of a page."""
    first = reader.first
    name, beginning = item.key.rpartition("/")[2], first.data[: html_head.HEAD_SIZES[0]]
    if first.is_whole and len(first.data) == len(beginning):
        return non_page(name, beginning, is_whole=True)
    if has_document_tag(beginning):
        return non_page(name, beginning, is_whole=False)
    return non_page(name, _largest(reader)[: html_head.HEAD_SIZES[-1]], is_whole=True)


def _bodies(reader: ItemReader) -> Iterator[Body]:
    """The beginning of the item in growing sizes; the largest counts as the whole."""
    for size in html_head.HEAD_SIZES[:-1]:
        body = reader.at_least(size)
        yield Body(body.data[:size], is_whole=False) if body.is_whole and len(body.data) > size else body
    yield Body(_largest(reader)[: html_head.HEAD_SIZES[-1]])


def _largest(reader: ItemReader) -> bytes:
    """The whole item, or as much of it as is parsed at most."""
    return reader.at_least(html_head.HEAD_SIZES[-1]).data


def _text_digest(body: Body) -> str | None:
    """The digest of a page's text; None if the page exceeds a bound."""
    text = html_head.visible_text(body.data) if body.is_whole else None
    return None if text is None else short_digest(text.encode("utf-8", "replace"))


def _content_digest(etag: str, body: Body) -> str | None:
    """The digest of a whole content; of a longer one its ETag, or None if it has none."""
    return short_digest(body.data) if body.is_whole else (etag or None)
