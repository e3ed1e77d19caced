"""What one item's bytes say of it: whether it is to be listed, its own date, its content's digest."""

from collections.abc import Iterator
from hashlib import blake2b

from msgspec import Struct

from waypost.checks import PAGE_TYPES
from waypost.config import Site
from waypost.model import Body, Example, Item, Reason, Skipped, printable
from waypost.rules import frontmatter, lastmod, page
from waypost.sources import Source

_HTML = PAGE_TYPES["html"]
_MARKDOWN = PAGE_TYPES["markdown"]
_TEXT_LIMIT = 33_554_432
"""Beyond 32 MiB a page's digest is of its bytes, as that of one too deep: parsing takes ten times their memory."""


class Reading(Struct, frozen=True):
    """An item that may be listed, as it was read.

    `skipped` says why it is not listed; `own_date` is the date it gives itself, `digest` that of its
    content, each where the settings ask for it; `warned` are codes of warnings with what they are about.
    """

    item: Item
    loc: str
    skipped: Skipped | None = None
    own_date: str | None = None
    digest: str | None = None
    warned: tuple[tuple[str, Example], ...] = ()


def read(source: Source, site: Site, now: str, item: Item, loc: str) -> Reading:
    """Read an item as far as it must be; one that cannot be read is left out, and warned of."""
    try:
        return _Reader(source, site, now, item, loc).reading()
    except OSError as error:
        detail = error.strerror or str(error)
        skipped = Skipped(printable(item.key), Reason.UNREADABLE, detail)
        return Reading(item, loc, skipped, warned=(("unreadable", Example(skipped.key, detail)),))


class _Reader:
    """Reads one item once."""

    def __init__(self, source: Source, site: Site, now: str, item: Item, loc: str) -> None:
        self._source, self._site, self._now, self._item, self._loc = source, site, now, item, loc
        self._key = printable(item.key)
        self._warned: list[tuple[str, Example]] = []

    def reading(self) -> Reading:
        key = self._item.key.lower()
        body = self._begun(key)
        skipped = self._header_reason(body)
        own_date = None
        if skipped is None and key.endswith(_HTML):
            head = self._head(body)
            skipped = self._html_reason(head)
            own_date = None if skipped else self._html_date(head, body)
        elif skipped is None and key.endswith(_MARKDOWN):
            front = frontmatter.read(body.data)
            skipped = Skipped(self._key, Reason.UNPUBLISHED, front.hidden_by) if front.hidden_by else None
            own_date = front.date
        if skipped:
            return Reading(self._item, self._loc, skipped, warned=tuple(self._warned))
        digest = _digest(key, body.data) if self._site.lastmod == "content" else None
        return Reading(self._item, self._loc, None, self._believed(own_date), digest, tuple(self._warned))

    def _begun(self, key: str) -> Body:
        """The item's whole where its content counts, else what the rules for its type begin with."""
        if self._site.lastmod == "content" or key.endswith(_MARKDOWN):
            return self._source.read(self._item)
        return self._source.read(self._item, page.HEAD_SIZES[0] if key.endswith(_HTML) else 0)

    def _header_reason(self, body: Body) -> Skipped | None:
        if body.redirect:
            return Skipped(self._key, Reason.REDIRECT, printable(body.redirect))
        word = page.excluding_word(body.robots)
        return Skipped(self._key, Reason.NOINDEX, f"{word}, in a header") if word else None

    def _head(self, begun: Body) -> page.Head:
        for body in self._bodies(begun):
            if head := page.read_head(body.data, is_whole=body.is_whole, is_dated=self._site.page_dates):
                return head
        raise AssertionError("the largest head size is read as a whole")

    def _bodies(self, begun: Body) -> Iterator[Body]:
        """The item's beginning in growing sizes; what is read at last counts as the whole."""
        for size in page.HEAD_SIZES[:-1]:
            is_whole = begun.is_whole and len(begun.data) <= size
            yield Body(begun.data[:size], is_whole) if begun.is_whole else begun
            if not begun.is_whole:
                begun = self._source.read(self._item, page.HEAD_SIZES[page.HEAD_SIZES.index(size) + 1])
            elif is_whole:
                return
        yield Body(begun.data[: page.HEAD_SIZES[-1]], is_whole=True)

    def _html_reason(self, head: page.Head) -> Skipped | None:
        if head.noindex:
            return Skipped(self._key, Reason.NOINDEX, head.noindex)
        if target := page.refresh_target(head, self._loc):
            return Skipped(self._key, Reason.REFRESH, target)
        target = page.canonical(head, self._loc)
        if target is None or target == self._loc:
            return None
        if not target.startswith(self._site.base_url):
            return self._foreign(target)
        if _is_variant(target, self._loc):
            self._warned.append(("canonical-variant", Example(self._key, target)))
        return Skipped(self._key, Reason.CANONICAL, target)

    def _foreign(self, target: str) -> Skipped | None:
        if self._site.foreign_canonical == "skip":
            return Skipped(self._key, Reason.FOREIGN_CANONICAL, target)
        self._warned.append(("foreign-canonical", Example(self._key, target)))
        return None

    def _html_date(self, head: page.Head, body: Body) -> str | None:
        if not self._site.page_dates or head.date:
            return head.date
        whole = body if body.is_whole else self._source.read(self._item, page.HEAD_SIZES[-1])
        return page.read_date(whole.data)

    def _believed(self, own_date: str | None) -> str | None:
        if not self._site.page_dates or own_date is None:
            return None
        if lastmod.is_future(own_date, self._now):
            self._warned.append(("future-date", Example(self._key, own_date)))
            return None
        return own_date


def _is_variant(target: str, own: str) -> bool:
    """Whether two URLs differ only in how they write an index file, `.html` or the last slash."""

    def plain(loc: str) -> str:
        return loc.removesuffix("/").removesuffix(".html").removesuffix(".htm").removesuffix("/index")

    return plain(target) == plain(own)


def _digest(key: str, content: bytes) -> str:
    if key.endswith(_HTML) and len(content) <= _TEXT_LIMIT and page.is_shallow(content):
        content = page.visible_text(content).encode("utf-8", "replace")
    return blake2b(content, digest_size=16).hexdigest()
