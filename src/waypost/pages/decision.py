"""The decision whether a page is listed, from what was read of it; pure, so that it can be made again."""

from msgspec import Struct

from waypost.core import dates
from waypost.core.model import Example, Skipped, printable
from waypost.pages.content_rules import CONTENT_RULES, Candidate
from waypost.pages.facts import PageFacts
from waypost.settings.schema import Site

_Warnings = tuple[tuple[str, Example], ...]


class Decision(Struct, frozen=True):
    """Why a page is left out, or None if it is listed.

    `own_date` is the date that the page gives itself, if the settings and the current time let it be believed.
    `warnings` are codes of warnings, each with what it is about.
    """

    skipped: Skipped | None = None
    own_date: str | None = None
    warnings: _Warnings = ()


_LISTED = Decision()


def decide(key: str, loc: str, facts: PageFacts, site: Site, now: str) -> Decision:
    """Ask the content rules in their order; the first that gives a reason leaves the page out.

    The warnings of rules before it are then dropped: they are about pages that are listed.
    """
    page = Candidate(key, loc, facts, site, now)
    warnings: _Warnings = ()
    for rule in CONTENT_RULES:
        answer = rule(page)
        if answer is None:
            continue
        shown = printable(key)
        found = tuple((code, Example(shown, detail)) for code, detail in answer.warnings)
        if answer.reason is not None:
            return Decision(Skipped(shown, answer.reason, answer.detail), warnings=found)
        warnings += found
    if facts.download_type:
        warnings += (("served-as-download", Example(printable(key), facts.download_type)),)
    if facts.unknown_coding:
        warnings += (("unknown-coding", Example(printable(key), facts.unknown_coding)),)
    elif facts.is_cut:
        warnings += (("beyond-bounds", Example(printable(key))),)
    if facts.own_date is None or not site.page_dates:
        return Decision(warnings=warnings) if warnings else _LISTED
    if not dates.may_be_change(facts.own_date, now):
        return Decision(warnings=(*warnings, ("wrong-page-date", Example(printable(key), facts.own_date))))
    return Decision(own_date=facts.own_date, warnings=warnings)
