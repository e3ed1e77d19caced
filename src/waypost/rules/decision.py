"""Whether an item that may be a page is listed, by what it says of itself; pure, so that it can be judged again."""

from msgspec import Struct

from waypost.config.schema import Site
from waypost.core import dates
from waypost.core.model import Example, Reason, Skipped, printable
from waypost.rules import html_head
from waypost.rules.html_head import Head
from waypost.rules.media import Media

_NO_HEAD = Head()


class PageFacts(Struct, frozen=True, gc=False, omit_defaults=True):
    """What an item's bytes and headers say: facts, not judged yet.

    `hidden_by` is a line of front matter that keeps it out, `redirect` and `robots` come from headers.
    `date` is the one it gives itself, `digest` that of its content, `media` what is on it, each where the settings
    ask for it.
    """

    head: Head = _NO_HEAD
    redirect: str = ""
    robots_header: str = ""
    hidden_by: str = ""
    own_date: str | None = None
    text_digest: str | None = None
    media: Media | None = None


class Decision(Struct, frozen=True):
    """Why an item is left out, None where it is listed; `warned` are codes of warnings with what they are about."""

    skipped: Skipped | None = None
    own_date: str | None = None
    warnings: tuple[tuple[str, Example], ...] = ()


_LISTED = Decision()


def decide(key: str, loc: str, facts: PageFacts, site: Site, now: str) -> Decision:
    """Judge what an item says; `own_date` is the date to believe, if the settings let it be believed."""
    if not (facts.redirect or facts.robots_header or facts.hidden_by or facts.own_date) and facts.head == _NO_HEAD:
        return _LISTED
    shown = printable(key)
    if reason := _header_reason(shown, facts) or _head_reason(shown, loc, facts.head):
        return Decision(reason)
    if facts.hidden_by:
        return Decision(Skipped(shown, Reason.UNPUBLISHED, facts.hidden_by))
    target = html_head.canonical(facts.head, loc)
    if target is not None and target != loc:
        left_out = _decide_by_canonical(shown, loc, target, site)
        if left_out.skipped:
            return left_out
        return _with_own_date(shown, facts, site, now, left_out.warnings)
    return _with_own_date(shown, facts, site, now, ())


def _header_reason(shown: str, facts: PageFacts) -> Skipped | None:
    if facts.redirect:
        return Skipped(shown, Reason.REDIRECT, printable(facts.redirect))
    word = html_head.excluding_word(facts.robots_header) if facts.robots_header else ""
    return Skipped(shown, Reason.NOINDEX, f"{word}, in a header") if word else None


def _head_reason(shown: str, loc: str, head: Head) -> Skipped | None:
    if head.noindex:
        return Skipped(shown, Reason.NOINDEX, head.noindex)
    target = html_head.refresh_target(head, loc)
    return Skipped(shown, Reason.REFRESH, target) if target else None


def _decide_by_canonical(shown: str, loc: str, target: str, site: Site) -> Decision:
    if target.startswith(site.base_url):
        warned = (("canonical-variant", Example(shown, target)),) if _is_variant(target, loc) else ()
        return Decision(Skipped(shown, Reason.CANONICAL, target), warnings=warned)
    if site.foreign_canonical == "skip":
        return Decision(Skipped(shown, Reason.FOREIGN_CANONICAL, target))
    return Decision(warnings=(("foreign-canonical", Example(shown, target)),))


def _with_own_date(
    shown: str, facts: PageFacts, site: Site, now: str, warned: tuple[tuple[str, Example], ...]
) -> Decision:
    if not site.page_dates or facts.own_date is None:
        return Decision(warnings=warned)
    if dates.is_future(facts.own_date, now):
        return Decision(warnings=(*warned, ("future-date", Example(shown, facts.own_date))))
    return Decision(own_date=facts.own_date, warnings=warned)


def _is_variant(target: str, own: str) -> bool:
    """Whether two URLs differ only in how they write an index file, `.html` or the last slash."""

    def plain(loc: str) -> str:
        return loc.removesuffix("/").removesuffix(".html").removesuffix(".htm").removesuffix("/index")

    return plain(target) == plain(own)
