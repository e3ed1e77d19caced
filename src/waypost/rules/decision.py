"""Whether an item that may be a page is listed, by what it says of itself; pure, so that it can be judged again."""

from msgspec import Struct

from waypost.config.load import Site
from waypost.core import dates
from waypost.core.model import Example, Reason, Skipped, printable
from waypost.rules import html_head
from waypost.rules.html_head import Head
from waypost.rules.media import Media

_NO_HEAD = Head()


class Said(Struct, frozen=True, gc=False, omit_defaults=True):
    """What an item's bytes and headers say: facts, not judged yet.

    `hidden_by` is a line of front matter that keeps it out, `redirect` and `robots` come from headers.
    `date` is the one it gives itself, `digest` that of its content, `media` what is on it, each where the settings
    ask for it.
    """

    head: Head = _NO_HEAD
    redirect: str = ""
    robots: str = ""
    hidden_by: str = ""
    date: str | None = None
    digest: str | None = None
    media: Media | None = None


class Verdict(Struct, frozen=True):
    """Why an item is left out, None where it is listed; `warned` are codes of warnings with what they are about."""

    skipped: Skipped | None = None
    own_date: str | None = None
    warned: tuple[tuple[str, Example], ...] = ()


_NOTHING_SAID = Verdict()


def verdict(key: str, loc: str, said: Said, site: Site, now: str) -> Verdict:
    """Judge what an item says; `own_date` is the date to believe, if the settings let it be believed."""
    if not (said.redirect or said.robots or said.hidden_by or said.date) and said.head == _NO_HEAD:
        return _NOTHING_SAID
    shown = printable(key)
    if reason := _header_reason(shown, said) or _head_reason(shown, loc, said.head):
        return Verdict(reason)
    if said.hidden_by:
        return Verdict(Skipped(shown, Reason.UNPUBLISHED, said.hidden_by))
    target = html_head.canonical(said.head, loc)
    if target is not None and target != loc:
        left_out = _canonical_verdict(shown, loc, target, site)
        if left_out.skipped:
            return left_out
        return _dated(shown, said, site, now, left_out.warned)
    return _dated(shown, said, site, now, ())


def _header_reason(shown: str, said: Said) -> Skipped | None:
    if said.redirect:
        return Skipped(shown, Reason.REDIRECT, printable(said.redirect))
    word = html_head.excluding_word(said.robots) if said.robots else ""
    return Skipped(shown, Reason.NOINDEX, f"{word}, in a header") if word else None


def _head_reason(shown: str, loc: str, head: Head) -> Skipped | None:
    if head.noindex:
        return Skipped(shown, Reason.NOINDEX, head.noindex)
    target = html_head.refresh_target(head, loc)
    return Skipped(shown, Reason.REFRESH, target) if target else None


def _canonical_verdict(shown: str, loc: str, target: str, site: Site) -> Verdict:
    if target.startswith(site.base_url):
        warned = (("canonical-variant", Example(shown, target)),) if _is_variant(target, loc) else ()
        return Verdict(Skipped(shown, Reason.CANONICAL, target), warned=warned)
    if site.foreign_canonical == "skip":
        return Verdict(Skipped(shown, Reason.FOREIGN_CANONICAL, target))
    return Verdict(warned=(("foreign-canonical", Example(shown, target)),))


def _dated(shown: str, said: Said, site: Site, now: str, warned: tuple[tuple[str, Example], ...]) -> Verdict:
    if not site.page_dates or said.date is None:
        return Verdict(warned=warned)
    if dates.is_future(said.date, now):
        return Verdict(warned=(*warned, ("future-date", Example(shown, said.date))))
    return Verdict(own_date=said.date, warned=warned)


def _is_variant(target: str, own: str) -> bool:
    """Whether two URLs differ only in how they write an index file, `.html` or the last slash."""

    def plain(loc: str) -> str:
        return loc.removesuffix("/").removesuffix(".html").removesuffix(".htm").removesuffix("/index")

    return plain(target) == plain(own)
